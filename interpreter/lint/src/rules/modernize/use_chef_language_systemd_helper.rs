//! `node['init_package']` is compared with systemd.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UseChefLanguageSystemdHelper",
    summary: "`node['init_package']` is compared with systemd",
    why: "Chef has the helper `systemd?`.",
    level: Level::Info,
    since: "15.5",
    replaced_by: "systemd?",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["=="])],
    check,
    bad: r"log 'a' if node['init_package'] == 'systemd'
",
    good: r"log 'a' if systemd?
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let init = n.recv().is_some_and(|on| on.is_node_attribute(&["init_package"]));
    if init && n.only_arg().is_some_and(|name| name.is_str("systemd")) {
        report_replacement(cx, n, "systemd?");
    }
}
