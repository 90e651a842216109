//! A name property is required.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/NamePropertyIsRequired",
    summary: "A name property is required",
    why: "A resource always has a name.",
    level: Level::Info,
    file: "resources/a.rb",
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :a, String, name_property: true, required: true
",
    good: r"property :a, String, name_property: true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(hash) = options(n) else { return };
    let holds = |keys: &[&str]| {
        hash.pairs().any(|(key, value)| key.as_sym().is_some_and(|key| keys.contains(&key)) && value.is(Kind::True))
    };
    if holds(&["name_property", "name_attribute"]) && holds(&["required"]) {
        cx.report(n.span());
    }
}
