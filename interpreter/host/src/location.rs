//! The place in Ruby source that caused an effect.

use std::rc::Rc;

/// A place in Ruby source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLocation {
    /// The file, as in Ruby's `__FILE__`.
    pub file: Rc<str>,
    /// The line, from 1.
    pub line: u32,
}

/// Returns the current place; called when an effect is recorded.
pub type LocationSource = Rc<dyn Fn() -> Option<SourceLocation>>;
