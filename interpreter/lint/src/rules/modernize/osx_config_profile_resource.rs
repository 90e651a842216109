//! The resource `osx_config_profile` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/OsxConfigProfileResource",
    summary: "The resource `osx_config_profile` is used",
    why: "In Chef it is `osx_profile`.",
    level: Level::Info,
    replaced_by: "osx_profile",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["osx_config_profile"])],
    check,
    bad: r"osx_config_profile 'a'
",
    good: r"osx_profile 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_new_name(cx, n, "osx_config_profile", "osx_profile");
}
