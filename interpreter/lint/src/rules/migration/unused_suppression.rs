//! A suppression comment hides no finding, or names a rule that does not exist.

use crate::rules::prelude::*;

/// The engine makes the findings of this rule itself, after all other rules.
pub const ALIAS: &str = "Rchef/UnusedSuppression";

pub static RULE: Rule = Rule {
    alias: ALIAS,
    summary: "A comment switches off what is not found, or a rule that does not exist",
    why: "It hides what is found there later. Only rules that looked at the file count, and those of RuboCop itself are left alone.",
    on: &[On::File],
    check,
    bad: r"log 'a' # rchef:ignore[rchef/no-such-rule]
",
    good: r"log 'a'
",
    ..Rule::BASE
};

/// Does nothing: see `Engine::check`.
fn check<'t>(_: &mut Cx<'t>, _: N<'t>) {}
