//! `log`: writes when the action runs, in why-run too; it never changes anything.

use super::support::*;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `log`.
pub(crate) struct Log;

impl Provider for Log {
    fn actions(&self) -> &'static [&'static str] {
        &["write"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, _: Symbol) -> Res<Plan> {
        let (level, message) = (text(vm, resource, "level")?, text(vm, resource, "message")?);
        log(vm, &level, &message)?;
        let counts = crate::coerce::config(vm, "count_log_resource_updates")?.truthy();
        Ok(if counts { vec![steps(Vec::new(), |_, _| Ok(()))] } else { Vec::new() })
    }
}
