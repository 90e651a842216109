//! The default source `:community` in a Policyfile.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/PolicyfileCommunitySource",
    summary: "The default source `:community` in a Policyfile",
    why: "The community site became the Supermarket.",
    file: "Policyfile.rb",
    replaced_by: ":supermarket",
    fix: Fix::Safe,
    include: &["**/Policyfile.rb"],
    on: &[On::Call(&["default_source"])],
    check,
    bad: r"default_source :community
",
    good: r"default_source :supermarket
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is_call("default_source") && n.only_arg().is_some_and(|source| source.is_sym("community")) {
        report_replacement(cx, n, "default_source :supermarket");
    }
}
