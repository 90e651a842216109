//! `node.normal` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/NodeNormal",
    summary: "`node.normal` is used",
    why: "The normal level outlives the run: a value stays after the cookbook that set it is gone.",
    replaced_by: "node.default or node.override",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["normal"])],
    check,
    bad: r"node.normal['a'] = 1
",
    good: r"node.default['a'] = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() == 0 && n.recv().is_some_and(N::is_any_node) {
        cx.report(n.span());
    }
}
