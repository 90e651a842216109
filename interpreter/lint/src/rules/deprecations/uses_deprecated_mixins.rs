//! A mixin of old Chef versions is included or required.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/UsesDeprecatedMixins",
    summary: "A mixin of old Chef versions is included or required",
    why: "The mixins became parts of `Chef::DSL`; most of them were removed.",
    file: "libraries/a.rb",
    removed_in: "14",
    replaced_by: "Chef::DSL",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Call(&["include", "require"])],
    check,
    bad: r"require 'chef/mixin/language'
x = 1
",
    good: r"x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let mixins = ["Language", "LanguageIncludeAttribute", "RecipeDefinitionDSLCore", "LanguageIncludeRecipe"];
    let included = n.is_call("include")
        && n.only_arg().is_some_and(|name| {
            name.is_const("Chef::DSL::Recipe::FullDSL")
                || mixins.iter().any(|mixin| name.is_const(&format!("Chef::Mixin::{mixin}")))
        });
    let files = ["chef/mixin/language", "chef/mixin/language_include_attribute", "chef/mixin/language_include_recipe"];
    if included || requires(n, &files) {
        report_removal(cx, n);
    }
}
