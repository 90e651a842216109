//! The repository has a configuration of Chef Delivery.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/Delivery",
    summary: "Configuration of Chef Delivery is there",
    why: "Delivery (Workflow) ended in 2021, and its command was removed from Workstation.",
    file: ".delivery/project.toml",
    include: &["**/.delivery/project.toml", "**/.delivery/config.json"],
    on: &[On::AnyText],
    check,
    bad: r"[local_phases]
",
    good: "",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, _: N<'t>) {
    let top = cx.top();
    cx.report(top);
}
