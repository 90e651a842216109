//! The metadata depends on the cookbook windows_firewall.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DependsOnWindowsFirewallCookbook",
    summary: "The cookbook windows_firewall is depended on",
    why: "Chef has its resources itself since 14.7.",
    level: Level::Info,
    file: "metadata.rb",
    since: "14.7",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'windows_firewall'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["windows_firewall"]) {
        report_removal(cx, n);
    }
}
