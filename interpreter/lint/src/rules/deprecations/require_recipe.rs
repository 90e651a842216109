//! `require_recipe` is used.

use super::kept::REQUIRE_RECIPE;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/RequireRecipe",
    summary: "`require_recipe` is used",
    why: "The method was removed.",
    removed_in: REQUIRE_RECIPE.version,
    replaced_by: REQUIRE_RECIPE.instead,
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["require_recipe"])],
    check,
    bad: r"require_recipe 'apache2'
",
    good: r"include_recipe 'apache2'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_none() && n.only_arg().is_some_and(|name| name.is(Kind::Str)) {
        cx.report_fix(n.selector(), Edit::replace(n.selector(), "include_recipe"));
    }
}
