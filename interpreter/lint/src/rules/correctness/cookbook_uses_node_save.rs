//! `node.save` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/CookbookUsesNodeSave",
    summary: "`node.save` is called",
    why: "A run that fails later leaves a half-made node on the server.",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["save"])],
    check,
    bad: r"node.save
",
    good: r"node.default['a'] = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() == 0 && n.recv().is_some_and(N::is_node) {
        cx.report(n.span());
    }
}
