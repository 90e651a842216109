//! Metadata has `provides`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/ProvidesMetadata",
    summary: "Metadata has `provides`",
    why: "Chef never used it.",
    level: Level::Info,
    file: "metadata.rb",
    removed_in: "15",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["provides"])],
    check,
    bad: r"name 'a'
provides 'b'
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_removal(cx, n);
}
