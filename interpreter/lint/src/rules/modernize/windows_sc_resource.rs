//! The resource `sc_windows` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/WindowsScResource",
    summary: "The resource `sc_windows` is used",
    why: "Chef has a resource of its own for it.",
    level: Level::Info,
    since: "14.0",
    replaced_by: "windows_service",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["sc_windows"])],
    check,
    bad: r"sc_windows 'a'
",
    good: r"windows_service 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
