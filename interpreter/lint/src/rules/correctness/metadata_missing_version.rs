//! The metadata has no `version`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/MetadataMissingVersion",
    summary: "The metadata has no `version`",
    why: "The cookbook is 0.0.0 then, and no constraint can tell two states of it apart.",
    file: "metadata.rb",
    include: METADATA,
    on: &[On::File],
    check,
    bad: r"name 'web'
",
    good: r"name 'web'
version '1.0.0'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let given = |call: N<'_>| call.is_call("version") && call.arg(0).is_some_and(|version| version.is(Kind::Str));
    if !n.is(Kind::Empty) && !n.all().any(given) {
        let top = cx.top();
        cx.report(top);
    }
}
