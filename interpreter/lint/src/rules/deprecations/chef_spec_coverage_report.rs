//! A spec requests ChefSpec's coverage report.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ChefSpecCoverageReport",
    summary: "ChefSpec's coverage report is asked for",
    why: "The report is deprecated.",
    file: "spec/spec_helper.rb",
    fix: Fix::Safe,
    include: &["**/spec/*.rb"],
    on: &[On::Block(&["at_exit"])],
    check,
    bad: r"at_exit { ChefSpec::Coverage.report! }
",
    good: "",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let found = n.recv().is_none()
        && n.argc() == 0
        && n.params().is_empty()
        && n.body().is_some_and(|body| {
            body.is_send("report!")
                && body.argc() == 0
                && body.recv().is_some_and(|on| on.is_const_without_top("ChefSpec::Coverage"))
        });
    if found {
        cx.report_fix(n.span(), Edit::remove(n.span()));
    }
}
