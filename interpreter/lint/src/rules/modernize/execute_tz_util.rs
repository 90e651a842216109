//! `tzutil` is run.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/ExecuteTzUtil",
    summary: "`tzutil` is run",
    why: "`timezone` works on Windows too.",
    level: Level::Info,
    since: "14.6",
    replaced_by: "timezone",
    exclude: METADATA,
    on: &[On::Call(&["execute"]), On::Block(&["execute", "powershell_script"])],
    check,
    bad: r"execute 'tzutil /s UTC'
",
    good: r"timezone 'UTC'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Send) {
        let command = n.only_arg().and_then(N::as_str).filter(|_| n.recv().is_none());
        if command.is_some_and(|command| line_begins(command, "tzutil")) {
            cx.report(n.span());
        }
    } else {
        report_command(cx, n, &["tzutil"], &[("execute", "command"), ("powershell_script", "code")]);
    }
}
