//! Fiber. All switches go through a hub on the root stack: a fiber that resumes, yields or transfers suspends itself and names the next fiber.

pub(crate) mod scheduler;

use super::coroutine::{self, Coroutine, FIBER_STACK, Outcome, Switch};
use super::trace_point::event as trace_point;
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::error::{Error, Res, Unwind};
use crate::frame::{RProc, Stacks};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use rchef_syntax::Symbol;
use std::cell::Cell;
use std::rc::Rc;

/// The state of a fiber's execution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Created,
    Resumed,
    Suspended,
    Terminated,
}

/// The body of a fiber.
pub(crate) type Body = Box<dyn FnOnce(&mut Vm, Vec<Value>) -> Res>;

/// A Fiber. The root fiber has no coroutine.
pub(crate) struct FiberData {
    state: State,
    body: Option<Body>,
    coroutine: Option<Coroutine>,
    /// The VM state that belongs to this fiber, while another one runs.
    saved: Option<Box<Saved>>,
    /// The fiber that resumed it (nil: the root); `Undef` if it was not resumed.
    resumer: Value,
    /// The fiber that it has resumed and waits for; `Undef` if none.
    resuming: Value,
    /// The fiber that continues when this one ends (nil: the root); `Undef`: determined by Fiber's rules.
    successor: Value,
    yielding: bool,
    root: bool,
    /// Set in a forked child for the fiber that called `fork`: nothing is left to go on after it.
    ends_process: bool,
    blocking: bool,
    /// The thread that created it, the only one that may resume it; None for the fiber of a thread itself.
    thread: Option<Value>,
    location: Option<(std::rc::Rc<str>, u32)>,
    /// What `Thread#[]=` set while it ran; the fiber of a thread itself has its thread's.
    locals: Vec<(Symbol, Value)>,
}
impl NativeData for FiberData {
    /// References on its native stack and in a native body cannot be visited.
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        for value in [&self.resumer, &self.resuming, &self.successor] {
            visit(value);
        }
        self.thread.iter().for_each(&mut *visit);
        self.locals.iter().for_each(|(_, value)| visit(value));
        if let Some(saved) = &self.saved {
            saved.stacks.values().chain([&saved.errinfo]).chain(&saved.catches).for_each(visit);
        }
    }
}

/// VM state that is exchanged when switching fibers.
struct Saved {
    stacks: Stacks,
    errinfo: Value,
    missing: CallKind,
    catches: Vec<Value>,
}

/// Tags of the running `catch` blocks.
#[derive(Default)]
pub(crate) struct Catches(pub(crate) Vec<Value>);

#[derive(Default)]
struct Fibers {
    /// Nil: the root.
    current: Value,
    /// The root's object, created when first used.
    root: Value,
    /// The state of the root, while another fiber runs.
    saved: Option<Box<Saved>>,
}

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    any("resume", resume_),
    any("transfer", transfer),
    opt("raise", raise, 0, 3),
    def("alive?", is_alive, 0),
    def("blocking?", is_blocking, 0),
    opt("backtrace", backtrace, 0, 2),
    opt("backtrace_locations", backtrace_locations, 0, 2),
    def("to_s", inspect, 0),
    def("inspect", inspect, 0),
];
static SINGLETON: &[MethodDef] =
    &[any("yield", yield_), def("current", current_, 0), def("blocking?", is_current_blocking, 0)];

