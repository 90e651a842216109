//! The metadata depends on the cookbook chef-reporting.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DependsOnChefReportingCookbook",
    summary: "The cookbook chef-reporting is depended on",
    why: "Chef reports itself since 11.6, and the gem that the cookbook installs does not work with newer Chef.",
    file: "metadata.rb",
    fix: Fix::Unsafe,
    include: METADATA,
    on: &[On::Call(&["depends"])],
    check,
    bad: r"name 'web'
depends 'chef-reporting'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if depends(n, &["chef-reporting"]) {
        report_removal(cx, n);
    }
}
