//! A resource includes Chef's DSL, which it already has.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DslIncludeInResource",
    summary: "A resource includes Chef's DSL, which it has",
    why: "Resources and providers have it since Chef 12.4.",
    level: Level::Info,
    file: "resources/a.rb",
    since: "12.4",
    fix: Fix::Safe,
    include: RESOURCE_FILES,
    on: &[On::Call(&["include"])],
    check,
    bad: r"provides :a
include Chef::DSL::Recipe
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let dsl = |name: N<'_>| name.is_const("Chef::DSL::Recipe") || name.is_const("Chef::DSL::IncludeRecipe");
    if n.recv().is_none() && n.only_arg().is_some_and(dsl) {
        report_removal(cx, n);
    }
}
