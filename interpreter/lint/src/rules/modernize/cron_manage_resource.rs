//! The resource `cron_manage` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/CronManageResource",
    summary: "The resource `cron_manage` is used",
    why: "In Chef it is `cron_access`.",
    level: Level::Info,
    since: "14.4",
    replaced_by: "cron_access",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["cron_manage"])],
    check,
    bad: r"cron_manage 'a'
",
    good: r"cron_access 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_new_name(cx, n, "cron_manage", "cron_access");
}
