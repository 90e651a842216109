//! `node.set_unless` is used.

use super::kept::NODE_SET_UNLESS;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/NodeSetUnless",
    summary: "`node.set_unless` is used",
    why: "It wrote the normal level, which outlives the run, and was removed.",
    removed_in: NODE_SET_UNLESS.version,
    replaced_by: NODE_SET_UNLESS.instead,
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["set_unless"])],
    check,
    bad: r"node.set_unless['a'] = 1
",
    good: r"node.normal_unless['a'] = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.argc() == 0 && n.recv().is_some_and(N::is_any_node) {
        cx.report_fix(n.selector(), Edit::replace(n.selector(), "normal_unless"));
    }
}
