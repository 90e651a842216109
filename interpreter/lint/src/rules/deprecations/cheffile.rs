//! The repository has a Cheffile.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/Cheffile",
    summary: "A Cheffile is there",
    why: "Librarian-Chef is no longer maintained.",
    file: "Cheffile",
    replaced_by: "a Policyfile",
    include: &["**/Cheffile"],
    on: &[On::File],
    check,
    bad: r"site 'https://supermarket.chef.io/api/v1'
",
    good: "",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, _: N<'t>) {
    let top = cx.top();
    cx.report(top);
}
