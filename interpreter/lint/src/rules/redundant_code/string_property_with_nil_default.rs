//! A String property allows nil and has nil as its default.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/StringPropertyWithNilDefault",
    summary: "A String property may be nil, and nil is its default",
    why: "Properties are nil unless they are set.",
    level: Level::Info,
    file: "resources/a.rb",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property"])],
    check,
    bad: r"property :a, String, default: nil
",
    good: r"property :a, String
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(hash) = options(n).filter(|_| n.argc() == 3) else { return };
    let none = |kind: N<'_>| kind.is(Kind::Nil) || kind.is_const("NilClass");
    let may = n.arg(1).is_some_and(|kind| {
        kind.is_const("String")
            || (kind.is(Kind::Array)
                && kind.places() == 2
                && kind.kids().any(|kind| kind.is_const("String"))
                && kind.kids().any(none))
    });
    if let Some(pair) =
        hash.pair(&["default"]).filter(|pair| may && pair.kid(1).is_some_and(|value| value.is(Kind::Nil)))
    {
        report_option_removal(cx, pair.span(), pair);
    }
}
