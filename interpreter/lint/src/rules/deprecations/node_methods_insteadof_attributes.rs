//! An automatic attribute is read as a method of the node.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/NodeMethodsInsteadofAttributes",
    summary: "An automatic attribute is read as a method of the node",
    why: "Chef 13 removed attributes as methods; some that Ohai sets still answer.",
    removed_in: "13",
    replaced_by: "node['name']",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&[
        "current_user",
        "domain",
        "fqdn",
        "hostname",
        "ip6address",
        "ipaddress",
        "macaddress",
        "machinename",
        "ohai_time",
        "os",
        "os_version",
        "platform",
        "platform_build",
        "platform_family",
        "platform_version",
        "root_group",
        "shard_seed",
        "uptime",
        "uptime_seconds",
    ])],
    check,
    bad: r"log node.platform
",
    good: r"log node['platform']
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() == 0 && n.recv().is_some_and(N::is_node) {
        cx.report_fix(n.selector(), Edit::replace(n.span(), format!("node['{}']", n.name())));
    }
}
