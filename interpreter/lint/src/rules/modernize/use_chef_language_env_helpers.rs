//! `ENV['TEST_KITCHEN']` or `ENV['CI']` is read.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UseChefLanguageEnvHelpers",
    summary: "`ENV['TEST_KITCHEN']` or `ENV['CI']` is read",
    why: "Chef has the helpers `kitchen?` and `ci?`.",
    level: Level::Info,
    since: "15.5",
    replaced_by: "kitchen?, ci?",
    fix: Fix::Unsafe,
    include: &["**/resources/*.rb", "**/providers/*.rb", "**/recipes/*.rb"],
    on: &[On::Call(&["[]"])],
    check,
    bad: r"log 'a' if ENV['CI']
",
    good: r"log 'a' if ci?
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if !n.recv().is_some_and(|on| on.is_bare_const("ENV")) || n.parent().is_some_and(|call| call.is_send("nil?")) {
        return;
    }
    match n.only_arg().and_then(N::as_str) {
        Some("CI") => report_replacement(cx, n, "ci?"),
        Some("TEST_KITCHEN") => report_replacement(cx, n, "kitchen?"),
        _ => {}
    }
}
