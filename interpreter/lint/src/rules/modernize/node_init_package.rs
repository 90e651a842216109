//! /proc/1/comm is read to find out whether systemd is running.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/NodeInitPackage",
    summary: "/proc/1/comm is read to see whether systemd runs",
    why: "Ohai has it.",
    level: Level::Info,
    replaced_by: "node['init_package']",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["==", "not_if", "only_if"])],
    check,
    bad: r"x = IO.read('/proc/1/comm').chomp == 'systemd'
",
    good: r"x = node['init_package'] == 'systemd'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is_call_any(&["not_if", "only_if"]) {
        if let Some(test) = n.only_arg().filter(|test| test.is_str("test -f /bin/systemctl && /bin/systemctl")) {
            cx.report_fix(n.span(), Edit::replace(test.span(), "{ node['init_package'] == 'systemd' }"));
        }
        return;
    }
    let reads = |call: N<'_>| {
        (call.is_send("open") || call.is_send("read"))
            && call.recv().is_some_and(|on| on.is_const("File") || on.is_const("IO"))
            && call.only_arg().is_some_and(|path| path.is_str("/proc/1/comm"))
    };
    let Some(chomp) = n.recv().filter(|chomp| chomp.is_send("chomp") && chomp.argc() == 0) else { return };
    let read = chomp
        .recv()
        .is_some_and(|on| reads(on) || (on.is_send("gets") && on.argc() == 0 && on.recv().is_some_and(reads)));
    if !read || !n.only_arg().is_some_and(|name| name.is_str("systemd")) {
        return;
    }
    let exists = |test: N<'_>| {
        test.is_send("exist?")
            && test.recv().is_some_and(|on| on.is_const("File"))
            && test.only_arg().is_some_and(|path| path.is_str("/proc/1/comm"))
    };
    let both = n.parent().filter(|and| and.is(Kind::And) && and.kid(0).is_some_and(exists));
    report_replacement(cx, both.unwrap_or(n), "node['init_package'] == 'systemd'");
}
