//! `default_action` gets neither a symbol nor a list.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/InvalidDefaultAction",
    summary: "`default_action` is given neither a symbol nor a list",
    why: "Actions are symbols.",
    file: "resources/a.rb",
    replaced_by: "a symbol",
    include: RESOURCES,
    on: &[On::Call(&["default_action"])],
    check,
    bad: r"default_action 'create'
",
    good: r"default_action :create
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let value = n.only_arg().filter(|_| n.recv().is_none());
    if value.is_some_and(|value| !value.is_any(&[Kind::Send, Kind::Sym, Kind::Array])) {
        cx.report(n.span());
    }
}
