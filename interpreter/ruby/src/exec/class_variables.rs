//! Class variables: where they are looked for, read and assigned.

use crate::Symbol;
use crate::Vm;
use crate::class::{ClassId, ClassKind};
use crate::error::Res;
use crate::frame::{Cref, Cx};
use crate::value::Value;
use rchef_syntax::tree::Code;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::{Arc, Weak};

/// The class variables that code in modules has assigned.
#[derive(Default)]
struct Assigned {
    /// By the code and the name; an address stays the code's own while there is a weak reference to it.
    holders: FxHashMap<(usize, Symbol), (Weak<Code>, ClassId)>,
    /// The number of entries at which those of code that is gone are removed.
    limit: usize,
}

impl Assigned {
    fn note(&mut self, code: &Arc<Code>, name: Symbol, holder: ClassId) {
        let key = (Arc::as_ptr(code) as usize, name);
        if self.holders.get(&key).is_some_and(|(_, known)| *known == holder) {
            return;
        }
        if self.holders.len() >= self.limit {
            self.holders.retain(|_, (code, _)| code.strong_count() > 0);
            self.limit = 64.max(self.holders.len() * 2);
        }
        self.holders.insert(key, (Arc::downgrade(code), holder));
    }
}

impl Vm {
    /// The scope for class variables: that of the innermost class or module opened by name.
    fn cvar_scope<'a>(&self, cx: &Cx<'a>) -> &'a Rc<Cref> {
        let mut cref = cx.cref;
        while cref.transparent || cref.is_of_instance() || self.class(cref.module).is_singleton() {
            match &cref.outer {
                Some(outer) => cref = outer,
                None => break,
            }
        }
        cref
    }

    fn cvar_base_checked(&mut self, cx: &Cx<'_>) -> Res<ClassId> {
        let cref = self.cvar_scope(cx);
        if cref.outer.is_none() && cref.module == ClassId::OBJECT {
            return Err(self.runtime_error("class variable access from toplevel"));
        }
        Ok(cref.module)
    }

    /// The class with a class variable visible in this code.
    pub(super) fn cvar_lookup(&self, name: Symbol, cx: &Cx<'_>) -> Option<ClassId> {
        self.cvar_holder(self.cvar_scope(cx).module, name)
    }
    /// The class or module among the ancestors that has a class variable.
    pub fn cvar_holder(&self, base: ClassId, name: Symbol) -> Option<ClassId> {
        let base = match self.class(base).kind {
            ClassKind::Meta(of) if !self.has_cvar(base, name) => of,
            _ => base,
        };
        // the nearest ancestor; see `check_overtaken` for a farther one
        self.class(base).mro.iter().find(|ancestor| self.has_cvar(**ancestor, name)).copied()
    }
    fn has_cvar(&self, class: ClassId, name: Symbol) -> bool {
        self.class(class).cvars.iter().any(|(key, _)| *key == name)
    }

    /// RuntimeError if an ancestor of the class that has the variable has come to have it too.
    pub(crate) fn check_overtaken(&mut self, base: ClassId, name: Symbol, holder: ClassId) -> Res<()> {
        let ancestors = &self.class(base).mro;
        if ancestors.last() == Some(&holder) {
            return Ok(());
        }
        match ancestors.iter().rev().find(|class| self.has_cvar(**class, name)).copied() {
            Some(last) if last != holder && ancestors.contains(&holder) => {
                let (front, target) = (self.class_name(holder), self.class_name(last));
                Err(self.runtime_error(format!("class variable {name} of {front} is overtaken by {target}")))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn eval_cvar(&mut self, name: Symbol, cx: &Cx<'_>) -> Res {
        let base = self.cvar_base_checked(cx)?;
        match self.cvar_holder(base, name) {
            Some(holder) => match self.check_overtaken(base, name, holder) {
                Ok(()) => Ok(self.cvar_value(holder, name).unwrap_or_default()),
                Err(error) => match self.known_holder(name, cx) {
                    Some(known) => Ok(self.cvar_value(known, name).unwrap_or_default()),
                    None => Err(error),
                },
            },
            None => {
                let shown = self.class_name(base);
                Err(self.name_error(
                    format!("uninitialized class variable {name} in {shown}"),
                    &Value::Class(base),
                    name,
                ))
            }
        }
    }
    /// A class variable of the class itself.
    pub fn cvar_value(&self, holder: ClassId, name: Symbol) -> Option<Value> {
        self.class(holder).cvars.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone())
    }
    /// Warns of a constant or class variable that is not the refinement's whose block assigns it.
    pub(super) fn warn_in_refinement(&mut self, cx: &Cx<'_>) -> Res<()> {
        match cx.slf {
            Value::Class(id) if crate::core::module::refinements::refined_by(self, *id).is_some() => {
                self.warn("not defined at the refinement, but at the outer class/module")
            }
            _ => Ok(()),
        }
    }
    pub(super) fn assign_cvar(&mut self, name: Symbol, value: Value, cx: &Cx<'_>) -> Res<()> {
        self.warn_in_refinement(cx)?;
        let base = self.cvar_base_checked(cx)?;
        let holder = self.cvar_holder(base, name).unwrap_or(base);
        if let Err(error) = self.check_overtaken(base, name, holder) {
            let Some(known) = self.known_holder(name, cx) else { return Err(error) };
            return self.cvar_set_in(known, name, value);
        }
        self.cvar_set_in(holder, name, value)?;
        if matches!(self.class(base).kind, ClassKind::Module) {
            self.extension::<Assigned>().note(cx.code, name, holder);
        }
        Ok(())
    }
    /// Where the variable is that this code has assigned: MRI's code remembers it, and does not see that an ancestor has come to have it too.
    fn known_holder(&self, name: Symbol, cx: &Cx<'_>) -> Option<ClassId> {
        let assigned = &self.extension_ref::<Assigned>()?.holders;
        assigned.get(&(Arc::as_ptr(cx.code) as usize, name)).map(|(_, holder)| *holder)
    }
    /// Code has to look for the class variables of a module anew once that module is included.
    pub(crate) fn forget_cvar_holders(&mut self, module: ClassId) {
        if self.extension_ref::<Assigned>().is_some_and(|assigned| !assigned.holders.is_empty())
            && self.class(module).mro.iter().any(|ancestor| !self.class(*ancestor).cvars.is_empty())
        {
            self.extension::<Assigned>().holders.clear();
        }
    }
    /// Sets a class variable in the class that has it, or in `base`.
    pub fn cvar_set(&mut self, base: ClassId, name: Symbol, value: Value) -> Res<()> {
        let holder = self.cvar_holder(base, name).unwrap_or(base);
        self.check_overtaken(base, name, holder)?;
        self.cvar_set_in(holder, name, value)
    }
    fn cvar_set_in(&mut self, holder: ClassId, name: Symbol, value: Value) -> Res<()> {
        if self.class(holder).frozen {
            let object = Value::Class(holder);
            return Err(self.frozen_error(&object));
        }
        let cvars = &mut self.class_mut(holder).cvars;
        match cvars.iter_mut().find(|(key, _)| *key == name) {
            Some((_, slot)) => *slot = value,
            None => cvars.push((name, value)),
        }
        Ok(())
    }
}
