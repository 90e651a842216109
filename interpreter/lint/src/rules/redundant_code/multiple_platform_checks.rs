//! `platform?` is called twice instead of once with several names.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/MultiplePlatformChecks",
    summary: "`platform?` is asked twice where it takes several names",
    why: "One call says the same.",
    level: Level::Info,
    fix: Fix::Safe,
    exclude: BERKSFILE_TOO,
    on: &[On::Kind(Kind::Or)],
    check,
    bad: r"log 'a' if platform?('redhat') || platform?('ubuntu')
",
    good: r"log 'a' if platform?('redhat', 'ubuntu')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let asks = |call: &N<'_>| call.is_call_any(&["platform?", "platform_family?"]) && call.argc() == 1;
    let (Some(left), Some(right)) = (n.kid(0).filter(asks), n.kid(1).filter(asks)) else { return };
    if left.name() == right.name() {
        let names = [left, right].iter().filter_map(|call| call.arg(0)).map(N::src).collect::<Vec<_>>().join(", ");
        report_replacement(cx, n, format!("{}({names})", left.name()));
    }
}
