//! The cookbook or resource zipfile is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ZipfileResource",
    summary: "The cookbook or resource zipfile is used",
    why: "Chef has `archive_file` since 15.",
    level: Level::Info,
    since: "15.0",
    replaced_by: "archive_file",
    on: &[On::Call(&["depends"]), On::Block(&["zipfile"])],
    check,
    bad: r"zipfile '/tmp/a.zip' do
  into '/opt/a'
end
",
    good: r"archive_file '/tmp/a.zip' do
  destination '/opt/a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["zipfile"]) || is_resource(n) {
        cx.report(n.span());
    }
}
