//! `sleep` is run as a command.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ExecuteSleep",
    summary: "`sleep` is run as a command",
    why: "`chef_sleep` says what it is.",
    level: Level::Info,
    since: "15.5",
    replaced_by: "chef_sleep",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["execute"]), On::Block(&["execute", "bash"])],
    check,
    bad: r"execute 'sleep 60'
",
    good: r"chef_sleep '60'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_command(cx, n, &["sleep"], &[("execute", "command"), ("bash", "code")]);
}
