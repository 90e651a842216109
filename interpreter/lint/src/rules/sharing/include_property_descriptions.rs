//! A property has no description.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/IncludePropertyDescriptions",
    summary: "A property has no description",
    why: "`chef-cli describe` and editors show it.",
    level: Level::Info,
    file: "resources/a.rb",
    since: "13.9",
    default: false,
    include: RESOURCES,
    on: &[On::Call(&["property"])],
    check,
    bad: r"property :a, String
",
    good: r"property :a, String, description: 'The first letter.'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let described = |node: N<'_>| node.pair(&["description"]).is_some();
    if n.recv().is_none() && n.arg(0).is_some_and(|name| name.is(Kind::Sym)) && !n.all().any(described) {
        cx.report(n.span());
    }
}
