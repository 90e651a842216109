//! `ohai`: reloads the node's automatic attributes.

use super::support::*;
use rchef_change::{Change, EngineStep};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Ohai;

/// What an `ohai` resource asks for.
pub(crate) struct Desired {
    /// The attribute whose plugins run; None: all plugins run.
    attribute: Option<String>,
}

impl Provider for Ohai {
    type Desired = Desired;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["reload"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        Ok(Desired { attribute: text_opt(vm, resource, "plugin")? })
    }

    fn load(_: &Desired, _: &dyn Host) -> Looked<()> {
        Ok(())
    }

    fn plan(desired: &Desired, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        Ok(vec![Change::Engine(EngineStep::Own {
            kind: "ohai",
            subject: desired.attribute.clone().unwrap_or_default(),
            text: "re-run ohai and merge results into node attributes".into(),
            is_outside: false,
        })])
    }

    fn carry_out(vm: &mut Vm, resource: &Value, step: &EngineStep) -> Res<()> {
        let EngineStep::Own { subject, .. } = step else { return Err(vm.not_implemented(step.kind())) };
        let attribute = Some(subject.as_str()).filter(|attribute| !attribute.is_empty());
        rchef_recipe::ohai::reload(vm, attribute)?;
        let shown = vm.to_s_text(resource)?;
        log(vm, "info", &format!("{shown} reloaded"))
    }
}
