//! Process, and Kernel's functions for processes.

mod identity;
mod limits;
pub mod spawn;
mod status;
mod times;

pub use status::{StatusData, last_status, object as status_object, set_last_status};

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, any, at_least, def, opt};
use crate::value::Value;
use rchef_host::{ExitStatus, Host, WaitTarget};
use rchef_syntax::symbol::sym;
use std::time::Duration;

const WNOHANG: i64 = 1;
const WUNTRACED: i64 = 2;

/// Waits until a child has ended, while signal handlers run; None if none has and `now` is set.
pub fn wait_for(vm: &mut Vm, target: WaitTarget, now: bool) -> Res<Option<ExitStatus>> {
    wait_by(vm, target, now, 0, |host, timeout| host.wait(target, timeout))
}
/// The status that the scheduler of the running fiber has waited for; None where none is responsible.
fn wait_scheduled(vm: &mut Vm, target: WaitTarget, flags: i64) -> Res<Option<Option<ExitStatus>>> {
    let pid = match target {
        WaitTarget::Any => -1,
        WaitTarget::Group(group) => -i64::from(group),
        WaitTarget::Pid(pid) => i64::from(pid),
    };
    match crate::core::fiber::scheduler::process_wait(vm, pid, flags)? {
        None => Ok(None),
        Some(Value::Nil) => Ok(Some(None)),
        Some(found) => match vm.data::<StatusData>(&found) {
            Some(StatusData(status)) => Ok(Some(Some(*status))),
            None => {
                let described = vm.describe(&found);
                Err(vm.type_error(format!("wrong argument type {described} (expected Process::Status)")))
            }
        },
    }
}
fn wait_by(
    vm: &mut Vm,
    target: WaitTarget,
    now: bool,
    flags: i64,
    wait: impl Fn(&dyn Host, Option<Duration>) -> rchef_host::Result<Option<ExitStatus>>,
) -> Res<Option<ExitStatus>> {
    if !now && let Some(found) = wait_scheduled(vm, target, flags)? {
        return Ok(found);
    }
    if !now && crate::core::thread::has_others(vm) {
        let mut found = None;
        crate::core::thread::block_on_host(vm, None, |vm| {
            found = wait(&*vm.host, Some(Duration::ZERO)).map_err(|error| vm.errno(error.errno, None))?;
            Ok(found.is_some())
        })?;
        return Ok(found);
    }
    loop {
        match wait(&*vm.host, now.then_some(Duration::ZERO)) {
            Ok(status) if status.is_some() || now => return Ok(status),
            Ok(_) => {}
            Err(error) if error.errno == 4 => {
                let ends = vm.host.stop_asked();
                if let Err(error) = vm.run_interrupts() {
                    if let (true, WaitTarget::Pid(pid)) = (ends, target) {
                        end_child(vm, pid);
                    }
                    return Err(error);
                }
            }
            Err(error) => return Err(vm.errno(error.errno, None)),
        }
    }
}
/// Terminates a child that is being waited for when the program has to end: with TERM, and then with KILL.
fn end_child(vm: &Vm, pid: i32) {
    const GRACE: Duration = Duration::from_secs(3);
    let _ = vm.host.kill(pid, rchef_host::error::signal_number("TERM").unwrap_or_default());
    if !matches!(vm.host.wait(WaitTarget::Pid(pid), Some(GRACE)), Ok(Some(_))) {
        let _ = vm.host.kill(pid, rchef_host::error::signal_number("KILL").unwrap_or_default());
        let _ = vm.host.wait(WaitTarget::Pid(pid), Some(GRACE));
    }
}
/// Waits for the child, or group of children, that the arguments of `Process.wait` mean; None with WNOHANG when none has ended.
fn wait_by_args(vm: &mut Vm, args: Args<'_>) -> Res<Option<ExitStatus>> {
    let pid = match args.at(0) {
        Value::Nil => -1,
        pid => vm.to_int(pid)?,
    };
    let flags = match args.at(1) {
        Value::Nil => 0,
        flags => vm.to_int(flags)?,
    };
    let target = match pid {
        -1 => WaitTarget::Any,
        0 => {
            let group = vm.host.pgid(0).map_err(|error| vm.host_error(&error))?;
            WaitTarget::Group(group)
        }
        pid if pid < 0 => WaitTarget::Group((-pid) as i32),
        pid => WaitTarget::Pid(pid as i32),
    };
    let (now, stopped) = (flags & WNOHANG != 0, flags & WUNTRACED != 0);
    if stopped {
        wait_by(vm, target, now, WUNTRACED, |host, timeout| host.wait_stopped(target, timeout))
    } else {
        wait_for(vm, target, now)
    }
}
fn wait(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match wait_by_args(vm, args)? {
        Some(status) => {
            set_last_status(vm, status);
            Ok(Value::Int(i64::from(status.pid)))
        }
        None => Ok(Value::Nil),
    }
}
fn wait2(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let pid = wait(vm, this, args)?;
    if pid.is_nil() {
        return Ok(Value::Nil);
    }
    Ok(Value::array(vec![pid, last_status(vm)]))
}
fn waitall(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    const ECHILD: i32 = 10;
    let mut found = Vec::new();
    loop {
        let class = vm.errno_class(ECHILD);
        let pair = vm.rescue(class, |vm| wait2(vm, this, Args::none()), |_, _| Ok(Value::Nil))?;
        if pair.is_nil() {
            return Ok(Value::array(found));
        }
        found.push(pair);
    }
}
/// `Process.detach`: a thread that waits for the child; its value is the status.
fn detach(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let pid = vm.to_int(args.at(0))?;
    let class = vm.define_class(ClassId::PROCESS, "Waiter", ClassId::THREAD);
    let waiter = vm.call_with_native_block(&Value::Class(class), sym::NEW, &[], move |vm, _| {
        loop {
            match vm.host.wait(WaitTarget::Pid(pid as i32), Some(Duration::ZERO)) {
                Ok(Some(status)) => return Ok(status_object(status)),
                Ok(None) => {
                    vm.call(&Value::Class(ClassId::KERNEL), Symbol::intern_static("sleep"), &[Value::float(0.005)])?;
                }
                Err(_) => return Ok(Value::Nil),
            }
        }
    })?;
    vm.ivar_set(&waiter, Symbol::intern_static("__pid"), Value::Int(pid));
    Ok(waiter)
}
fn waiter_pid(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, Symbol::intern_static("__pid")).unwrap_or_default())
}

