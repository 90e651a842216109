//! `lazy { }`: values that are computed when they are read (`Chef::DelayedEvaluator`, a subclass of Proc).

use crate::run::class;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def, sym};

/// `lazy { }`: a DelayedEvaluator.
pub fn lazy(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("lazy needs a block")) };
    let proc = vm.block_to_proc(block);
    let id = class(vm, |classes| classes.delayed_evaluator)?;
    vm.call_with_block(&Value::Class(id), sym::NEW, &[], &proc)
}

static EVALUATOR: &[MethodDef] = &[def("inspect", evaluator_inspect, 0)];

/// Inspects the result of the block.
fn evaluator_inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = vm.call(this, sym::CALL, &[])?;
    Ok(Value::str(format!("lazy {{ (evaluates to) {} }}", vm.inspect(&found)?)))
}

/// Registers the methods of `Chef::DelayedEvaluator`.
pub fn boot(vm: &mut Vm, evaluator: ClassId) {
    vm.define_methods(evaluator, EVALUATOR);
}
