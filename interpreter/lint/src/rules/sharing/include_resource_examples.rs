//! A resource has no examples.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/IncludeResourceExamples",
    summary: "A resource has no examples",
    why: "They say best what it is for.",
    level: Level::Info,
    file: "resources/a.rb",
    since: "13.9",
    default: false,
    include: &["**/resources/*.rb"],
    on: &[On::File],
    check,
    bad: r"provides :a
",
    good: r"provides :a
examples <<~DOC
  a 'one'
  a 'two'
DOC
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let examples = |call: N<'_>| call.is_call("examples") && call.arg(0).is_some_and(|text| text.is(Kind::Dstr));
    if !n.is(Kind::Empty) && !n.all().any(examples) {
        let top = cx.top();
        cx.report(top);
    }
}
