//! `Chef::Runner`, with which cookbooks converge a run context of their own.

use super::runner;
use crate::names::N;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, at_least, def};

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.ivar_set(this, N.i_run_context, args.at(0).clone());
    Ok(Value::Nil)
}
fn run_context(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, N.i_run_context).unwrap_or_default())
}
/// Converges the context, then its delayed notifications.
fn converge(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let context = vm.ivar_get(this, N.i_run_context).unwrap_or_default();
    runner::converge_all(vm, &context).map(|()| Value::True)
}
fn run_action(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    vm.call(args.at(0), N.run_action, &[args.at(1).clone()])
}

static METHODS: &[MethodDef] = &[
    def("initialize", initialize, 1).private(),
    def("run_context", run_context, 0),
    def("converge", converge, 0),
    at_least("run_action", run_action, 2),
];

pub fn boot(vm: &mut Vm, chef: ClassId) {
    let runner = vm.define_class(chef, "Runner", ClassId::OBJECT);
    vm.define_methods(runner, METHODS);
}
