//! Ruby regular expressions: an Onigmo front end over fancy-regex.
//!
//! A pattern is parsed and checked like in MRI 3.1, with MRI's messages, when a [`Regexp`] is made. There is one program for single-byte text (ASCII,
//! binary) and one for UTF-8. A backtracking matcher of our own (`backtrack`) runs the first searches, since it is quickly compiled, and everything
//! that fancy-regex does differently from Onigmo: calls, conditions, absent groups, captures of empty iterations. `program` chooses, and compiles
//! patterns that are searched more often for fancy-regex.
//! Both give the same results for all recorded cases (`tests/mri.txt`).

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
mod required;
mod simple;
mod source;
mod tail;
mod warning;

pub use error::{MatchError, RegexpError};
pub use options::Options;
pub use program::{Captures, Watch};
pub use quote::{UnionPart, escape, inspect, to_s, union};
pub use regexp::{Regexp, TextKind, Watched};
pub use source::SourceKind;
