//! What outlives an activation: its locals on the heap, and Procs of blocks and of natives.

use super::{Block, Cx, Env, Home, Parent, ProcKind, RProc};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::Arity;
use crate::value::Value;
use std::rc::Rc;

impl Vm {
    /// Moves the locals of an activation and its enclosing ones to the heap, so that they can outlive it.
    pub fn capture(&mut self, cx: &Cx<'_>) -> Gc<Env> {
        if let Some(env) = cx.env.get() {
            return env.clone();
        }
        let (parent, home) = match cx.parent {
            Parent::None => {
                let block = cx.block.map(|block| self.block_to_proc(block));
                let specials = cx.specials.get_or_init(Default::default).clone();
                (None, Gc::new(ClassId::OBJECT, Home { id: cx.id, block, specials }))
            }
            Parent::Stack(parent) => {
                let env = self.capture(parent);
                let home = env.get(self).home.clone();
                (Some(env), home)
            }
            Parent::Heap(env) => (Some(env.clone()), env.get(self).home.clone()),
        };
        let count = cx.code.locals.len();
        let mut vars: Vec<Value> =
            (self.stacks.values[cx.base..cx.base + count].iter_mut()).map(std::mem::take).collect();
        if cx.code.params.block_passed
            && let Some(slot) = cx.code.params.block
            && let Some(block) = &home.get(self).block
        {
            vars[usize::from(slot)] = Value::Proc(block.clone());
        }
        let env = Gc::new(
            ClassId::OBJECT,
            Env {
                vars,
                parent,
                slf: cx.slf.clone(),
                cref: cx.cref.clone(),
                code: cx.code.clone(),
                method: cx.method,
                lambda_id: if cx.lambda { cx.id } else { 0 },
                tag: cx.tag,
                home,
                line: cx.line(),
            },
        );
        cx.locals.0.set(env.get_mut(self).vars.as_mut_ptr());
        cx.env.get_or_init(|| env).clone()
    }

    /// The Proc of a block; the same object if the block already is one.
    pub fn block_to_proc(&mut self, block: Block<'_>) -> Gc<RProc> {
        match block {
            Block::Proc(proc) => proc.clone(),
            Block::Ruby { code, cx, tag } => {
                let env = self.capture(cx);
                let kind = ProcKind::Ruby { code: code.clone(), env, tag };
                Gc::new(ClassId::PROC, RProc { kind, lambda: false })
            }
        }
    }

    /// Creates a Proc from a native closure. What the closure captures is in use as long as the Proc: in a cycle for ever.
    pub fn native_proc(
        &mut self,
        arity: Arity,
        lambda: bool,
        closure: impl Fn(&mut Vm, &Value, Args<'_>) -> Res + 'static,
    ) -> Gc<RProc> {
        let kind = ProcKind::Native(Rc::new(closure), arity);
        Gc::new(ClassId::PROC, RProc { kind, lambda })
    }
}
