//! The description of a property is empty.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/EmptyPropertyDescription",
    summary: "The description of a property is empty",
    why: "It says nothing.",
    level: Level::Info,
    file: "resources/a.rb",
    include: RESOURCES,
    on: &[On::Call(&["property"])],
    check,
    bad: r"property :a, String, description: ''
",
    good: r"property :a, String, description: 'The first letter.'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() < 2 || !n.arg(0).is_some_and(|name| name.is(Kind::Sym)) {
        return;
    }
    let Some(hash) = n.last_arg().filter(|hash| hash.is(Kind::Hash)) else { return };
    for pair in hash.kids().filter(|pair| pair.is(Kind::Pair)) {
        let described = pair.kid(0).is_some_and(|key| key.is_sym("description"));
        if described && pair.kid(1).and_then(N::as_str).is_some_and(|text| text.trim().is_empty()) {
            cx.report(pair.span());
        }
    }
}
