//! Definitions: class, module, singleton class, def, alias, undef; constants.

use super::outcome::Outcome;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::core::load::AutoloadState;
use crate::core::trace_point::event as trace_point;
use crate::error::Res;
use crate::frame::{Cref, Cx, Definee};
use crate::method::{Method, MethodBody, MethodId, RubyMethod, Visibility};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{ClassDef, Code, ConstPath, ConstRead, LocalRef, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Names of aliases, by method id.
#[derive(Default)]
struct Aliases {
    names: FxHashMap<u32, Symbol>,
    /// Methods that have an alias.
    kept: FxHashSet<u32>,
}

impl Vm {
    /// The class to which `def` adds methods.
    pub(crate) fn definee(&mut self, cref: &Rc<Cref>) -> Res<ClassId> {
        match &cref.definee {
            Definee::Module(id) => Ok(*id),
            Definee::SingletonOf(object) => {
                let object = object.clone();
                match self.singleton_class(&object) {
                    Some(id) => Ok(id),
                    None => Err(self.type_error("can't define singleton")),
                }
            }
        }
    }

    pub(super) fn eval_def(&mut self, code: &Arc<Code>, cx: &Cx<'_>) -> Res {
        cx.line.set(code.line);
        let class = self.definee(cx.cref)?;
        self.check_class_frozen(class)?;
        let name = code.name;
        // `private` etc. without arguments apply to the class body, not to methods defined in methods
        let in_body = cx.method.is_none() || !crate::core::module::methods::in_method(self, cx);
        let visibility = if crate::core::module::methods::special_name(name) && !self.class(class).is_singleton() {
            Visibility::Private
        } else if in_body {
            cx.cref.visibility.get()
        } else {
            Visibility::Public
        };
        if matches!(name, sym::OBJECT_ID | sym::UNDERSCORE_SEND) && self.find_method(class, name).is_some() {
            self.warn_of_needed("redefining", name)?;
        }
        let body = MethodBody::Ruby(Rc::new(RubyMethod { code: code.clone(), cref: cx.cref.clone() }));
        self.add_method_hooked(class, name, Method { name, owner: class, visibility, body: body.clone() })?;
        if in_body && cx.cref.module_function.get() {
            let meta = self.meta(class);
            self.add_method_hooked(meta, name, Method { name, owner: meta, visibility: Visibility::Public, body })?;
        }
        Ok(Value::Sym(name))
    }

    /// Adds a method and calls `method_added` or `singleton_method_added`.
    pub fn add_method_hooked(&mut self, class: ClassId, name: Symbol, method: Method) -> Res<MethodId> {
        self.warn_of_redefinition(class, name, &method.body)?;
        let id = self.add_method(class, name, method);
        self.method_hook(class, name, sym::METHOD_ADDED, sym::SINGLETON_METHOD_ADDED)?;
        Ok(id)
    }

    /// With `-w`, warns that a method of the same class is replaced, unless it has an alias.
    fn warn_of_redefinition(&mut self, class: ClassId, name: Symbol, by: &MethodBody) -> Res<()> {
        let Some(old) = self.own_method(class, name) else { return Ok(()) };
        let aliased = self
            .extension_ref::<Aliases>()
            .is_some_and(|known| known.names.contains_key(&old.0) || known.kept.contains(&old.0));
        if aliased || !self.is_verbose() {
            return Ok(());
        }
        let before = &self.method(old).body;
        if matches!(before, MethodBody::Undefined) || crate::core::method::same_body(before, by) {
            return Ok(());
        }
        let code = crate::core::method::code_of(self, old);
        if self.current_location().is_some_and(|(file, _)| file.starts_with("<internal:")) {
            return Ok(());
        }
        self.warn(&format!("method redefined; discarding old {name}"))?;
        match code {
            Some(code) => self.warn_at(&code.file.path, code.line, &format!("previous definition of {name} was here")),
            None => Ok(()),
        }
    }

    /// Calls the hook for a method of a class or module, or for a singleton method of one.
    pub(crate) fn method_hook(
        &mut self,
        class: ClassId,
        name: Symbol,
        hook: Symbol,
        singleton_hook: Symbol,
    ) -> Res<()> {
        let (object, hook) = match self.class(class).kind {
            ClassKind::Meta(of) => (Value::Class(of), singleton_hook),
            ClassKind::Singleton => match self.object_with_hook(class, singleton_hook) {
                Some(object) => (object, singleton_hook),
                None => return Ok(()),
            },
            _ => (Value::Class(class), hook),
        };
        self.call_hook(&object, hook, name)
    }

    /// Calls a hook such as `method_added` of an object. The native ones of MRI, but for Numeric's, which raises TypeError, do nothing: only a trace
    /// point sees them.
    pub(crate) fn call_hook(&mut self, object: &Value, hook: Symbol, name: Symbol) -> Res<()> {
        let class = self.class_of(object);
        // undefined: the call raises NoMethodError
        let Some(id) = self.find_method(class, hook) else {
            return self.call(object, hook, &[Value::Sym(name)]).map(drop);
        };
        let method = self.method(id);
        let idle = matches!(method.body, MethodBody::Native(..)) && method.owner != ClassId::NUMERIC;
        if idle && self.traced_events & trace_point::NATIVE == 0 {
            return Ok(());
        }
        self.invoke(id, object, hook, Args::new(&[Value::Sym(name)])).map(drop)
    }

    /// The object of a singleton class, if it has a hook of its own. A singleton class does not know its object, so that it is looked for among all.
    fn object_with_hook(&mut self, class: ClassId, hook: Symbol) -> Option<Value> {
        let id = self.find_method(class, hook)?;
        if matches!(self.method(id).body, MethodBody::Native(..)) {
            return None;
        }
        self.pooled_objects(|of, _| of == class).pop()
    }

    pub(super) fn eval_def_singleton(&mut self, object: &Node, code: &Arc<Code>, cx: &Cx<'_>) -> Res {
        let object = self.eval(object, cx)?;
        let Some(class) = self.singleton_class(&object) else {
            return Err(self.type_error("can't define singleton"));
        };
        self.check_singleton_frozen(&object)?;
        cx.line.set(code.line);
        let name = code.name;
        let body = MethodBody::Ruby(Rc::new(RubyMethod { code: code.clone(), cref: cx.cref.clone() }));
        let method = Method { name, owner: class, visibility: Visibility::Public, body };
        if matches!(object, Value::Class(_)) {
            self.add_method_hooked(class, name, method)?;
        } else {
            self.warn_of_redefinition(class, name, &method.body)?;
            self.add_method(class, name, method);
            self.call_hook(&object, sym::SINGLETON_METHOD_ADDED, name)?;
        }
        Ok(Value::Sym(name))
    }

    /// The class or module that gets a constant without a scope: in a String that `instance_eval` runs, the singleton class.
    fn const_target(&mut self, cx: &Cx<'_>) -> Res<ClassId> {
        let cref = cx.cref.lexical();
        if cref.is_of_instance()
            && let Definee::SingletonOf(owner) = &cref.definee
        {
            return self.singleton_class(owner).ok_or_else(|| self.type_error("can't define singleton"));
        }
        Ok(cref.module)
    }

    fn class_scope(&mut self, scope: Option<&Node>, cx: &Cx<'_>) -> Res<ClassId> {
        match scope {
            None => self.const_target(cx),
            Some(node) => match self.eval(node, cx)? {
                Value::Class(id) => Ok(id),
                other => {
                    let shown = self.inspect(&other)?;
                    Err(self.type_error(format!("{shown} is not a class/module")))
                }
            },
        }
    }

    pub(super) fn eval_class(&mut self, def: &ClassDef, cx: &Cx<'_>) -> Res {
        cx.line.set(def.line);
        let outer = self.class_scope(def.scope.as_ref(), cx)?;
        let superclass = match &def.superclass {
            None => None,
            Some(node) => {
                let value = self.eval(node, cx)?;
                cx.line.set(def.line);
                match value {
                    Value::Class(id) if !self.class(id).is_module() => Some(id),
                    _ => {
                        let described = self.class_name_of(&value);
                        return Err(self.type_error(format!(
                            "superclass must be an instance of Class (given an instance of {described})"
                        )));
                    }
                }
            }
        };
        let mut existing = self.const_resolve(outer, def.name)?;
        if outer == ClassId::OBJECT && existing.is_none() {
            existing = self.const_of_included(def.name)?;
        }
        if existing.is_some()
            && def.scope.is_some()
            && let Some(holder) = self.private_const(outer, def.name)
        {
            return Err(self.private_const_error(holder, def.name));
        }
        let id = match existing {
            Some(Value::Class(id)) if def.module == self.class(id).is_module() => {
                if let Some(superclass) = superclass {
                    let current = self.real_superclass(id);
                    if current != Some(superclass) {
                        return Err(self.type_error(format!("superclass mismatch for class {}", def.name)));
                    }
                }
                id
            }
            Some(_) => {
                let kind = if def.module { "module" } else { "class" };
                let full = if outer == ClassId::OBJECT {
                    def.name.to_string()
                } else {
                    format!("{}::{}", self.class_name(outer), def.name)
                };
                let previous = match self.const_own(outer, def.name).and_then(|constant| constant.location.clone()) {
                    Some((file, line)) => format!("\n{file}:{line}: previous definition of {} was here", def.name),
                    None => String::new(),
                };
                return Err(self.type_error(format!("{full} is not a {kind}{previous}")));
            }
            None if def.module => {
                let id = self.new_module();
                self.check_frozen(&Value::Class(outer))?;
                crate::core::load::define_constant(self, outer, def.name, Value::Class(id));
                id
            }
            None => {
                let superclass = superclass.unwrap_or(ClassId::OBJECT);
                if self.class(superclass).is_singleton() {
                    return Err(self.type_error("can't make subclass of singleton class"));
                }
                if superclass == ClassId::CLASS {
                    return Err(self.type_error("can't make subclass of Class"));
                }
                let id = self.new_class(superclass);
                self.check_frozen(&Value::Class(outer))?;
                crate::core::load::define_constant(self, outer, def.name, Value::Class(id));
                self.call(&Value::Class(superclass), sym::INHERITED, &[Value::Class(id)])?;
                id
            }
        };
        let cref = Cref::new(id, Some(cx.cref.clone()));
        self.run_body(&def.body, &Value::Class(id), &cref)
    }
    /// A constant of a module that Object includes: `class` at the top level reopens a class that is found there.
    fn const_of_included(&mut self, name: Symbol) -> Res<Option<Value>> {
        let mro = self.class(ClassId::OBJECT).mro.clone();
        for module in mro.iter().filter(|ancestor| ![ClassId::OBJECT, ClassId::BASIC_OBJECT].contains(ancestor)) {
            if let Some(found) = self.const_resolve(*module, name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
    pub fn real_superclass(&self, id: ClassId) -> Option<ClassId> {
        self.class(id).superclass
    }

    pub(super) fn eval_sclass(&mut self, object: &Node, body: &Arc<Code>, line: u32, cx: &Cx<'_>) -> Res {
        let object = self.eval(object, cx)?;
        cx.line.set(line);
        let Some(id) = self.singleton_class(&object) else {
            return Err(self.type_error("can't define singleton"));
        };
        let cref = Cref::new(id, Some(cx.cref.clone()));
        // `return` in the body ends the enclosing method
        let (target, _) = self.return_target(cx);
        self.run_body_as(body, &Value::Class(id), &cref, Some(target))
    }

    pub(super) fn eval_alias(&mut self, new: &Node, old: &Node, line: u32, cx: &Cx<'_>) -> Res {
        let (new, old) = (self.eval(new, cx)?, self.eval(old, cx)?);
        cx.line.set(line);
        let (new, old) = (self.to_name(&new)?, self.to_name(&old)?);
        let class = self.definee(cx.cref)?;
        self.alias_method(class, new, old)?;
        Ok(Value::Nil)
    }

    /// `alias_method`; NameError if there is no such method.
    pub fn alias_method(&mut self, class: ClassId, new: Symbol, old: Symbol) -> Res<()> {
        self.check_class_frozen(class)?;
        let mut found = self.find_method(class, old);
        if found.is_none()
            && let Some(refined) = crate::core::module::refinements::refined_by(self, class)
        {
            found = self.find_method(refined, old);
        }
        if found.is_none() && self.class(class).is_module() {
            found = self.find_method(ClassId::OBJECT, old);
        }
        let Some(id) = found else { return Err(self.undefined_method_for_class(class, old)) };
        self.extension::<Aliases>().kept.insert(id.0);
        let mut method = self.method(id).clone();
        if crate::core::module::methods::special_name(new) {
            method.visibility = Visibility::Private;
        }
        self.add_method_named(class, new, method)?;
        if new == old
            && let Some(id) = self.own_method(class, new)
        {
            self.extension::<Aliases>().kept.insert(id.0);
        }
        Ok(())
    }
    /// Adds a method under a name that may differ from its own.
    pub(crate) fn add_method_named(&mut self, class: ClassId, name: Symbol, method: Method) -> Res<()> {
        let alias = method.name != name;
        self.add_method_hooked(class, name, method)?;
        if alias && let Some(id) = self.own_method(class, name) {
            self.extension::<Aliases>().names.insert(id.0, name);
        }
        Ok(())
    }
    /// The name by which a method is called, which may be an alias.
    pub fn called_name(&self, id: MethodId) -> Symbol {
        let alias = self.extension_ref::<Aliases>().and_then(|aliases| aliases.names.get(&id.0));
        alias.copied().unwrap_or(self.method(id).name)
    }

    /// NameError: undefined method `x' for class `C'
    #[cold]
    pub fn undefined_method_for_class(&mut self, class: ClassId, name: Symbol) -> crate::error::Error {
        let kind = if self.class(class).is_module() { "module" } else { "class" };
        let shown = self.class_name(class);
        self.name_error(format!("undefined method `{name}' for {kind} `{shown}'"), &Value::Class(class), name)
    }

    pub(super) fn eval_undef(&mut self, names: &[Node], line: u32, cx: &Cx<'_>) -> Res {
        for node in names {
            let name = self.eval(node, cx)?;
            cx.line.set(line);
            let name = self.to_name(&name)?;
            let class = self.definee(cx.cref)?;
            self.undef_method(class, name)?;
        }
        Ok(Value::Nil)
    }

    /// Warns that a method on which all code counts is changed or goes.
    pub(crate) fn warn_of_needed(&mut self, change: &str, name: Symbol) -> Res<()> {
        self.warn(&format!("{change} `{name}' may cause serious problems"))
    }

    pub fn undef_method(&mut self, class: ClassId, name: Symbol) -> Res<()> {
        self.check_class_frozen(class)?;
        let refined = crate::core::module::refinements::refined_by(self, class);
        let known = self.find_method(class, name).is_some()
            || refined.is_some_and(|refined| self.find_method(refined, name).is_some())
            || (self.class(class).is_module() && self.find_method(ClassId::OBJECT, name).is_some());
        if !known {
            let shown = if let ClassKind::Meta(of) = self.class(class).kind { of } else { class };
            return Err(self.undefined_method_for_class(shown, name));
        }
        if crate::method::needed_by_all(name) {
            self.warn_of_needed("undefining", name)?;
        }
        self.undefine(class, name);
        self.method_hook(class, name, sym::METHOD_UNDEFINED, sym::SINGLETON_METHOD_UNDEFINED)
    }

    /// Ends the lookup of a method at this class, without a hook (MRI's rb_undef).
    pub(crate) fn undefine(&mut self, class: ClassId, name: Symbol) {
        let method = Method { name, owner: class, visibility: Visibility::Public, body: MethodBody::Undefined };
        self.add_method(class, name, method);
    }

    /// A constant by its bare name: looked up in lexical scopes, ancestors, Object, then by `const_missing`.
    #[inline(never)]
    pub(super) fn walk_const(&mut self, read: &ConstRead, cx: &Cx<'_>) -> Outcome {
        let (serial, cref) = read.cache.get();
        if serial == self.const_serial && (cref >> 32) == cx.cref.module.0 {
            let index = (cref & 0xffff_ffff) as usize;
            if let Some(value) = self.const_cache().get(index) {
                return Outcome::value(value.clone());
            }
        }
        self.eval_const_slow(read, cx).into()
    }

    #[inline(never)]
    fn eval_const_slow(&mut self, read: &ConstRead, cx: &Cx<'_>) -> Res {
        cx.line.set(read.line);
        if let Some(value) = self.const_lookup(read.name, cx)? {
            // not cached for a scope of class_eval, which may have the same module as a lexical scope with other constants
            if !cx.cref.transparent {
                let index = self.remember_const(value.clone());
                read.cache.set(self.const_serial, cx.cref.module.0 << 32 | index as u64);
            }
            return Ok(value);
        }
        let cref = cx.cref.lexical();
        let mut scope = cref.module;
        // `self` is an object whose file this is: unless its singleton class has methods, the error names the object's class
        if cref.is_of_instance() && self.class(scope).is_singleton() && self.class(scope).methods.is_empty() {
            scope = self.class(scope).superclass.unwrap_or(scope);
        }
        self.const_missing(scope, read.name).map_err(|error| self.note_span(error, read.span, cx))
    }

    /// Looks up a constant in a lexical scope; None if there is none.
    pub(crate) fn const_lookup(&mut self, name: Symbol, cx: &Cx<'_>) -> Res<Option<Value>> {
        let cref = cx.cref.clone();
        self.const_lookup_in(name, &cref)
    }

    /// Looks up a constant in a lexical scope; None if there is none.
    pub fn const_lookup_in(&mut self, name: Symbol, cref: &Rc<Cref>) -> Res<Option<Value>> {
        let mut at = Some(cref);
        while let Some(scope) = at {
            if let Some(own) = self.own_scope(scope)
                && let Some(value) = self.const_resolve(own, name)?
            {
                return Ok(Some(value));
            }
            if !scope.transparent
                && scope.outer.is_some()
                && let Some(value) = self.const_resolve(scope.module, name)?
            {
                return Ok(Some(value));
            }
            at = scope.outer.as_ref();
        }
        let module = cref.lexical().module;
        self.const_get_from(module, name, true)
    }

    /// In a String that `instance_eval` runs, the object's singleton class: it has the constants that the String has assigned.
    fn own_scope(&self, scope: &Cref) -> Option<ClassId> {
        let Definee::SingletonOf(owner) = &scope.definee else { return None };
        let class = self.class_of(owner);
        (scope.is_of_instance() && class != scope.module && self.class(class).is_singleton()).then_some(class)
    }

    /// Loads the file of an autoload, unless it is loaded or this thread is loading it: then the result is what the file has assigned so far.
    fn autoload_constant(&mut self, module: ClassId, name: Symbol, path: &Rc<str>) -> Res<Option<Value>> {
        let assigned = |vm: &Vm| {
            let constant = vm.class(module).consts.get(&name)?;
            Some(constant.value.clone()).filter(|value| !value.is_undef())
        };
        // a built-in library is loaded without calling a redefined `require`, because in MRI the constant would simply exist
        if self.libraries.get(path).is_some() {
            self.set_autoload_path(module, name, None);
            let loaded = crate::core::load::require(self, path);
            if assigned(self).is_none() {
                match loaded {
                    Ok(_) => drop(self.class_mut(module).consts.shift_remove(&name)),
                    Err(_) => self.set_autoload_path(module, name, Some(path.clone())),
                }
                self.const_serial += 1;
            }
            loaded?;
            return Ok(assigned(self));
        }
        match crate::core::load::autoload_state(self, path)? {
            AutoloadState::Under => return Ok(assigned(self)),
            AutoloadState::Done => return Ok(None),
            AutoloadState::Waits => {}
        }
        self.call(&self.main.clone(), sym::REQUIRE, &[Value::str(path)])?;
        if self.class(module).consts.get(&name).is_some_and(|constant| constant.autoload.is_none()) {
            return Ok(assigned(self));
        }
        if crate::core::load::autoload_state(self, path)? == AutoloadState::Done {
            self.class_mut(module).consts.shift_remove(&name);
            self.const_serial += 1;
        }
        Ok(None)
    }
    fn set_autoload_path(&mut self, module: ClassId, name: Symbol, path: Option<Rc<str>>) {
        if let Some(constant) = self.class_mut(module).consts.get_mut(&name) {
            constant.autoload = path;
        }
    }

    /// A constant of the module itself, including autoload.
    pub fn const_resolve(&mut self, module: ClassId, name: Symbol) -> Res<Option<Value>> {
        let Some(constant) = self.class(module).consts.get(&name) else {
            return Ok(match module {
                ClassId::ERRNO => self.errno_constant(name),
                ClassId::OBJECT if name.as_str() == "TOPLEVEL_BINDING" => Some(self.toplevel_binding()),
                _ => None,
            });
        };
        let (deprecated, path) = (constant.deprecated, constant.autoload.clone());
        if deprecated {
            self.warn_of_constant(module, name)?;
        }
        let Some(path) = path else {
            // a `Warning.warn` of the program may have changed it
            let constant = self.class(module).consts.get(&name);
            return Ok(constant.map(|constant| constant.value.clone()).filter(|value| !value.is_undef()));
        };
        let found = self.autoload_constant(module, name, &path)?;
        // MRI warns at both, when it finds the place and when it has the value
        if found.is_some() && self.const_own(module, name).is_some_and(|constant| constant.deprecated) {
            self.warn_of_constant(module, name)?;
        }
        Ok(found)
    }

    /// Warns of a constant that is marked by `deprecate_constant`.
    fn warn_of_constant(&mut self, module: ClassId, name: Symbol) -> Res<()> {
        let full =
            if module == ClassId::OBJECT { name.to_string() } else { format!("{}::{name}", self.class_name(module)) };
        self.deprecated_name(&full, name.to_string());
        let shown = if module == ClassId::OBJECT { format!("::{full}") } else { full };
        self.warn_deprecated(&format!("constant {shown} is deprecated"))
    }

    /// A constant of a module or its ancestors (for modules also of Object, if `top` is set); None if there is none.
    pub fn const_get_from(&mut self, module: ClassId, name: Symbol, top: bool) -> Res<Option<Value>> {
        for ancestor in self.scopes_of_constants(module) {
            if !top && ancestor == ClassId::OBJECT && module != ClassId::OBJECT {
                continue;
            }
            if let Some(value) = self.const_resolve(ancestor, name)? {
                return Ok(Some(value));
            }
        }
        if let ClassKind::Meta(of) = self.class(module).kind
            && let Some(value) = self.const_get_from(of, name, top)?
        {
            return Ok(Some(value));
        }
        // modules can use the constants of Object and of what it includes; classes that inherit from BasicObject only cannot
        if top && self.class(module).is_module() {
            return self.const_get_from(ClassId::OBJECT, name, true);
        }
        Ok(None)
    }

    /// Calls `const_missing`.
    pub(crate) fn const_missing(&mut self, scope: ClassId, name: Symbol) -> Res {
        self.call(&Value::Class(scope), sym::CONST_MISSING, &[Value::Sym(name)])
    }

    /// The class or module with this constant, if the constant is private.
    pub(crate) fn private_const(&self, module: ClassId, name: Symbol) -> Option<ClassId> {
        let (holder, private) = self
            .scopes_of_constants(module)
            .into_iter()
            .find_map(|ancestor| self.const_own(ancestor, name).map(|constant| (ancestor, constant.private)))?;
        private.then_some(holder)
    }

    /// Where a constant of a module is looked for: in itself, also where modules are prepended to it, then in its other ancestors.
    fn scopes_of_constants(&self, module: ClassId) -> Vec<ClassId> {
        let ancestors = self.class(module).mro.iter().map(|ancestor| self.module_behind(*ancestor));
        std::iter::once(module).chain(ancestors.filter(|ancestor| *ancestor != module)).collect()
    }

    pub(super) fn eval_const_path(&mut self, path: &ConstPath, cx: &Cx<'_>) -> Res {
        let scope = self.eval(&path.scope, cx)?;
        cx.line.set(path.line);
        let Value::Class(id) = scope else {
            let shown = self.inspect(&scope)?;
            return Err(self.type_error(format!("{shown} is not a class/module")));
        };
        let (serial, packed) = path.cache.get();
        if serial == self.const_serial
            && (packed >> 32) == id.0
            && let Some(value) = self.const_cache().get((packed & 0xffff_ffff) as usize)
        {
            return Ok(value.clone());
        }
        if let Some(holder) = self.private_const(id, path.name)
            && !matches!(path.scope, Node::SelfRef)
        {
            let meta = self.class_of(&Value::Class(id));
            if !self.is_native_method(meta, sym::CONST_MISSING) {
                return self.const_missing(id, path.name);
            }
            return Err(self.private_const_error(holder, path.name));
        }
        let top = id == ClassId::OBJECT;
        match self.const_get_from(id, path.name, top)? {
            Some(value) => {
                // the file of an `autoload` may have made it private
                if let Some(holder) = self.private_const(id, path.name).filter(|_| !matches!(path.scope, Node::SelfRef))
                {
                    return Err(self.private_const_error(holder, path.name));
                }
                let index = self.remember_const(value.clone());
                path.cache.set(self.const_serial, id.0 << 32 | index as u64);
                Ok(value)
            }
            None => self.const_missing(id, path.name).map_err(|error| self.note_span(error, path.span, cx)),
        }
    }

    #[cold]
    fn private_const_error(&mut self, holder: ClassId, name: Symbol) -> crate::error::Error {
        let full =
            if holder == ClassId::OBJECT { name.to_string() } else { format!("{}::{name}", self.class_name(holder)) };
        self.name_error(format!("private constant {full} referenced"), &Value::Class(holder), name)
    }

    pub(super) fn eval_const_assign(&mut self, scope: Option<&Node>, name: Symbol, value: &Node, cx: &Cx<'_>) -> Res {
        let scope = match scope {
            Some(node) => Some(self.eval(node, cx)?),
            None => None,
        };
        let value = self.eval(value, cx)?;
        self.assign_const(scope, name, value.clone(), cx)?;
        Ok(value)
    }

    pub(super) fn assign_const(&mut self, scope: Option<Value>, name: Symbol, value: Value, cx: &Cx<'_>) -> Res<()> {
        let module = match scope {
            None => {
                self.warn_in_refinement(cx)?;
                self.const_target(cx)?
            }
            Some(Value::Class(id)) => id,
            Some(other) => {
                let shown = self.inspect(&other)?;
                return Err(self.type_error(format!("{shown} is not a class/module")));
            }
        };
        self.assign_const_in(module, name, value)
    }

    /// Assigns a constant, with the check for frozen modules and the warning about existing constants.
    pub(crate) fn assign_const_in(&mut self, module: ClassId, name: Symbol, value: Value) -> Res<()> {
        if self.class(module).frozen {
            let object = Value::Class(module);
            return Err(self.frozen_error(&object));
        }
        if let Some(old) = self.const_own(module, name)
            && !old.value.is_undef()
        {
            let location = old.location.clone();
            let full = if module == ClassId::OBJECT {
                name.to_string()
            } else {
                format!("{}::{name}", self.class_name(module))
            };
            self.warn(&format!("already initialized constant {full}"))?;
            if let Some((file, line)) = location {
                self.warn_at(&file, line, &format!("previous definition of {name} was here"))?;
            }
        }
        crate::core::load::define_constant(self, module, name, value);
        Ok(())
    }

    pub(super) fn eval_match_write(&mut self, call: &Node, names: &[(Symbol, LocalRef)], cx: &Cx<'_>) -> Res {
        let result = self.eval(call, cx)?;
        let last = self.specials_of(cx).borrow().last_match.clone();
        for (name, at) in names {
            let value = if result.is_nil() { Value::Nil } else { crate::core::regexp::named_match(self, &last, *name) };
            self.set_local_up(cx, *at, value);
        }
        Ok(result)
    }
}
