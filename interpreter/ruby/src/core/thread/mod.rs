//! Thread: green threads. Each runs on a fiber of its own; a thread that blocks switches to one that can continue. A counter of progress tells when a
//! blocked thread has to check its condition again; if no thread can continue, the host sleeps until the earliest deadline.

mod attributes;
mod interrupts;
mod sleep;

use super::coroutine;
use super::fiber::{self, scheduler};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res, Unwind};
use crate::frame::RProc;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use attributes::*;
pub(super) use interrupts::leave_to_main;
use interrupts::{
    Masks, Pending, asked_here, current_pending_interrupt, deliver, due, handle_interrupt, pending_interrupt,
};
use rchef_syntax::symbol::sym;
pub(crate) use sleep::{deadline, slept};
use sleep::{sleep, wait_for_wakeup};
use std::time::Duration;

/// A deadline that never expires.
const FOREVER: u64 = u64::MAX / 2;
/// On a simulated clock deadlines from here on (some seventy years) count as never.
const FAR: u64 = FOREVER / 4;

/// The class `fatal`, which is not in any constant.
#[derive(Default)]
struct Fatal(Option<ClassId>);

impl Vm {
    /// The class `fatal`, whose exceptions a plain `rescue` does not rescue. None if it has not been created.
    pub(crate) fn fatal(&self) -> Option<ClassId> {
        self.extension_ref::<Fatal>()?.0
    }
}

/// The result of a thread.
enum Ended {
    Value(Value),
    Exception(Value),
    Killed,
}

/// A Thread.
pub(crate) struct ThreadData {
    /// The fiber in which it continues; nil for the stack of the main program.
    at: Value,
    /// Its initial fiber; nil for the stack of the main program.
    base: Value,
    begun: bool,
    ended: Option<Ended>,
    /// The progress counter when it last checked its condition; None if it is not waiting.
    waits_since: Option<u64>,
    /// The deadline of its wait in nanoseconds of the monotonic clock.
    deadline: Option<u64>,
    pending: Vec<Pending>,
    /// What `handle_interrupt` puts off, the innermost last.
    masks: Masks,
    /// Whether it was killed and is running `ensure` clauses.
    aborting: bool,
    woken: bool,
    locals: Vec<(Symbol, Value)>,
    variables: Vec<(Symbol, Value)>,
    name: Value,
    group: Value,
    report: bool,
    abort: bool,
    priority: i64,
    place: String,
    main: bool,
    /// What `Fiber.set_scheduler` set; nil for none.
    scheduler: Value,
}
impl NativeData for ThreadData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        for value in [&self.at, &self.base, &self.name, &self.group, &self.scheduler] {
            visit(value);
        }
        for (_, value) in self.locals.iter().chain(&self.variables) {
            visit(value);
        }
        match &self.ended {
            Some(Ended::Value(value) | Ended::Exception(value)) => visit(value),
            Some(Ended::Killed) | None => {}
        }
        for pending in &self.pending {
            match pending {
                Pending::Raise(exception) => visit(exception),
                Pending::Kill | Pending::Signal(_) => {}
            }
        }
    }
}

