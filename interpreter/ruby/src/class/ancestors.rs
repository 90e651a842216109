//! The ancestors of classes in their order.
//!
//! A module can stand more than once among them: one that a class has included and then prepends, or that it prepends or has included before its
//! superclass did. `super` leads from the nearer place to the farther one, so the places must differ: the nearer one is taken by a stand-in,
//! a module of its own with copies of the methods.

use super::{ClassData, ClassId, ClassKind, Part};
use crate::Symbol;
use crate::Vm;
use crate::method::Method;
use std::rc::Rc;

impl Vm {
    /// Adds a module with its ancestors to a part, as the class has done with one after the other: what is there already stays where it is, and what
    /// follows it goes behind it. `named` are the modules that the class itself has put there; the others are left out where `elsewhere` has them.
    fn linearise_into(&self, module: ClassId, named: &[ClassId], elsewhere: &[ClassId], out: &mut Vec<ClassId>) {
        let mut at = 0;
        for &ancestor in self.class(module).mro.iter() {
            let stands = |known: &ClassId| self.module_behind(*known) == self.module_behind(ancestor);
            if let Some(place) = out.iter().position(stands) {
                at = at.max(place + 1);
            } else if named.contains(&ancestor) || !elsewhere.iter().any(stands) {
                out.insert(at, ancestor);
                at += 1;
            }
        }
    }

    /// Recomputes the ancestors of a class and its dependents, and invalidates their caches.
    pub(crate) fn rebuild_mro(&mut self, id: ClassId) {
        let inherited: Rc<[ClassId]> = self
            .class(id)
            .superclass
            .map(|superclass| self.class(superclass).mro.clone())
            .unwrap_or_else(|| Rc::from([]));
        let class = self.class(id);
        let mut prepended = Vec::new();
        for &module in class.prepends.iter().rev() {
            self.linearise_into(module, &class.prepends, &class.includes, &mut prepended);
        }
        let mut own = prepended.clone();
        own.push(id);
        let mut included = Vec::new();
        let elsewhere: Vec<ClassId> = class.prepends.iter().chain(inherited.iter()).copied().collect();
        for &module in class.includes.iter().rev() {
            self.linearise_into(module, &class.includes, &elsewhere, &mut included);
        }
        own.append(&mut included);
        if self.class(id).kind == ClassKind::Singleton {
            // there may be very many of these, and classes are never freed: the nearer place is the only one
            own.extend(inherited.iter().filter(|ancestor| !own.contains(ancestor)).copied().collect::<Vec<_>>());
        } else {
            let count = own.len();
            own.extend(inherited.iter());
            self.tell_apart(id, &mut own, prepended.len(), count);
        }
        let class = self.class_mut(id);
        class.mro = Rc::from(own);
        class.cache.clear();
        self.renew_key(id);
        for dependent in self.class(id).dependents.iter().copied().collect::<Vec<_>>() {
            self.rebuild_mro(dependent);
        }
    }
    /// Puts stand-ins where a module of the class's own ancestors, the first `count`, stands farther off as well.
    fn tell_apart(&mut self, id: ClassId, ancestors: &mut [ClassId], prepended: usize, count: usize) {
        for at in 0..count {
            let part = if at < prepended { Part::Prepended } else { Part::Included };
            let nearer = ancestors[at];
            if ancestors[at + 1..].contains(&nearer) {
                ancestors[at] = self.stand_in(self.module_behind(nearer), id, part);
            }
        }
    }

