//! A comment says "Chef" instead of the name of a product.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/ChefWhaaat",
    summary: r#"A comment says "Chef" where one of its products is meant"#,
    why: "Chef is the company.",
    level: Level::Info,
    default: false,
    on: &[On::File],
    check,
    bad: r"# Install Chef on the node
x = 1
",
    good: r"# Install Chef Infra Client on the node
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
        if text
            .match_indices("Chef ")
            .any(|(at, word)| text[at + word.len()..].starts_with(|c: char| c.is_ascii_lowercase()))
        {
            cx.report(comment.span);
        }
    }
}