struct Threads {
    list: Vec<Value>,
    current: Value,
    main: Value,
    progress: u64,
    report: bool,
    abort: bool,
    /// Whether threads may all wait for ever: for a signal.
    ignores_deadlock: bool,
    default_group: Value,
    slices: u32,
}
impl Default for Threads {
    fn default() -> Threads {
        Threads {
            list: Vec::new(),
            current: Value::Nil,
            main: Value::Nil,
            progress: 1,
            report: true,
            abort: false,
            ignores_deadlock: false,
            default_group: Value::Nil,
            slices: 0,
        }
    }
}

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    opt("join", join, 0, 1),
    def("value", value, 0),
    def("alive?", is_alive, 0),
    def("stop?", is_stopped, 0),
    def("status", status, 0),
    def("kill", kill, 0),
    def("exit", kill, 0),
    def("terminate", kill, 0),
    any("raise", raise),
    def("wakeup", wakeup, 0),
    def("run", run, 0),
    def("[]", get, 1),
    def("[]=", set, 2),
    def("key?", has_key, 1),
    def("keys", keys, 0),
    opt("fetch", fetch, 1, 2),
    def("thread_variable_get", variable_get, 1),
    def("thread_variable_set", variable_set, 2),
    def("thread_variable?", has_variable, 1),
    def("thread_variables", variables, 0),
    def("name", name, 0),
    def("name=", set_name, 1),
    def("group", group, 0),
    def("priority", priority, 0),
    def("priority=", set_priority, 1),
    def("report_on_exception", report, 0),
    def("report_on_exception=", set_report, 1),
    def("abort_on_exception", abort, 0),
    def("abort_on_exception=", set_abort, 1),
    any("backtrace", backtrace),
    any("backtrace_locations", backtrace_locations),
    opt("pending_interrupt?", pending_interrupt, 0, 1),
    def("native_thread_id", native_id, 0),
    def("inspect", inspect, 0),
    def("to_s", inspect, 0),
];
static SINGLETON: &[MethodDef] = &[
    any("new", new),
    any("start", start),
    any("fork", start),
    def("current", current_, 0),
    def("main", main_, 0),
    def("list", list, 0),
    def("pass", pass, 0),
    def("stop", stop, 0),
    def("exit", exit, 0),
    def("kill", kill_other, 1),
    def("report_on_exception", all_report, 0),
    def("report_on_exception=", all_set_report, 1),
    def("abort_on_exception", all_abort, 0),
    def("abort_on_exception=", all_set_abort, 1),
    def("ignore_deadlock", ignores_deadlock, 0),
    def("ignore_deadlock=", set_ignores_deadlock, 1),
    at_least_one("handle_interrupt", handle_interrupt),
    opt("pending_interrupt?", current_pending_interrupt, 0, 1),
];
static FUNCTIONS: &[MethodDef] = &[opt("sleep", sleep, 0, 1)];
static GROUP: &[MethodDef] = &[
    def("add", group_add, 1),
    def("list", group_list, 0),
    def("enclose", group_enclose, 0),
    def("enclosed?", group_enclosed, 0),
];

const fn at_least_one(name: &'static str, function: crate::method::NativeFn) -> MethodDef {
    crate::method::at_least(name, function, 0)
}

fn new_data(main: bool) -> ThreadData {
    ThreadData {
        at: Value::Nil,
        base: Value::Nil,
        begun: main,
        ended: None,
        waits_since: None,
        deadline: None,
        pending: Vec::new(),
        masks: Masks::new(),
        aborting: false,
        woken: false,
        locals: Vec::new(),
        variables: Vec::new(),
        name: Value::Nil,
        group: Value::Nil,
        report: true,
        abort: false,
        priority: 0,
        place: String::new(),
        main,
        scheduler: Value::Nil,
    }
}
fn state<'a>(vm: &'a mut Vm, thread: &'a Value) -> Res<&'a mut ThreadData> {
    if vm.data::<ThreadData>(thread).is_none() {
        let class = vm.class_name_of(thread);
        return Err(vm.error(ClassId::THREAD_ERROR, format!("uninitialized thread - check `{class}#initialize'")));
    }
    match vm.data_mut::<ThreadData>(thread) {
        Some(data) => Ok(data),
        None => Err(Unwind::Abandon.into()),
    }
}
fn threads(vm: &mut Vm) -> &mut Threads {
    if vm.extension::<Threads>().main.is_nil() {
        let mut data = new_data(true);
        data.group = vm.extension::<Threads>().default_group.clone();
        let main = Value::data(ClassId::THREAD, data);
        let threads = vm.extension::<Threads>();
        threads.list.push(main.clone());
        threads.current = main.clone();
        threads.main = main;
    }
    vm.extension::<Threads>()
}
pub(crate) fn current(vm: &mut Vm) -> Value {
    threads(vm).current.clone()
}
/// The scheduler of the running thread's fibers; nil for none.
pub(crate) fn own_scheduler(vm: &mut Vm) -> Value {
    let this = current(vm);
    vm.data::<ThreadData>(&this).map(|data| data.scheduler.clone()).unwrap_or_default()
}
pub(crate) fn set_own_scheduler(vm: &mut Vm, scheduler: Value) {
    let this = current(vm);
    if let Some(data) = vm.data_mut::<ThreadData>(&this) {
        data.scheduler = scheduler;
    }
}
fn alive(vm: &Vm, thread: &Value) -> bool {
    vm.data::<ThreadData>(thread).is_some_and(|data| data.ended.is_none())
}

