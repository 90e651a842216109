//! A `case` on the platform family has one that does not exist.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidPlatformFamilyInCase",
    summary: "A `case` on the platform family has one that does not exist",
    why: "The branch is never taken.",
    fix: Fix::Unsafe,
    exclude: BERKSFILE_TOO,
    on: &[On::Kind(Kind::Case)],
    check,
    bad: r"case node['platform_family']
when 'redhat'
  log 'a'
end
",
    good: r"case node['platform_family']
when 'rhel'
  log 'a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.condition().is_some_and(|value| value.is_node_attribute(&["platform_family"])) {
        report_wrong_names(cx, n, wrong_family);
    }
}
