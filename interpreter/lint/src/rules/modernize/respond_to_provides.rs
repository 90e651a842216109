//! `provides` is only called if it exists.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/RespondToProvides",
    summary: "`provides` is only called if it is there",
    why: "Every supported Chef has it.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Kind(Kind::If)],
    check,
    bad: r"provides :a if respond_to?(:provides)
",
    good: r"provides :a
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(test) = n.condition() else { return };
    let asks = test.is_call("respond_to?") && test.only_arg().is_some_and(|name| name.is_sym("provides"));
    let defined = test.is(Kind::Defined)
        && test.kid(0).is_some_and(|inner| {
            let inner = if inner.is(Kind::Begin) { inner.kid(0).unwrap_or(inner) } else { inner };
            inner.is_call("provides") && inner.argc() == 0
        });
    let Some(body) = n.kid(1).filter(|body| body.is_call("provides") && (asks || defined)) else { return };
    if body.only_arg().is_some_and(|name| name.is(Kind::Sym)) {
        report_replacement(cx, n, body.src());
    }
}
