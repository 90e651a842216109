//! A data bag is read.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Effortless/CookbookUsesDatabags",
    summary: "A data bag is read",
    why: "It needs a Chef Server, or a copy of the data bags.",
    level: Level::Info,
    default: false,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["data_bag", "data_bag_item"])],
    check,
    bad: r"x = data_bag_item('a', 'b')
",
    good: r"x = node['a']
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
