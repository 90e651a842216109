//! A cookbook names itself in `depends`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/CookbooksDependsOnSelf",
    summary: "A cookbook names itself in `depends`",
    why: "Chef 13 and later refuse the cookbook.",
    file: "metadata.rb",
    removed_in: "13",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["name"])],
    check,
    bad: r"name 'web'
depends 'web'
",
    good: r"name 'web'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if !n.is_call("name") || !n.arg(0).is_some_and(|name| name.is(Kind::Str)) {
        return;
    }
    for other in cx.tree.root().all() {
        let (ours, its) = (n.args(), other.args());
        if other.is_call("depends") && ours.len() == its.len() && ours.iter().zip(&its).all(|(a, b)| a.same(*b)) {
            report_removal(cx, other);
        }
    }
}
