//! The default recipe of the windows cookbook is included.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/IncludingWindowsDefaultRecipe",
    summary: "The default recipe of the windows cookbook is included",
    why: "The recipe does nothing any more: the gems that it installed come with Chef.",
    level: Level::Info,
    fix: Fix::Unsafe,
    exclude: METADATA,
    on: &[On::Call(&["include_recipe"])],
    check,
    bad: r"log 'a'
include_recipe 'windows'
",
    good: r"log 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if includes_recipe(n, &["windows", "windows::default"]) {
        report_removal(cx, n);
    }
}
