//! Metadata has `grouping`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/GroupingMetadata",
    summary: "Metadata has `grouping`",
    why: "Chef never used it.",
    level: Level::Info,
    file: "metadata.rb",
    removed_in: "15",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["grouping"])],
    check,
    bad: r"name 'a'
grouping 'b', title: 'c'
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_field_removal(cx, n);
}
