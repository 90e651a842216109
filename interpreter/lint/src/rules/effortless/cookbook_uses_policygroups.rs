//! The policy group of the node is read.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/CookbookUsesPolicygroups",
    summary: "The policy group of the node is asked",
    why: "Effortless packages have no policy groups.",
    level: Level::Info,
    default: false,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["policy_group"])],
    check,
    bad: r"x = node.policy_group
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
