//! `log`: writes a log message when its action runs, also in a why-run.

use super::support::*;
use rchef_change::{Change, EngineStep};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Log;

impl Provider for Log {
    type Desired = EngineStep;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["write"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<EngineStep> {
        Ok(EngineStep::Log {
            level: text(vm, resource, "level")?,
            message: text(vm, resource, "message")?,
            counts: crate::coerce::config(vm, "count_log_resource_updates")?.truthy(),
        })
    }
    fn load(_: &EngineStep, _: &dyn Host) -> Looked<()> {
        Ok(())
    }
    fn plan(desired: &EngineStep, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        Ok(vec![Change::Engine(desired.clone())])
    }
    fn carry_out(vm: &mut Vm, _: &Value, step: &EngineStep) -> Res<()> {
        match step {
            EngineStep::Log { level, message, .. } => log(vm, level, message),
            _ => Ok(()),
        }
    }
}