/// A signal by number or name, and whether the name begins with a minus (for a process group).
pub fn signal_arg(vm: &mut Vm, value: &Value) -> Res<(i32, bool)> {
    let name = match value {
        Value::Int(number) => return Ok((number.unsigned_abs() as i32, *number < 0)),
        Value::Sym(name) => name.as_str().to_string(),
        other => match vm.check_str(other)? {
            Some(text) => text.get(vm).to_text().into_owned(),
            None => {
                let class = vm.class_name_of(other);
                return Err(vm.argument_error(format!("bad signal type {class}")));
            }
        },
    };
    let (negative, plain) = match name.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, name.as_str()),
    };
    let short = plain.strip_prefix("SIG").unwrap_or(plain);
    match rchef_host::error::signal_number(short) {
        Some(number) => Ok((number, negative)),
        None => Err(vm.argument_error(format!("unsupported signal `{}SIG{short}'", if negative { "-" } else { "" }))),
    }
}
fn kill(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (signal, group) = signal_arg(vm, args.at(0))?;
    let pids = args.from(1).pos;
    for pid in pids {
        let pid = vm.to_int(pid)? as i32;
        let target = if group { -pid } else { pid };
        vm.host.kill(target, signal).map_err(|error| vm.errno(error.errno, None))?;
    }
    // a signal to this process itself is handled before the call returns
    super::signal::run_pending(vm)?;
    Ok(Value::len(pids.len()))
}
fn pid(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(vm.host.pid())))
}
fn ppid(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(vm.host.ppid())))
}
fn getpgid(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let pid = vm.to_int(args.at(0))?;
    let group = vm.host.pgid(pid as i32).map_err(|error| vm.errno(error.errno, None))?;
    Ok(Value::Int(i64::from(group)))
}
fn getpgrp(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let group = vm.host.pgid(0).map_err(|error| vm.errno(error.errno, None))?;
    Ok(Value::Int(i64::from(group)))
}
fn setproctitle(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    set_title(vm, args.at(0))?;
    Ok(args.at(0).clone())
}
/// Makes a String what `ps` shows of this process, as far as the place of its arguments has room.
pub(crate) fn set_title(vm: &mut Vm, title: &Value) -> Res<()> {
    let title = spawn::bytes(vm, title)?;
    vm.host.set_process_title(&title);
    Ok(())
}
/// `Process.argv0`, once it was used.
#[derive(Default)]
struct Argv0(Value);

