//! Fiber schedulers: `Fiber.set_scheduler` gives the running thread an object whose hooks (`block`, `unblock`, `kernel_sleep`, `io_wait` and those that it
//! may leave out) are called where a non-blocking fiber would block its thread. The scheduler then runs other fibers and comes back to this one.

use super::{is_blocking_now, running};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::thread;
use crate::error::Res;
use crate::method::{MethodDef, any, def};
use crate::value::Value;

/// The hooks that a scheduler must have, in the order in which MRI looks for them.
const REQUIRED: [&str; 4] = ["block", "unblock", "kernel_sleep", "io_wait"];

pub(super) static SINGLETON: &[MethodDef] = &[
    def("scheduler", scheduler, 0),
    def("current_scheduler", current_scheduler, 0),
    def("set_scheduler", set_scheduler, 1),
    any("schedule", schedule),
];

/// A fiber that a hook of its scheduler has suspended. It can have several of these: hooks may wait, too.
struct Waiter {
    number: u64,
    /// The Mutex, queue, condition variable or thread that it waits for.
    blocker: Value,
    scheduler: Value,
    fiber: Value,
}

/// The waiting fibers of all schedulers, in the order in which they began to wait. The extension exists once a scheduler has been set.
#[derive(Default)]
struct Waiters {
    list: Vec<Waiter>,
    /// How many there have been.
    count: u64,
}

/// The scheduler of the running thread, if the running fiber is a non-blocking one.
pub(crate) fn current(vm: &mut Vm) -> Option<Value> {
    if !vm.has_schedulers {
        return None;
    }
    let scheduler = thread::own_scheduler(vm);
    (!scheduler.is_nil() && !is_blocking_now(vm)).then_some(scheduler)
}

fn scheduler(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(thread::own_scheduler(vm))
}
fn current_scheduler(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(current(vm).unwrap_or_default())
}
fn set_scheduler(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    set(vm, args.at(0))
}
fn set(vm: &mut Vm, new: &Value) -> Res {
    if !new.is_nil() {
        for hook in REQUIRED {
            if !vm.respond_to(new, Symbol::intern(hook), false)? {
                return Err(vm.argument_error(format!("Scheduler must implement #{hook}")));
            }
        }
        vm.has_schedulers = true;
    }
    // the scheduler before runs its fibers to their end, so that none of them meets the new one
    let old = thread::own_scheduler(vm);
    if !old.is_nil() && call_if_defined(vm, &old, "scheduler_close", &[])?.is_none() {
        call_if_defined(vm, &old, "close", &[])?;
    }
    thread::set_own_scheduler(vm, new.clone());
    Ok(new.clone())
}
/// Closes the scheduler of the running thread, which ends: its fibers run to their end.
pub(crate) fn close(vm: &mut Vm) -> Res<()> {
    if !vm.has_schedulers {
        return Ok(());
    }
    set(vm, &Value::Nil).map(drop)
}
/// `Fiber.schedule { ... }`: the fiber that the scheduler makes of the block.
fn schedule(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let scheduler = thread::own_scheduler(vm);
    if scheduler.is_nil() {
        return Err(vm.error(ClassId::RUNTIME_ERROR, "No scheduler is available!"));
    }
    vm.call_args(&scheduler, Symbol::intern_static("fiber"), args)
}
/// Calls a hook that a scheduler may leave out; None if it does.
pub(crate) fn call_if_defined(
    vm: &mut Vm,
    scheduler: &Value,
    hook: &'static str,
    args: &[Value],
) -> Res<Option<Value>> {
    let name = Symbol::intern_static(hook);
    Ok(if vm.respond_to(scheduler, name, true)? { Some(vm.call(scheduler, name, args)?) } else { None })
}

