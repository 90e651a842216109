//! The metadata depends on the cookbook chef-vault.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnChefVaultCookbook",
    summary: "The cookbook chef-vault is depended on",
    why: "Chef has its resources itself since 16.0.",
    level: Level::Info,
    file: "metadata.rb",
    since: "16.0",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'chef-vault'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["chef-vault"]) {
        report_removal(cx, n);
    }
}
