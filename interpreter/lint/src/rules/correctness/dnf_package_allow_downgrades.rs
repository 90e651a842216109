//! `dnf_package` with the property `allow_downgrades`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/DnfPackageAllowDowngrades",
    summary: "`dnf_package` with the property `allow_downgrades`",
    why: "DNF always allows them, and the resource has no such property.",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Block(&["dnf_package"])],
    check,
    bad: r"dnf_package 'a' do
  version '1'
  allow_downgrades true
end
",
    good: r"dnf_package 'a' do
  version '1'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["dnf_package"], &["allow_downgrades"]) {
        report_removal(cx, property);
    }
}
