//! The major version of the platform is extracted from a string.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/SimplifyPlatformMajorVersionCheck",
    summary: "The major version of the platform is cut out of a string",
    why: "`to_i` gives it.",
    level: Level::Info,
    replaced_by: "node['platform_version'].to_i",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["split"])],
    check,
    bad: r"x = node['platform_version'].split('.')[0].to_i
",
    good: r"x = node['platform_version'].to_i
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let version = n.recv().is_some_and(|on| on.is_node_attribute(&["platform_version"]));
    if !version || !n.only_arg().is_some_and(|dot| dot.is_str(".")) {
        return;
    }
    let parent = |node: N<'t>, name: &str| node.parent().filter(|parent| parent.is_send(name));
    let first = match (parent(n, "[]"), parent(n, "first")) {
        (Some(index), _) => {
            Some(index).filter(|index| index.only_arg().is_some_and(|at| at.is(Kind::Int) && at.src() == "0"))
        }
        (None, first) => first,
    };
    if let Some(first) = first {
        let whole = parent(first, "to_i").unwrap_or(first);
        report_replacement(cx, whole, "node['platform_version'].to_i");
    }
}
