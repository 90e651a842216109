//! `node['roles'].include?` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/NodeRolesInclude",
    summary: "`node['roles'].include?` is asked",
    why: "`node.role?` says it.",
    level: Level::Info,
    replaced_by: "node.role?",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["include?"])],
    check,
    bad: r"x = node['roles'].include?('web')
",
    good: r"x = node.role?('web')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some_and(|on| on.is_node_attribute(&["roles"]))
        && let Some(role) = n.only_arg()
    {
        report_replacement(cx, n, format!("node.role?({})", role.src()));
    }
}
