//! Ruby source to a resolved tree: prism's parse, lowered at once. Nothing runs here.
//!
//! - [`symbol`]: the interner; `Symbol` is a number, well-known names are constants.
//! - [`tree`]: what the executor walks: locals are (depth, slot), names are symbols, call sites carry their inline cache.
//! - [`lower`]: prism's nodes to the tree (one module a kind of construct below it).
//! - [`ahead`]: trees that are made before they are asked for;
//! - [`dump`]: a tree as an S-expression, for tests and for people.
//! - `stack`: parsing, lowering and dropping run on a large stack of their own, since source may nest deeply.
//! - [`ripper`]: a source in the lists of Ruby's Ripper;
//! - [`keyed`]: hashing of texts that strangers choose;
//! - [`error`]: syntax errors in MRI 3.1's words.

pub mod ahead;
pub mod dump;
pub mod error;
pub mod keyed;
pub mod lower;
pub mod ripper;
mod stack;
pub mod symbol;
pub mod tree;

pub use error::SyntaxError;
pub use lower::{ParseKind, ParseRequest, Parsed, parse};
pub use symbol::Symbol;
