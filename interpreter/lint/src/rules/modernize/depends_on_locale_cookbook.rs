//! The metadata depends on the cookbook locale.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnLocaleCookbook",
    summary: "The cookbook locale is depended on",
    why: "Chef has its resources itself since 14.5.",
    level: Level::Info,
    file: "metadata.rb",
    since: "14.5",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'locale'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["locale"]) {
        report_removal(cx, n);
    }
}
