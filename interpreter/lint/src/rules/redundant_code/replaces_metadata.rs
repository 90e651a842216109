//! Metadata has `replaces`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/ReplacesMetadata",
    summary: "Metadata has `replaces`",
    why: "Chef never used it.",
    level: Level::Info,
    file: "metadata.rb",
    removed_in: "15",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["replaces"])],
    check,
    bad: r"name 'a'
replaces 'b'
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_removal(cx, n);
}
