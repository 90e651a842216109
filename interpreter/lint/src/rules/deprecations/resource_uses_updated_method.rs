//! `updated` is assigned in a resource or provider.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ResourceUsesUpdatedMethod",
    summary: "`updated` is assigned in a resource or provider",
    why: "The method was removed; a block of `converge_by` marks the resource as updated.",
    file: "providers/a.rb",
    removed_in: "13",
    replaced_by: "converge_by",
    default: false,
    include: PROVIDERS,
    on: &[On::Kind(Kind::Lvasgn)],
    check,
    bad: r"updated = true
",
    good: r"changed = true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.name() == "updated" {
        cx.report(n.span());
    }
}
