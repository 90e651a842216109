//! Lexical scopes: where constants are looked up and `def` adds methods.

use crate::class::ClassId;
use crate::method::Visibility;
use crate::value::Value;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The class or object to which `def` adds methods.
#[derive(Clone)]
pub enum Definee {
    /// A class or module.
    Module(ClassId),
    /// The singleton class of an object (`instance_eval`), created when needed.
    SingletonOf(Value),
}

/// A lexical scope, used for constants, `def`, `private` and class variables.
pub struct Cref {
    /// The innermost `class` or `module`.
    pub module: ClassId,
    /// Where `def` puts methods.
    pub definee: Definee,
    /// The enclosing scope; None at the top level.
    pub outer: Option<Rc<Cref>>,
    /// Whether it was created by `instance_eval` or `class_eval` with a block: constants are looked up in `outer`.
    pub transparent: bool,
    /// The default visibility, set by `private` etc. without arguments.
    pub visibility: Cell<Visibility>,
    /// Whether `module_function` was called without arguments.
    pub module_function: Cell<bool>,
    /// Active refinements: (refined class, refinement module), latest first.
    pub refinements: RefCell<Vec<(ClassId, ClassId)>>,
}

impl Cref {
    /// The scope of a class body.
    pub fn new(module: ClassId, outer: Option<Rc<Cref>>) -> Rc<Cref> {
        let refinements = outer.as_ref().map(|outer| outer.refinements.borrow().clone()).unwrap_or_default();
        Rc::new(Cref {
            module,
            definee: Definee::Module(module),
            outer,
            transparent: false,
            visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            refinements: RefCell::new(refinements),
        })
    }
    /// A copy of the scope, with a default visibility of its own.
    pub fn again(&self) -> Rc<Cref> {
        Rc::new(Cref {
            module: self.module,
            definee: self.definee.clone(),
            outer: self.outer.clone(),
            transparent: self.transparent,
            visibility: self.visibility.clone(),
            module_function: self.module_function.clone(),
            refinements: self.refinements.clone(),
        })
    }
    /// The scope of a block evaluated with another definee.
    pub fn with_definee(outer: &Rc<Cref>, definee: Definee) -> Rc<Cref> {
        let module = match &definee {
            Definee::Module(module) => *module,
            Definee::SingletonOf(_) => outer.module,
        };
        Rc::new(Cref {
            module,
            definee,
            outer: Some(outer.clone()),
            transparent: true,
            visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            refinements: RefCell::new(outer.refinements.borrow().clone()),
        })
    }
    /// The scope of a String evaluated by `instance_eval`: constants are looked up in `seen`, `def` adds methods to `definee`.
    pub fn of_instance(seen: ClassId, definee: Definee, outer: Rc<Cref>) -> Rc<Cref> {
        let refinements = RefCell::new(outer.refinements.borrow().clone());
        Rc::new(Cref {
            module: seen,
            definee,
            outer: Some(outer),
            transparent: false,
            visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            refinements,
        })
    }
    /// Whether it is the scope of a String evaluated by `instance_eval`.
    pub fn is_of_instance(&self) -> bool {
        !self.transparent && matches!(self.definee, Definee::SingletonOf(_))
    }
    /// The innermost scope for constant lookup.
    pub fn lexical(self: &Rc<Cref>) -> &Rc<Cref> {
        let mut at = self;
        while at.transparent {
            match &at.outer {
                Some(outer) => at = outer,
                None => break,
            }
        }
        at
    }
    pub fn nesting(self: &Rc<Cref>) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut at = Some(self);
        while let Some(cref) = at {
            if !cref.transparent && cref.outer.is_some() {
                found.push(cref.module);
            }
            at = cref.outer.as_ref();
        }
        found
    }
}
