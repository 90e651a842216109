//! `choco` is run as a command.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ShellOutToChocolatey",
    summary: "`choco` is run as a command",
    why: "Chef has resources for packages, sources, features and settings of Chocolatey.",
    level: Level::Info,
    replaced_by: "chocolatey_package, chocolatey_source, chocolatey_feature, chocolatey_config",
    exclude: METADATA,
    on: &[On::Block(&["powershell_script", "execute"])],
    check,
    bad: r"execute 'a' do
  command 'choco install git'
end
",
    good: r"chocolatey_package 'git'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_command(cx, n, &["choco "], &[("powershell_script", "code"), ("execute", "command")]);
}