/// Switches to another thread; returns when this one is selected again.
fn hand_over(vm: &mut Vm, to: &Value) -> Res<()> {
    let from = current(vm);
    if from.same(to) {
        return Ok(());
    }
    let here = fiber::running(vm);
    state(vm, &from)?.at = here;
    let target = state(vm, to)?;
    let message = if target.begun { Value::Nil } else { Value::array(Vec::new()) };
    target.begun = true;
    let at = target.at.clone();
    threads(vm).current = to.clone();
    fiber::switch(vm, at, Ok(message)).map(drop)
}

/// In a forked child: makes the running thread the main thread, and removes the others.
pub(crate) fn only_current(vm: &mut Vm) {
    let Some(threads) = vm.extension_ref::<Threads>() else { return };
    let (list, current) = (threads.list.clone(), threads.current.clone());
    for thread in list.iter().filter(|thread| !thread.same(&current)) {
        if let Ok(data) = state(vm, thread) {
            data.ended = Some(Ended::Killed);
        }
    }
    let threads = vm.extension::<Threads>();
    threads.list.retain(|thread| thread.same(&current));
    threads.main = current;
}

/// The next thread after the running one that may be able to continue.
fn next_ready(vm: &mut Vm) -> Option<Value> {
    let now = vm.host.monotonic_ns();
    let threads = threads(vm);
    let (list, current, progress) = (threads.list.clone(), threads.current.clone(), threads.progress);
    let from = list.iter().position(|thread| thread.same(&current)).map_or(0, |index| index + 1);
    (0..list.len())
        .map(|offset| &list[(from + offset) % list.len()])
        .find(|thread| {
            !thread.same(&current)
                && vm.data::<ThreadData>(thread).is_some_and(|data| {
                    data.waits_since.is_none_or(|since| since < progress)
                        || due(vm, data, true).is_some()
                        || data.woken
                        || data.deadline.is_some_and(|deadline| deadline <= now)
                })
        })
        .cloned()
}

