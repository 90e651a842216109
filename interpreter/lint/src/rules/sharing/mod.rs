//! Chef/Sharing.

use crate::rule::Rule;

/// Its rules.
pub static RULES: &[&Rule] = &[];
