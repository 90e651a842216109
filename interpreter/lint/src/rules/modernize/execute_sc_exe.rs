//! `sc.exe` is run.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ExecuteScExe",
    summary: "`sc.exe` is run",
    why: "`windows_service` creates, configures and removes services.",
    level: Level::Info,
    since: "14.0",
    replaced_by: "windows_service",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["execute"]), On::Block(&["execute"])],
    check,
    bad: r"execute 'sc.exe start a'
",
    good: r"windows_service 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_command(cx, n, &["sc.exe"], &[("execute", "command")]);
}
