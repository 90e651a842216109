//! `set_trace_func` and Thread's methods of that name: functions that are called for most events.

use super::event::{C_CALL, C_RETURN, CALL, CLASS, END, LINE, RAISE, RETURN};
use super::events::{Happening, Tracing, old_name};
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, ClassKind};
use crate::error::Res;
use crate::method::{MethodDef, def};
use crate::value::Value;
use rchef_syntax::symbol::sym;

pub(super) const EVENTS: u16 = LINE | CLASS | END | CALL | RETURN | C_CALL | C_RETURN | RAISE;

pub(super) static FUNCTIONS: &[MethodDef] = &[def("set_trace_func", set_for_all, 1)];
pub(super) static OF_THREADS: &[MethodDef] =
    &[def("set_trace_func", set_for_thread, 1), def("add_trace_func", add_for_thread, 1)];

fn set_for_all(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    put(vm, Value::Nil, args.at(0), true)
}
fn set_for_thread(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    put(vm, this.clone(), args.at(0), true)
}
fn add_for_thread(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    put(vm, this.clone(), args.at(0), false)
}
fn put(vm: &mut Vm, thread: Value, function: &Value, alone: bool) -> Res {
    if !matches!(function, Value::Nil | Value::Proc(_)) {
        return Err(vm.type_error("trace_func needs to be Proc"));
    }
    let functions = &mut vm.extension::<Tracing>().functions;
    if alone {
        functions.retain(|(of, _)| !of.same(&thread));
    }
    if !function.is_nil() {
        functions.push((thread, function.clone()));
    }
    super::renew(vm);
    Ok(function.clone())
}

/// Calls the functions for an event.
pub(super) fn call(vm: &mut Vm, functions: &[(Value, Value)], happening: &Happening) -> Res<()> {
    if functions.is_empty() || happening.event & EVENTS == 0 {
        return Ok(());
    }
    let running = crate::core::thread::current(vm);
    let (file, line) = match &happening.place {
        Some((path, line)) => (Value::str(path), Value::Int((*line).into())),
        None => (Value::Nil, Value::Int(0)),
    };
    let binding = super::binding_of(vm, happening);
    let (name, class) = match happening.method.map(|id| vm.method(id)) {
        // for a method of a class, the class itself is given, not its singleton class
        Some(method) => match vm.class(method.owner).kind {
            ClassKind::Meta(of) => (Value::Sym(method.name), Value::Class(of)),
            _ => (Value::Sym(method.name), Value::Class(vm.module_behind(method.owner))),
        },
        None => (Value::Nil, Value::Nil),
    };
    let event = Value::str(old_name(happening.event).as_str());
    let args = [event, file, line, name, binding, class];
    for (thread, function) in functions {
        if thread.is_nil() || thread.same(&running) {
            vm.call(function, sym::CALL, &args)?;
        }
    }
    Ok(())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
    vm.define_methods(ClassId::THREAD, OF_THREADS);
}
