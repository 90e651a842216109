//! `ruby_block`, `whyrun_safe_ruby_block`, `notify_group`.

use super::support::*;
use rchef_change::command::forget_answers;
use rchef_change::{Change, EngineStep};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm, sym};

pub(crate) struct RubyBlock;

/// Its block runs in a why-run, too.
pub(crate) struct WhyrunSafe;

/// Always updated, so that its notifications are sent.
pub(crate) struct NotifyGroup;

fn call(vm: &mut Vm, resource: &Value) -> Res<()> {
    let block = get(vm, resource, "block")?;
    if block.is_nil() {
        return Ok(());
    }
    vm.call(&block, sym::CALL, &[])?;
    let host = vm.host.clone();
    forget_answers(&*host);
    Ok(())
}

/// Implements `Provider` for a resource whose action is one step of the engine.
macro_rules! block {
    ($provider:ident, $safe:literal) => {
        impl Provider for $provider {
            type Desired = EngineStep;
            type Current = ();
            const ACTIONS: &'static [&'static str] = &["run", "create"];

            fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<EngineStep> {
                Ok(EngineStep::RubyBlock { name: text(vm, resource, "name")?, safe: $safe })
            }
            fn load(_: &EngineStep, _: &dyn Host) -> Looked<()> {
                Ok(())
            }
            fn plan(desired: &EngineStep, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
                Ok(vec![Change::Engine(desired.clone())])
            }
            fn carry_out(vm: &mut Vm, resource: &Value, _: &EngineStep) -> Res<()> {
                call(vm, resource)
            }
        }
    };
}
block!(RubyBlock, false);
block!(WhyrunSafe, true);

impl Provider for NotifyGroup {
    type Desired = ();
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["run"];

    fn read(_: &mut Vm, _: &Value, _: &'static str) -> Res<()> {
        Ok(())
    }
    fn load((): &(), _: &dyn Host) -> Looked<()> {
        Ok(())
    }
    fn plan((): &(), (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        Ok(vec![Change::Engine(EngineStep::Notify)])
    }
    fn carry_out(_: &mut Vm, _: &Value, _: &EngineStep) -> Res<()> {
        Ok(())
    }
}
