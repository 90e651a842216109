//! A property's default reads a node attribute when the resource is loaded.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/LazyEvalNodeAttributeDefaults",
    summary: "A property's default reads a node attribute when the resource is loaded",
    why: "Attributes of roles and wrapping cookbooks are not set yet.",
    file: "resources/a.rb",
    replaced_by: "lazy { ... }",
    fix: Fix::Safe,
    include: RESOURCES,
    on: &[On::Call(&["property"])],
    check,
    bad: r"property :path, String, default: node['a']
",
    good: r"property :path, String, default: lazy { node['a'] }
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() || n.argc() < 2 || !n.arg(0).is_some_and(|name| name.is(Kind::Sym)) {
        return;
    }
    let Some(value) = n.last_arg().and_then(|hash| hash.pair(&["default"])).and_then(|pair| pair.kid(1)) else {
        return;
    };
    if value.is_send("[]") && value.argc() == 1 && value.recv().is_some_and(N::is_any_node) {
        report_replacement(cx, value, format!("lazy {{ {} }}", value.src()));
    }
}
