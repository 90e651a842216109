//! The rules: a folder per department of Cookstyle, one for our own, a module per rule.

mod common;
mod correctness;
mod deprecations;
mod effortless;
mod migration;
mod modernize;
mod redundant_code;
mod security;
mod sharing;
mod style;
mod version;

use crate::rule::Rule;

pub use migration::UNUSED_SUPPRESSION;
pub use version::at_least;

/// What every rule needs.
mod prelude {
    pub(super) use super::common::*;
    pub(super) use crate::ast::{Form, Kind, N};
    pub(super) use crate::resource::*;
    pub(super) use crate::rule::*;
}

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
