//! Where in Ruby source an effect came from.

use std::rc::Rc;

/// A place in Ruby source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLocation {
    /// The file as Ruby's `__FILE__` has it.
    pub file: Rc<str>,
    /// The line, from 1.
    pub line: u32,
}

/// Asked for the current place when an effect is recorded.
pub type LocationSource = Rc<dyn Fn() -> Option<SourceLocation>>;
