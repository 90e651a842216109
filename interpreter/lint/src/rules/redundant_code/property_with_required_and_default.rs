//! A required property has a default.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/PropertyWithRequiredAndDefault",
    summary: "A required property has a default",
    why: "It is never used.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :a, String, required: true, default: 'b'
",
    good: r"property :a, String, required: true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(hash) = options(n) else { return };
    let required = hash.pairs().any(|(key, value)| key.is_sym("required") && value.is(Kind::True));
    if let Some(default) = hash.pair(&["default"]).filter(|_| required) {
        report_option_removal(cx, n.span(), default);
    }
}
