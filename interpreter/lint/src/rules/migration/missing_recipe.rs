//! A recipe is included that its cookbook does not have.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/MissingRecipe",
    summary: "A recipe is included that its cookbook does not have",
    why: "The run ends there.",
    level: Level::Error,
    include: DECLARES,
    exclude: TESTS,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"include_recipe 'base::nothing'
",
    good: r"include_recipe 'base::default'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for recipe in n.args().into_iter().filter(|_| n.recv().is_none()) {
        let Some(text) = recipe.as_str() else { continue };
        let (cookbook, name) = text.split_once("::").unwrap_or((text, "default"));
        let other = if cookbook.is_empty() { cx.file.cookbook() } else { cx.file.known.cookbooks.get(cookbook) };
        let Some(other) = other.filter(|other| !other.recipes.contains(name)) else { continue };
        let all: Vec<&str> = other.recipes.iter().map(String::as_str).take(12).collect();
        let has = if all.is_empty() { "it has none".to_string() } else { format!("it has {}", all.join(", ")) };
        cx.report_saying(recipe.span(), format!("the cookbook {} has no recipe {name}; {has}", other.name));
    }
}
