//! The repository has a configuration file of Foodcritic.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/FoodcriticFile",
    summary: "A configuration of Foodcritic is there",
    why: "Foodcritic is no longer maintained.",
    file: ".foodcritic",
    include: &["**/.foodcritic"],
    on: &[On::File],
    check,
    bad: r"x
",
    good: "",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, _: N<'t>) {
    let top = cx.top();
    cx.report(top);
}
