//! A custom resource does not set `unified_mode`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/ResourceWithoutUnifiedTrue",
    summary: "A custom resource does not set `unified_mode`",
    why: "Unified mode, in which an action converges as it is read, is the default from Chef 18 on.",
    file: "resources/a.rb",
    since: "15.3",
    replaced_by: "unified_mode true",
    fix: Fix::Unsafe,
    include: &["**/resources/*.rb"],
    exclude: &["**/resources/_*.rb", "**/spec/**/*.rb"],
    on: &[On::File],
    check,
    bad: r"provides :a
",
    good: r"provides :a
unified_mode true
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Empty) || calls(n, "unified_mode") {
        return;
    }
    let top = cx.top();
    let call = |name: &str| n.all().find(|call| call.is_call(name));
    match call("provides").or_else(|| call("resource_name")) {
        Some(call) => cx.report_fix(top, Edit::insert(call.end(), "\nunified_mode true")),
        None => cx.report(top),
    }
}
