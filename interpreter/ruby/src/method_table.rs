//! The methods of a class. Tables of natives are added when the class is first searched for a method, because most runs use few core classes.

use crate::Vm;
use crate::class::{ClassId, Natives, OrderedMap};
use crate::method::{Method, MethodBody, MethodDef, MethodId, Visibility};
use rchef_syntax::Symbol;

impl Vm {
    /// Adds a table of native methods to a class or module.
    pub fn define_methods(&mut self, class: ClassId, table: &'static [MethodDef]) {
        self.define_natives(class, Natives { table, visibility: None });
    }
    /// Adds natives as private instance methods and as public singleton methods.
    pub fn define_module_functions(&mut self, module: ClassId, table: &'static [MethodDef]) {
        let meta = self.meta(module);
        self.define_natives(module, Natives { table, visibility: Some(Visibility::Private) });
        self.define_natives(meta, Natives { table, visibility: Some(Visibility::Public) });
    }
    fn define_natives(&mut self, class: ClassId, natives: Natives) {
        if self.in_bulk {
            // caches for these names cannot be found without interning them, so all caches are cleared at the end
            self.class_mut(class).methods.waiting.push(natives);
        } else {
            self.enter(class, natives);
        }
    }

    pub fn own_methods(&mut self, class: ClassId) -> &OrderedMap<Symbol, MethodId> {
        if !self.class(class).methods.waiting.is_empty() {
            self.enter_waiting(class);
        }
        &self.class(class).methods.entered
    }
    /// The class's own method with this name, which may be undefined by `undef`.
    #[inline]
    pub fn own_method(&mut self, class: ClassId, name: Symbol) -> Option<MethodId> {
        self.own_methods(class).get(&name).copied()
    }
    /// The same among the tables that have been entered.
    pub(crate) fn entered_method(&self, class: ClassId, name: Symbol) -> Option<MethodId> {
        self.class(class).methods.entered.get(&name).copied()
    }
    pub(crate) fn put_own_method(&mut self, class: ClassId, name: Symbol, id: MethodId) {
        self.own_methods(class);
        self.class_mut(class).methods.entered.insert(name, id);
    }
    pub(crate) fn take_own_method(&mut self, class: ClassId, name: Symbol) {
        self.own_methods(class);
        self.class_mut(class).methods.entered.shift_remove(&name);
    }

    /// Adds all waiting tables, for callers that need all names or the order of definition.
    pub(crate) fn enter_all(&mut self) {
        for class in 0..self.class_count() {
            self.own_methods(ClassId(class));
        }
    }

    #[cold]
    fn enter_waiting(&mut self, class: ClassId) {
        let tables = std::mem::take(&mut self.class_mut(class).methods.waiting);
        // these methods logically exist from the start: nothing is redefined, and no cache is invalid
        let (redefined, in_bulk) = (self.redefined, std::mem::replace(&mut self.in_bulk, true));
        for natives in tables {
            self.enter(class, natives);
        }
        (self.redefined, self.in_bulk) = (redefined, in_bulk);
    }
    fn enter(&mut self, class: ClassId, natives: Natives) {
        let mut names = Vec::with_capacity(natives.table.len());
        Symbol::intern_all(natives.table.iter().map(|def| def.name), |name| names.push(name));
        self.class_mut(class).methods.entered.reserve(names.len());
        for (def, name) in natives.table.iter().zip(names) {
            let visibility = natives.visibility.unwrap_or(def.visibility);
            let body = MethodBody::Native(def.function, def.arity);
            self.add_method(class, name, Method { name, owner: class, visibility, body });
        }
    }
}
