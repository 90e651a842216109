//! Metadata has `conflicts`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/ConflictsMetadata",
    summary: "Metadata has `conflicts`",
    why: "Chef never used it.",
    level: Level::Info,
    file: "metadata.rb",
    removed_in: "15",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["conflicts"])],
    check,
    bad: r"conflicts 'b'
name 'a'
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let mut span = n.span();
    let after = &cx.tree.source[span.end as usize..];
    let rest = after.trim_start_matches([' ', '\t']).trim_start_matches('\n');
    span.end += u32::try_from(after.len() - rest.len()).unwrap_or(0);
    cx.report_fix(n.span(), Edit::remove(span));
}
