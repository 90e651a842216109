//! `apt-get update` is run as a command.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ExecuteAptUpdate",
    summary: "`apt-get update` is run as a command",
    why: "`apt_update` does it, and not more often than it is told.",
    level: Level::Info,
    replaced_by: "apt_update",
    fix: Fix::None,
    exclude: METADATA,
    on: &[On::Call(&["execute", "notifies", "subscribes", "command"])],
    check,
    bad: r"execute 'apt-get update'
",
    good: r"apt_update
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() {
        return;
    }
    match n.name() {
        "execute" => {
            let updates = ["apt-get update", "apt-get update -y", "apt-get -y update"];
            if n.only_arg().and_then(N::as_str).is_some_and(|command| updates.contains(&command)) {
                cx.report(n.span());
            }
        }
        "command" => {
            if n.only_arg().is_some_and(|command| command.is_str("apt-get update")) {
                cx.report(n.span());
            }
        }
        _ => {
            let Some(target) = n.arg(1).filter(|_| n.arg(0).is_some_and(|action| action.is(Kind::Sym))) else { return };
            if target.as_str().is_some_and(|name| name.starts_with("execute[apt-get update]")) {
                cx.report(target.span());
            }
        }
    }
}
