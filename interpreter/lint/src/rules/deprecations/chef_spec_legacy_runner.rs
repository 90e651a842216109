//! `ChefSpec::Runner` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefSpecLegacyRunner",
    summary: "`ChefSpec::Runner` is used",
    why: "ChefSpec split it in two.",
    file: "spec/spec_helper.rb",
    replaced_by: "ChefSpec::SoloRunner or ChefSpec::ServerRunner",
    fix: Fix::Safe,
    include: &["**/spec/*.rb"],
    on: &[On::Kind(Kind::Const)],
    check,
    bad: r"ChefSpec::Runner.new
",
    good: r"ChefSpec::ServerRunner.new
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is_const_without_top("ChefSpec::Runner") {
        report_replacement(cx, n, "ChefSpec::ServerRunner");
    }
}
