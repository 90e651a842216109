//! Chef/RedundantCode.

use crate::rule::Rule;

/// Its rules.
pub static RULES: &[&Rule] = &[];
