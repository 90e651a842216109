//! The resource `libarchive_file` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/LibarchiveFileResource",
    summary: "The resource `libarchive_file` is used",
    why: "In Chef it is `archive_file`.",
    level: Level::Info,
    since: "15.0",
    replaced_by: "archive_file",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["libarchive_file", "notifies", "subscribes"])],
    check,
    bad: r"libarchive_file 'a'
",
    good: r"archive_file 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.name() == "libarchive_file" {
        report_word(cx, n, "libarchive_file", "archive_file");
        return;
    }
    let target = n.arg(1).filter(|_| n.recv().is_none() && n.arg(0).is_some_and(|action| action.is(Kind::Sym)));
    if let Some(target) = target.filter(|name| name.as_str().is_some_and(|name| name.starts_with("libarchive_file"))) {
        let text = n.src().replace("libarchive_file", "archive_file");
        cx.report_fix(target.span(), Edit::replace(n.span(), text));
    }
}
