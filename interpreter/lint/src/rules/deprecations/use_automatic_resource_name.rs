//! `use_automatic_resource_name` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/UseAutomaticResourceName",
    summary: "`use_automatic_resource_name` is used",
    why: "The method was removed.",
    file: "resources/a.rb",
    removed_in: "16",
    replaced_by: "provides",
    fix: Fix::Unsafe,
    include: RESOURCES,
    on: &[On::Call(&["use_automatic_resource_name"])],
    check,
    bad: r"provides :a
use_automatic_resource_name
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let edit = cx.remove_with_space(n);
    cx.report_fix(n.selector(), edit);
}
