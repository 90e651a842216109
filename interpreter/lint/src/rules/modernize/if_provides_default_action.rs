//! `default_action` is only called if it is defined.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/IfProvidesDefaultAction",
    summary: "`default_action` is only called if it is defined",
    why: "Every supported Chef has it.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Kind(Kind::Defined)],
    check,
    bad: r"default_action :create if defined?(default_action)
",
    good: r"default_action :create
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(mut test) = n.kid(0) else { return };
    if test.is(Kind::Begin) && test.places() == 1 {
        test = test.kid(0).unwrap_or(test);
    }
    if !test.is_call("default_action") || test.argc() > 0 {
        return;
    }
    match n.parent().filter(|parent| parent.is(Kind::If)) {
        Some(whole) => match whole.kid(1) {
            Some(body) => report_replacement(cx, whole, body.src()),
            None => cx.report(whole.span()),
        },
        None => cx.report(n.span()),
    }
}
