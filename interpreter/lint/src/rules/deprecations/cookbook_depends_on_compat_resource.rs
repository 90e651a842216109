//! The metadata depends on the cookbook compat_resource.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/CookbookDependsOnCompatResource",
    summary: "The cookbook compat_resource is depended on",
    why: "Chef has what it brings since 12.19.",
    file: "metadata.rb",
    since: "12.19",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'compat_resource'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends_plainly(n, &["compat_resource"]) {
        report_removal(cx, n);
    }
}
