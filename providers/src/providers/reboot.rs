//! `reboot`: requests a reboot at the end of the run, or ends the run at once for one.

use super::support::*;
use rchef_change::{Change, EngineStep};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Reboot;

/// What a `reboot` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
}

/// The Hash for `reboot_info`.
fn request(vm: &mut Vm, resource: &Value, context: &Value) -> Res<()> {
    let time = vm.class_named("Time").map(Value::Class).unwrap_or_default();
    let mut info = Vec::new();
    for (key, value) in [
        ("delay_mins", get(vm, resource, "delay_mins")?),
        ("reason", get(vm, resource, "reason")?),
        ("timestamp", vm.call_name(&time, "now", &[])?),
        ("requested_by", get(vm, resource, "name")?),
    ] {
        info.push((Value::sym(key), value));
    }
    let info = vm.new_hash(info)?;
    vm.call_name(context, "request_reboot", &[info]).map(drop)
}

impl Provider for Reboot {
    type Desired = Desired;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["request_reboot", "reboot_now", "cancel"];

    fn read(_: &mut Vm, _: &Value, action: &'static str) -> Res<Desired> {
        Ok(Desired { action })
    }

    fn load(_: &Desired, _: &dyn Host) -> Looked<()> {
        Ok(())
    }

    fn plan(desired: &Desired, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        let text = match desired.action {
            "reboot_now" => "rebooting the system immediately",
            "cancel" => "cancel any existing end-of-run reboot request",
            _ => "request a system reboot to occur if the run succeeds",
        };
        let (subject, text) = (desired.action.to_string(), text.to_string());
        Ok(vec![Change::Engine(EngineStep::Own { kind: "reboot", subject, text, is_outside: true })])
    }

    fn carry_out(vm: &mut Vm, resource: &Value, step: &EngineStep) -> Res<()> {
        let EngineStep::Own { subject, .. } = step else { return Err(vm.not_implemented(step.kind())) };
        let name = text(vm, resource, "name")?;
        let node = get(vm, resource, "node")?;
        let context = vm.call_name(&node, "run_context", &[])?;
        match subject.as_str() {
            "cancel" => {
                log(vm, "warn", &format!("Reboot canceled: '{name}'"))?;
                vm.call_name(&context, "cancel_reboot", &[]).map(drop)
            }
            "reboot_now" => {
                log(vm, "warn", &format!("Rebooting system immediately, requested by '{name}'"))?;
                request(vm, resource, &context)?;
                vm.call_name(&Value::Nil, "throw", &[Value::sym("end_client_run_early")]).map(drop)
            }
            _ => {
                log(vm, "warn", &format!("Reboot requested:'{name}'"))?;
                request(vm, resource, &context)
            }
        }
    }
}
