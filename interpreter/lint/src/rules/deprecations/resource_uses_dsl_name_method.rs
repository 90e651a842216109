//! `dsl_name` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ResourceUsesDslNameMethod",
    summary: "`dsl_name` is used",
    why: "The method was removed.",
    file: "libraries/a.rb",
    removed_in: "13",
    replaced_by: "resource_name",
    include: PROVIDERS,
    on: &[On::Call(&["dsl_name"])],
    check,
    bad: r"x = A.dsl_name
",
    good: r"x = A.resource_name
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
