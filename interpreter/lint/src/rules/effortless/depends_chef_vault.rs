//! The metadata depends on the cookbook chef-vault.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/DependsChefVault",
    summary: "The cookbook chef-vault is depended on",
    why: "It needs a Chef Server.",
    level: Level::Info,
    file: "metadata.rb",
    default: false,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"depends 'chef-vault'
",
    good: r"depends 'apt'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["chef-vault"]) {
        cx.report(n.span());
    }
}
