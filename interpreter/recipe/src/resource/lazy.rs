//! `lazy { }`: values that are computed when they are read (`Chef::DelayedEvaluator`).

use crate::run::class;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, sym};

/// `lazy { }`: a DelayedEvaluator.
pub fn lazy(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("lazy needs a block")) };
    let proc = vm.block_to_proc(block);
    let id = class(vm, |classes| classes.delayed_evaluator)?;
    let made = Value::object(id);
    vm.ivar_set(&made, Symbol::intern_static("@proc"), Value::Proc(proc));
    Ok(made)
}

static EVALUATOR: &[MethodDef] = &[
    def("initialize", evaluator_initialize, 0).private(),
    any("call", evaluator_call),
    def("inspect", evaluator_inspect, 0),
    def("to_s", evaluator_inspect, 0),
];

fn evaluator_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("tried to create Proc object without a block")) };
    let proc = vm.block_to_proc(block);
    vm.ivar_set(this, Symbol::intern_static("@proc"), Value::Proc(proc));
    Ok(Value::Nil)
}

/// What it comes to, not the block.
fn evaluator_inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = vm.call(this, sym::CALL, &[])?;
    Ok(Value::str(format!("lazy {{ (evaluates to) {} }}", vm.inspect(&found)?)))
}
fn evaluator_call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let proc = vm.ivar_get(this, Symbol::intern_static("@proc")).unwrap_or_default();
    vm.call_args(&proc, sym::CALL, args)
}

/// Registers the methods of `Chef::DelayedEvaluator`.
pub fn boot(vm: &mut Vm, evaluator: ClassId) {
    vm.define_methods(evaluator, EVALUATOR);
}
