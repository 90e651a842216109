//! `Chef::PartialSearch` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/PartialSearchClassUsage",
    summary: "`Chef::PartialSearch` is used",
    why: "`search` has `filter_result` itself.",
    replaced_by: "search with filter_result",
    exclude: METADATA,
    on: &[On::Call(&["new"])],
    check,
    bad: r"Chef::PartialSearch.new
",
    good: r"search(:node, '*:*')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() == 0 && n.recv().is_some_and(|class| class.is_const("Chef::PartialSearch")) {
        cx.report(n.span());
    }
}
