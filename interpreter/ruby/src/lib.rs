//! The Ruby interpreter. Independent of Chef.
//!
//! - [`value`], [`heap`]: values, reference-counted cells; [`string`], [`hash`], [`items`], [`ivars`]: contents of Strings, Hashes, Arrays and objects;
//! - [`class`], [`method`], [`method_table`]: object model, methods of classes, the tables that define native classes;
//! - [`args`], [`params`], [`call`], [`frame`]: calls, argument binding, blocks, procs, activations;
//! - [`exec`]: the executor;
//! - [`error`]: exceptions and jumps; `protect`: panics as exceptions, `native_stack`: the stack for Ruby code; [`coerce`]: implicit conversions and
//!   common protocols;
//! - [`vm`]: the VM, limits, data of embedders; [`library`]: libraries that `require` finds without a file;
//! - [`core`]: the core classes, one module per class.
//!
//! Other crates use the types at this crate's root and [`embed`]; all else is internal. Embedding: `let mut vm = Vm::new(host)?;
//! vm.run_main(source, path)?`; natives are `fn(&mut Vm, &Value, Args) -> Res` in tables of [`MethodDef`].

mod args;
mod call;
mod class;
mod coerce;
mod core;
mod double;
#[warn(missing_docs)]
pub mod embed;
mod error;
mod exec;
mod frame;
mod hash;
mod heap;
mod items;
mod ivars;
mod library;
mod memory;
mod method;
mod method_table;
mod native_stack;
mod params;
mod protect;
mod string;
mod trace;
mod value;
mod vm;

pub use args::Args;
pub use class::ClassId;
pub use double::Double;
pub use error::{Error, Res, Unwind};
pub use frame::{Block, RProc};
pub use hash::RHash;
pub use heap::Gc;
pub use method::{MethodDef, any, at_least, def, opt};
pub use rchef_host as host;
pub use rchef_regexp as regexp;
pub use rchef_syntax::NOTICE;
pub use rchef_syntax::Symbol;
pub use rchef_syntax::encoding_comment;
/// Parsing ahead of the VM's start.
pub mod syntax_ahead {
    pub use rchef_syntax::ParseKind;
    pub use rchef_syntax::ahead::{Missed, forget_ahead, parse_ahead, parse_missed, take_missed};
}
pub use rchef_syntax::symbol::sym;
pub use rchef_text as text;
pub use string::RString;
pub use value::{NativeData, Slots, Value};
pub use vm::{Deprecation, Vm};
