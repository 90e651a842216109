//! The cookbook has a Berksfile.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/Berksfile",
    summary: "A Berksfile is there",
    why: "Effortless packages are made from a Policyfile.",
    level: Level::Info,
    file: "Berksfile",
    replaced_by: "a Policyfile",
    default: false,
    include: &["**/Berksfile"],
    on: &[On::File],
    check,
    bad: r"metadata
",
    good: "",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, _: N<'t>) {
    let top = cx.top();
    cx.report(top);
}