pub(crate) fn argv0(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let known = vm.extension::<Argv0>().0.clone();
    if !known.is_nil() {
        return Ok(known);
    }
    let name = vm.global_get(sym::DOLLAR_ZERO)?;
    let text = vm.to_s(&name)?.get(vm).clone();
    let value = Value::string(text);
    value.set_flag(crate::heap::FROZEN, true);
    vm.extension::<Argv0>().0 = value.clone();
    Ok(value)
}
/// `fork`, `fork { ... }`: the child ends after the block.
fn fork(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if let Some(pid) = fork_process(vm)? {
        return Ok(Value::Int(pid.into()));
    }
    let Some(block) = args.block else { return Ok(Value::Nil) };
    let result = vm.yield_values(block, &[]);
    Err(vm.end_of_child(result.map(drop)))
}
/// Forks by `Process._fork`, before which programs put a method to learn of forks; None in the child.
pub(crate) fn fork_process(vm: &mut Vm) -> Res<Option<i32>> {
    let (process, hook) = (Value::Class(ClassId::PROCESS), Symbol::intern_static("_fork"));
    let meta = vm.class_of(&process);
    if vm.is_native_method(meta, hook) {
        return fork_running_thread(vm);
    }
    let pid = vm.call(&process, hook, &[])?;
    let pid = vm.to_int(&pid)?;
    Ok(i32::try_from(pid).ok().filter(|pid| *pid != 0))
}
/// `Process._fork`: 0 in the child.
fn fork_hook(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(fork_running_thread(vm)?.unwrap_or(0).into()))
}
/// Forks; None in the child, which continues with the running thread only.
fn fork_running_thread(vm: &mut Vm) -> Res<Option<i32>> {
    // otherwise parent and child would both write buffered output
    crate::core::io::flush_all(vm)?;
    match vm.host.fork() {
        Ok(None) => {
            crate::core::thread::only_current(vm);
            crate::core::fiber::only_current(vm);
            crate::core::random::reseed(vm);
            Ok(None)
        }
        Ok(child) => Ok(child),
        Err(error) if error.errno == rchef_host::error::errno_number("ENOSYS").unwrap_or_default() => {
            let text = "fork() function is unimplemented on this machine";
            Err(vm.error_for(ClassId::NOT_IMPLEMENTED_ERROR, text, Some(crate::error::Reason::Simulated("fork"))))
        }
        Err(error) => Err(vm.errno(error.errno, Some("fork(2)"))),
    }
}
impl Vm {
    /// Ends a child after its block, like the end of a program.
    pub(crate) fn end_of_child(&mut self, result: Res<()>) -> crate::error::Error {
        let status = self.finish(result);
        self.host.clone().leave(status);
        crate::error::Unwind::Abandon.into()
    }
}

/// Goes on in a child only.
fn fork_and_leave(vm: &mut Vm) -> Res<()> {
    if fork_running_thread(vm)?.is_none() {
        return Ok(());
    }
    vm.host.clone().leave(0);
    Err(crate::error::Unwind::Abandon.into())
}
/// `daemon(nochdir = nil, noclose = nil)`: goes on in a child with a session of its own, in the root directory and without the standard streams.
fn daemon(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    fork_and_leave(vm)?;
    vm.host.new_session().map_err(|error| vm.errno(error.errno, Some("daemon")))?;
    // a process that does not lead its session never gets a terminal
    fork_and_leave(vm)?;
    if !args.get(0).is_some_and(Value::truthy) {
        vm.host.chdir(b"/").map_err(|error| vm.host_error(&error))?;
    }
    if !args.get(1).is_some_and(Value::truthy) {
        for (stream, mode) in [("STDIN", "r"), ("STDOUT", "w"), ("STDERR", "w")] {
            let stream = vm.call_name(&Value::Class(ClassId::OBJECT), "const_get", &[Value::sym(stream)])?;
            vm.call_name(&stream, "reopen", &[Value::str("/dev/null"), Value::str(mode)])?;
        }
    }
    Ok(Value::Int(0))
}
fn setsid(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    match vm.host.new_session() {
        Ok(session) => Ok(Value::Int(session.into())),
        Err(error) => Err(vm.errno(error.errno, None)),
    }
}
fn setpgid(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pid, group) = (vm.to_int(args.at(0))? as i32, vm.to_int(args.at(1))? as i32);
    vm.host.set_pgid(pid, group).map_err(|error| vm.errno(error.errno, None))?;
    Ok(Value::Int(0))
}
fn setpgrp(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    vm.host.set_pgid(0, 0).map_err(|error| vm.errno(error.errno, None))?;
    Ok(Value::Int(0))
}

