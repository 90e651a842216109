//! The recipe `yum::dnf_yum_compat` is included.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/IncludingYumDNFCompatRecipe",
    summary: "The recipe `yum::dnf_yum_compat` is included",
    why: "Chef has resources for DNF.",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"include_recipe 'yum::dnf_yum_compat'
",
    good: r"log 'dnf'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_none() && includes_recipe(n, &["yum::dnf_yum_compat"]) {
        report_removal(cx, with_inline_condition(n));
    }
}
