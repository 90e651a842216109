//! `to_s` is called on an automatic attribute that is a string.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/OhaiAttributeToString",
    summary: "An automatic attribute that is a string is made a string",
    why: "It is one.",
    level: Level::Info,
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["to_s"])],
    check,
    bad: r"log node['platform'].to_s
",
    good: r"log node['platform']
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let names = ["platform", "platform_family", "platform_version", "fqdn", "hostname", "os", "name"];
    let Some(on) = n.recv().filter(|on| n.argc() == 0 && on.is_node_attribute(&names)) else { return };
    if let Some(key) = on.arg(0) {
        report_replacement(cx, n, format!("node['{}']", key.value()));
    }
}
