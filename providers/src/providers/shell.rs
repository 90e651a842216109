//! Commands that providers run, and `Mixlib::ShellOut`'s errors.

use super::support::*;
use rchef_host::{CommandEvent, CommandOutput, CommandSpec, Flow, Program};
use rchef_recipe::dsl::utils::with_usual_folders;
use rchef_ruby::{ClassId, Error, Res, Value, Vm};

/// Runs a command; its output goes to the run's events too when it is streamed for a resource.
pub(crate) fn run(vm: &mut Vm, spec: &CommandSpec, stream: Option<&Value>) -> Res<CommandOutput> {
    let host = vm.host.clone();
    let output = match stream {
        None => host.run(spec, &mut |_| Flow::Continue),
        Some(resource) => {
            let sinks = rchef_recipe::events::sinks(vm).clone();
            host.run(spec, &mut |event| {
                if let CommandEvent::Stdout(bytes) | CommandEvent::Stderr(bytes) = event {
                    for sink in &sinks {
                        sink.stream_output(vm, resource, bytes);
                    }
                }
                Flow::Continue
            })
        }
    };
    output.map_err(|error| vm.host_error(&error))
}

/// The command as `Mixlib::ShellOut` shows it: a line, or a list as Ruby inspects it.
pub(crate) fn shown(spec: &CommandSpec) -> String {
    match &spec.program {
        Program::Argv(argv) if argv.len() != 1 => {
            let words: Vec<String> = argv.iter().map(|word| format!("{:?}", lossy(word))).collect();
            format!("[{}]", words.join(", "))
        }
        _ => lossy(&spec.display()),
    }
}

fn report(spec: &CommandSpec, output: &CommandOutput) -> String {
    let command = shown(spec);
    let code = output.status.code().map_or(String::new(), |code| code.to_string());
    let (stdout, stderr) = (lossy(&output.stdout), lossy(&output.stderr));
    format!(
        "---- Begin output of {command} ----\nSTDOUT: {}\nSTDERR: {}\n---- End output of {command} ----\nRan {command} returned {code}",
        stdout.trim(),
        stderr.trim()
    )
}

fn shell_error(vm: &mut Vm, name: &str, text: String) -> Error {
    let class = vm.class_named(&format!("Mixlib::ShellOut::{name}")).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, text)
}

/// The error of a command that ended otherwise than its caller allows.
pub(crate) fn failure(
    vm: &mut Vm,
    spec: &CommandSpec,
    output: &CommandOutput,
    returns: &[i64],
    secret: bool,
) -> Option<Error> {
    if output.timed_out {
        let seconds = spec.timeout.map_or(0.0, |timeout| timeout.as_secs_f64());
        let text = format!(
            "Command timed out after {seconds}s:\nCommand exceeded allowed execution time, process terminated\n{}",
            report(spec, output)
        );
        return Some(shell_error(vm, "CommandTimeout", text));
    }
    let code = output.status.code().map(i64::from);
    if code.is_some_and(|code| returns.contains(&code)) {
        return None;
    }
    if secret {
        return Some(shell_error(
            vm,
            "ShellCommandFailed",
            "Command execution failed. STDOUT/STDERR suppressed for sensitive resource".into(),
        ));
    }
    let allowed: Vec<String> = returns.iter().map(i64::to_string).collect();
    let code = code.map_or(String::new(), |code| code.to_string());
    let text = format!(
        "Expected process to exit with [{}], but received '{code}'\n{}",
        allowed.join(", "),
        report(spec, output)
    );
    Some(shell_error(vm, "ShellCommandFailed", text))
}

/// The environment that Chef gives the commands of its own providers: a UTF-8 locale and a PATH with the system's directories.
pub(crate) fn default_env(vm: &mut Vm, spec: &mut CommandSpec) {
    let path = vm.host.env(b"PATH").unwrap_or_default();
    let path = with_usual_folders(&path);
    let locale = b"C.UTF-8".to_vec();
    for (name, value) in [("LC_ALL", locale.clone()), ("LANG", locale.clone()), ("LANGUAGE", locale), ("PATH", path)] {
        spec.env.entry(name.into()).or_insert(Some(value));
    }
}

/// Runs a program of the system, any end allowed.
pub(crate) fn query(vm: &mut Vm, argv: &[&str]) -> Res<CommandOutput> {
    let mut spec = CommandSpec::argv(argv.iter().map(|word| word.as_bytes().to_vec())).captured();
    default_env(vm, &mut spec);
    run(vm, &spec, None)
}

/// Runs a program of the system; any exit code but 0 is an error.
pub(crate) fn command(
    vm: &mut Vm,
    argv: &[String],
    env: &[(String, String)],
    timeout: Option<f64>,
) -> Res<CommandOutput> {
    let mut spec = CommandSpec::argv(argv.iter().map(|word| word.as_bytes().to_vec())).captured();
    for (name, value) in env {
        spec = spec.with_env(name, value);
    }
    default_env(vm, &mut spec);
    spec.timeout = timeout.map(|seconds| std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
    spec.until_exit = true;
    let output = run(vm, &spec, None)?;
    match failure(vm, &spec, &output, &[0], false) {
        Some(error) => Err(error),
        None => Ok(output),
    }
}

/// The same for a command with secrets among its words: an error does not show them.
pub(crate) fn secret_command(vm: &mut Vm, argv: &[String], secrets: &[String]) -> Res<CommandOutput> {
    let mut spec = CommandSpec::argv(argv.iter().map(|word| word.as_bytes().to_vec())).captured();
    default_env(vm, &mut spec);
    spec.until_exit = true;
    let mut output = run(vm, &spec, None)?;
    if output.status.success() {
        return Ok(output);
    }
    let masked = |text: &str| {
        secrets
            .iter()
            .filter(|secret| !secret.is_empty())
            .fold(text.to_string(), |text, secret| text.replace(secret, "********"))
    };
    let words = argv.iter().map(|word| masked(word).into_bytes());
    let shown = CommandSpec::argv(words).captured();
    output.stdout = masked(&lossy(&output.stdout)).into_bytes();
    output.stderr = masked(&lossy(&output.stderr)).into_bytes();
    match failure(vm, &shown, &output, &[0], false) {
        Some(error) => Err(error),
        None => Ok(output),
    }
}

/// Runs a command line of a property; any exit code but 0 is an error.
pub(crate) fn line(vm: &mut Vm, line: &str, timeout: Option<f64>) -> Res<CommandOutput> {
    line_of(vm, CommandSpec::shell(line).captured(), timeout)
}

/// The same with the environment of a provider's own commands.
pub(crate) fn system_line(vm: &mut Vm, line: &str, timeout: Option<f64>) -> Res<CommandOutput> {
    let mut spec = CommandSpec::shell(line).captured();
    default_env(vm, &mut spec);
    line_of(vm, spec, timeout)
}

fn line_of(vm: &mut Vm, mut spec: CommandSpec, timeout: Option<f64>) -> Res<CommandOutput> {
    spec.timeout = timeout.map(|seconds| std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
    spec.until_exit = true;
    let output = run(vm, &spec, None)?;
    match failure(vm, &spec, &output, &[0], false) {
        Some(error) => Err(error),
        None => Ok(output),
    }
}
