//! `provider_base` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ResourceUsesProviderBaseMethod",
    summary: "`provider_base` is used",
    why: "The method was removed.",
    file: "libraries/a.rb",
    removed_in: "13",
    replaced_by: "provides",
    include: RESOURCES,
    on: &[On::Call(&["provider_base"])],
    check,
    bad: r"provider_base Chef::Provider
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
