//! Thread::Mutex and Thread::ConditionVariable.

use super::fiber::{self, scheduler};
use super::thread::{block, current, deadline, slept};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};

struct MutexData {
    /// The thread that holds it, or nil.
    owner: Value,
    /// The fiber of that thread that locked it; nil: the root.
    fiber: Value,
}
impl NativeData for MutexData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.owner);
        visit(&self.fiber);
    }
}

/// All locked mutexes: those of a thread are released when it ends.
#[derive(Default)]
struct Held(Vec<Value>);

/// A waiting call.
struct Waiting {
    id: u64,
    /// The thread to wake where the lock has a `sleep` of its own; nil where the call itself looks whether it still waits.
    sleeper: Value,
}

#[derive(Default)]
struct ConditionData {
    /// Waiting calls, in order.
    waiting: Vec<Waiting>,
    next: u64,
}
impl NativeData for ConditionData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.waiting.iter().for_each(|waiting| visit(&waiting.sleeper));
    }
}

static MUTEX: &[MethodDef] = &[
    def("lock", lock, 0),
    def("try_lock", try_lock, 0),
    def("unlock", unlock, 0),
    def("locked?", is_locked, 0),
    def("owned?", is_owned, 0),
    def("synchronize", synchronize, 0),
    opt("sleep", sleep, 0, 1),
];
static CONDITION: &[MethodDef] =
    &[opt("wait", wait, 1, 2), def("signal", signal, 0), def("broadcast", broadcast, 0), any("marshal_dump", no_dump)];

fn owner(vm: &mut Vm, this: &Value) -> Value {
    vm.data::<MutexData>(this).map(|data| data.owner.clone()).unwrap_or_default()
}
/// The running thread and fiber, which own what they lock together.
fn here(vm: &mut Vm) -> (Value, Value) {
    (current(vm), fiber::running(vm))
}
fn is_owner(vm: &mut Vm, this: &Value) -> bool {
    let (thread, fiber) = here(vm);
    vm.data::<MutexData>(this).is_some_and(|data| data.owner.same(&thread) && data.fiber.same(&fiber))
}
fn take(vm: &mut Vm, this: &Value, (thread, fiber): (Value, Value)) -> bool {
    match vm.data_mut::<MutexData>(this) {
        Some(data) if data.owner.is_nil() => {
            (data.owner, data.fiber) = (thread, fiber);
            vm.extension::<Held>().0.push(this.clone());
            true
        }
        _ => false,
    }
}
fn give(vm: &mut Vm, this: &Value) -> Res<()> {
    if let Some(data) = vm.data_mut::<MutexData>(this) {
        (data.owner, data.fiber) = (Value::Nil, Value::Nil);
    }
    vm.extension::<Held>().0.retain(|held| !held.same(this));
    scheduler::wake(vm, this, false)
}
/// Releases the mutexes that an ended thread still holds.
pub(super) fn release_all(vm: &mut Vm, thread: &Value) -> Res<()> {
    for mutex in vm.extension::<Held>().0.clone() {
        if owner(vm, &mutex).same(thread) {
            give(vm, &mutex)?;
        }
    }
    Ok(())
}
pub(crate) fn lock(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let here = here(vm);
    if take(vm, this, here.clone()) {
        return Ok(this.clone());
    }
    if is_owner(vm, this) {
        return Err(vm.error(ClassId::THREAD_ERROR, "deadlock; recursive locking"));
    }
    if owner(vm, this).same(&here.0) && scheduler::current(vm).is_none() {
        let text = "deadlock; lock already owned by another fiber belonging to the same thread";
        return Err(vm.error(ClassId::THREAD_ERROR, text));
    }
    let mutex = this.clone();
    scheduler::block(vm, this, None, move |vm| Ok(take(vm, &mutex, here.clone())))?;
    Ok(this.clone())
}
fn try_lock(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let here = here(vm);
    Ok(Value::bool(take(vm, this, here)))
}
pub(crate) fn unlock(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if owner(vm, this).is_nil() {
        return Err(vm.error(ClassId::THREAD_ERROR, "Attempt to unlock a mutex which is not locked"));
    }
    if !is_owner(vm, this) {
        return Err(
            vm.error(ClassId::THREAD_ERROR, "Attempt to unlock a mutex which is locked by another thread/fiber")
        );
    }
    give(vm, this)?;
    Ok(this.clone())
}
fn is_locked(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(!owner(vm, this).is_nil()))
}
fn is_owned(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(is_owner(vm, this)))
}
fn synchronize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.error(ClassId::THREAD_ERROR, "must be called with a block")) };
    lock(vm, this, Args::none())?;
    vm.ensure(
        |vm| vm.yield_block(block, Args::none()),
        |vm| {
            if is_owner(vm, this) { give(vm, this) } else { Ok(()) }
        },
    )
}
/// Releases it and sleeps until woken: the seconds that passed, or nil when the time was over.
fn sleep(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let until = deadline(vm, args.at(0))?;
    let begun = vm.host.monotonic_ns();
    let is_scheduled = scheduler::current(vm).is_some();
    unlock(vm, this, Args::none())?;
    let timeout = args.get(0).filter(|timeout| !timeout.is_nil()).cloned();
    vm.ensure(
        |vm| {
            let main = vm.main.clone();
            vm.call_name(&main, "sleep", timeout.as_slice())
        },
        |vm| lock(vm, this, Args::none()).map(drop),
    )?;
    // what a scheduler's sleep gives does not tell whether the time was over
    Ok(if is_scheduled { slept(vm, begun) } else { woken_after(vm, begun, until) })
}
/// The result of a sleep: nil when its time was over.
fn woken_after(vm: &Vm, begun: u64, until: Option<u64>) -> Value {
    if until.is_some_and(|until| vm.host.monotonic_ns() >= until) { Value::Nil } else { slept(vm, begun) }
}

