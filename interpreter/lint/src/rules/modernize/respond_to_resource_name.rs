//! `resource_name` is only called if it exists.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/RespondToResourceName",
    summary: "`resource_name` is only called if it is there",
    why: "Every supported Chef has it.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Kind(Kind::If)],
    check,
    bad: r"resource_name :a if respond_to?(:resource_name)
",
    good: r"resource_name :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let asks =
        |test: N<'_>| test.is_call("respond_to?") && test.only_arg().is_some_and(|name| name.is_sym("resource_name"));
    if n.condition().is_some_and(asks) {
        match n.kid(1) {
            Some(body) => report_replacement(cx, n, body.src()),
            None => cx.report(n.span()),
        }
    }
}
