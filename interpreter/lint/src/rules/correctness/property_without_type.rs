//! A property has no type.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/PropertyWithoutType",
    summary: "A property has no type",
    why: "Chef checks values by their types, and the documentation lists them.",
    file: "resources/a.rb",
    replaced_by: "property :name, String",
    include: RESOURCES,
    on: &[On::Call(&["property", "attribute"])],
    check,
    bad: r"property :path
",
    good: r"property :path, String
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || !n.arg(0).is_some_and(|name| name.is(Kind::Sym)) {
        return;
    }
    let found = match n.argc() {
        1 => true,
        2 => n.arg(1).is_some_and(|hash| hash.is(Kind::Hash) && !hash.pairs().any(|(key, _)| key.is_sym("kind_of"))),
        _ => false,
    };
    if found {
        cx.report(n.span());
    }
}
