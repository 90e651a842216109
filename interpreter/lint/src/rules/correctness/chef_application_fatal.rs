//! `Chef::Application.fatal!` ends the run.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ChefApplicationFatal",
    summary: "`Chef::Application.fatal!` ends the run",
    why: "It ends the process without Chef's handlers being told why.",
    replaced_by: "raise",
    fix: Fix::Unsafe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["fatal!"])],
    check,
    bad: r"Chef::Application.fatal!('no')
",
    good: r"raise('no')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some_and(|on| on.is_const("Chef::Application")) {
        match n.only_arg() {
            Some(text) => report_replacement(cx, n, format!("raise({})", text.src())),
            None => cx.report(n.span()),
        }
    }
}
