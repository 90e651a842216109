//! `ruby_block`, `whyrun_safe_ruby_block`, `notify_group`.

use super::support::*;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{Res, Symbol, Value, Vm, sym};

/// Provider of `ruby_block`.
pub(crate) struct RubyBlock;

fn call(vm: &mut Vm, resource: &Value) -> Res<()> {
    let block = get(vm, resource, "block")?;
    if block.is_nil() {
        return Ok(());
    }
    vm.call(&block, sym::CALL, &[])?;
    forget_answers(vm);
    Ok(())
}

impl Provider for RubyBlock {
    fn actions(&self) -> &'static [&'static str] {
        &["run", "create"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, _: Symbol) -> Res<Plan> {
        let name = text(vm, resource, "name")?;
        Ok(vec![step(format!("execute the ruby block {name}"), call)])
    }
}

/// Provider of `whyrun_safe_ruby_block`: its block runs in why-run too.
pub(crate) struct WhyrunSafe;

impl Provider for WhyrunSafe {
    fn actions(&self) -> &'static [&'static str] {
        &["run", "create"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, _: Symbol) -> Res<Plan> {
        call(vm, resource)?;
        let name = text(vm, resource, "name")?;
        Ok(vec![step(format!("execute the whyrun_safe_ruby_block {name}"), |_, _| Ok(()))])
    }
}

/// Provider of `notify_group`: always updated, so that its notifications go out.
pub(crate) struct NotifyGroup;

impl Provider for NotifyGroup {
    fn actions(&self) -> &'static [&'static str] {
        &["run"]
    }
    fn plan(&self, _: &mut Vm, _: &Value, _: Symbol) -> Res<Plan> {
        Ok(vec![steps(Vec::new(), |_, _| Ok(()))])
    }
}
