//! The reboot that a `reboot` resource asks for, at the end of a run.

use crate::chef_class::log_line;
use crate::provider::contract::raised;
use crate::run::{chef_error, run_mut};
use rchef_change::{ChangeError, Command};
use rchef_ruby::{Res, Value, Vm, sym};

/// Reboots the machine if a resource has asked for it. A reboot that is under way is an error, as in Chef, so that the run's
/// exit status tells of it.
///
/// # Errors
/// `Chef::Exceptions::Reboot`, or `RebootFailed` where the machine refuses.
pub fn if_requested(vm: &mut Vm) -> Res<()> {
    let root = run_mut(vm).root.clone();
    if root.is_nil() || !vm.call_name(&root, "reboot_requested?", &[])?.truthy() {
        return Ok(());
    }
    let info = vm.call_name(&root, "reboot_info", &[])?;
    let mut texts = Vec::new();
    for key in ["delay_mins", "reason"] {
        let value = vm.call(&info, sym::AREF, &[Value::sym(key)])?;
        texts.push(vm.to_s_text(&value)?);
    }
    let text = format!("Rebooting server at a recipe's request. Details: {}", vm.inspect(&info)?);
    log_line(vm, "warn", &text);
    let host = vm.host.clone();
    let command = Command::system(["shutdown", "-r", &format!("+{}", texts[0]), "--", &texts[1]]);
    Err(match command.run(&*host) {
        Ok(_) => chef_error(vm, "Reboot", text),
        Err(ChangeError::Command(failure)) => chef_error(vm, "RebootFailed", failure.to_string()),
        Err(error) => raised(vm, &error),
    })
}
