//! `partial_search` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/PartialSearchHelperUsage",
    summary: "`partial_search` is used",
    why: "`search` has `filter_result` itself.",
    replaced_by: "search with filter_result",
    exclude: METADATA,
    on: &[On::Call(&["partial_search"])],
    check,
    bad: r"partial_search(:node, '*:*', keys: {})
",
    good: r"search(:node, '*:*', filter_result: {})
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