fn new_data(body: Body, location: Option<(std::rc::Rc<str>, u32)>) -> FiberData {
    FiberData {
        state: State::Created,
        body: Some(body),
        coroutine: None,
        saved: None,
        resumer: Value::Undef,
        resuming: Value::Undef,
        successor: Value::Undef,
        yielding: false,
        root: false,
        ends_process: false,
        blocking: false,
        thread: None,
        location,
        locals: Vec::new(),
    }
}
/// Creates a fiber of the current thread with a native body, a blocking one.
pub(crate) fn new_here(vm: &mut Vm, body: impl FnOnce(&mut Vm, Vec<Value>) -> Res + 'static) -> Value {
    let thread = Some(super::thread::current(vm));
    Value::data(ClassId::FIBER, FiberData { thread, blocking: true, ..new_data(Box::new(body), None) })
}
/// Creates the initial fiber of a thread, with a native body.
pub(crate) fn new_native(body: impl FnOnce(&mut Vm, Vec<Value>) -> Res + 'static) -> Value {
    Value::data(ClassId::FIBER, FiberData { blocking: true, ..new_data(Box::new(body), None) })
}
fn fiber_error(vm: &mut Vm, text: &str) -> Error {
    vm.error(ClassId::FIBER_ERROR, text)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // the pool of stacks is not for programs to choose
    let (pos, [blocking, _pool]) =
        args.take_keywords(vm, [Symbol::intern_static("blocking"), Symbol::intern_static("pool")])?;
    // as in MRI other arguments are ignored where there are no keywords
    if args.keywords && !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    let Some(block) = args.block else { return Err(vm.argument_error("tried to create Proc object without a block")) };
    let proc = vm.block_to_proc(block);
    let location = match &proc.get(vm).kind {
        crate::frame::ProcKind::Ruby { code, .. } => Some((std::rc::Rc::from(code.file.path.as_str()), code.line)),
        _ => None,
    };
    let mut data = new_data(ruby_body(proc), location);
    data.blocking = blocking.is_some_and(|value| value.truthy());
    data.thread = Some(super::thread::current(vm));
    vm.set_data(this, data);
    Ok(this.clone())
}
fn ruby_body(proc: Gc<RProc>) -> Body {
    Box::new(move |vm, args| {
        tell_of_switch(vm)?;
        vm.look_at_first_entry();
        vm.call_root_proc(&proc, Args::new(&args))
    })
}
fn data<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut FiberData> {
    if vm.data::<FiberData>(this).is_none() {
        return Err(fiber_error(vm, "uninitialized fiber"));
    }
    match vm.data_mut::<FiberData>(this) {
        Some(data) => Ok(data),
        None => Err(Unwind::Abandon.into()),
    }
}
/// What `Thread#[]` shows while this fiber runs; None for the fiber of a thread itself.
pub(crate) fn locals<'a>(vm: &'a mut Vm, fiber: &'a Value) -> Option<&'a mut Vec<(Symbol, Value)>> {
    vm.data_mut::<FiberData>(fiber).filter(|data| data.thread.is_some()).map(|data| &mut data.locals)
}
/// The running fiber; nil for the root.
pub(crate) fn running(vm: &mut Vm) -> Value {
    vm.extension::<Fibers>().current.clone()
}
/// In a forked child: no fiber waits for the running one, with which the process ends.
pub(crate) fn only_current(vm: &mut Vm) {
    let running = running(vm);
    if let Ok(state) = data(vm, &running) {
        state.resumer = Value::Undef;
        state.ends_process = true;
    }
}
/// Ends the process with the result of the running fiber, if the fiber is the one that went on in a forked child.
pub(crate) fn end_process_with(vm: &mut Vm, result: Res) -> Res {
    let running = running(vm);
    let last = data(vm, &running).is_ok_and(|state| std::mem::take(&mut state.ends_process));
    if last { Err(vm.end_of_child(result.map(drop))) } else { result }
}
/// The object of the root fiber.
fn root_object(vm: &mut Vm) -> Value {
    if vm.extension::<Fibers>().root.is_nil() {
        let mut data = new_data(Box::new(|_, _| Ok(Value::Nil)), None);
        (data.root, data.state, data.blocking) = (true, State::Resumed, true);
        vm.extension::<Fibers>().root = Value::data(ClassId::FIBER, data);
    }
    vm.extension::<Fibers>().root.clone()
}
/// A fiber in the hub's representation: nil for the root.
fn named(vm: &mut Vm, fiber: &Value) -> Value {
    if vm.data::<FiberData>(fiber).is_some_and(|data| data.root) { Value::Nil } else { fiber.clone() }
}
fn same_fiber(a: &Value, b: &Value) -> bool {
    a.is_nil() && b.is_nil() || a.same(b)
}

