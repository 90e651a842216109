//! Calls of methods that active refinements define.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::{ClassId, Link};
use crate::error::Res;
use crate::frame::{Cx, ProcKind};
use crate::heap::Gc;
use crate::method::{MethodBody, MethodId, Visibility};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;

impl Vm {
    /// The method of an active refinement for a class; it can be one that ends the lookup ([`MethodBody::Undefined`]).
    pub(crate) fn find_refined(&mut self, class: ClassId, name: Symbol, cx: &Cx<'_>) -> Option<MethodId> {
        if cx.cref.refinements.borrow().is_empty() {
            return None;
        }
        let active = cx.cref.refinements.borrow().clone();
        self.find_refined_in(class, name, &active)
    }
    /// The same for given refinements.
    pub(super) fn find_refined_in(
        &mut self,
        class: ClassId,
        name: Symbol,
        active: &[(ClassId, ClassId)],
    ) -> Option<MethodId> {
        let ancestors = self.class(class).mro.clone();
        self.find_refined_among(&ancestors, name, active)
    }
    /// Where a refinement of a class applies among these ancestors: before the modules that are prepended to the class. None if it is not among them.
    fn place_of_refined(&self, ancestors: &[ClassId], refined: ClassId) -> Option<usize> {
        let own = ancestors.iter().position(|ancestor| self.module_behind(*ancestor) == refined)?;
        // a subclass may have the same modules right before them, so each one counts once
        let mut prepended = self.class(refined).prepended.iter().rev().filter_map(Link::module);
        let mut is_prepended = |ancestor: &ClassId| {
            let module = self.module_behind(*ancestor);
            prepended.any(|known| known == module)
        };
        Some(own - ancestors[..own].iter().rev().take_while(|ancestor| is_prepended(ancestor)).count())
    }
    /// The method of an active refinement of one of these classes, if none before it has a method of its own.
    fn find_refined_among(
        &mut self,
        ancestors: &[ClassId],
        name: Symbol,
        active: &[(ClassId, ClassId)],
    ) -> Option<MethodId> {
        let mut found: Option<(usize, MethodId)> = None;
        for (refined, refinement) in active {
            let modules = self.class(*refinement).mro.clone();
            if let Some(id) = modules.iter().find_map(|module| self.own_method(*module, name))
                && let Some(place) = self.place_of_refined(ancestors, *refined)
                && found.is_none_or(|(nearest, _)| place < nearest)
            {
                found = Some((place, id));
            }
        }
        let (place, id) = found?;
        let is_hidden = ancestors[..place].iter().any(|ancestor| self.own_method(*ancestor, name).is_some());
        (!is_hidden).then_some(id)
    }

    /// Calls a method that a refinement defines, by the rules of a call's form.
    pub(crate) fn invoke_refined(
        &mut self,
        id: MethodId,
        recv: &Value,
        name: Symbol,
        args: Args<'_>,
        kind: CallKind,
        caller: Option<&Value>,
    ) -> Res {
        if matches!(self.method(id).body, MethodBody::Undefined) {
            return self.method_missing(recv, name, args, kind);
        }
        let visibility = self.visibility(id);
        let visible = match visibility {
            _ if kind != CallKind::Method => true,
            Visibility::Public => true,
            Visibility::Private => false,
            Visibility::Protected => {
                let class = self.class_of(recv);
                let holder = self.protected_in(class, name, id);
                caller.is_some_and(|caller| self.is_a(caller, holder))
            }
        };
        if visible {
            self.invoke(id, recv, name, args)
        } else {
            self.method_missing_visibility(recv, name, args, visibility)
        }
    }

    /// Calls a method that a construct of the language calls, such as `deconstruct`, with the refinements that are active there.
    pub(super) fn call_with_refinements(&mut self, recv: &Value, name: Symbol, args: &[Value], cx: &Cx<'_>) -> Res {
        let class = self.class_of(recv);
        match self.find_refined(class, name, cx) {
            Some(id) => self.invoke_refined(id, recv, name, Args::new(args), CallKind::Function, None),
            None => self.call(recv, name, args),
        }
    }

    /// The text of an interpolated value, by the `to_s` of an active refinement if there is one.
    pub(super) fn interpolated(&mut self, value: &Value, cx: &Cx<'_>) -> Res<Gc<RString>> {
        if !cx.cref.refinements.borrow().is_empty() {
            let class = self.class_of(value);
            if let Some(id) = self.find_refined(class, sym::TO_S, cx) {
                let given = self.invoke(id, value, sym::TO_S, Args::none())?;
                return self.to_s(&given);
            }
        }
        self.to_s(value)
    }

    /// The refinements that are active where a method is defined.
    fn active_in_method(&self, id: MethodId) -> Vec<(ClassId, ClassId)> {
        let cref = match &self.method(id).body {
            MethodBody::Ruby(ruby) => &ruby.cref,
            MethodBody::Proc(proc) => match &proc.get(self).kind {
                ProcKind::Ruby { env, .. } => &env.get(self).cref,
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        cref.refinements.borrow().clone()
    }
    /// The method of a refinement, active where a method is defined, that `super` calls there.
    pub(super) fn refined_super_method(&mut self, current: MethodId, class: ClassId) -> Option<MethodId> {
        let active = self.active_in_method(current);
        if active.is_empty() {
            return None;
        }
        let (owner, name) = (self.method(current).owner, self.method(current).name);
        let ancestors = self.class(class).mro.clone();
        let place = ancestors.iter().position(|ancestor| *ancestor == owner)?;
        let found = self.find_refined_among(&ancestors[place + 1..], name, &active)?;
        (!matches!(self.method(found).body, MethodBody::Undefined)).then_some(found)
    }

    /// The method that `super` calls in a method of a refinement: one that the refinement has from a module, then that of the refined class.
    pub(super) fn super_of_refined(
        &mut self,
        current: MethodId,
        class: ClassId,
        refinement: ClassId,
        refined: ClassId,
    ) -> Option<MethodId> {
        let name = self.method(current).name;
        let modules = self.class(refinement).mro.clone();
        if let Some(id) = modules.iter().skip(1).find_map(|module| self.own_method(*module, name)) {
            return Some(id);
        }
        let ancestors = self.class(class).mro.clone();
        let from = self.place_of_refined(&ancestors, refined).unwrap_or_default();
        // other refinements of the class are passed over, those of its ancestors are not
        let mut active = self.active_in_method(current);
        active.retain(|(other, _)| *other != refined);
        let farther = &ancestors[from..];
        let found = self
            .find_refined_among(farther, name, &active)
            .or_else(|| farther.iter().find_map(|ancestor| self.own_method(*ancestor, name)))?;
        (!matches!(self.method(found).body, MethodBody::Undefined)).then_some(found)
    }
}
