//! Coroutines: native stacks between which the VM switches. The only module that passes `&mut Vm` across such a switch.
//!
//! All coroutines are entered from the root stack (the hub, [`super::fiber::switch`]) and return to it; none is ever nested in another, so each can
//! be dropped while it is suspended: its Rust frames are then unwound, which only releases values. As in MRI, Ruby's `ensure` clauses do not run.

use crate::Vm;
use crate::error::Res;
use crate::frame::discard;
use crate::native_stack::STACK_RESERVE;
use crate::value::Value;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine as Native, CoroutineResult, Yielder};

/// Native stack of a fiber in bytes; methods can call each other deeper there than in a fiber of MRI. Pages are only used when touched, but address
/// space may be limited, and a program may have thousands of fibers.
pub(crate) const FIBER_STACK: usize = 3 << 19;
/// Native stack of a thread that is one of a few.
const THREAD_STACK: usize = 5 << 20;
/// Maximum number of stacks kept for reuse.
const POOL: usize = 16;

/// The native stack of a further thread: where there are many, their stacks would take the address space.
pub(crate) fn thread_stack(threads: usize) -> usize {
    if threads < 64 { THREAD_STACK } else { FIBER_STACK }
}

/// The input of a coroutine when it is resumed.
struct Input {
    vm: *mut Vm,
    message: Res,
}
/// The continuation that a coroutine requests when it suspends itself.
pub(crate) struct Switch {
    /// The fiber to run next; nil for the root.
    pub(crate) to: Value,
    /// The result of that fiber's last switch.
    pub(crate) message: Res,
}
/// The result of resuming a coroutine.
pub(crate) enum Outcome {
    /// It has suspended itself.
    Switched(Switch),
    /// It has ended.
    Finished(Res),
}

/// A coroutine that is not running.
pub(crate) struct Coroutine {
    /// None only after recycling.
    native: Option<Native<Input, Switch, Res>>,
    vm: *const Vm,
    /// The size of the stack.
    bytes: usize,
}

impl Drop for Coroutine {
    fn drop(&mut self) {
        let native = self.native.take();
        discard(|| drop(native));
    }
}

/// The running coroutine's yielder, for switching to the hub (null on the root stack), and unused stacks of fibers.
struct Running {
    yielder: *const Yielder<Input, Switch>,
    spare: Vec<DefaultStack>,
}
impl Default for Running {
    fn default() -> Running {
        Running { yielder: std::ptr::null(), spare: Vec::new() }
    }
}

impl Coroutine {
    /// Creates a coroutine with a stack of so many bytes that will run `body` with the first message, and returns the lowest permitted address of its
    /// native stack as well. None if out of memory.
    pub(crate) fn new(
        vm: &mut Vm,
        bytes: usize,
        body: impl FnOnce(&mut Vm, Res) -> Res + 'static,
    ) -> Option<(Coroutine, usize)> {
        let spare = if bytes == FIBER_STACK { vm.extension::<Running>().spare.pop() } else { None };
        let stack = match spare {
            Some(stack) => stack,
            None => DefaultStack::new(bytes).ok()?,
        };
        let limit = stack.limit().get() + STACK_RESERVE;
        let native = Native::with_stack(stack, move |yielder: &Yielder<Input, Switch>, input: Input| {
            // SAFETY: the hub passes the address of the `&mut Vm` that it holds and does not use until this coroutine switches back, so the reference
            // is unique.
            let vm = unsafe { &mut *input.vm };
            vm.extension::<Running>().yielder = yielder;
            body(vm, input.message)
        });
        Some((Coroutine { native: Some(native), vm: std::ptr::from_ref(vm), bytes }, limit))
    }

    /// Resumes it until it switches or ends. Must be called on the root stack.
    pub(crate) fn resume(&mut self, vm: &mut Vm, message: Res) -> Outcome {
        if !std::ptr::eq(self.vm, vm) {
            // its frames refer to the VM's previous address
            return Outcome::Finished(Err(
                vm.error(crate::ClassId::FIBER_ERROR, "fiber called after the machine was moved")
            ));
        }
        let Some(native) = &mut self.native else {
            return Outcome::Finished(Err(vm.error(crate::ClassId::FIBER_ERROR, "dead fiber called")));
        };
        let input = Input { vm: std::ptr::from_mut(vm), message };
        let result = native.resume(input);
        vm.extension::<Running>().yielder = std::ptr::null();
        match result {
            CoroutineResult::Yield(switch) => Outcome::Switched(switch),
            CoroutineResult::Return(result) => Outcome::Finished(result),
        }
    }

    /// Keeps the stack of a finished coroutine for reuse.
    pub(crate) fn recycle(mut self, vm: &mut Vm) {
        let Some(native) = self.native.take_if(|native| native.done()) else { return };
        let spare = &mut vm.extension::<Running>().spare;
        if self.bytes == FIBER_STACK && spare.len() < POOL {
            spare.push(native.into_stack());
        }
    }
}

/// Switches from the running coroutine to the hub; returns the message it is resumed with. Err on the root stack.
pub(crate) fn suspend(vm: &mut Vm, switch: Switch) -> Res {
    let yielder = vm.extension::<Running>().yielder;
    if yielder.is_null() {
        return Err(vm.error(crate::ClassId::FIBER_ERROR, "can't yield from root fiber"));
    }
    // SAFETY: it was set by the coroutine that is running (each sets it when it starts and after each switch, the hub clears it) and lives on its
    // stack, which is the one of this call.
    let input = unsafe { &*yielder }.suspend(switch);
    // SAFETY: as in `Coroutine::new`; the hub has checked that the VM was not moved, so this is the VM that `vm` refers to, and changes during the
    // switch, which did not borrow `vm`, were made through the pointer that the hub passed.
    let vm = unsafe { &mut *input.vm };
    vm.extension::<Running>().yielder = yielder;
    input.message
}
