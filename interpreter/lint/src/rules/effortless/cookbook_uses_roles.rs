//! The roles of the node are read.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/CookbookUsesRoles",
    summary: "The roles of the node are asked",
    why: "Policies have no roles.",
    level: Level::Info,
    default: false,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["role?", "roles"])],
    check,
    bad: r"x = node.role?('web')
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
