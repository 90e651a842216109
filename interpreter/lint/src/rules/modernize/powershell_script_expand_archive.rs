//! `powershell_script` unpacks an archive.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/PowershellScriptExpandArchive",
    summary: "`powershell_script` unpacks an archive",
    why: "`archive_file` does it only when it is needed.",
    level: Level::Info,
    since: "15.0",
    replaced_by: "archive_file",
    exclude: METADATA,
    on: &[On::Block(&["powershell_script"])],
    check,
    bad: r"powershell_script 'a' do
  code 'Expand-Archive C:\a.zip'
end
",
    good: r"archive_file 'C:\a.zip' do
  destination 'C:\a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_command(cx, n, &["expand-archive"], &[("powershell_script", "code")]);
}
