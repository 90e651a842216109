//! `node.deep_fetch` of the gem chef-sugar is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/NodeDeepFetch",
    summary: "`node.deep_fetch` of the gem chef-sugar is used",
    why: "`node.read` does the same and is part of Chef.",
    replaced_by: "node.read",
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["deep_fetch", "deep_fetch!"])],
    check,
    bad: r"x = node.deep_fetch('a')
",
    good: r"x = node.read('a')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some_and(N::is_any_node) && n.argc() == 1 {
        let new = if n.name() == "deep_fetch" { "read" } else { "read!" };
        cx.report_fix(n.selector(), Edit::replace(n.selector(), new));
    }
}
