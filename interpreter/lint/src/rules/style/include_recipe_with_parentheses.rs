//! `include_recipe` has parentheses.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/IncludeRecipeWithParentheses",
    summary: "`include_recipe` has parentheses",
    why: "Recipes leave them out.",
    level: Level::Info,
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"include_recipe('a')
",
    good: r"include_recipe 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let on = n.recv();
    let Some(name) = n.only_arg().filter(|name| name.is(Kind::Str) && n.delimited()) else { return };
    if on.is_some_and(|on| !on.is_call("run_context") || on.argc() > 0) || n.parent().is_some_and(|p| p.is(Kind::Send))
    {
        return;
    }
    let receiver = on.map(|on| format!("{}.", on.src())).unwrap_or_default();
    report_replacement(cx, n, format!("{receiver}include_recipe {}", name.src()));
}
