//! A property has `desired_state: true`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/UnnecessaryDesiredState",
    summary: "A property has `desired_state: true`",
    why: "It is the default.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :a, String, desired_state: true
",
    good: r"property :a, String
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(hash) = options(n) else { return };
    for pair in hash.kids().filter(|pair| pair.is(Kind::Pair)) {
        if pair.kid(0).is_some_and(|key| key.is_sym("desired_state"))
            && pair.kid(1).is_some_and(|value| value.is(Kind::True))
        {
            report_option_removal(cx, pair.span(), pair);
        }
    }
}