    /// Includes a module in a class or module, without calling hooks. Nothing happens if the module has it among its ancestors already: callers that
    /// serve Ruby code raise then.
    pub fn include_module(&mut self, into: ClassId, module: ClassId) {
        if self.class(module).mro.contains(&into) {
            return;
        }
        let has = self.class(into).mro.contains(&module);
        let included = self.class(into).includes.contains(&module);
        if has && (included || !self.class(into).is_module() || self.prepended_part(into).contains(&module)) {
            let ancestors = self.class(module).mro.clone();
            let new: Vec<ClassId> =
                ancestors.iter().filter(|ancestor| !self.class(into).mro.contains(ancestor)).copied().collect();
            if !included {
                // it has its place: only the modules that it has included since are new
                new.into_iter().rev().for_each(|nested| self.include_module(into, nested));
                return;
            }
            if new.is_empty() {
                return;
            }
        }
        if !self.class(into).includes.contains(&module) {
            if !self.class(into).is_module() {
                // what the module brings has its place now, also if the superclass includes it later
                let brought = self.class(module).mro.clone();
                for nested in brought.iter().rev().filter(|nested| **nested != module) {
                    if !self.class(into).mro.contains(nested) && !self.class(into).includes.contains(nested) {
                        self.class_mut(into).includes.insert(0, *nested);
                    }
                }
            }
            self.class_mut(into).includes.insert(0, module);
        }
        self.class_mut(module).dependents.insert(into);
        self.rebuild_mro(into);
        self.note_constants_of(module);
    }
    /// Prepends a module to a class or module, without calling hooks.
    pub fn prepend_module(&mut self, to: ClassId, module: ClassId) {
        let brought = self.class(module).mro.clone();
        let there = self.prepended_part(to).to_vec();
        let new = |this: &Vm, nested: &ClassId| !there.iter().any(|known| this.module_behind(*known) == *nested);
        if !brought.iter().any(|nested| new(self, &self.module_behind(*nested))) {
            return;
        }
        // what the module brings has its place now, also if the class includes it as well; and what a module has included keeps its place
        for nested in brought.iter().filter(|_| self.class(to).is_module()).copied().collect::<Vec<_>>() {
            if self.class(to).mro.contains(&nested)
                && !there.contains(&nested)
                && !self.class(to).includes.contains(&nested)
            {
                self.class_mut(to).includes.push(nested);
            }
        }
        for nested in brought.iter().rev().filter(|nested| **nested != module).chain([&module]) {
            if !self.class(to).prepends.contains(nested) {
                self.class_mut(to).prepends.insert(0, *nested);
            }
        }
        self.class_mut(module).dependents.insert(to);
        self.rebuild_mro(to);
        self.note_redefinition(to, None);
        self.note_constants_of(module);
    }
    /// The ancestors of a class or module that stand before itself.
    fn prepended_part(&self, of: ClassId) -> &[ClassId] {
        let ancestors = &self.class(of).mro;
        let own = ancestors.iter().position(|ancestor| *ancestor == of).unwrap_or_default();
        &ancestors[..own]
    }
    /// What is found for a constant may change because a module has become an ancestor, unless it brings none: an object that is extended with it leaves
    /// the caches of all constants valid.
    fn note_constants_of(&mut self, module: ClassId) {
        if self.class(module).mro.iter().any(|ancestor| !self.class(*ancestor).consts.is_empty()) {
            self.const_serial += 1;
        }
    }

    /// The module that a stand-in stands for; any other class or module itself.
    pub(crate) fn module_behind(&self, id: ClassId) -> ClassId {
        self.class(id).stands_for.unwrap_or(id)
    }
    /// The stand-in for a module in a part of a class's own ancestors.
    fn stand_in(&mut self, module: ClassId, class: ClassId, part: Part) -> ClassId {
        if let Some((.., known)) =
            self.class(module).stand_ins.iter().find(|(of, there, _)| (*of, *there) == (class, part))
        {
            return *known;
        }
        let mut data = ClassData::new(ClassKind::Module, None);
        data.name = self.class(module).name.clone();
        data.stands_for = Some(module);
        let id = self.push_class(data);
        self.class_mut(id).mro = [id].into();
        self.class_mut(module).stand_ins.push((class, part, id));
        let names: Vec<Symbol> = self.own_methods(module).keys().copied().collect();
        for name in names {
            self.copy_method(module, id, name);
        }
        id
    }
    /// Gives the stand-ins of a module what became of its method.
    pub(crate) fn update_stand_ins(&mut self, module: ClassId, name: Symbol) {
        for (.., id) in self.class(module).stand_ins.clone() {
            self.copy_method(module, id, name);
        }
    }
    fn copy_method(&mut self, module: ClassId, to: ClassId, name: Symbol) {
        match self.own_method(module, name) {
            Some(id) => {
                let method = Method { owner: to, ..self.method(id).clone() };
                self.add_method(to, name, method);
            }
            None => self.remove_method(to, name),
        }
    }
}
