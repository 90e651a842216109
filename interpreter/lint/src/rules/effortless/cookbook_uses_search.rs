//! The Chef Server is searched.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/CookbookUsesSearch",
    summary: "The Chef Server is searched",
    why: "It needs a Chef Server.",
    level: Level::Info,
    default: false,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["search"])],
    check,
    bad: r"x = search(:node, '*:*')
",
    good: r"x = node['a']
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
