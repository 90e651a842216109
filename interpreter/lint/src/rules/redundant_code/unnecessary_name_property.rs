//! A resource defines the property `name`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/UnnecessaryNameProperty",
    summary: "A resource defines the property `name`",
    why: "Every resource has it.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :name, String, name_property: true
",
    good: r"property :a, String, name_property: true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let args = n.args();
    let Some((_, rest)) = args.split_first().filter(|(name, _)| n.recv().is_none() && name.is_sym("name")) else {
        return;
    };
    let rest = if rest.first().is_some_and(|kind| kind.is_const("String")) { &rest[1..] } else { rest };
    let plain =
        |key: N<'_>| key.as_sym().is_some_and(|key| ["kind_of", "name_attribute", "name_property"].contains(&key));
    let found = match rest {
        [] => true,
        [hash] => hash.is(Kind::Hash) && hash.kids().all(|pair| pair.kid(0).is_some_and(plain)),
        _ => false,
    };
    if found {
        cx.report_fix(n.span(), Edit::remove(n.span()));
    }
}
