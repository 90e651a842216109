//! A property has `name_attribute`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/PropertyWithNameAttribute",
    summary: "A property has `name_attribute`",
    why: "That is the old name, of attributes.",
    level: Level::Info,
    file: "resources/a.rb",
    replaced_by: "name_property",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property"])],
    check,
    bad: r"property :path, String, name_attribute: true
",
    good: r"property :path, String, name_property: true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() < 2 || !n.arg(0).is_some_and(|name| name.is(Kind::Sym)) {
        return;
    }
    let pair = n.last_arg().and_then(|hash| hash.pair(&["name_attribute"]));
    if let Some(pair) = pair.filter(|pair| pair.kid(1).is_some_and(|value| value.is(Kind::True))) {
        cx.report_fix(n.span(), Edit::replace(pair.span(), "name_property: true"));
    }
}
