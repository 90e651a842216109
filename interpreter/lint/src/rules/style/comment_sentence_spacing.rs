//! A comment has two spaces after a sentence.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/CommentSentenceSpacing",
    summary: "A comment has two spaces after a sentence",
    why: "One is enough.",
    level: Level::Info,
    default: false,
    fix: Fix::Safe,
    on: &[On::File],
    check,
    bad: r"# One.  Two.
x = 1
",
    good: r"# One. Two.
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
        let letters = text.chars().zip(text.chars().skip(1)).zip(text.chars().skip(2));
        let wide = |((a, b), c): ((char, char), char)| a != '\n' && is_space(b) && is_space(c);
        if letters.clone().any(wide) {
            let fixed = text.replace(".  ", ". ").replace("?  ", "? ");
            if fixed == text {
                cx.report(comment.span);
            } else {
                cx.report_fix(comment.span, Edit::replace(comment.span, fixed));
            }
        }
    }
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}
