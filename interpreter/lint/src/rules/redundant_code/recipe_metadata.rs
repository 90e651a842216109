//! Metadata has `recipe`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/RedundantCode/RecipeMetadata",
    summary: "Metadata has `recipe`",
    why: "Nothing reads it.",
    level: Level::Info,
    file: "metadata.rb",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["recipe"])],
    check,
    bad: r"name 'a'
recipe 'a::default', 'All of it'
",
    good: r"name 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    report_field_removal(cx, n);
}
