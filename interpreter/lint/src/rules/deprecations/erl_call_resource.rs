//! The resource `erl_call` is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ErlCallResource",
    summary: "The resource `erl_call` is used",
    why: "The resource was removed.",
    removed_in: "14",
    replaced_by: "execute",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["erl_call"])],
    check,
    bad: r"erl_call 'list names'
",
    good: r"execute 'erl_call'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
