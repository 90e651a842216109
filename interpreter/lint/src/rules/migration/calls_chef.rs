//! A command of Chef is run.

use crate::rules::prelude::*;

const COMMANDS: &[&str] =
    &["chef-client", "chef-solo", "chef-apply", "knife", "ohai", "chef-shell", "inspec", "berks", "chef-run"];

/// Calls that take a command as their first argument.
const TAKES: &[&str] = &[
    "execute",
    "command",
    "shell_out",
    "shell_out!",
    "system",
    "exec",
    "spawn",
    "only_if",
    "not_if",
    "code",
    "bash",
    "cron",
    "cron_d",
    "systemd_unit",
];

pub static RULE: Rule = Rule {
    alias: "Rchef/CallsChef",
    summary: "A command of Chef is run",
    why: "A node that rchef configures need not have it. `rchef client` takes chef-client's options, also as a link of that name.",
    include: RUNS,
    exclude: TESTS,
    on: &[On::Call(TAKES), On::Kind(Kind::Xstr)],
    check,
    bad: r"execute 'chef-client --once'
",
    good: r"execute 'systemctl start rchef'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let code = if n.is(Kind::Xstr) {
        n.src().trim_start_matches('`')
    } else {
        // with a block, the first argument is the resource's name; it is only the command if there is no other
        let Some(first) = n.arg(0).filter(|first| first.is_any(&[Kind::Str, Kind::Dstr])) else { return };
        if n.block().is_some_and(|block| block.all().any(|inner| inner.is_call("command")))
            || matches!(n.name(), "cron" | "cron_d" | "bash" | "systemd_unit")
        {
            return;
        }
        first.src().trim_start_matches(['"', '\''])
    };
    let mut words = code.split_whitespace().skip_while(|word| word.contains('=') || *word == "sudo");
    let command = words.next().unwrap_or_default().trim_end_matches(['"', '\'', '`', ';']);
    let base = command.rsplit('/').next().unwrap_or(command);
    if COMMANDS.contains(&base) && !(base == "ohai" && words.next().is_none() && !n.is(Kind::Xstr)) {
        cx.report_saying(n.span(), format!("the command {base} is Chef's, which need not be there"));
    }
}
