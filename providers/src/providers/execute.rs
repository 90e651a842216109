//! `execute`.

use super::shell;
use super::support::*;
use rchef_host::{CommandSpec, compose, files, users};
use rchef_recipe::provider::command;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_recipe::run::chef_error;
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::time::Duration;

/// Provider of `execute`.
pub(crate) struct Execute;

impl Provider for Execute {
    fn actions(&self) -> &'static [&'static str] {
        &["run"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, _: Symbol) -> Res<Plan> {
        let command = get(vm, resource, "command")?;
        let shown = match &command {
            Value::Array(_) => vm.inspect(&command)?,
            other => vm.to_s_text(other)?,
        };
        let input = text_opt(vm, resource, "input")?.map(String::into_bytes);
        plan(vm, resource, command, shown, input)
    }
}

/// The step that runs a command under a resource's properties, unless what it creates is there.
pub(crate) fn plan(vm: &mut Vm, resource: &Value, command: Value, shown: String, input: Option<Vec<u8>>) -> Res<Plan> {
    if let Some(creates) = text_opt(vm, resource, "creates")? {
        let cwd = text_opt(vm, resource, "cwd")?;
        let sentinel = match cwd {
            _ if creates.starts_with('/') => creates.into_bytes(),
            Some(cwd) => files::join(cwd.as_bytes(), creates.as_bytes()),
            None => {
                let name = vm.to_s_text(resource)?;
                let text = format!(
                    "Please either specify a full path for the creates property, or specify a cwd property to the {name} resource"
                );
                return Err(chef_error(vm, "Execute", text));
            }
        };
        if on(vm, |host| Ok(compose::exists(host, &sentinel)))? {
            return Ok(Vec::new());
        }
    }
    let secret = flag(vm, resource, "sensitive")?;
    let line = if secret { "execute sensitive resource".to_string() } else { format!("execute {shown}") };
    Ok(vec![step(line, move |vm, resource| {
        let spec = spec(vm, resource, &command, input.clone())?;
        let stream = !secret && flag(vm, resource, "live_stream")?;
        let output = shell::run(vm, &spec, stream.then_some(resource))?;
        forget_answers(vm);
        let returns = get(vm, resource, "returns")?;
        let mut allowed = Vec::new();
        for code in vm.to_array(&returns)? {
            allowed.push(vm.to_int(&code)?);
        }
        match shell::failure(vm, &spec, &output, &allowed, secret) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    })])
}

fn spec(vm: &mut Vm, resource: &Value, command: &Value, input: Option<Vec<u8>>) -> Res<CommandSpec> {
    let mut spec = command::spec(vm, command, &Value::Nil, Some(resource))?;
    spec.input = input;
    spec.until_exit = true;
    let timeout = get(vm, resource, "timeout")?;
    let seconds = match &timeout {
        Value::Nil | Value::False => None,
        Value::Str(_) => vm.to_s_text(&timeout)?.trim().parse().ok(),
        other => Some(vm.to_f64(other)?),
    };
    spec.timeout = seconds.map(|seconds: f64| Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
    let umask = get(vm, resource, "umask")?;
    spec.umask = match &umask {
        Value::Nil | Value::False => None,
        Value::Int(number) => Some(*number as u32),
        other => u32::from_str_radix(&vm.to_s_text(other)?, 8).ok(),
    };
    if let Some(uid) = spec.uid
        && let Some(user) = on(vm, |host| host.user_by_id(uid))?
    {
        spec.gid = Some(spec.gid.unwrap_or(user.gid));
        spec.groups = Some(on(vm, |host| users::group_ids(host, &user))?);
        if flag(vm, resource, "login")? {
            let path: &[u8] = if uid == 0 {
                b"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
            } else {
                b"/usr/local/bin:/usr/bin:/bin"
            };
            for (name, value) in [
                ("USER", &user.name[..]),
                ("LOGNAME", &user.name),
                ("HOME", &user.dir),
                ("SHELL", &user.shell),
                ("PATH", path),
            ] {
                spec.env.entry(name.into()).or_insert(Some(value.to_vec()));
            }
            spec.cwd.get_or_insert(user.dir);
        }
    }
    if flag(vm, resource, "default_env")? {
        shell::default_env(vm, &mut spec);
    }
    Ok(spec)
}