/// Exchanges the VM state that belongs to a fiber.
fn exchange(vm: &mut Vm, saved: &mut Saved) {
    std::mem::swap(&mut vm.stacks, &mut saved.stacks);
    std::mem::swap(&mut vm.errinfo, &mut saved.errinfo);
    std::mem::swap(&mut vm.missing, &mut saved.missing);
    std::mem::swap(&mut vm.extension::<Catches>().0, &mut saved.catches);
}

/// Switches to another fiber (nil: the root) with a message; returns the message of the switch back.
pub(crate) fn switch(vm: &mut Vm, to: Value, message: Res) -> Res {
    if !running(vm).is_nil() {
        return coroutine::suspend(vm, Switch { to, message });
    }
    let (mut to, mut message) = (to, message);
    while !to.is_nil() {
        let (coroutine, saved) = match prepare(vm, &to, FIBER_STACK) {
            Ok(ready) => ready,
            Err(error) => {
                // it could not start: the error goes to its resumer
                message = Err(error);
                to = finish(vm, &to);
                continue;
            }
        };
        let (mut coroutine, mut saved) = (coroutine, saved);
        exchange(vm, &mut saved);
        let fibers = vm.extension::<Fibers>();
        (fibers.current, fibers.saved) = (to.clone(), Some(saved));
        let outcome = coroutine.resume(vm, message);
        let fibers = vm.extension::<Fibers>();
        fibers.current = Value::Nil;
        let mut saved = fibers.saved.take();
        if let Some(saved) = &mut saved {
            exchange(vm, saved);
        }
        match outcome {
            Outcome::Switched(next) => {
                if let Ok(data) = data(vm, &to) {
                    (data.coroutine, data.saved) = (Some(coroutine), saved);
                }
                (to, message) = (next.to, next.message);
            }
            Outcome::Finished(result) => {
                coroutine.recycle(vm);
                message = result;
                to = finish(vm, &to);
            }
        }
    }
    message
}
/// The same of a fiber's own accord, which trace points are told of where it goes on.
fn switch_told(vm: &mut Vm, to: Value, message: Res) -> Res {
    let result = switch(vm, to, message);
    tell_of_switch(vm)?;
    result
}
fn tell_of_switch(vm: &mut Vm) -> Res<()> {
    if vm.traced_events & trace_point::FIBER_SWITCH == 0 {
        return Ok(());
    }
    let thread = super::thread::current(vm);
    vm.fire(trace_point::FIBER_SWITCH, trace_point::About { slf: Some(&thread), ..Default::default() })
}
/// Takes the coroutine and state of a fiber, and creates them, with a stack of so many bytes, if it has not started.
fn prepare(vm: &mut Vm, fiber: &Value, bytes: usize) -> Res<(Coroutine, Box<Saved>)> {
    let state = data(vm, fiber)?;
    state.state = State::Resumed;
    if let (Some(coroutine), Some(saved)) = (state.coroutine.take(), state.saved.take()) {
        return Ok((coroutine, saved));
    }
    let Some(body) = state.body.take() else { return Err(fiber_error(vm, "dead fiber called")) };
    let body = Rc::new(Cell::new(Some(body)));
    // a stack for which there is no room: fibers that nothing refers to may hold some
    let made = new_coroutine(vm, bytes, &body).or_else(|| {
        vm.collect_cycles();
        new_coroutine(vm, bytes, &body)
    });
    let Some((coroutine, limit)) = made else {
        return Err(fiber_error(vm, "can't alloc machine stack to fiber: Cannot allocate memory"));
    };
    let mut stacks = Stacks::new(limit, 64);
    stacks.grow(256);
    Ok((coroutine, Box::new(Saved { stacks, errinfo: Value::Nil, missing: CallKind::Method, catches: Vec::new() })))
}
/// The coroutine of a fiber's body, which it takes when it starts, and the end of its stack; None if there is no memory for that.
fn new_coroutine(vm: &mut Vm, bytes: usize, body: &Rc<Cell<Option<Body>>>) -> Option<(Coroutine, usize)> {
    let body = body.clone();
    Coroutine::new(vm, bytes, move |vm, message| {
        let Some(body) = body.take() else { return Err(fiber_error(vm, "dead fiber called")) };
        let result = vm.protect(|vm| match message? {
            Value::Array(array) => {
                let args = array.get(vm).items.clone();
                body(vm, args)
            }
            other => body(vm, vec![other]),
        });
        match end_process_with(vm, result) {
            Ok(value) => Ok(value),
            // its thread was killed, and so are those that wait for it
            Err(error) if matches!(*error.0, Unwind::Abandon) => Err(error),
            Err(error) => Err(Unwind::Raise(vm.error_value(error)).into()),
        }
    })
}
/// Creates a fiber's stack of so many bytes now, so that starting it later cannot fail.
pub(crate) fn make_stack(vm: &mut Vm, fiber: &Value, bytes: usize) -> Res<()> {
    let (coroutine, saved) = prepare(vm, fiber, bytes)?;
    let state = data(vm, fiber)?;
    (state.state, state.coroutine, state.saved) = (State::Created, Some(coroutine), Some(saved));
    Ok(())
}
/// When the running fiber ends, passes its result to another fiber (nil: the root).
pub(crate) fn end_into(vm: &mut Vm, successor: Value) -> Res<()> {
    let running = running(vm);
    data(vm, &running)?.successor = successor;
    Ok(())
}
/// Marks a fiber as terminated; returns the one that continues.
fn finish(vm: &mut Vm, fiber: &Value) -> Value {
    let Ok(state) = data(vm, fiber) else { return Value::Nil };
    state.state = State::Terminated;
    let successor = std::mem::replace(&mut state.successor, Value::Undef);
    if !successor.is_undef() {
        return successor;
    }
    let resumer = std::mem::replace(&mut state.resumer, Value::Undef);
    if !resumer.is_undef() {
        wake(vm, &resumer);
        return resumer;
    }
    // a transferred fiber returns to the end of the chain of resumed fibers that begins with the thread's own fiber
    let base = super::thread::base_fiber(vm);
    let mut at = if base.is_nil() { root_object(vm) } else { base };
    while let Ok(state) = data(vm, &at) {
        if state.resuming.is_undef() || state.resuming.same(fiber) {
            break;
        }
        at = state.resuming.clone();
    }
    named(vm, &at)
}
/// Marks a fiber as running again, after the one it resumed has returned.
fn wake(vm: &mut Vm, fiber: &Value) {
    let object = if fiber.is_nil() { root_object(vm) } else { fiber.clone() };
    if let Ok(state) = data(vm, &object) {
        state.resuming = Value::Undef;
        state.state = State::Resumed;
    }
}
/// The arguments of a switch as one value: nil for none, an Array for several.
fn packed(args: Args<'_>) -> Value {
    crate::core::enumerable::packed(args)
}

