//! The metadata depends on the cookbook partial_search.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/CookbookDependsOnPartialSearch",
    summary: "The cookbook partial_search is depended on",
    why: "`search` has `filter_result` itself since Chef 13.",
    file: "metadata.rb",
    since: "13.0",
    replaced_by: "search with filter_result",
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"depends 'partial_search'
",
    good: r"depends 'apt'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["partial_search"]) {
        cx.report(n.span());
    }
}
