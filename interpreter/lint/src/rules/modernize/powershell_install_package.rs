//! `powershell_script` installs a package.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/PowershellInstallPackage",
    summary: "`powershell_script` installs a package",
    why: "`powershell_package` does it only when it is needed.",
    level: Level::Info,
    since: "12.16",
    replaced_by: "powershell_package",
    exclude: METADATA,
    on: &[On::Block(&["powershell_script"])],
    check,
    bad: r"powershell_script 'a' do
  code 'Install-Package a'
end
",
    good: r"powershell_package 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_command(cx, n, &["install-package "], &[("powershell_script", "code")]);
}
