//! Chef Vault is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/ChefVaultUsed",
    summary: "Chef Vault is used",
    why: "It needs a Chef Server.",
    level: Level::Info,
    default: false,
    exclude: BERKSFILE_TOO,
    on: &[
        On::Call(&["chef_vault_item", "chef_vault_item_for_environment", "include_recipe", "require", "chef_gem"]),
        On::Kind(Kind::Const),
    ],
    check,
    bad: r"x = chef_vault_item('a', 'b')
",
    good: r"x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let item = n.is_call_any(&["chef_vault_item", "chef_vault_item_for_environment"]) && n.argc() == 2;
    let gem = n.is_call_any(&["require", "include_recipe", "chef_gem"])
        && n.only_arg().is_some_and(|name| name.is_str("chef-vault"));
    if item || gem || n.is_const_without_top("ChefVault::Item") {
        cx.report(n.span());
    }
}
