//! Methods: entries, native signatures, and the tables that define a native class.
//!
//! A native class is a static table of [`MethodDef`]s, written with [`def`], [`opt`] and [`any`]:
//!
//! ```ignore
//! pub(crate) static METHODS: &[MethodDef] = &[
//!     def("upcase", upcase, 0),       // exactly 0 arguments
//!     opt("round", round, 0, 1),      // 0 or 1
//!     any("concat", concat),          // any number
//! ];
//! fn upcase(vm: &mut Vm, this: &Value, args: Args) -> Res { … }
//! vm.define_methods(ClassId::STRING, METHODS);
//! vm.define_singleton_methods(ClassId::FILE, SINGLETON_METHODS);
//! ```
//!
//! The VM checks the number of arguments before the call. The function's doc comment documents the method.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::{Cref, RProc};
use crate::heap::Gc;
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Code, SourceFile};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A method, as an index; methods are never freed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MethodId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visibility {
    #[default]
    Public,
    /// Callable on receivers of the same class.
    Protected,
    /// Callable without an explicit receiver.
    Private,
}

pub type NativeFn = fn(&mut Vm, &Value, Args<'_>) -> Res;
/// A native method with state, created at run time.
pub type NativeClosure = Rc<dyn Fn(&mut Vm, &Value, Args<'_>) -> Res>;

pub struct RubyMethod {
    pub code: Arc<Code>,
    /// The lexical scope of the definition.
    pub cref: Rc<Cref>,
}

/// The form of a call, which determines the permitted visibility and the error for a missing method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// A call on self or by a native: private methods may be called.
    Function,
    /// A call with an explicit receiver.
    Method,
    /// A bare name that could have been a variable.
    Variable,
    Super,
}

/// The implementation of a method.
#[derive(Clone)]
pub enum MethodBody {
    Ruby(Rc<RubyMethod>),
    /// A native, and the number of its arguments.
    Native(NativeFn, Arity),
    /// A native with state.
    Closure(NativeClosure, Arity),
    /// `define_method` with a block.
    Proc(Gc<RProc>),
    Reader(Symbol),
    Writer(Symbol),
    /// Undefined by `undef`: ends the lookup.
    Undefined,
}

/// The permitted number of arguments of a native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arity {
    pub min: u8,
    /// The maximum; None: any number.
    pub max: Option<u8>,
}

#[derive(Clone)]
pub struct Method {
    /// The name of the definition (also for aliases).
    pub name: Symbol,
    /// The class of the definition, where `super` continues.
    pub owner: ClassId,
    pub visibility: Visibility,
    pub body: MethodBody,
}

/// Where methods of `attr_reader` and its like are defined.
#[derive(Default)]
pub(crate) struct AttributePlaces(FxHashMap<u32, (Arc<SourceFile>, u32)>);

impl AttributePlaces {
    pub(crate) fn note(&mut self, id: MethodId, place: (Arc<SourceFile>, u32)) {
        self.0.insert(id.0, place);
    }
    /// The file and line of a method.
    pub(crate) fn of(&self, id: MethodId) -> Option<(&str, u32)> {
        self.0.get(&id.0).map(|(file, line)| (file.path.as_str(), *line))
    }
}

/// Whether a method is one on which all code counts (MRI warns when it is undefined or removed).
pub(crate) fn needed_by_all(name: Symbol) -> bool {
    matches!(name, sym::OBJECT_ID | sym::UNDERSCORE_SEND | sym::INITIALIZE)
}

/// A native method in a table.
pub struct MethodDef {
    pub name: &'static str,
    pub function: NativeFn,
    pub arity: Arity,
    pub visibility: Visibility,
}

/// A native with exactly `arity` arguments.
pub const fn def(name: &'static str, function: NativeFn, arity: u8) -> MethodDef {
    MethodDef { name, function, arity: Arity { min: arity, max: Some(arity) }, visibility: Visibility::Public }
}
/// A native with `min` to `max` arguments.
pub const fn opt(name: &'static str, function: NativeFn, min: u8, max: u8) -> MethodDef {
    MethodDef { name, function, arity: Arity { min, max: Some(max) }, visibility: Visibility::Public }
}
/// A native with any number of arguments.
pub const fn any(name: &'static str, function: NativeFn) -> MethodDef {
    MethodDef { name, function, arity: Arity::ANY, visibility: Visibility::Public }
}
/// A native with at least `min` arguments.
pub const fn at_least(name: &'static str, function: NativeFn, min: u8) -> MethodDef {
    MethodDef { name, function, arity: Arity { min, max: None }, visibility: Visibility::Public }
}
impl MethodDef {
    pub const fn private(mut self) -> MethodDef {
        self.visibility = Visibility::Private;
        self
    }
    pub const fn protected(mut self) -> MethodDef {
        self.visibility = Visibility::Protected;
        self
    }
}

impl Arity {
    /// Any number of arguments.
    pub const ANY: Arity = Arity { min: 0, max: None };

    /// The result of `Method#arity`.
    pub fn as_number(self) -> i64 {
        if self.max == Some(self.min) { i64::from(self.min) } else { -i64::from(self.min) - 1 }
    }
    /// Whether this number of arguments is permitted.
    #[inline(always)]
    pub fn takes(self, count: usize) -> bool {
        count >= usize::from(self.min) && self.max.is_none_or(|max| count <= usize::from(max))
    }
    /// The form in MRI's messages: `1`, `1..2`, `1+`.
    pub fn expected(self) -> String {
        match self.max {
            Some(max) if max == self.min => max.to_string(),
            Some(max) => format!("{}..{max}", self.min),
            None => format!("{}+", self.min),
        }
    }
}

impl Vm {
    /// Adds a table of native methods to the singleton class of a class or module.
    pub fn define_singleton_methods(&mut self, class: ClassId, table: &'static [MethodDef]) {
        let meta = self.meta(class);
        self.define_methods(meta, table);
    }
    /// Adds a native method with state.
    pub fn define_closure(&mut self, class: ClassId, name: Symbol, arity: Arity, closure: NativeClosure) {
        let body = MethodBody::Closure(closure, arity);
        self.add_method(class, name, Method { name, owner: class, visibility: Visibility::Public, body });
    }
    /// Adds an alias of a native method.
    pub fn define_alias(&mut self, class: ClassId, new: &'static str, old: &'static str) {
        if let Some(id) = self.find_method(class, Symbol::intern_static(old)) {
            let method = self.method(id).clone();
            self.add_method(class, Symbol::intern_static(new), method);
        }
    }
}