/// Converts nanoseconds to the requested unit.
fn in_unit(vm: &mut Vm, ns: i128, unit: &Value) -> Res {
    let name = match unit {
        Value::Nil => "float_second",
        Value::Sym(name) => name.as_str(),
        other => {
            let shown = vm.to_s_text(other)?;
            return Err(vm.argument_error(format!("unexpected unit: {shown}")));
        }
    };
    Ok(match name {
        "float_second" => Value::float(ns as f64 / 1e9),
        "float_millisecond" => Value::float(ns as f64 / 1e6),
        "float_microsecond" => Value::float(ns as f64 / 1e3),
        "second" => Value::i128(ns.div_euclid(1_000_000_000)),
        "millisecond" => Value::i128(ns.div_euclid(1_000_000)),
        "microsecond" => Value::i128(ns.div_euclid(1000)),
        "nanosecond" => Value::i128(ns),
        other => return Err(vm.argument_error(format!("unexpected unit: {other}"))),
    })
}
/// Clocks named by Symbols, which MRI emulates.
fn emulated(vm: &mut Vm, clock: &Value) -> Option<i128> {
    const CPU: i32 = 2;
    let Value::Sym(name) = clock else { return None };
    Some(match name.as_str() {
        "GETTIMEOFDAY_BASED_CLOCK_REALTIME" => i128::from(vm.host.wall_ns() / 1000 * 1000),
        "TIME_BASED_CLOCK_REALTIME" => i128::from(vm.host.wall_ns() / 1_000_000_000 * 1_000_000_000),
        "TIMES_BASED_CLOCK_MONOTONIC" => i128::from(vm.host.monotonic_ns()),
        "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID"
        | "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID"
        | "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => i128::from(vm.host.clock_ns(CPU).unwrap_or(0)),
        _ => return None,
    })
}
fn clock_gettime(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let ns = match args.at(0) {
        Value::Sym(_) => match emulated(vm, args.at(0)) {
            Some(ns) => ns,
            None => return Err(vm.errno(22, None)),
        },
        clock => {
            let id = vm.to_int(clock)? as i32;
            i128::from(vm.host.clock_ns(id).map_err(|error| vm.errno(error.errno, Some("clock_gettime")))?)
        }
    };
    in_unit(vm, ns, args.at(1))
}
fn clock_getres(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let ns = match args.at(0) {
        Value::Sym(name) => match name.as_str() {
            "GETTIMEOFDAY_BASED_CLOCK_REALTIME"
            | "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID"
            | "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => 1000,
            "TIME_BASED_CLOCK_REALTIME" => 1_000_000_000,
            "TIMES_BASED_CLOCK_MONOTONIC" | "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID" => 10_000_000,
            _ => return Err(vm.errno(22, Some("clock_getres"))),
        },
        clock => {
            let id = vm.to_int(clock)? as i32;
            i128::from(vm.host.clock_resolution_ns(id).map_err(|error| vm.errno(error.errno, Some("clock_getres")))?)
        }
    };
    if matches!(args.at(1), Value::Sym(name) if name.as_str() == "hertz") {
        return Ok(Value::float(1e9 / ns as f64));
    }
    in_unit(vm, ns, args.at(1))
}
fn times(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let found = vm.host.cpu_times();
    let values =
        [found.user, found.system, found.children_user, found.children_system].map(|ns| Value::float(ns as f64 / 1e9));
    let tms = vm.class_named("Process::Tms").map(Value::Class).unwrap_or_default();
    vm.call(&tms, sym::NEW, &values)
}
fn dollar_pid(vm: &mut Vm, _: Symbol) -> Res {
    Ok(Value::Int(i64::from(vm.host.pid())))
}

