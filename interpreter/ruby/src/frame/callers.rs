//! What natives ask of the Ruby code that called them: its block, scope and method.

use super::{Cref, Cx, Outermost, Parent, RProc};
use crate::Vm;
use crate::heap::Gc;
use crate::method::MethodId;
use std::rc::Rc;

impl Vm {
    /// The block given to the method of the calling Ruby code (`block_given?`, `Proc.new`).
    pub fn caller_block(&mut self) -> Option<Gc<RProc>> {
        self.with_caller(|vm, cx| match cx?.outermost() {
            Outermost::Live(cx) => cx.block.map(|block| vm.block_to_proc(block)),
            Outermost::Captured(env) => env.get(vm).home.get(vm).block.clone(),
        })
    }
    /// Whether the method of the calling Ruby code was given a block.
    pub fn caller_block_given(&mut self) -> bool {
        self.with_caller(|vm, cx| cx.is_some_and(|cx| vm.has_block(cx)))
    }
    /// Whether the method of an activation was given a block.
    pub(crate) fn has_block(&self, cx: &Cx<'_>) -> bool {
        match cx.outermost() {
            Outermost::Live(cx) => cx.block.is_some(),
            Outermost::Captured(env) => env.get(self).home.get(self).block.is_some(),
        }
    }
    /// The lexical scope of the calling Ruby code.
    pub fn caller_cref(&mut self) -> Rc<Cref> {
        self.with_caller(|vm, cx| cx.map_or_else(|| vm.top_cref.clone(), |cx| cx.cref.clone()))
    }

    /// The method of an activation, its own or that of an enclosing scope.
    pub(crate) fn method_of(&self, cx: &Cx<'_>) -> Option<MethodId> {
        let mut at = cx;
        loop {
            if at.method.is_some() {
                return at.method;
            }
            match at.parent {
                Parent::None => return None,
                Parent::Stack(parent) => at = parent,
                Parent::Heap(env) => {
                    let mut env = env;
                    loop {
                        let data = env.get(self);
                        if data.method.is_some() {
                            return data.method;
                        }
                        match &data.parent {
                            Some(parent) => env = parent,
                            None => return None,
                        }
                    }
                }
            }
        }
    }
}
