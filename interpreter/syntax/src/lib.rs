//! Ruby source to a resolved tree: prism's parse tree is lowered at once. Nothing is executed here.
//!
//! - [`symbol`]: the interner; `Symbol` is a number, well-known names are constants.
//! - [`tree`]: what the executor evaluates: locals are (depth, slot), names are symbols, call sites have an inline cache.
//! - [`lower`]: prism's nodes to the tree, one module per kind of construct.
//! - [`ahead`]: files parsed before they are needed;
//! - [`dump`]: a tree as an S-expression, for tests and debugging;
//! - `stack`: parsing, lowering and dropping run on a large stack of their own, since source may be deeply nested;
//! - [`ripper`]: a source as the lists and the tokens of Ruby's Ripper;
//! - [`keyed`]: hashing of untrusted texts with a random key;
//! - `circular`: default values that read their own parameter;
//! - [`error`]: syntax errors, [`warning`]: the parser's warnings, in MRI 3.1's words.

pub mod ahead;
pub mod ast;
mod circular;
pub mod dump;
pub mod error;
pub mod keyed;
pub mod lower;
pub mod ripper;
mod stack;
pub mod symbol;
pub mod tree;
pub mod warning;

/// The notice of prism, whose licence asks for it wherever the program goes.
pub const NOTICE: &str = include_str!("../NOTICE");

pub use error::SyntaxError;
pub use lower::{LineLoop, ParseKind, ParseRequest, Parsed, encoding_comment, parse};
pub use symbol::Symbol;
