//! A name property has a default.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/NamePropertyWithDefaultValue",
    summary: "A name property has a default",
    why: "The default is never used, and Chef 13 and later refuse it.",
    file: "resources/a.rb",
    removed_in: "13",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["attribute", "property"])],
    check,
    bad: r"property :path, String, name_property: true, default: '/'
",
    good: r"property :path, String, name_property: true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || !n.arg(0).is_some_and(|name| name.is(Kind::Sym)) {
        return;
    }
    let Some(hash) = n.last_arg().filter(|hash| n.argc() > 1 && hash.is(Kind::Hash)) else { return };
    let named = hash
        .pairs()
        .any(|(key, value)| (key.is_sym("name_property") || key.is_sym("name_attribute")) && value.is(Kind::True));
    let Some(default) = hash.pair(&["default"]).filter(|_| named) else { return };
    report_option_removal(cx, n.span(), default);
}
