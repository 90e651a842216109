//! `epic_fail` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/EpicFail",
    summary: "`epic_fail` is used",
    why: "The name was a joke of Chef 10, and was removed.",
    replaced_by: "ignore_failure",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["epic_fail"])],
    check,
    bad: r"package 'a' do
  epic_fail true
end
",
    good: r"package 'a' do
  ignore_failure true
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_replacement(cx, n, "ignore_failure true");
}
