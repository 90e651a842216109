//! PowerShell's `Test-Path` is run to test whether a file exists.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/PowershellFileExists",
    summary: "PowerShell's `Test-Path` is run to see whether a file is there",
    why: "Ruby can tell without a process.",
    replaced_by: "::File.exist?",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["powershell_out", "powershell_out!"])],
    check,
    bad: r#"powershell_out('Test-Path "C:\a"')
"#,
    good: r"::File.exist?('C:\a')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let command = n.only_arg().and_then(N::as_str).filter(|_| n.recv().is_none());
    if command.is_some_and(|command| command.lines().any(|line| line.starts_with("Test-Path"))) {
        cx.report(n.span());
    }
}
