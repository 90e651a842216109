//! Process::Status and `$?`.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::{NativeData, Value};
use rchef_host::ExitStatus;

#[derive(Clone, Copy)]
pub struct StatusData(pub ExitStatus);
impl NativeData for StatusData {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(*self))
    }
}

#[derive(Default)]
struct Last(Value);

/// Creates a Process::Status.
pub fn object(status: ExitStatus) -> Value {
    let made = Value::data(ClassId::PROCESS_STATUS, StatusData(status));
    made.set_flag(crate::heap::FROZEN, true);
    made
}
/// Sets `$?`.
pub fn set_last_status(vm: &mut Vm, status: ExitStatus) {
    vm.extension::<Last>().0 = object(status);
}
/// `$?`, or nil.
pub fn last_status(vm: &mut Vm) -> Value {
    vm.extension::<Last>().0.clone()
}
fn status(vm: &mut Vm, this: &Value) -> ExitStatus {
    vm.data::<StatusData>(this).map(|data| data.0).unwrap_or_default()
}
fn pid(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(status(vm, this).pid)))
}
fn exitstatus(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(status(vm, this).code().map_or(Value::Nil, |code| Value::Int(i64::from(code))))
}
fn success(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(status(vm, this).code().map_or(Value::Nil, |code| Value::bool(code == 0)))
}
fn exited(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(status(vm, this).code().is_some()))
}
fn signaled(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(status(vm, this).signal().is_some()))
}
fn termsig(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(status(vm, this).signal().map_or(Value::Nil, |signal| Value::Int(i64::from(signal))))
}
fn is_stopped(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(status(vm, this).is_stopped()))
}
fn stopsig(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let status = status(vm, this);
    Ok(if status.is_stopped() { Value::Int(i64::from(status.raw >> 8 & 0xff)) } else { Value::Nil })
}
fn coredump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(status(vm, this).core_dumped()))
}
fn to_i(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(i64::from(status(vm, this).raw)))
}
fn described(status: ExitStatus) -> String {
    let mut text = format!("pid {}", status.pid);
    let signal = |number: i32| match rchef_host::error::signal_name(number) {
        Some(name) => format!("SIG{name} (signal {number})"),
        None => format!("signal {number}"),
    };
    if status.is_stopped() {
        text.push_str(&format!(" stopped {}", signal(status.raw >> 8 & 0xff)));
    }
    if let Some(number) = status.signal() {
        text.push_str(&format!(" {}", signal(number)));
    }
    if let Some(code) = status.code() {
        text.push_str(&format!(" exit {code}"));
    }
    if status.core_dumped() {
        text.push_str(" (core dumped)");
    }
    text
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(described(status(vm, this))))
}
/// `Process::Status.wait`: the status of a child, without setting `$?`; that of pid -1 where there is none to wait for.
fn wait(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let nobody = ExitStatus { pid: -1, raw: 0 };
    let found = vm.rescue(ClassId::SYSTEM_CALL_ERROR, |vm| super::wait_by_args(vm, args), |_, _| Ok(Some(nobody)))?;
    Ok(found.map_or(Value::Nil, object))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if vm.data::<StatusData>(this).is_none() {
        return Ok(Value::str("#<Process::Status: uninitialized>"));
    }
    Ok(Value::str(format!("#<Process::Status: {}>", described(status(vm, this)))))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let raw = Value::Int(i64::from(status(vm, this).raw));
    if let Some(other) = vm.data::<StatusData>(args.at(0)) {
        return Ok(Value::bool(raw.same(&Value::Int(i64::from(other.0.raw)))));
    }
    let other = args.at(0).clone();
    Ok(Value::bool(vm.eq(&raw, &other)?))
}
fn and(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mask = vm.to_int(args.at(0))?;
    Ok(Value::Int(i64::from(status(vm, this).raw) & mask))
}
fn shift(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let by = vm.to_int(args.at(0))?;
    let raw = i64::from(status(vm, this).raw);
    Ok(Value::Int(if by < 0 { raw << (-by).min(32) } else { raw >> by.min(62) }))
}
fn dollar_question(vm: &mut Vm, _: Symbol) -> Res {
    Ok(last_status(vm))
}

static SINGLETON: &[MethodDef] = &[opt("wait", wait, 0, 2)];
static METHODS: &[MethodDef] = &[
    def("pid", pid, 0),
    def("exitstatus", exitstatus, 0),
    def("success?", success, 0),
    def("exited?", exited, 0),
    def("signaled?", signaled, 0),
    def("termsig", termsig, 0),
    def("stopped?", is_stopped, 0),
    def("stopsig", stopsig, 0),
    def("coredump?", coredump, 0),
    def("to_i", to_i, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("==", equal, 1),
    def("&", and, 1),
    def(">>", shift, 1),
];

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::PROCESS_STATUS, METHODS);
    vm.define_singleton_methods(ClassId::PROCESS_STATUS, SINGLETON);
    // only created for children
    let meta = vm.meta(ClassId::PROCESS_STATUS);
    vm.undefine(meta, rchef_syntax::symbol::sym::NEW);
    vm.define_global("$?", dollar_question, None);
}
