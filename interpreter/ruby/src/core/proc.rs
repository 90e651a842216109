//! Proc, Method, UnboundMethod, Binding.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::{Cref, Env};
use crate::heap::Gc;
use crate::method::{MethodBody, MethodDef, any, def};
use crate::value::{NativeData, Value};
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::Code;
use std::rc::Rc;
use std::sync::Arc;

/// A Binding: the innermost scope; an eval that makes variables puts a scope of them inside.
pub struct BindingData {
    /// Scope.
    pub env: Gc<Env>,
}
impl NativeData for BindingData {}

static PROC: &[MethodDef] = &[any("call", call), any("()", call), any("yield", call), any("===", call), any("[]", call), def("to_proc", to_proc, 0), def("lambda?", is_lambda, 0), def("arity", arity, 0)];

fn this_proc(vm: &mut Vm, this: &Value) -> Res<Gc<crate::frame::RProc>> {
    match this {
        Value::Proc(proc) => Ok(proc.clone()),
        _ => Err(vm.type_error("wrong argument type (expected Proc)")),
    }
}
fn call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    vm.call_proc(&proc, args)
}
fn to_proc(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
fn is_lambda(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    Ok(Value::bool(proc.get(vm).lambda))
}
fn arity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let proc = this_proc(vm, this)?;
    Ok(Value::Int(vm.proc_arity(&proc, false)))
}

/// What a Method or UnboundMethod runs, for define_method.
pub(crate) fn method_body(_vm: &mut Vm, _value: &Value) -> Option<MethodBody> {
    None
}

/// `enum_for` of a native iterator that was called without a block.
pub fn enumerator(vm: &mut Vm, this: &Value, method: Symbol, args: &[Value]) -> Res {
    let mut pos = vec![Value::Sym(method)];
    pos.extend_from_slice(args);
    vm.call(this, sym::TO_ENUM, &pos)
}

/// Runs evaluated code in a Binding; variables that it makes stay in the Binding.
pub(crate) fn eval_in_binding(vm: &mut Vm, code: &Arc<Code>, binding: &Value, env: &Gc<Env>, slf: &Value, cref: &Rc<Cref>) -> Res {
    let _ = binding;
    vm.run_in_env(code, env, slf, cref)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::PROC, PROC);
}
