//! `Powershell::VersionHelper` of the powershell cookbook is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/PowershellCookbookHelpers",
    summary: "`Powershell::VersionHelper` of the powershell cookbook is used",
    why: "Ohai has the version.",
    replaced_by: "node['powershell']['version']",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["powershell_version?"])],
    check,
    bad: r"x = Powershell::VersionHelper.powershell_version?('4.0')
",
    good: r"x = node['powershell']['version'].to_f == '4.0'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let on = n.recv().is_some_and(|on| on.is_const("Powershell::VersionHelper"));
    if let Some(version) = n.only_arg().filter(|_| on) {
        report_replacement(cx, n, format!("node['powershell']['version'].to_f == {}", version.src()));
    }
}
