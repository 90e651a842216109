//! The cookbook or resource poise_archive is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/PoiseArchiveUsage",
    summary: "The cookbook or resource poise_archive is used",
    why: "Chef has `archive_file` since 15.",
    since: "15.0",
    replaced_by: "archive_file",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["depends"]), On::Block(&["poise_archive"])],
    check,
    bad: r"poise_archive '/tmp/a.tgz' do
  destination '/opt/a'
end
",
    good: r"archive_file '/tmp/a.tgz' do
  destination '/opt/a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["poise-archive"]) || is_resource(n) {
        cx.report(n.span());
    }
}
