//! `service` is only stopped or disabled if its file exists.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/ServiceGuardOnStopDisable",
    summary: "`service` is only stopped or disabled if its file is there",
    why: "Stopping or disabling what is not there does nothing.",
    level: Level::Info,
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["service"])],
    check,
    bad: r"service 'a' do
  action [:stop, :disable]
  only_if { ::File.exist?('/etc/init.d/a') }
end
",
    good: r"service 'a' do
  action [:stop, :disable]
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for guard in properties(n, &["service"], &["only_if", "not_if"]) {
        if !guard.is(Kind::Block) || !only_stops(n) {
            continue;
        }
        let tests = ["exist?", "exists?", "executable?", "file?", "readable?"];
        let Some(test) = guard.body().filter(|test| test.is(Kind::Send) && tests.contains(&test.name())) else {
            continue;
        };
        let Some(path) = test.only_arg().filter(|_| test.recv().is_some_and(|on| on.is_const("File"))) else {
            continue;
        };
        let folders = ["/etc/init.d/", "/etc/rc.d/", "/usr/local/etc/rc.d/", "/etc/sv/", "/systemd/system/"];
        if folders.iter().any(|folder| path.src().contains(folder)) {
            cx.report_fix(guard.span(), Edit::remove(whole_lines(cx.tree.source, guard.span())));
        }
    }
}

/// Whether all actions of a resource are `:stop` or `:disable`.
fn only_stops(block: N<'_>) -> bool {
    let mut open: Vec<N<'_>> = block.all().filter(|call| call.is_call("action")).flat_map(N::args).collect();
    if open.is_empty() {
        return false;
    }
    let mut some = false;
    while let Some(action) = open.pop() {
        match action.kind() {
            Kind::Array => open.extend(action.kids()),
            Kind::Sym if matches!(action.value(), "stop" | "disable") => some = true,
            _ => return false,
        }
    }
    some
}
