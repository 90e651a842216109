//! The resource `seven_zip_archive` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/SevenZipArchiveResource",
    summary: "The resource `seven_zip_archive` is used",
    why: "Chef has a resource of its own for it.",
    level: Level::Info,
    since: "15.0",
    replaced_by: "archive_file",
    exclude: METADATA,
    on: &[On::Call(&["seven_zip_archive"])],
    check,
    bad: r"seven_zip_archive 'a'
",
    good: r"archive_file 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
