//! A definition is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/Definitions",
    summary: "A definition is there",
    why: "Custom resources do what definitions did, and take part in notifications and why-run.",
    level: Level::Info,
    file: "definitions/a.rb",
    replaced_by: "a custom resource",
    include: &["**/definitions/*.rb"],
    on: &[On::Block(&["define"])],
    check,
    bad: r"define :a do
end
",
    good: r"log 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
