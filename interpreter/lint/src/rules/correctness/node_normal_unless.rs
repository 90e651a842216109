//! `node.normal_unless` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/NodeNormalUnless",
    summary: "`node.normal_unless` is used",
    why: "The normal level outlives the run: a value stays after the cookbook that set it is gone.",
    replaced_by: "node.default_unless",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["normal_unless"])],
    check,
    bad: r"node.normal_unless['a'] = 1
",
    good: r"node.default_unless['a'] = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() == 0 && n.recv().is_some_and(N::is_any_node) {
        cx.report(n.span());
    }
}
