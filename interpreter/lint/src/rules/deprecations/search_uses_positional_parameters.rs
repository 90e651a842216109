//! `search` gets its options as positional arguments.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/SearchUsesPositionalParameters",
    summary: "`search` is given its options by position",
    why: "Chef 12 made them keywords.",
    replaced_by: "start:, rows:, filter_result:",
    fix: Fix::Safe,
    exclude: METADATA,
    on: &[On::Call(&["search"])],
    check,
    bad: r"search(:node, '*:*', nil, 0, 10)
",
    good: r"search(:node, '*:*', start: 0, rows: 10)
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let mut args = n.args();
    let named = |arg: &N<'_>| arg.is_any(&[Kind::Send, Kind::Hash, Kind::BlockPass]);
    if n.recv().is_some() || args.len() < 3 || args[2..].iter().all(named) {
        return;
    }
    let integer = |arg: N<'_>| {
        let text = if arg.is_any(&[Kind::Int, Kind::Float, Kind::Str]) { arg.value() } else { "" };
        text.trim().parse::<i64>().ok()
    };
    if (args[2].is(Kind::Str) && integer(args[2]).is_none()) || args[2].is(Kind::Nil) {
        args.remove(2);
    }
    let names = [None, None, Some("start"), Some("rows"), Some("filter_result")];
    let texts = args.iter().enumerate().map(|(at, arg)| match (names.get(at).copied().flatten(), integer(*arg)) {
        (Some(name), Some(number)) => format!("{name}: {number}"),
        (Some(name), None) => format!("{name}: {}", arg.src()),
        (None, _) => arg.src().to_string(),
    });
    let text = format!("search({})", texts.collect::<Vec<_>>().join(", "));
    report_replacement(cx, n, text);
}