/// Blocks the running thread until a condition is true (returns true) or a deadline in monotonic nanoseconds has expired (false).
pub(crate) fn block(vm: &mut Vm, deadline: Option<u64>, mut ready: impl FnMut(&mut Vm) -> Res<bool>) -> Res<bool> {
    let this = current(vm);
    threads(vm).progress += 1;
    let mut had_turns = false;
    let outcome = loop {
        if let Err(error) = deliver(vm, true) {
            break Err(error);
        }
        match ready(vm) {
            Ok(false) => {}
            done => break done,
        }
        // a wake-up that does not end this wait is discarded
        state(vm, &this)?.woken = false;
        let expired = deadline.is_some_and(|deadline| vm.host.monotonic_ns() >= deadline);
        if expired && had_turns {
            break Ok(false);
        }
        // a wait of no time is a turn for the others, too
        had_turns = true;
        if expired {
            match yield_to_others(vm) {
                Ok(()) => continue,
                Err(error) => break Err(error),
            }
        }
        let progress = threads(vm).progress;
        let data = state(vm, &this)?;
        (data.waits_since, data.deadline) = (Some(progress), deadline);
        match next_ready(vm) {
            Some(next) => {
                if let Err(error) = hand_over(vm, &next) {
                    break Err(error);
                }
            }
            None => {
                if let Err(error) = idle(vm, deadline) {
                    break Err(error);
                }
            }
        }
    };
    let data = state(vm, &this)?;
    (data.waits_since, data.deadline) = (None, None);
    threads(vm).progress += 1;
    outcome
}
/// Called when no thread can continue: sleeps until the earliest deadline; without one it is a deadlock.
fn idle(vm: &mut Vm, deadline: Option<u64>) -> Res<()> {
    let list = threads(vm).list.clone();
    let earliest = list
        .iter()
        .filter_map(|thread| vm.data::<ThreadData>(thread).and_then(|data| data.deadline))
        .chain(deadline)
        .min();
    // with a simulated clock nothing outside can wake a thread
    let simulated = vm.host.is_simulated();
    let earliest = earliest.or((threads(vm).ignores_deadlock && !simulated).then_some(FOREVER));
    let Some(until) = earliest.filter(|until| !simulated || *until < FAR) else {
        let main = threads(vm).main.clone();
        let error = deadlock(vm);
        let running = current(vm);
        if running.same(&main) {
            return Err(error);
        }
        let exception = vm.error_value(error);
        state(vm, &main)?.pending.push(Pending::Raise(exception));
        return hand_over(vm, &main);
    };
    let now = vm.host.monotonic_ns();
    if until > now {
        let host = vm.host.clone();
        // check for signals at least every second
        let most = if simulated { u64::MAX } else { 1_000_000_000 };
        let _ = host.sleep(Duration::from_nanos((until - now).min(most)));
    }
    super::signal::run_pending(vm)
}
fn deadlock(vm: &mut Vm) -> Error {
    let class = vm.fatal().unwrap_or(ClassId::EXCEPTION);
    let list = threads(vm).list.clone();
    let (running, main) = (current(vm), threads(vm).main.clone());
    let (running, main) = (vm.shown_number(&running), vm.shown_number(&main));
    let count = list.len();
    let mut text = format!(
        "No live threads left. Deadlock?\n{count} threads, {count} sleeps current:{running:#018x} main thread:{main:#018x}"
    );
    for thread in &list {
        let shown = vm.inspect(thread).unwrap_or_default();
        let number = vm.shown_number(thread);
        text.push_str(&format!("\n* {shown}\n   rb_thread_t:{number:#018x} native:{number:#018x} int:0\n   "));
    }
    text.push('\n');
    vm.error(class, text)
}

/// Clears and returns whether the running thread was woken by `Thread#wakeup` or `run`.
pub(crate) fn take_wakeup(vm: &mut Vm) -> Res<bool> {
    let this = current(vm);
    Ok(std::mem::take(&mut state(vm, &this)?.woken))
}
/// The initial fiber of the running thread; nil for the main thread.
pub(crate) fn base_fiber(vm: &mut Vm) -> Value {
    let this = current(vm);
    state(vm, &this).map(|data| data.base.clone()).unwrap_or_default()
}

/// Whether there are several live threads, so that nothing may block the process.
pub(crate) fn has_others(vm: &Vm) -> bool {
    vm.extension_ref::<Threads>().is_some_and(|threads| threads.list.len() > 1)
}
/// Blocks the running thread until `ready` is true, if that depends on something outside of Ruby: polls every few milliseconds.
pub(crate) fn block_on_host(
    vm: &mut Vm,
    deadline: Option<u64>,
    mut ready: impl FnMut(&mut Vm) -> Res<bool>,
) -> Res<bool> {
    const FIRST: u64 = 200_000;
    const LONGEST: u64 = 5_000_000;
    let mut pause = FIRST;
    loop {
        if ready(vm)? {
            return Ok(true);
        }
        let until = vm.host.monotonic_ns() + pause;
        let until = deadline.map_or(until, |deadline| deadline.min(until));
        if block(vm, Some(until), &mut ready)? {
            return Ok(true);
        }
        if deadline == Some(until) {
            return Ok(false);
        }
        pause = (pause * 2).min(LONGEST);
    }
}

