//! A file is required by a path made from `__FILE__`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/UseRequireRelative",
    summary: "A file is required by a path made from `__FILE__`",
    why: "`require_relative` does it.",
    level: Level::Info,
    replaced_by: "require_relative",
    fix: Fix::Safe,
    exclude: NO_RESOURCES,
    on: &[On::Call(&["require"])],
    check,
    bad: r"require File.expand_path('../a', __FILE__)
",
    good: r"require_relative 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(path) = n.only_arg().filter(|path| n.recv().is_none() && path.is_send("expand_path")) else { return };
    if path.argc() != 2 || !path.recv().is_some_and(|on| on.is_const("File")) {
        return;
    }
    if let (Some(name), Some(here)) = (path.arg(0).and_then(N::as_str), path.arg(1))
        && here.src() == "__FILE__"
    {
        let name = name.strip_prefix("../").unwrap_or(name);
        report_replacement(cx, n, format!("require_relative '{name}'"));
    }
}