/// The message for a fiber: all arguments if it has not started, else a single value.
fn message(vm: &mut Vm, fiber: &Value, args: Args<'_>) -> Res {
    let created = data(vm, fiber)?.state == State::Created;
    Ok(if created { Value::array(args.pos.to_vec()) } else { packed(args) })
}

pub(crate) fn resume(vm: &mut Vm, fiber: &Value, message: Res) -> Res {
    let current = running(vm);
    let object = if current.is_nil() { root_object(vm) } else { current.clone() };
    let target = named(vm, fiber);
    let state = data(vm, fiber)?;
    let (state, resumed, resuming, yielding, root) =
        (state.state, !state.resumer.is_undef(), !state.resuming.is_undef(), state.yielding, state.root);
    let refused = if state == State::Created && message.is_err() {
        Some("cannot raise exception on unborn fiber")
    } else if state == State::Terminated {
        Some("attempt to resume a terminated fiber")
    } else if same_fiber(&target, &current) {
        Some("attempt to resume the current fiber")
    } else if resumed {
        Some("attempt to resume a resumed fiber (double resume)")
    } else if resuming {
        Some("attempt to resume a resuming fiber")
    } else if root || (!yielding && state != State::Created) {
        Some("attempt to resume a transferring fiber")
    } else {
        None
    };
    if let Some(text) = refused {
        return Err(fiber_error(vm, text));
    }
    check_thread(vm, fiber)?;
    let state = data(vm, fiber)?;
    state.resumer = current;
    state.yielding = false;
    let own = data(vm, &object)?;
    own.resuming = fiber.clone();
    own.state = State::Resumed;
    switch_told(vm, target, message)
}
/// FiberError unless the fiber belongs to the running thread.
fn check_thread(vm: &mut Vm, this: &Value) -> Res<()> {
    let running = super::thread::current(vm);
    match &data(vm, this)?.thread {
        Some(thread) if !thread.same(&running) => Err(fiber_error(vm, "fiber called across threads")),
        _ => Ok(()),
    }
}
fn resume_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let message = message(vm, this, args)?;
    resume(vm, this, Ok(message))
}
pub(crate) fn yield_value(vm: &mut Vm, value: Value) -> Res {
    let current = running(vm);
    if current.is_nil() {
        return Err(fiber_error(vm, "attempt to yield on a not resumed fiber"));
    }
    let state = data(vm, &current)?;
    if state.resumer.is_undef() {
        return Err(fiber_error(vm, "attempt to yield on a not resumed fiber"));
    }
    let resumer = std::mem::replace(&mut state.resumer, Value::Undef);
    state.yielding = true;
    state.state = State::Suspended;
    wake(vm, &resumer);
    switch_told(vm, resumer, Ok(value))
}
fn yield_(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    yield_value(vm, packed(args))
}
fn transfer_to(vm: &mut Vm, fiber: &Value, message: Res) -> Res {
    let current = running(vm);
    let object = if current.is_nil() { root_object(vm) } else { current.clone() };
    let target = named(vm, fiber);
    let state = data(vm, fiber)?;
    let (resuming, yielding, finished) = (!state.resuming.is_undef(), state.yielding, state.state == State::Terminated);
    if resuming {
        return Err(fiber_error(vm, "attempt to transfer to a resuming fiber"));
    }
    if yielding {
        return Err(fiber_error(vm, "attempt to transfer to a yielding fiber"));
    }
    if finished {
        return Err(fiber_error(vm, "dead fiber called"));
    }
    check_thread(vm, fiber)?;
    if same_fiber(&target, &current) {
        return message.map(|value| match value {
            Value::Array(array) if array.get(vm).items.len() == 1 => array.get(vm).items[0].clone(),
            other => other,
        });
    }
    data(vm, &object)?.state = State::Suspended;
    let result = switch_told(vm, target, message);
    data(vm, &object)?.state = State::Resumed;
    result
}
fn transfer(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let message = message(vm, this, args)?;
    transfer_to(vm, this, Ok(message))
}
fn raise(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let raised = if args.is_empty() {
        Err(vm.error(ClassId::RUNTIME_ERROR, ""))
    } else {
        crate::core::exception::raise::raise(vm, this, args)
    };
    let exception = match raised {
        Err(error) => error,
        Ok(value) => return Ok(value),
    };
    let current = running(vm);
    if same_fiber(&named(vm, this), &current) {
        return Err(exception);
    }
    let state = data(vm, this)?;
    if state.state == State::Created {
        return Err(fiber_error(vm, "cannot raise exception on unborn fiber"));
    }
    if state.state == State::Suspended && !state.yielding {
        return transfer_to(vm, this, Err(exception));
    }
    resume(vm, this, Err(exception))
}
/// Where the state of a fiber is kept while another one runs.
fn place_of_saved<'a>(vm: &'a mut Vm, fiber: &'a Value) -> Option<&'a mut Option<Box<Saved>>> {
    if named(vm, fiber).is_nil() {
        return Some(&mut vm.extension::<Fibers>().saved);
    }
    Some(&mut vm.data_mut::<FiberData>(fiber)?.saved)
}
/// The backtrace of a suspended fiber; empty for one that runs, has not started or has ended.
fn suspended_backtrace(vm: &mut Vm, fiber: &Value) -> Vec<crate::error::TraceEntry> {
    let Some(mut saved) = place_of_saved(vm, fiber).and_then(Option::take) else { return Vec::new() };
    std::mem::swap(&mut vm.stacks, &mut saved.stacks);
    let entries = vm.backtrace(0);
    std::mem::swap(&mut vm.stacks, &mut saved.stacks);
    if let Some(place) = place_of_saved(vm, fiber) {
        *place = Some(saved);
    }
    entries
}
/// Whether a fiber has not ended.
pub(crate) fn alive(vm: &Vm, fiber: &Value) -> bool {
    vm.data::<FiberData>(fiber).is_some_and(|data| data.state != State::Terminated)
}
fn is_alive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    data(vm, this)?;
    Ok(Value::bool(alive(vm, this)))
}
fn is_blocking(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(data(vm, this)?.blocking))
}
/// Whether the running fiber is a blocking one, in which no scheduler is asked.
fn is_blocking_now(vm: &mut Vm) -> bool {
    let current = running(vm);
    vm.data::<FiberData>(&current).is_none_or(|data| data.blocking)
}
fn is_current_blocking(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(if is_blocking_now(vm) { Value::Int(1) } else { Value::False })
}
/// The frames of a fiber, also as that where a thread continues: of the running one with Kernel's function, of others as they are suspended.
pub(crate) fn frames(
    vm: &mut Vm,
    (fiber, is_running): (&Value, bool),
    args: Args<'_>,
    own: &str,
    shown: impl FnOnce(&mut Vm, Vec<crate::error::TraceEntry>) -> Res<Vec<Value>>,
) -> Res {
    if is_running {
        let main = vm.main.clone();
        let all = [Value::Int(0)];
        return vm.call_name(&main, own, if args.pos.is_empty() { &all } else { args.pos });
    }
    let entries = suspended_backtrace(vm, fiber);
    // where there are no frames, any level is reached, but no range is
    let is_reached = entries.is_empty() && !matches!(args.get(0), Some(Value::Range(_)));
    Ok(match crate::core::location::selected(vm, entries, args.pos)? {
        Some(entries) => Value::array(shown(vm, entries)?),
        None if is_reached => Value::array(Vec::new()),
        None => Value::Nil,
    })
}
/// A fiber and whether it is the running one.
fn to_trace<'a>(vm: &mut Vm, this: &'a Value) -> Res<(&'a Value, bool)> {
    data(vm, this)?;
    let current = running(vm);
    Ok((this, same_fiber(&named(vm, this), &current)))
}
fn backtrace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let fiber = to_trace(vm, this)?;
    frames(vm, fiber, args, "caller", |vm, entries| {
        Ok(entries.iter().map(|entry| Value::str(vm.trace_line(entry))).collect())
    })
}
fn backtrace_locations(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let fiber = to_trace(vm, this)?;
    frames(vm, fiber, args, "caller_locations", |_, entries| {
        Ok(entries.into_iter().map(crate::core::location::value).collect())
    })
}
fn current_(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let current = running(vm);
    Ok(if current.is_nil() { root_object(vm) } else { current })
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let head = vm.default_to_s(this);
    let state = data(vm, this)?;
    let status = match state.state {
        State::Created => "created",
        State::Resumed => "resumed",
        State::Suspended => "suspended",
        State::Terminated => "terminated",
    };
    let place = state.location.as_ref().map(|(file, line)| format!(" {file}:{line}")).unwrap_or_default();
    Ok(Value::str(format!("{}{place} ({status})>", head.trim_end_matches('>'))))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::FIBER).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(ClassId::FIBER, METHODS);
    vm.define_singleton_methods(ClassId::FIBER, SINGLETON);
    vm.define_singleton_methods(ClassId::FIBER, scheduler::SINGLETON);
}
