//! A resource has no description.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/IncludeResourceDescriptions",
    summary: "A resource has no description",
    why: "`chef-cli describe` shows it.",
    level: Level::Info,
    file: "resources/a.rb",
    since: "13.9",
    default: false,
    include: &["**/resources/*.rb"],
    on: &[On::File],
    check,
    bad: r"provides :a
",
    good: r"provides :a
description 'Makes an a.'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if !n.is(Kind::Empty) && !calls(n, "description") {
        let top = cx.top();
        cx.report(top);
    }
}
