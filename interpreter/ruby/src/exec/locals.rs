//! Local variables: on the value stack, or in the [`Env`] of an activation once it is captured.

use crate::Vm;
use crate::frame::{Cx, Env, Parent};
use crate::heap::Gc;
use crate::value::Value;
use rchef_syntax::tree::LocalRef;

impl Vm {
    /// A local of the current activation.
    #[inline(always)]
    pub(crate) fn local_ref<'a>(&'a self, cx: &'a Cx<'_>, slot: u16) -> &'a Value {
        cx.slot(self, slot)
    }
    /// Overwrites a local that holds an immediate, without any function call; false if it holds a handle.
    #[inline(always)]
    pub(crate) fn set_near_local(&mut self, cx: &Cx<'_>, slot: u16, value: Value) -> bool {
        let place = cx.slot_mut(self, slot);
        if place.is_cell() {
            return false;
        }
        place.put(value);
        true
    }
    /// Reads a local of the current activation.
    #[inline(always)]
    pub(crate) fn local(&self, cx: &Cx<'_>, slot: u16) -> Value {
        cx.slot(self, slot).clone()
    }
    /// Writes a local of the current activation.
    #[inline(always)]
    pub(crate) fn set_local(&mut self, cx: &Cx<'_>, slot: u16, value: Value) {
        cx.slot_mut(self, slot).put(value);
    }
    /// A local of an enclosing scope, if it exists.
    #[inline(always)]
    pub(crate) fn local_up_ref<'a>(&'a self, cx: &'a Cx<'a>, at: LocalRef) -> Option<&'a Value> {
        match self.scope_up(cx, at.depth) {
            Scope::Stack(scope) => Some(self.local_ref(scope, at.slot)),
            Scope::Heap(env) => env.get(self).vars.get(usize::from(at.slot)),
        }
    }
    /// Reads a local of an enclosing scope.
    #[inline]
    pub(crate) fn local_up(&self, cx: &Cx<'_>, at: LocalRef) -> Value {
        self.local_up_ref(cx, at).cloned().unwrap_or_default()
    }
    /// Writes a local of an enclosing scope.
    #[inline]
    pub(crate) fn set_local_up(&mut self, cx: &Cx<'_>, at: LocalRef, value: Value) {
        let env = match self.scope_up(cx, at.depth) {
            Scope::Stack(cx) => return self.set_local(cx, at.slot, value),
            Scope::Heap(env) => env.clone(),
        };
        if let Some(slot) = env.get_mut(self).vars.get_mut(usize::from(at.slot)) {
            slot.put(value);
        }
    }
    /// The scope `depth` blocks further out.
    #[inline(always)]
    fn scope_up<'v, 'c: 'v>(&'v self, cx: &'c Cx<'c>, depth: u16) -> Scope<'v, 'c> {
        let (mut scope, mut left) = (cx, depth);
        while left > 0 {
            left -= 1;
            match scope.parent {
                Parent::Stack(parent) => scope = parent,
                Parent::None => break,
                Parent::Heap(env) => {
                    let mut env = env;
                    while left > 0
                        && let Some(parent) = &env.get(self).parent
                    {
                        left -= 1;
                        env = parent;
                    }
                    return Scope::Heap(env);
                }
            }
        }
        Scope::Stack(scope)
    }
}

enum Scope<'v, 'c> {
    Stack(&'c Cx<'c>),
    Heap(&'v Gc<Env>),
}
