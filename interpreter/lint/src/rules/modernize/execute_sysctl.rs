//! `sysctl -p` is run.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ExecuteSysctl",
    summary: "`sysctl -p` is run",
    why: "`sysctl` sets values and keeps them.",
    level: Level::Info,
    since: "14.0",
    replaced_by: "sysctl",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["execute"]), On::Block(&["execute"])],
    check,
    bad: r"execute 'sysctl -p /etc/sysctl.d/a.conf'
",
    good: r"sysctl 'vm.swappiness' do
  value 0
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Send) {
        report_command(cx, n, &["sysctl -p"], &[]);
    } else {
        report_command(cx, n, &["sysctl -p", "/sbin/sysctl -p"], &[("execute", "command")]);
    }
}
