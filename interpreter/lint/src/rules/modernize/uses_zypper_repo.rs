//! The resource `zypper_repo` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UsesZypperRepo",
    summary: "The resource `zypper_repo` is used",
    why: "In Chef it is `zypper_repository`.",
    level: Level::Info,
    since: "13.3",
    replaced_by: "zypper_repository",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["zypper_repo"])],
    check,
    bad: r"zypper_repo 'a'
",
    good: r"zypper_repository 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_new_name(cx, n, "zypper_repo", "zypper_repository");
}
