use super::chef_install;
use super::support::*;
use rchef_change::command::{Identity, duration};
use rchef_change::{Assertion, Change, Command, RunCommand};
use rchef_host::{Host, compose, files};
use rchef_recipe::provider::command;
use rchef_recipe::run::chef_error;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Execute;

/// What an `execute` resource asks for.
pub(crate) struct Desired {
    run: RunCommand,
    /// The path that exists once the command has run.
    creates: Option<Vec<u8>>,
    /// The resource's name in messages, and what of Chef's client the command would install.
    refused: Option<(String, String)>,
}

/// Whether the path of `creates` exists.
pub(crate) struct Current {
    done: bool,
}

/// Reads the properties; `shown` is the command as shown in the output.
pub(crate) fn read(
    vm: &mut Vm,
    resource: &Value,
    words: &Value,
    shown: String,
    input: Option<Vec<u8>>,
) -> Res<Desired> {
    let mut command = command::read(vm, words, &Value::Nil, Some(resource))?;
    let creates = match text_opt(vm, resource, "creates")? {
        Some(creates) => Some(sentinel(vm, resource, creates.into_bytes(), &command)?),
        None => None,
    };
    command.input = input;
    command.until_exit = true;
    command.timeout = seconds(vm, resource, "timeout")?.map(duration);
    let umask = get(vm, resource, "umask")?;
    command.umask = match &umask {
        Value::Nil | Value::False => None,
        Value::Int(number) => Some(*number as u32),
        other => u32::from_str_radix(&vm.to_s_text(other)?, 8).ok(),
    };
    command.identity = if flag(vm, resource, "login")? { Identity::Login } else { Identity::Groups };
    command.default_env = flag(vm, resource, "default_env")?;
    command.hidden = flag(vm, resource, "sensitive")?;
    let returns = get(vm, resource, "returns")?;
    command.returns.clear();
    for code in vm.to_array(&returns)? {
        let code = vm.to_int(&code)?;
        command.returns.push(code);
    }
    let live_stream = flag(vm, resource, "live_stream")?
        || crate::coerce::config(vm, "stream_execute_output")?.truthy()
        || rchef_recipe::log::wants(vm, rchef_recipe::log::Level::Info);
    let met_by = if rchef_recipe::provider::simulation::is_plan(vm) {
        rchef_recipe::resource::guard::commands_met(vm, resource)
    } else {
        Vec::new()
    };
    let mut refused = None;
    if let Some(what) = chef_install::installed_by(&command)
        && !crate::coerce::config(vm, "allow_chef_install")?.truthy()
    {
        refused = Some((vm.to_s_text(resource)?, what));
    }
    let run = RunCommand { command, shown, live_stream, creates: creates.clone(), met_by };
    Ok(Desired { run, creates, refused })
}

/// The full path of `creates`.
fn sentinel(vm: &mut Vm, resource: &Value, creates: Vec<u8>, command: &Command) -> Res<Vec<u8>> {
    if creates.starts_with(b"/") {
        return Ok(creates);
    }
    if let Some(cwd) = &command.cwd {
        return Ok(files::join(cwd, &creates));
    }
    let name = vm.to_s_text(resource)?;
    let text = format!(
        "Please either specify a full path for the creates property, or specify a cwd property to the {name} resource"
    );
    Err(chef_error(vm, "Execute", text))
}

/// Looks for the path of `creates`.
pub(crate) fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
    Ok(Current { done: desired.creates.as_ref().is_some_and(|path| compose::exists(host, path)) })
}

/// Refuses a command that would install Chef's client.
pub(crate) fn requirements(desired: &Desired, current: &Current) -> Vec<Assertion> {
    let refused = desired.refused.iter().filter(|_| !current.done);
    refused.map(|(resource, what)| chef_install::refused(resource, what)).collect()
}

/// The command, unless the path of `creates` exists.
pub(crate) fn plan(desired: &Desired, current: &Current) -> Looked<Vec<Change>> {
    Ok(if current.done { Vec::new() } else { vec![Change::Run(desired.run.clone())] })
}

impl Provider for Execute {
    type Desired = Desired;
    type Current = Current;
    const ACTIONS: &'static [&'static str] = &["run"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let command = get(vm, resource, "command")?;
        let shown = match &command {
            Value::Array(_) => vm.inspect(&command)?,
            other => vm.to_s_text(other)?,
        };
        let input = text_opt(vm, resource, "input")?.map(String::into_bytes);
        read(vm, resource, &command, shown, input)
    }
    fn load(desired: &Desired, host: &dyn Host) -> Looked<Current> {
        load(desired, host)
    }
    fn requirements(desired: &Desired, current: &Current, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(requirements(desired, current))
    }
    fn plan(desired: &Desired, current: &Current, _: &dyn Host) -> Looked<Vec<Change>> {
        plan(desired, current)
    }
}
