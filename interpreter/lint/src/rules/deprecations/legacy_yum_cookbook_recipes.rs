//! A recipe of the yum cookbook before version 3 is included.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/LegacyYumCookbookRecipes",
    summary: "A recipe of the yum cookbook before version 3 is included",
    why: "The repositories moved to cookbooks of their own: yum-epel, yum-elrepo, yum-ius, yum-remi, yum-repoforge.",
    replaced_by: "the cookbook of the repository",
    exclude: METADATA,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"include_recipe 'yum::epel'
",
    good: r"include_recipe 'yum-epel'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let recipes = ["yum::elrepo", "yum::epel", "yum::ius", "yum::remi", "yum::repoforge", "yum::yum"];
    if includes_recipe(n, &recipes) {
        cx.report(n.span());
    }
}
