//! `whyrun_supported?` returns true.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/WhyRunSupportedTrue",
    summary: "`whyrun_supported?` gives true",
    why: "It is the default since Chef 13.",
    level: Level::Info,
    file: "providers/a.rb",
    since: "13.0",
    fix: Fix::Safe,
    include: PROVIDERS,
    on: &[On::Kind(Kind::Def)],
    check,
    bad: r"x = 1
def whyrun_supported?
  true
end
",
    good: r"x = 1
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let asks = ["whyrun_supported?", "why_run_supported?"].contains(&n.name());
    if asks && n.params().is_empty() && n.body().is_some_and(|body| body.is(Kind::True)) {
        report_removal(cx, n);
    }
}
