//! `$~` and `$_`.

use super::{Cx, Outermost, ProcKind, RProc, RootSpecials, Specials};
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::heap::Gc;
use crate::value::Value;
use std::cell::RefCell;
use std::rc::Rc;

impl Vm {
    /// Calls a Proc as the body of the running fiber or thread.
    pub(crate) fn call_root_proc(&mut self, proc: &Gc<RProc>, args: Args<'_>) -> Res {
        if let ProcKind::Ruby { env, .. } = &proc.get(self).kind {
            let home = env.get(self).home.get(self).id;
            self.stacks.root = Some(RootSpecials { home, specials: Rc::default() });
        }
        self.call_proc(proc, args)
    }

    /// `$~` and `$_` of an activation.
    pub(crate) fn specials_of(&self, cx: &Cx<'_>) -> Rc<RefCell<Specials>> {
        match cx.outermost() {
            Outermost::Live(cx) => cx.specials.get_or_init(Default::default).clone(),
            Outermost::Captured(env) => {
                let home = env.get(self).home.get(self);
                match &self.stacks.root {
                    Some(root) if root.home == home.id => root.specials.clone(),
                    _ => home.specials.clone(),
                }
            }
        }
    }

    /// Sets `$~` of the calling Ruby code.
    pub fn set_last_match(&mut self, value: Value) {
        self.with_caller(|vm, cx| {
            if let Some(cx) = cx {
                vm.specials_of(cx).borrow_mut().last_match = value;
            }
        });
    }
    /// `$~` of the calling Ruby code.
    pub fn last_match(&mut self) -> Value {
        self.with_caller(|vm, cx| cx.map(|cx| vm.specials_of(cx).borrow().last_match.clone()).unwrap_or_default())
    }
}
