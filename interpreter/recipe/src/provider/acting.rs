//! The resource methods that use providers: `run_action`, `provider`, `provider_for_action`, `current_value`.

use super::{runner, state};
use crate::names::N;
use crate::resource::instance::context_of;
use crate::resource::{registry, state as of};
use crate::run::chef_error;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def, opt, sym};

static METHODS: &[MethodDef] = &[
    opt("run_action", run_action, 1, 3),
    opt("provider", provider, 0, 1),
    def("provider=", provider, 1),
    def("provider_for_action", provider_for_action, 1),
    def("current_value", current_value, 0),
    def("custom_exception_message", custom_exception_message, 1),
];

fn run_action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        let shown = vm.to_s_text(this)?;
        return Err(vm.argument_error(format!("nil is not a valid action for resource {shown}")));
    }
    let action = vm.to_name(args.at(0))?;
    runner::run_action(vm, this, action, None)?;
    Ok(Value::Nil)
}

fn provider(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let value = match args.at(0) {
        Value::Nil => return Ok(of::read(vm, this, of::Slot::Provider)),
        name @ (Value::Str(_) | Value::Sym(_)) => {
            let name = vm.to_name(name)?;
            let id = registry::class_for(vm, name)?;
            let context = context_of(vm, this)?;
            let probe = vm.call(&Value::Class(id), sym::NEW, &[Value::str("name"), context])?;
            let provider = super::for_action(vm, &probe, N.nothing)?;
            Value::Class(vm.real_class_of(&provider))
        }
        class @ Value::Class(_) => class.clone(),
        other => {
            let shown = vm.inspect(other)?;
            return Err(chef_error(
                vm,
                "ValidationFailed",
                format!("Option provider must be a kind of [Class]!  You passed {shown}."),
            ));
        }
    };
    of::write(vm, this, of::Slot::Provider, value.clone());
    Ok(value)
}
fn provider_for_action(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let action = vm.to_name(args.at(0))?;
    super::for_action(vm, this, action)
}
fn current_value(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let action = match of::read(vm, this, of::Slot::Action) {
        Value::Array(list) => list.get(vm).items.first().cloned().unwrap_or(Value::Sym(N.nothing)),
        other => other,
    };
    let action = vm.to_name(&action)?;
    let provider = super::for_action(vm, this, action)?;
    vm.call(&provider, N.load_current_resource, &[])?;
    Ok(state::read(vm, &provider, state::Slot::CurrentResource))
}

fn custom_exception_message(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::str(runner::wrapped_message(vm, this, args.at(0))?))
}

/// Registers the methods in `Chef::Resource`.
pub fn boot(vm: &mut Vm, resource: ClassId) {
    vm.define_methods(resource, METHODS);
}