static SINGLETON: &[MethodDef] = &[
    any("spawn", spawn::spawn),
    any("exec", spawn::exec),
    def("fork", fork, 0),
    def("_fork", fork_hook, 0),
    def("last_status", last, 0),
];
/// What a class that includes Process has too, privately.
static FUNCTIONS: &[MethodDef] = &[
    def("getrlimit", limits::getrlimit, 1),
    opt("setrlimit", limits::setrlimit, 2, 3),
    def("setsid", setsid, 0),
    def("setpgid", setpgid, 2),
    def("setpgrp", setpgrp, 0),
    opt("wait", wait, 0, 2),
    opt("waitpid", wait, 0, 2),
    opt("wait2", wait2, 0, 2),
    opt("waitpid2", wait2, 0, 2),
    def("waitall", waitall, 0),
    def("detach", detach, 1),
    at_least("kill", kill, 2),
    def("pid", pid, 0),
    def("ppid", ppid, 0),
    opt("daemon", daemon, 0, 2),
    def("getpgid", getpgid, 1),
    def("getpgrp", getpgrp, 0),
    def("setproctitle", setproctitle, 1),
    def("argv0", argv0, 0),
    opt("clock_gettime", clock_gettime, 1, 2),
    opt("clock_getres", clock_getres, 1, 2),
    def("times", times, 0),
];
fn last(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(last_status(vm))
}
static KERNEL: &[MethodDef] = &[
    any("spawn", spawn::spawn),
    any("system", spawn::system),
    any("exec", spawn::exec),
    def("`", spawn::backtick, 1),
    def("fork", fork, 0),
];
static WAITER: &[MethodDef] = &[def("pid", waiter_pid, 0)];

const CONSTANTS: &[(&str, i64)] = &[
    ("WNOHANG", WNOHANG),
    ("WUNTRACED", WUNTRACED),
    ("CLOCK_REALTIME", 0),
    ("CLOCK_MONOTONIC", 1),
    ("CLOCK_PROCESS_CPUTIME_ID", 2),
    ("CLOCK_THREAD_CPUTIME_ID", 3),
    ("CLOCK_MONOTONIC_RAW", 4),
    ("CLOCK_REALTIME_COARSE", 5),
    ("CLOCK_MONOTONIC_COARSE", 6),
    ("CLOCK_BOOTTIME", 7),
    ("CLOCK_REALTIME_ALARM", 8),
    ("CLOCK_BOOTTIME_ALARM", 9),
    ("CLOCK_TAI", 11),
    ("PRIO_PROCESS", 0),
    ("PRIO_PGRP", 1),
    ("PRIO_USER", 2),
];

pub(super) fn boot(vm: &mut Vm) {
    vm.define_singleton_methods(ClassId::PROCESS, SINGLETON);
    vm.define_module_functions(ClassId::PROCESS, FUNCTIONS);
    vm.define_module_functions(ClassId::PROCESS, identity::FUNCTIONS);
    vm.define_singleton_methods(ClassId::PROCESS, crate::core::kernel::exit::ENDING);
    vm.define_module_functions(ClassId::KERNEL, KERNEL);
    for (name, value) in CONSTANTS {
        vm.const_set(ClassId::PROCESS, Symbol::intern_static(name), Value::Int(*value));
    }
    for (name, table) in [("UID", identity::USER_ID), ("GID", identity::GROUP_ID), ("Sys", identity::SYS)] {
        let module = vm.define_module(ClassId::PROCESS, name);
        vm.define_module_functions(module, table);
    }
    let waiter = vm.define_class(ClassId::PROCESS, "Waiter", ClassId::THREAD);
    vm.define_methods(waiter, WAITER);
    vm.define_global("$$", dollar_pid, None);
    status::boot(vm);
    limits::boot(vm);
    times::boot(vm);
}
