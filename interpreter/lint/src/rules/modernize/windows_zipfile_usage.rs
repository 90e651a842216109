//! The resource `windows_zipfile` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/WindowsZipfileUsage",
    summary: "The resource `windows_zipfile` is used",
    why: "Chef has a resource of its own for it.",
    level: Level::Info,
    since: "15.0",
    replaced_by: "archive_file",
    exclude: METADATA,
    on: &[On::Call(&["windows_zipfile"])],
    check,
    bad: r"windows_zipfile 'a'
",
    good: r"archive_file 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
