//! Coroutines: native stacks that the machine switches between. The one place that hands `&mut Vm` across such a switch.
//!
//! Every coroutine is entered from the root stack (the hub, [`super::fiber::switch`]) and leaves to it; so none ever waits inside another, and each may be
//! dropped while it is suspended: its Rust frames are then unwound, which only releases values. Ruby's `ensure` clauses do not run, as in MRI.

use crate::Vm;
use crate::error::Res;
use crate::frame::discard;
use crate::native_stack::STACK_RESERVE;
use crate::value::Value;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine as Native, CoroutineResult, Yielder};

/// Bytes of native stack of a coroutine; pages are only used when touched.
const STACK_SIZE: usize = 4 << 20;
/// Stacks of finished coroutines that are kept for the next ones.
const POOL: usize = 16;

/// What enters a coroutine.
struct Input {
    vm: *mut Vm,
    message: Res,
}
/// Where a coroutine wants to go on, and with what.
pub(crate) struct Switch {
    /// The fiber to run; nil for the root.
    pub(crate) to: Value,
    /// What its last switch gives (or raises).
    pub(crate) message: Res,
}
/// Why a coroutine came back to the hub.
pub(crate) enum Outcome {
    /// It is suspended.
    Switched(Switch),
    /// It is done.
    Finished(Res),
}

/// A coroutine that is not running.
pub(crate) struct Coroutine {
    /// There until it is recycled.
    native: Option<Native<Input, Switch, Res>>,
    vm: *const Vm,
}

impl Drop for Coroutine {
    fn drop(&mut self) {
        let native = self.native.take();
        discard(|| drop(native));
    }
}

/// The running coroutine's way back to the hub (null on the root stack), and spare stacks.
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
    /// A coroutine that will run `body` with the first message, and the lowest address that its native stack may reach. None when there is no memory.
    pub(crate) fn new(vm: &mut Vm, body: impl FnOnce(&mut Vm, Res) -> Res + 'static) -> Option<(Coroutine, usize)> {
        let stack = match vm.extension::<Running>().spare.pop() {
            Some(stack) => stack,
            None => DefaultStack::new(STACK_SIZE).ok()?,
        };
        let limit = stack.limit().get() + STACK_RESERVE;
        let native = Native::with_stack(stack, move |yielder: &Yielder<Input, Switch>, input: Input| {
            // SAFETY: the hub passes the address of the `&mut Vm` that it holds and does not use until this coroutine switches back, so it is unique here.
            let vm = unsafe { &mut *input.vm };
            vm.extension::<Running>().yielder = yielder;
            body(vm, input.message)
        });
        Some((Coroutine { native: Some(native), vm: std::ptr::from_ref(vm) }, limit))
    }

    /// Runs it until it switches or ends. Only called on the root stack.
    pub(crate) fn resume(&mut self, vm: &mut Vm, message: Res) -> Outcome {
        if !std::ptr::eq(self.vm, vm) {
            // its frames refer to where the machine was
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

    /// Gives its stack back, once it is done.
    pub(crate) fn recycle(mut self, vm: &mut Vm) {
        let Some(native) = self.native.take_if(|native| native.done()) else { return };
        let spare = &mut vm.extension::<Running>().spare;
        if spare.len() < POOL {
            spare.push(native.into_stack());
        }
    }
}

/// Leaves the running coroutine for the hub; gives the message that it is resumed with. Err when the root stack is running.
pub(crate) fn suspend(vm: &mut Vm, switch: Switch) -> Res {
    let yielder = vm.extension::<Running>().yielder;
    if yielder.is_null() {
        return Err(vm.error(crate::ClassId::FIBER_ERROR, "can't yield from root fiber"));
    }
    // SAFETY: it was set by the coroutine that runs now (each sets it when it starts and after each switch, the hub clears it) and lives on its stack,
    // which is the one that this very call is on.
    let input = unsafe { &*yielder }.suspend(switch);
    // SAFETY: as in `Coroutine::new`; the hub checked that the machine has not moved, so this is the machine that `vm` refers to, and the
    // switch, which got no borrow of it, counts as having changed it through the pointer that the hub passed on.
    let vm = unsafe { &mut *input.vm };
    vm.extension::<Running>().yielder = yielder;
    input.message
}
