//! `Mixlib::ShellOut.new(...).run_command` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ShellOutHelper",
    summary: "`Mixlib::ShellOut.new(...).run_command` is called",
    why: "`shell_out` does it with Chef's defaults.",
    level: Level::Info,
    since: "12.11",
    replaced_by: "shell_out",
    fix: Fix::Safe,
    exclude: &["**/metadata.rb", "**/Berksfile", "**/libraries/*.rb"],
    on: &[On::Call(&["run_command"])],
    check,
    bad: r"x = Mixlib::ShellOut.new('ls').run_command
",
    good: r"x = shell_out('ls')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(new) = n.recv().filter(|new| n.argc() == 0 && new.is_send("new")) else { return };
    if new.recv().is_some_and(|class| class.is_const_without_top("Mixlib::ShellOut"))
        && let Some(command) = new.only_arg()
    {
        report_replacement(cx, n, format!("shell_out({})", command.src()));
    }
}
