//! The resource `mac_os_x_userdefaults` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/MacOsXUserdefaults",
    summary: "The resource `mac_os_x_userdefaults` is used",
    why: "In Chef it is `macos_userdefaults`.",
    level: Level::Info,
    since: "14.0",
    replaced_by: "macos_userdefaults",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["mac_os_x_userdefaults"])],
    check,
    bad: r"mac_os_x_userdefaults 'a'
",
    good: r"macos_userdefaults 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_new_name(cx, n, "mac_os_x_userdefaults", "macos_userdefaults");
}
