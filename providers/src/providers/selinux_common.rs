//! `Chef::SELinux::CommonHelpers`: what the providers of SELinux's resources ask about its mode.

use super::selinux::known_state;
use super::support::*;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

/// The module, which providers include.
pub(crate) const MODULE: &str = "Chef::SELinux::CommonHelpers";

static METHODS: &[MethodDef] = &[
    def("selinux_disabled?", is_disabled, 0),
    def("selinux_enforcing?", is_enforcing, 0),
    def("selinux_permissive?", is_permissive, 0),
    def("state_change_reboot_required?", needs_reboot, 0),
    def("selinux_state", selinux_state, 0),
    def("selinux_activate_required?", needs_activation, 0),
];

/// Defines the module.
pub(crate) fn boot(vm: &mut Vm) {
    let chef = vm.class_named("Chef").unwrap_or(ClassId::OBJECT);
    let outer = vm.define_module(chef, "SELinux");
    let module = vm.define_module(outer, "CommonHelpers");
    vm.define_methods(module, METHODS);
}

/// The mode as the provider's `selinux_state` tells it.
fn mode(vm: &mut Vm, this: &Value) -> Res<String> {
    text(vm, this, "selinux_state")
}

fn is_disabled(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(mode(vm, this)? == "disabled"))
}
fn is_enforcing(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(mode(vm, this)? == "enforcing"))
}
fn is_permissive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(mode(vm, this)? == "permissive"))
}

/// Whether the provider's action turns SELinux on or off, which takes effect when the machine starts.
fn needs_reboot(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (mode, action) = (mode(vm, this)?, text(vm, this, "action")?);
    let turns_on = mode == "disabled" && matches!(action.as_str(), "enforcing" | "permissive");
    Ok(Value::bool(turns_on || (mode != "disabled" && action == "disabled")))
}

fn selinux_state(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let told = shell_out(vm, this, "shell_out!", &["getenforce"])?;
    match known_state(&told) {
        Ok(state) => Ok(Value::sym(&state)),
        Err(error) => Err(raised(vm, &error)),
    }
}

/// Whether the kernel is not yet started with SELinux, on Debian.
fn needs_activation(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if !vm.call_name(this, "platform_family?", &[Value::str("debian")])?.truthy() {
        return Ok(Value::False);
    }
    let file = constant(vm, "File")?;
    let options = vm.call_name(&file, "read", &[Value::str("/etc/default/grub")])?;
    Ok(Value::bool(!vm.to_s_text(&options)?.contains("security=selinux")))
}
