//! The resource `sysctl_param` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/SysctlParamResource",
    summary: "The resource `sysctl_param` is used",
    why: "In Chef it is `sysctl`.",
    level: Level::Info,
    since: "14.0",
    replaced_by: "sysctl",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["sysctl_param"])],
    check,
    bad: r"sysctl_param 'a'
",
    good: r"sysctl 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_new_name(cx, n, "sysctl_param", "sysctl");
}
