//! The environment of the node is read.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/CookbookUsesEnvironments",
    summary: "The environment of the node is asked",
    why: "Policies have no environments.",
    level: Level::Info,
    default: false,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["environment", "chef_environment"])],
    check,
    bad: r"x = node.chef_environment
",
    good: r"x = node['a']
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some_and(|on| on.is_send("node")) {
        cx.report(n.span());
    }
}
