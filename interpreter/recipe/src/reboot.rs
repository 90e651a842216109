//! The reboot that a `reboot` resource requests, at the end of a run.

use crate::chef_class::log_line;
use crate::converge::converge_mut;
use crate::provider::contract::raised;
use crate::run::{chef_error, run_mut};
use rchef_change::{ChangeError, Command};
use rchef_ruby::{Res, Value, Vm, sym};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Minutes until the reboot.
    pub delay: String,
    pub reason: String,
    /// All fields, for the log.
    pub details: String,
    /// The run was ended early for the reboot.
    pub is_immediate: bool,
}

/// The reboot requested in this run; of several requests the last.
///
/// # Errors
/// Those of the run context.
pub fn requested(vm: &mut Vm) -> Res<Option<Request>> {
    let root = run_mut(vm).root.clone();
    if root.is_nil() || !vm.call_name(&root, "reboot_requested?", &[])?.truthy() {
        return Ok(None);
    }
    let info = vm.call_name(&root, "reboot_info", &[])?;
    let mut text = |key: &str| {
        let value = vm.call(&info, sym::AREF, &[Value::sym(key)])?;
        vm.to_s_text(&value)
    };
    let (delay, reason) = (text("delay_mins")?, text("reason")?);
    Ok(Some(Request { delay, reason, details: vm.inspect(&info)?, is_immediate: converge_mut(vm).ended_early }))
}

/// Reboots the machine. As in Chef, a reboot that has been started is returned as an error, so that it determines the run's exit status.
///
/// # Errors
/// `Chef::Exceptions::Reboot`, or `RebootFailed` if the command fails.
pub fn carry_out(vm: &mut Vm, request: &Request) -> Res<()> {
    let text = format!("Rebooting server at a recipe's request. Details: {}", request.details);
    log_line(vm, "warn", &text);
    let host = vm.host.clone();
    let command = Command::system(["shutdown", "-r", &format!("+{}", request.delay), "--", &request.reason]);
    Err(match command.run(&*host) {
        Ok(_) => chef_error(vm, "Reboot", text),
        Err(ChangeError::Command(failure)) => chef_error(vm, "RebootFailed", failure.to_string()),
        Err(error) => raised(vm, &error),
    })
}
