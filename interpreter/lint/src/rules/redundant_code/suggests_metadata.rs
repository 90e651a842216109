//! Metadata has `suggests`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/SuggestsMetadata",
    summary: "Metadata has `suggests`",
    why: "Chef never used it.",
    level: Level::Info,
    file: "metadata.rb",
    removed_in: "15",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["suggests"])],
    check,
    bad: r"name 'a'
suggests 'b'
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_removal(cx, n);
}
