//! A helper of the gem chef-sugar that is not part of Chef.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefSugarHelpers",
    summary: "A helper of the gem chef-sugar that Chef did not take over",
    why: "Chef has most helpers of chef-sugar since 15.5; this one is only in the gem, which is no longer maintained.",
    exclude: &["**/metadata.rb", "**/Berksfile", "**/Rakefile"],
    on: &[On::Call(&[
        "vagrant_key?",
        "vagrant_domain?",
        "vagrant_user?",
        "require_chef_gem",
        "best_ip_for",
        "nexus?",
        "ios_xr?",
        "ruby_20?",
        "ruby_19?",
        "includes_recipe?",
        "wrlinux?",
        "dev_null",
        "nexentacore_platform?",
        "opensolaris_platform?",
        "nexentacore?",
        "opensolaris?",
    ])],
    check,
    bad: r"log 'here' if includes_recipe?('apache2')
",
    good: r"log 'here' if node.recipe?('apache2')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
