//! `use_inline_resources` is called.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/UseInlineResourcesDefined",
    summary: "`use_inline_resources` is called",
    why: "It is how Chef 13 and later always work; the call does nothing.",
    file: "providers/a.rb",
    since: "13",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Call(&["use_inline_resources"])],
    check,
    bad: r"use_inline_resources
x = 1
",
    good: r"x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let parent = n.parent();
    if parent.is_some_and(|parent| parent.is(Kind::Defined)) {
        return;
    }
    let guarded = parent.filter(|parent| {
        parent.is(Kind::If)
            && parent.condition().is_some_and(|test| test.is(Kind::Defined) || test.is_send("respond_to?"))
    });
    report_removal(cx, guarded.unwrap_or(n));
}
