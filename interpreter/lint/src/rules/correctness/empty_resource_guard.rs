//! A guard has an empty string or block.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/EmptyResourceGuard",
    summary: "A guard has an empty string or block",
    why: "An empty command succeeds and an empty block gives nil: the guard always decides the same.",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["not_if", "only_if"]), On::Block(&["not_if", "only_if"])],
    check,
    bad: r"log 'a' do
  only_if {}
end
",
    good: r"log 'a' do
  only_if { true }
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() {
        return;
    }
    let empty = if n.is(Kind::Block) {
        n.argc() == 0 && n.params().is_empty() && n.body().is_none_or(|body| body.is_str(""))
    } else {
        n.only_arg().is_some_and(|text| text.is_str(""))
    };
    if empty {
        cx.report(n.span());
    }
}
