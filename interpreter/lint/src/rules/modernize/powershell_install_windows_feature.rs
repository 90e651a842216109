//! `powershell_script` installs a Windows feature.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/PowershellInstallWindowsFeature",
    summary: "`powershell_script` installs a Windows feature",
    why: "`windows_feature` does it only when it is needed.",
    level: Level::Info,
    since: "14.0",
    replaced_by: "windows_feature",
    exclude: METADATA,
    on: &[On::Block(&["powershell_script"])],
    check,
    bad: r"powershell_script 'a' do
  code 'Install-WindowsFeature a'
end
",
    good: r"windows_feature 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let commands = ["install-windowsfeature ", "add-windowsfeature "];
    report_command(cx, n, &commands, &[("powershell_script", "code")]);
}
