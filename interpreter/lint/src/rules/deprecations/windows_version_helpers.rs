//! `Windows::VersionHelper` of the windows cookbook is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/WindowsVersionHelpers",
    summary: "`Windows::VersionHelper` of the windows cookbook is used",
    why: "Ohai has the data since Chef 14.",
    since: "14.0",
    replaced_by: "node['platform_version'], node['kernel']",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["nt_version", "server_version?", "core_version?", "workstation_version?"])],
    check,
    bad: r"x = Windows::VersionHelper.nt_version
",
    good: r"x = node['platform_version'].to_f
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if !n.recv().is_some_and(|on| on.is_const("Windows::VersionHelper")) || n.argc() > 0 {
        return;
    }
    let text = match n.name() {
        "nt_version" => "node['platform_version'].to_f",
        "server_version?" => "node['kernel']['product_type'] == 'Server'",
        "core_version?" => "node['kernel']['server_core']",
        _ => "node['kernel']['product_type'] == 'Workstation'",
    };
    report_replacement(cx, n, text);
}
