//! The recipe `chef_handler::default` is included, which is empty.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefHandlerRecipe",
    summary: "The recipe `chef_handler::default` is included, which is empty",
    why: "The resource `chef_handler` is part of Chef since 14; the recipe does nothing.",
    since: "14",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"include_recipe 'chef_handler'
",
    good: r"chef_handler 'Report'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if includes_recipe(n, &["chef_handler", "chef_handler::default"]) {
        report_removal(cx, n);
    }
}
