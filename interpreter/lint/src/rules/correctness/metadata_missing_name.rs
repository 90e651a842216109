//! The metadata has no `name`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/MetadataMissingName",
    summary: "The metadata has no `name`",
    why: "Chef 12 and later refuse the cookbook.",
    file: "metadata.rb",
    removed_in: "12",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::File],
    check,
    bad: r"version '1.0.0'
",
    good: r"name 'web'
version '1.0.0'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let named = |call: N<'_>| call.is_call("name") && call.arg(0).is_some_and(|name| name.is(Kind::Str));
    if !n.is(Kind::Empty) && !n.all().any(named) {
        let text = format!("name '{}'\n", cx.file.folder());
        let top = cx.top();
        cx.report_fix(top, Edit::insert(n.start(), text));
    }
}
