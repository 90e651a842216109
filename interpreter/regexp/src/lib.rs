//! Ruby regular expressions: an Onigmo front end over fancy-regex.
//!
//! A pattern is read and checked as MRI 3.1 does, with MRI's messages, when a [`Regexp`] is made. There is one program
//! for text of single bytes (ASCII, binary) and one for UTF-8. Our own backtracking matcher (`backtrack`) runs the first
//! searches, since it is ready at once, and all that fancy-regex does otherwise than Onigmo: calls, conditions, absent
//! groups, empty iterations that capture. `program` decides, and compiles for fancy-regex what is searched more often.
//! Every recorded case (`tests/mri.txt`) was answered alike by both.

mod ast;
mod backtrack;
mod charset;
mod check;
mod class;
mod emit;
mod error;
mod fold;
mod options;
mod parse;
mod parse_class;
mod program;
mod property;
mod quote;
mod regexp;
mod source;

pub use error::{MatchError, RegexpError};
pub use options::Options;
pub use program::{Captures, Watch};
pub use quote::{UnionPart, escape, inspect, to_s, union};
pub use regexp::{Regexp, TextKind, Watched};
pub use source::SourceKind;