/// Seconds from now to a deadline of the monotonic clock; nil for none.
fn timeout(vm: &Vm, deadline: Option<u64>) -> Value {
    deadline.map_or(Value::Nil, |deadline| {
        Value::float(deadline.saturating_sub(vm.host.monotonic_ns()) as f64 / 1_000_000_000.0)
    })
}
/// Waits as [`thread::block`] does, for something that [`wake`] is told of: in a fiber of a scheduler with its hook `block`.
pub(crate) fn block(
    vm: &mut Vm,
    blocker: &Value,
    deadline: Option<u64>,
    mut ready: impl FnMut(&mut Vm) -> Res<bool>,
) -> Res<bool> {
    let Some(scheduler) = current(vm) else { return thread::block(vm, deadline, ready) };
    loop {
        if ready(vm)? {
            return Ok(true);
        }
        if deadline.is_some_and(|deadline| vm.host.monotonic_ns() >= deadline) {
            return Ok(false);
        }
        let limit = timeout(vm, deadline);
        waiting(vm, blocker, &scheduler, |vm, scheduler| {
            vm.call_name(scheduler, "block", &[blocker.clone(), limit]).map(drop)
        })?;
    }
}
/// Calls a hook that suspends the running fiber, which [`wake`] can find by its blocker meanwhile.
fn waiting(vm: &mut Vm, blocker: &Value, scheduler: &Value, hook: impl FnOnce(&mut Vm, &Value) -> Res<()>) -> Res<()> {
    let fiber = running(vm);
    let waiters = vm.extension::<Waiters>();
    waiters.count += 1;
    let number = waiters.count;
    waiters.list.push(Waiter { number, blocker: blocker.clone(), scheduler: scheduler.clone(), fiber });
    let outcome = hook(vm, scheduler);
    let list = &mut vm.extension::<Waiters>().list;
    if let Ok(place) = list.binary_search_by_key(&number, |waiter| waiter.number) {
        list.remove(place);
    }
    outcome
}
/// Tells the schedulers of fibers that wait for `blocker`, of the first one or of all, that these can go on.
pub(crate) fn wake(vm: &mut Vm, blocker: &Value, all: bool) -> Res<()> {
    if vm.extension_ref::<Waiters>().is_none_or(|waiters| waiters.list.is_empty()) {
        return Ok(());
    }
    let list = &mut vm.extension::<Waiters>().list;
    let is_woken = |waiter: &Waiter| waiter.blocker.same(blocker);
    let found: Vec<Waiter> = match list.iter().position(is_woken) {
        None => Vec::new(),
        Some(_) if all => list.extract_if(.., |waiter| is_woken(waiter)).collect(),
        Some(first) => vec![list.remove(first)],
    };
    for waiter in found {
        vm.call_name(&waiter.scheduler, "unblock", &[waiter.blocker, waiter.fiber])?;
    }
    Ok(())
}
/// `sleep` by the scheduler, with the arguments that it was given; false where none is responsible.
pub(crate) fn sleep(vm: &mut Vm, args: &[Value]) -> Res<bool> {
    let Some(scheduler) = current(vm) else { return Ok(false) };
    vm.call_name(&scheduler, "kernel_sleep", args)?;
    Ok(true)
}
/// The sleep of a condition variable, which `signal` ends; false where no scheduler is responsible.
pub(crate) fn sleep_for(vm: &mut Vm, condition: &Value, limit: &Value) -> Res<bool> {
    let Some(scheduler) = current(vm) else { return Ok(false) };
    waiting(vm, condition, &scheduler, |vm, scheduler| {
        vm.call_name(scheduler, "kernel_sleep", std::slice::from_ref(limit)).map(drop)
    })?;
    Ok(true)
}
/// Waits for a child by the scheduler's hook `process_wait`: its Process::Status or nil. None where no scheduler is responsible.
pub(crate) fn process_wait(vm: &mut Vm, pid: i64, flags: i64) -> Res<Option<Value>> {
    let Some(scheduler) = current(vm) else { return Ok(None) };
    call_if_defined(vm, &scheduler, "process_wait", &[Value::Int(pid), Value::Int(flags)])
}
