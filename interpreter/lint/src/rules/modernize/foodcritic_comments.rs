//! A comment switches a rule of Foodcritic off.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/FoodcriticComments",
    summary: "A comment switches a rule of Foodcritic off",
    why: "Foodcritic is no longer maintained.",
    level: Level::Info,
    replaced_by: "# rubocop:disable",
    fix: Fix::Safe,
    exclude: &["**/Berksfile"],
    on: &[On::File],
    check,
    bad: r"package 'a' # ~FC001
",
    good: r"package 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, _: N<'t>) {
    let comments = cx.tree.comments.iter().map(|comment| comment.span).collect::<Vec<_>>();
    for span in comments {
        let text = span.of(cx.tree.source);
        let code = |at: usize| {
            let digits = text.as_bytes().get(at + 3..at + 6);
            let before = text[..at].trim_end().ends_with('#');
            before && digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
        };
        if text.match_indices("~FC").any(|(at, _)| code(at)) {
            cx.report_fix(span, Edit::remove(span));
        }
    }
}
