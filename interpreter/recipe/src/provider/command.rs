//! Commands of guards and resources as data, with Chef's options and interpreters.

use super::failure::raised;
use crate::names::N;
use crate::resource::def::GuardCommand;
use crate::resource::{class as resource_class, registry};
use crate::run::class;
use rchef_change::Account;
use rchef_change::command::{Command, duration};
use rchef_host::Program;
use rchef_ruby::{ClassId, Error, Res, Symbol, Unwind, Value, Vm, sym};

/// An option of a guard, or else the property of the resource that it inherits from.
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

fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_s(value)?.get(vm).bytes().to_vec())
}

/// A command with the options `cwd`, `environment`, `timeout`, `user` and `group` of a guard. Except for the timeout, the resource's properties are
/// the defaults.
///
/// # Errors
/// What the conversion of an option raises.
pub fn read(vm: &mut Vm, command: &Value, options: &Value, inherit: Option<&Value>) -> Res<Command> {
    let mut made = match command {
        Value::Array(list) => {
            let mut argv = Vec::new();
            for item in list.get(vm).items.clone() {
                argv.push(bytes(vm, &item)?);
            }
            Command::argv(argv)
        }
        text => Command::line(bytes(vm, text)?),
    };
    made.until_exit = false;
    let cwd = option(vm, options, inherit, "cwd")?;
    if !cwd.is_nil() {
        made.cwd = Some(bytes(vm, &cwd)?);
    }
    for name in ["environment", "env"] {
        if let Value::Hash(hash) = option(vm, options, inherit.filter(|_| name == "environment"), name)? {
            let pairs: Vec<(Value, Value)> =
                hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            for (key, value) in pairs {
                let key = bytes(vm, &key)?;
                let value = if value.is_nil() { None } else { Some(bytes(vm, &value)?) };
                made.env.insert(key, value);
            }
        }
    }
    let timeout = option(vm, options, None, "timeout")?;
    if !timeout.is_nil() {
        made.timeout = Some(duration(vm.to_f64(&timeout)?));
    }
    let user = option(vm, options, inherit, "user")?;
    if !user.is_nil() {
        made.user = Some(Account::of_text(&vm.to_s_text(&user)?));
    }
    let group = option(vm, options, inherit, "group")?;
    if !group.is_nil() {
        made.group = Some(Account::of_text(&vm.to_s_text(&group)?));
    }
    Ok(made)
}

/// How a resource type runs the commands of guards; None for a custom resource, which is created and run like any other.
fn guard_command(vm: &mut Vm, name: Symbol) -> Res<Option<GuardCommand>> {
    let Some(class) = registry::resolve(vm, name)? else {
        return Err(vm.argument_error(format!("Specified guard_interpreter resource {name} unknown for this platform")));
    };
    if !resource_class::is_shipped(vm, class) {
        return Ok(None);
    }
    let ancestors = resource_class::lineage(vm, class);
    let shipped = ancestors.into_iter().filter_map(|id| resource_class::shipped(vm, id));
    let mut stated = shipped.map(|def| def.guard_command).filter(|stated| *stated != GuardCommand::Inherited);
    match stated.next() {
        Some(stated) => Ok(Some(stated)),
        None => {
            let shown = vm.class_name(class);
            Err(vm.argument_error(format!(
                "Specified guard interpreter class {shown} must be a kind of Chef::Resource::Execute resource"
            )))
        }
    }
}

/// Whether a resource of the guard interpreter's type runs the command successfully (`Chef::GuardInterpreter::ResourceGuardInterpreter`).
fn by_resource(vm: &mut Vm, resource: &Value, command: &Value, options: &Value) -> Res<bool> {
    let chef = class(vm, |classes| classes.chef)?;
    let outer = vm.const_get_from(chef, Symbol::intern_static("GuardInterpreter"), false)?.unwrap_or_default();
    let Value::Class(outer) = outer else { return Err(vm.runtime_error("Chef::GuardInterpreter is not there")) };
    let kind = vm.const_get_from(outer, Symbol::intern_static("ResourceGuardInterpreter"), false)?.unwrap_or_default();
    let made = vm.call(&kind, sym::NEW, &[resource.clone(), command.clone(), options.clone()])?;
    Ok(vm.call_name(&made, "evaluate", &[])?.truthy())
}

/// Whether a guard's command succeeds.
///
/// # Errors
/// The interpreter, user or group does not exist, or the command cannot be started.
pub fn guard_succeeds(
    vm: &mut Vm,
    resource: &Value,
    interpreter: &Value,
    command: &Value,
    options: &Value,
) -> Res<bool> {
    let name = vm.to_name(interpreter)?;
    let stated = if name == N.default { Some(GuardCommand::Line) } else { guard_command(vm, name)? };
    let Some(stated) = stated else { return by_resource(vm, resource, command, options) };
    let inherit = (name != N.default).then_some(resource);
    let mut made = read(vm, command, options, inherit)?;
    if let GuardCommand::Program { program, option } = stated {
        let text = bytes(vm, command)?;
        made.program = Program::Argv(vec![program.into(), option.into(), text]);
    }
    made.hidden = vm.call(resource, N.sensitive, &[])?.truthy();
    let host = vm.host.clone();
    let output = match made.query(&*host) {
        Ok(output) => output,
        Err(error) => {
            let error = raised(vm, &error);
            return Err(if name == N.default { error } else { of_guard_resource(vm, name, error)? });
        }
    };
    vm.serve_interrupts()?;
    if output.timed_out {
        crate::chef_class::say(vm, "warn", &format!("Command '{}' timed out", made.shown()))?;
        return Ok(false);
    }
    Ok(output.status.success())
}

/// The error of a guard's command that a resource runs in Chef: the message begins with that resource.
fn of_guard_resource(vm: &mut Vm, interpreter: Symbol, error: Error) -> Res<Error> {
    let Some(exception) = vm.exception_of(&error, ClassId::STANDARD_ERROR) else { return Ok(error) };
    let (class, message) = (vm.class_name_of(&exception), vm.call(&exception, sym::MESSAGE, &[])?);
    let message = vm.to_s_text(&message)?;
    let text = format!("{interpreter}[Guard resource] (dynamically defined) had an error: {class}: {message}");
    let backtrace = vm.call(&exception, sym::BACKTRACE, &[])?;
    let made = vm.call(&exception, sym::EXCEPTION, &[Value::str(text)])?;
    vm.call(&made, sym::SET_BACKTRACE, &[backtrace])?;
    Ok(Unwind::Raise(made).into())
}
