//! A cookbook's name has a dot.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidCookbookName",
    summary: "A cookbook's name has a dot",
    why: "Chef Server refuses it.",
    file: "metadata.rb",
    include: METADATA,
    on: &[On::Call(&["name"])],
    check,
    bad: r"name 'a.b'
",
    good: r"name 'a_b'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_none() && n.only_arg().and_then(N::as_str).is_some_and(|name| name.contains('.')) {
        cx.report(n.span());
    }
}
