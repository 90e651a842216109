//! Foodcritic is required.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/FoodcriticTesting",
    summary: "Foodcritic is required",
    why: "Foodcritic is no longer maintained.",
    file: "Rakefile",
    include: &["**/Rakefile", "**/Gemfile"],
    on: &[On::Call(&["require", "gem"])],
    check,
    bad: r"require 'foodcritic'
",
    good: r"require 'rake'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.arg(0).is_some_and(|name| name.is_str("foodcritic")) {
        cx.report(n.span());
    }
}
