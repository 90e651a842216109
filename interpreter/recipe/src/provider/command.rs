//! Commands that guards run: through the host, under the options and interpreters that Chef gives them.

use crate::names::N;
use rchef_host::CommandSpec;
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::time::Duration;

/// Text of an option of a guard, or of the resource it inherits from.
fn option(vm: &mut Vm, options: &Value, resource: Option<&Value>, name: &str) -> Res {
    let key = Symbol::intern(name);
    if let Value::Hash(hash) = options
        && let Some(value) = vm.hash_get_sym(hash, key)
    {
        return Ok(value);
    }
    match resource {
        Some(resource) if vm.respond_to(resource, key, false)? => vm.call(resource, key, &[]),
        _ => Ok(Value::Nil),
    }
}

/// The command of a guard as the host runs it.
pub fn spec(vm: &mut Vm, command: &Value, options: &Value, inherit: Option<&Value>) -> Res<CommandSpec> {
    let mut spec = match command {
        Value::Array(list) => {
            let mut argv = Vec::new();
            for item in list.get(vm).items.clone() {
                argv.push(vm.to_s(&item)?.get(vm).bytes().to_vec());
            }
            CommandSpec::argv(argv)
        }
        text => CommandSpec::shell(vm.to_s(text)?.get(vm).bytes()),
    };
    let cwd = option(vm, options, inherit, "cwd")?;
    if !cwd.is_nil() {
        spec.cwd = Some(vm.to_s(&cwd)?.get(vm).bytes().to_vec());
    }
    for name in ["environment", "env"] {
        if let Value::Hash(hash) = option(vm, options, inherit.filter(|_| name == "environment"), name)? {
            let pairs: Vec<(Value, Value)> =
                hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            for (key, value) in pairs {
                let key = vm.to_s(&key)?.get(vm).bytes().to_vec();
                let value = if value.is_nil() { None } else { Some(vm.to_s(&value)?.get(vm).bytes().to_vec()) };
                spec.env.insert(key, value);
            }
        }
    }
    let timeout = option(vm, options, None, "timeout")?;
    if !timeout.is_nil() {
        spec.timeout = Some(Duration::from_secs_f64(vm.to_f64(&timeout)?.max(0.0)));
    }
    let user = option(vm, options, inherit, "user")?;
    if !user.is_nil() {
        spec.uid = Some(user_id(vm, &user)?);
    }
    let group = option(vm, options, inherit, "group")?;
    if !group.is_nil() {
        spec.gid = Some(group_id(vm, &group)?);
    }
    Ok(spec.captured())
}

/// A user's number by name or number.
pub fn user_id(vm: &mut Vm, user: &Value) -> Res<u32> {
    let text = vm.to_s_text(user)?;
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let host = vm.host.clone();
    match host.user_by_name(text.as_bytes()) {
        Ok(Some(found)) => Ok(found.uid),
        _ => Err(vm.argument_error(format!("can't find user for {text}"))),
    }
}
/// A group's number by name or number.
pub fn group_id(vm: &mut Vm, group: &Value) -> Res<u32> {
    let text = vm.to_s_text(group)?;
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let host = vm.host.clone();
    match host.group_by_name(text.as_bytes()) {
        Ok(Some(found)) => Ok(found.gid),
        _ => Err(vm.argument_error(format!("can't find group for {text}"))),
    }
}

/// Whether a guard's command succeeds.
pub fn guard_succeeds(
    vm: &mut Vm,
    resource: &Value,
    interpreter: &Value,
    command: &Value,
    options: &Value,
) -> Res<bool> {
    let name = vm.to_name(interpreter)?;
    let host = vm.host.clone();
    let mut spec =
        if name == N.default { spec(vm, command, options, None)? } else { spec(vm, command, options, Some(resource))? };
    let shells = ["bash", "sh", "ksh", "csh", "zsh", "perl", "python", "ruby"];
    if shells.contains(&name.as_str()) {
        let text = vm.to_s(command)?.get(vm).bytes().to_vec();
        let flag: &[u8] = if matches!(name.as_str(), "perl" | "ruby") { b"-e" } else { b"-c" };
        spec.program = CommandSpec::argv([name.as_bytes().to_vec(), flag.to_vec(), text]).program;
    } else if name != N.default && name.as_str() != "execute" {
        return Err(vm.argument_error(format!(
            "Specified guard interpreter class {name} must be a kind of Chef::Resource::Execute resource"
        )));
    }
    let output = rchef_host::processes::run(&*host, &spec).map_err(|error| vm.host_error(&error))?;
    Ok(output.status.success())
}
