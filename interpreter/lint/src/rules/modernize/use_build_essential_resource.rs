//! The recipe `build-essential` is included.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UseBuildEssentialResource",
    summary: "The recipe `build-essential` is included",
    why: "Chef has the resource since 14.",
    level: Level::Info,
    since: "14",
    replaced_by: "build_essential",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"include_recipe 'build-essential'
",
    good: r"build_essential 'install compilation tools'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if includes_recipe(n, &["build-essential", "build-essential::default"]) {
        report_replacement(cx, n, "build_essential 'install compilation tools'");
    }
}
