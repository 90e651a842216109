//! What is on the stack: where a `return` leads, which activations run, and how deep calls may go.

use super::{Cx, Parent, Visited};
use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, Res};

impl Vm {
    /// The id of the activation that `return` ends: the innermost lambda, else the method. The flag says whether it is known to be running.
    pub(crate) fn return_target(&self, cx: &Cx<'_>) -> (u64, bool) {
        let mut at = cx;
        loop {
            if at.lambda {
                return (at.id, true);
            }
            match at.parent {
                Parent::None => return (at.id, true),
                Parent::Stack(parent) => at = parent,
                Parent::Heap(env) => {
                    let mut env = env;
                    loop {
                        let data = env.get(self);
                        if data.lambda_id != 0 {
                            return (data.lambda_id, false);
                        }
                        match &data.parent {
                            Some(parent) => env = parent,
                            None => return (data.home.get(self).id, false),
                        }
                    }
                }
            }
        }
    }

    /// Whether an activation is running on this coroutine.
    pub(crate) fn is_live(&self, id: u64) -> bool {
        let mut live = false;
        self.walk_frames(|frame| live |= matches!(frame, Visited::Ruby(cx) if cx.id == id));
        live
    }

    /// SystemStackError if the native stack is nearly used up. Called on entry to Ruby code and in native recursion.
    #[inline(always)]
    pub fn check_stack(&mut self) -> Res<()> {
        if self.is_stack_low() || self.stacks.frames.len() > self.limits.depth {
            self.entry_refused().map(|_| ())
        } else {
            Ok(())
        }
    }
    /// Whether the native stack is nearly used up.
    #[inline(always)]
    pub(crate) fn is_stack_low(&self) -> bool {
        let here = std::mem::MaybeUninit::<u8>::uninit();
        (here.as_ptr() as usize) < self.stacks.limit
    }
    #[cold]
    #[inline(never)]
    pub(crate) fn stack_overflow(&mut self) -> Error {
        let limit = self.stacks.limit;
        // creating the error needs some stack itself (its message may be inspected)
        self.stacks.limit = limit.saturating_sub(crate::native_stack::STACK_RESERVE / 2);
        let depth = self.depth_limit();
        self.set_depth_limit(depth.saturating_add(1000));
        let error = self.error(ClassId::SYSTEM_STACK_ERROR, "stack level too deep");
        self.stacks.limit = limit;
        self.set_depth_limit(depth);
        error
    }
}
