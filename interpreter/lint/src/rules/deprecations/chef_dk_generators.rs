//! The module `ChefDK` is used in a generator.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefDKGenerators",
    summary: "The module `ChefDK` is used in a generator",
    why: "Chef Workstation 0.8 renamed it.",
    replaced_by: "ChefCLI",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Kind(Kind::Const)],
    check,
    bad: r"ChefDK::Generator.add_attr_to_context(:a, 1)
",
    good: r"ChefCLI::Generator.add_attr_to_context(:a, 1)
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is_bare_const("ChefDK") && n.parent().is_some_and(|parent| parent.is_any(&[Kind::Module, Kind::Const])) {
        report_replacement(cx, n, "ChefCLI");
    }
}
