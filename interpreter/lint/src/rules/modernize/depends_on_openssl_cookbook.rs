//! The metadata depends on the cookbook openssl.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnOpensslCookbook",
    summary: "The cookbook openssl is depended on",
    why: "Chef has its resources itself since 14.4.",
    level: Level::Info,
    file: "metadata.rb",
    since: "14.4",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'openssl'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["openssl"]) {
        report_removal(cx, n);
    }
}