/// Lets other threads run if they can continue.
pub fn yield_to_others(vm: &mut Vm) -> Res<()> {
    threads(vm).progress += 1;
    if let Some(next) = next_ready(vm) {
        hand_over(vm, &next)?;
    }
    deliver(vm, false)
}
/// Called every thousand steps for time slicing.
pub(crate) fn tick(vm: &mut Vm) -> Res<()> {
    match vm.extension_ref::<Threads>() {
        Some(threads) if threads.list.len() > 1 => {}
        _ => return Ok(()),
    }
    let threads = threads(vm);
    threads.slices += 1;
    if !threads.slices.is_multiple_of(32) {
        return Ok(());
    }
    yield_to_others(vm)
}

fn spawn(vm: &mut Vm, thread: &Value, proc: Gc<RProc>, args: Vec<Value>) -> Res<()> {
    let place = match &proc.get(vm).kind {
        crate::frame::ProcKind::Ruby { code, .. } => format!("{}:{}", code.file.path, code.line),
        _ => String::new(),
    };
    let parent = current(vm);
    let (group, report, priority, masks) = {
        let report = threads(vm).report;
        let data = state(vm, &parent)?;
        (data.group.clone(), report, data.priority, data.masks.clone())
    };
    let own = thread.clone();
    let body = fiber::new_native(move |vm, _| {
        let result = vm.protect(|vm| {
            deliver(vm, false)?;
            if vm.traced_events != 0 {
                return vm.run_traced_thread(&own, &proc, &args);
            }
            let value = vm.call_root_proc(&proc, Args::new(&args))?;
            scheduler::close(vm)?;
            Ok(value)
        });
        let result = fiber::end_process_with(vm, result);
        end(vm, &own, result)
    });
    let bytes = coroutine::thread_stack(threads(vm).list.len());
    if fiber::make_stack(vm, &body, bytes).is_err() {
        return Err(vm.error(ClassId::THREAD_ERROR, "can't create Thread: Resource temporarily unavailable"));
    }
    let data = ThreadData { at: body.clone(), base: body, group, report, priority, place, masks, ..new_data(false) };
    vm.set_data(thread, data);
    threads(vm).list.push(thread.clone());
    Ok(())
}
/// Ends a thread: records and reports the result, and determines where to continue, and with which message, when its fiber ends.
fn end(vm: &mut Vm, thread: &Value, result: Res) -> Res {
    let leaves = result.as_ref().is_err_and(|error| vm.leaves_now(error));
    let ended = match result {
        Ok(value) => Ended::Value(value),
        Err(error) => match *error.0 {
            Unwind::Abandon => Ended::Killed,
            other => {
                let exception = vm.error_value(other.into());
                let main = threads(vm).main.clone();
                if vm.is_a(&exception, ClassId::SYSTEM_EXIT) {
                    state(vm, &main)?.pending.push(Pending::Raise(exception.clone()));
                } else {
                    if state(vm, thread)?.report {
                        let shown = vm.inspect(thread).unwrap_or_default();
                        let text = format!(
                            "{shown} terminated with exception (report_on_exception is true):\n{}",
                            vm.error_report(&exception, false)
                        );
                        let _ = vm.write_stderr(text.as_bytes());
                    }
                    let all = threads(vm).abort;
                    if all || state(vm, thread)?.abort {
                        state(vm, &main)?.pending.push(Pending::Raise(exception.clone()));
                    }
                }
                Ended::Exception(exception)
            }
        },
    };
    state(vm, thread)?.ended = Some(ended);
    threads(vm).progress += 1;
    // hooks of schedulers may block, so the thread is a listed one until they have been called
    let told = vm.protect(|vm| {
        super::mutex::release_all(vm, thread)?;
        scheduler::wake(vm, thread, true)
    });
    if let Err(error) = told
        && let Some(Ended::Value(_)) = state(vm, thread)?.ended
    {
        let exception = vm.error_value(error);
        state(vm, thread)?.ended = Some(Ended::Exception(exception));
    }
    threads(vm).list.retain(|known| !known.same(thread));
    threads(vm).progress += 1;
    let next = match next_ready(vm) {
        Some(next) if !leaves => next,
        _ => threads(vm).main.clone(),
    };
    if leaves {
        // the main thread ends the program
        state(vm, &next)?.pending.push(Pending::Kill);
    }
    let own = state(vm, thread)?;
    (own.at, own.base) = (Value::Nil, Value::Nil);
    let target = state(vm, &next)?;
    let message = if target.begun { Value::Nil } else { Value::array(Vec::new()) };
    target.begun = true;
    let at = target.at.clone();
    threads(vm).current = next;
    fiber::end_into(vm, at)?;
    Ok(message)
}

fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let thread = Value::object(crate::class::this_class(this));
    vm.call_args(&thread, sym::INITIALIZE, args)?;
    state(vm, &thread)?;
    Ok(thread)
}
fn start(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let thread = Value::object(crate::class::this_class(this));
    initialize(vm, &thread, args)?;
    Ok(thread)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.error(ClassId::THREAD_ERROR, "must be called with a block")) };
    if vm.data::<ThreadData>(this).is_some() {
        return Err(vm.error(ClassId::THREAD_ERROR, "already initialized thread"));
    }
    let proc = vm.block_to_proc(block);
    spawn(vm, this, proc, args.pos.to_vec())?;
    Ok(Value::Nil)
}
fn current_(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(current(vm))
}
fn main_(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(threads(vm).main.clone())
}
fn list(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(threads(vm).list.clone()))
}
fn pass(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    yield_to_others(vm)?;
    Ok(Value::Nil)
}
fn stop(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    if threads(vm).list.len() == 1 {
        return Err(vm.error(ClassId::THREAD_ERROR, "stopping only thread\n\tnote: use sleep to stop forever"));
    }
    wait_for_wakeup(vm, None)?;
    Ok(Value::Nil)
}
fn exit(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let this = current(vm);
    kill(vm, &this, Args::none())
}
fn kill_other(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if !vm.is_a(args.at(0), ClassId::THREAD) {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("wrong argument type {described} (expected VM/thread)")));
    }
    kill(vm, args.at(0), Args::none())
}
fn kill(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let running = current(vm);
    let data = state(vm, this)?;
    if data.ended.is_some() {
        return Ok(this.clone());
    }
    if data.main {
        let error = vm.system_exit(0, "exit");
        if running.same(this) {
            return Err(error);
        }
        let exception = vm.error_value(error);
        state(vm, this)?.pending.push(Pending::Raise(exception));
        return Ok(this.clone());
    }
    if running.same(this) {
        data.aborting = true;
        return Err(Unwind::Abandon.into());
    }
    data.pending.push(Pending::Kill);
    Ok(this.clone())
}
fn raise(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let running = current(vm);
    if !alive(vm, this) {
        return Ok(Value::Nil);
    }
    let exception = match crate::core::exception::raise::raise(vm, this, args) {
        Err(error) if running.same(this) && state(vm, this)?.masks.is_empty() => match *error.0 {
            Unwind::Raise(exception) => return Err(Unwind::Raise(asked_here(vm, exception)?).into()),
            other => return Err(other.into()),
        },
        Err(error) => vm.error_value(error),
        Ok(_) => return Ok(Value::Nil),
    };
    if let Some(data) = vm.data_mut::<crate::error::ExceptionData>(&exception) {
        data.trace = None;
    }
    state(vm, this)?.pending.push(Pending::Raise(exception));
    if running.same(this) {
        deliver(vm, false)?;
    } else {
        yield_to_others(vm)?;
    }
    Ok(Value::Nil)
}
/// Ends the sleep of a thread that has not ended.
pub(crate) fn wake(vm: &mut Vm, this: &Value) -> Res<()> {
    state(vm, this)?.woken = true;
    Ok(())
}
fn wakeup(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    if data.ended.is_some() {
        return Err(vm.error(ClassId::THREAD_ERROR, "killed thread"));
    }
    data.woken = true;
    Ok(this.clone())
}
fn run(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    wakeup(vm, this, args)?;
    yield_to_others(vm)?;
    Ok(this.clone())
}
fn wait(vm: &mut Vm, this: &Value, until: Option<u64>) -> Res<bool> {
    let running = current(vm);
    if running.same(this) {
        return Err(vm.error(ClassId::THREAD_ERROR, "Target thread must not be current thread"));
    }
    if state(vm, this)?.main {
        return Err(vm.error(ClassId::THREAD_ERROR, "Target thread must not be main thread"));
    }
    let target = this.clone();
    // one that has ended needs no wait, in which exceptions would be raised
    if alive(vm, this) && !scheduler::block(vm, this, until, move |vm| Ok(!alive(vm, &target)))? {
        return Ok(false);
    }
    if let Some(Ended::Exception(exception)) = &state(vm, this)?.ended {
        let exception = exception.clone();
        return Err(Unwind::Raise(exception).into());
    }
    Ok(true)
}
fn join(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // a time that is over leaves no time to wait
    let limit = match args.at(0) {
        Value::Nil => None,
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(number.get()),
        Value::Str(_) | Value::Sym(_) | Value::True | Value::False => Some(vm.to_f64(args.at(0))?),
        other => {
            let number = vm.call_name(other, "to_f", &[])?;
            Some(vm.to_f64(&number)?)
        }
    };
    let until = match limit {
        None => None,
        Some(limit) => deadline(vm, &Value::float(limit.max(0.0)))?,
    };
    Ok(if wait(vm, this, until)? { this.clone() } else { Value::Nil })
}
fn value(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    wait(vm, this, None)?;
    Ok(match &state(vm, this)?.ended {
        Some(Ended::Value(value)) => value.clone(),
        _ => Value::Nil,
    })
}
fn is_alive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.ended.is_none()))
}
fn is_stopped(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(Value::bool(data.ended.is_some() || data.waits_since.is_some()))
}
fn status_text(data: &ThreadData) -> &'static str {
    match (&data.ended, data.waits_since) {
        (Some(_), _) => "dead",
        _ if data.aborting || data.pending.iter().any(|pending| matches!(pending, Pending::Kill)) => "aborting",
        (None, Some(_)) if data.deadline.is_none_or(|deadline| deadline >= FOREVER) => "sleep_forever",
        (None, Some(_)) => "sleep",
        _ => "run",
    }
}
fn status(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(match &data.ended {
        Some(Ended::Exception(_)) => Value::Nil,
        Some(_) => Value::False,
        None => Value::str(status_text(data).trim_end_matches("_forever")),
    })
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let number = vm.shown_number(this);
    let data = state(vm, this)?;
    let status = status_text(data);
    let (place, name) = (data.place.clone(), data.name.clone());
    let name = if name.is_nil() { String::new() } else { format!("@{}", vm.to_s_text(&name)?) };
    let place = if place.is_empty() { String::new() } else { format!(" {place}") };
    Ok(Value::str(format!("#<{class}:0x{number:016x}{name}{place} {status}>")))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::THREAD, METHODS);
    vm.define_singleton_methods(ClassId::THREAD, SINGLETON);
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
    let group = vm.define_class(ClassId::OBJECT, "ThreadGroup", ClassId::OBJECT);
    vm.define_methods(group, GROUP);
    let default = Value::object(group);
    vm.const_set(group, Symbol::intern_static("Default"), default.clone());
    vm.extension::<Threads>().default_group = default;
    let fatal = vm.new_class(ClassId::EXCEPTION);
    vm.class_mut(fatal).name = Some("fatal".into());
    vm.extension::<Fatal>().0 = Some(fatal);
}