/// `ConditionVariable#wait(mutex, timeout = nil)`: what the mutex's `sleep` gives, which `signal` ends.
fn wait(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let until = deadline(vm, args.at(1))?;
    let mutex = args.at(0);
    let is_foreign = vm.data::<MutexData>(mutex).is_none();
    let sleeper = if is_foreign { current(vm) } else { Value::Nil };
    let Some(data) = vm.data_mut::<ConditionData>(this) else { return Ok(Value::Nil) };
    data.next += 1;
    let id = data.next;
    data.waiting.push(Waiting { id, sleeper });
    let leave = |vm: &mut Vm| {
        if let Some(data) = vm.data_mut::<ConditionData>(this) {
            data.waiting.retain(|known| known.id != id);
        }
    };
    if is_foreign {
        // another kind of lock has a sleep of its own
        return vm.ensure(
            |vm| vm.call_name(mutex, "sleep", &[args.at(1).clone()]),
            |vm| {
                leave(vm);
                Ok(())
            },
        );
    }
    let begun = vm.host.monotonic_ns();
    unlock(vm, mutex, Args::none())?;
    let signalled = vm.ensure(
        |vm| {
            // as with the mutex's own sleep
            if scheduler::sleep_for(vm, this, args.at(1))? {
                return Ok(true);
            }
            block(vm, until, |vm| {
                Ok(super::thread::take_wakeup(vm)?
                    || vm
                        .data::<ConditionData>(this)
                        .is_none_or(|data| !data.waiting.iter().any(|known| known.id == id)))
            })
        },
        |vm| {
            leave(vm);
            lock(vm, mutex, Args::none()).map(drop)
        },
    )?;
    Ok(if signalled { slept(vm, begun) } else { woken_after(vm, begun, until) })
}
fn wake(vm: &mut Vm, waiting: &Waiting) -> Res<()> {
    if waiting.sleeper.is_nil() { Ok(()) } else { super::thread::wake(vm, &waiting.sleeper) }
}
fn signal(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if let Some(data) = vm.data_mut::<ConditionData>(this)
        && !data.waiting.is_empty()
    {
        let first = data.waiting.remove(0);
        wake(vm, &first)?;
    }
    scheduler::wake(vm, this, false)?;
    Ok(this.clone())
}
fn broadcast(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if let Some(data) = vm.data_mut::<ConditionData>(this) {
        for waiting in std::mem::take(&mut data.waiting) {
            wake(vm, &waiting)?;
        }
    }
    scheduler::wake(vm, this, true)?;
    Ok(this.clone())
}
fn no_dump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    Err(vm.type_error(format!("can't dump {class}")))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::MUTEX).allocator =
        Some(|_, class| Ok(Value::data(class, MutexData { owner: Value::Nil, fiber: Value::Nil })));
    vm.define_methods(ClassId::MUTEX, MUTEX);
    let condition = vm.define_class(ClassId::THREAD, "ConditionVariable", ClassId::OBJECT);
    vm.const_set(ClassId::OBJECT, crate::Symbol::intern_static("ConditionVariable"), Value::Class(condition));
    vm.class_mut(condition).allocator = Some(|_, class| Ok(Value::data(class, ConditionData::default())));
    vm.define_methods(condition, CONDITION);
    vm.undefine(condition, crate::Symbol::intern_static("initialize_copy"));
}
