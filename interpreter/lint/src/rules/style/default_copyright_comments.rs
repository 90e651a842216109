//! A copyright comment is the generator's default.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/DefaultCopyrightComments",
    summary: "A copyright comment is what the generator wrote",
    why: "It names nobody.",
    level: Level::Info,
    on: &[On::File],
    check,
    bad: r"# Copyright:: 2020, YOUR_COMPANY_NAME
x = 1
",
    good: r"# Copyright:: 2020, Example
x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Empty) {
        return;
    }
    for comment in &cx.tree.comments {
        let text = comment.span.of(cx.tree.source);
        let rest = text.starts_with('#').then(|| text.find("# Copyright")).flatten().map(|at| &text[at..]);
        if rest.is_some_and(|rest| rest.contains("YOUR_NAME") || rest.contains("YOUR_COMPANY_NAME")) {
            cx.report(comment.span);
        }
    }
}
