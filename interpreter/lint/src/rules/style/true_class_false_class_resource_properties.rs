//! A property's type is `[TrueClass, FalseClass]`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/TrueClassFalseClassResourceProperties",
    summary: "A property's type is `[TrueClass, FalseClass]`",
    why: "`[true, false]` is shorter and the usual form.",
    level: Level::Info,
    file: "resources/a.rb",
    replaced_by: "[true, false]",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :a, [TrueClass, FalseClass]
",
    good: r"property :a, [true, false]
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(types) = n.arg(1).filter(|types| n.recv().is_none() && types.is(Kind::Array) && types.places() == 2)
    else {
        return;
    };
    let is = |at: usize, name: &str| types.kid(at).is_some_and(|kind| kind.is_const(name));
    if n.arg(0).is_some_and(|name| name.is(Kind::Sym)) && is(0, "TrueClass") && is(1, "FalseClass") {
        cx.report_fix(n.span(), Edit::replace(types.span(), "[true, false]"));
    }
}
