//! The metadata depends on the cookbook timezone_lwrp.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnTimezoneLwrpCookbook",
    summary: "The cookbook timezone_lwrp is depended on",
    why: "Chef has its resources itself since 14.6.",
    level: Level::Info,
    file: "metadata.rb",
    since: "14.6",
    replaced_by: "timezone",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'timezone_lwrp'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["timezone_lwrp"]) {
        report_removal(cx, n);
    }
}
