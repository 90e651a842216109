//! The rules: a folder for each department of Cookstyle, one for rchef's own, a module for each rule.

mod common;
mod correctness;
mod deprecations;
mod effortless;
mod migration;
mod modernize;
mod prelude;
mod redundant_code;
mod security;
mod sharing;
mod style;
mod version;

use crate::rule::Rule;

pub use deprecations::removed_method;
pub use migration::{UNUSED_SUPPRESSION, removed_resource};
pub use version::at_least;

/// All rules, department by department.
#[must_use]
pub fn all() -> Vec<&'static Rule> {
    [
        deprecations::RULES,
        correctness::RULES,
        security::RULES,
        modernize::RULES,
        sharing::RULES,
        redundant_code::RULES,
        effortless::RULES,
        style::RULES,
        migration::RULES,
    ]
    .concat()
}
