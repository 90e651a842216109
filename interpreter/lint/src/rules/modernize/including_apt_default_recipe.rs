//! The default recipe of the apt cookbook is included.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/IncludingAptDefaultRecipe",
    summary: "The default recipe of the apt cookbook is included",
    why: "Chef updates the package lists by `apt_update`.",
    level: Level::Info,
    since: "12.7",
    replaced_by: "apt_update",
    exclude: METADATA,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"log 'a'
include_recipe 'apt'
",
    good: r"log 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if includes_recipe(n, &["apt", "apt::default"]) {
        cx.report(n.span());
    }
}
