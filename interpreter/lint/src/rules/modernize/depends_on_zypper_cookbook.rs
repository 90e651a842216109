//! The metadata depends on the cookbook zypper.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnZypperCookbook",
    summary: "The cookbook zypper is depended on",
    why: "Chef has its resources itself since 13.3.",
    level: Level::Info,
    file: "metadata.rb",
    since: "13.3",
    replaced_by: "zypper_repository",
    fix: Fix::Unsafe,
    exclude: &[],
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'zypper'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["zypper"]) {
        report_removal(cx, n);
    }
}
