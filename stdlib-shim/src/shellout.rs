//! `mixlib/shellout`: commands run natively, through the host; the rest is embedded Ruby.

use rchef_host::processes::{CommandEvent, CommandSpec, Flow, Program, note_ended};
use rchef_ruby::embed::library::{Library, Text};
use rchef_ruby::{Args, ClassId, MethodDef, RString, Res, Symbol, Value, Vm, def};
use std::time::Duration;

static SOURCE: Text = embedded!("ruby/shellout.rb");
static RUN: &[MethodDef] = &[def("__run", run, 8), def("__runs?", runs, 0)];
/// The embedded Ruby, which is loaded when the class is first used.
const METHODS: &str = "mixlib/shellout/methods";

/// Makes the embedded source known to `require`.
pub(crate) fn register(vm: &mut Vm) {
    vm.libraries.insert(METHODS, Library::Source(SOURCE));
}

/// Defines Mixlib::ShellOut and its errors. Ruby code that names the class loads its methods, as for a constant of `autoload`.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let mixlib = vm.define_module(ClassId::OBJECT, "Mixlib");
    let class = vm.define_class(mixlib, "ShellOut", ClassId::OBJECT);
    let base = vm.define_class(class, "Error", ClassId::RUNTIME_ERROR);
    let failed = vm.define_class(class, "ShellCommandFailed", base);
    for name in ["CommandTimeout", "InvalidCommandOption"] {
        vm.define_class(class, name, base);
    }
    vm.define_class(class, "EmptyWindowsCommand", failed);
    vm.define_methods(class, RUN);
    if let Some(constant) = vm.class_mut(mixlib).consts.get_mut(&Symbol::intern_static("ShellOut")) {
        constant.autoload = Some(METHODS.into());
    }
    Ok(())
}

fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    let text = vm.to_s(value)?;
    Ok(text.get(vm).bytes().to_vec())
}
fn id(vm: &mut Vm, value: &Value) -> Res<Option<u32>> {
    if value.is_nil() {
        return Ok(None);
    }
    let number = vm.to_int(value)?;
    u32::try_from(number).map(Some).map_err(|_| vm.range_error(format!("id out of range: {number}")))
}

/// Whether commands really run; in a compile they are only recorded, and the users that they name need not exist.
fn runs(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.host.as_overlay().is_none_or(rchef_host::OverlayHost::runs_commands)))
}

/// `__run(command, environment, cwd, uid, gid, umask, input, timeout)` → `[status, stdout, stderr, timed out]`.
fn run(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let program = match args.at(0) {
        Value::Array(list) => {
            let mut words = Vec::new();
            for item in list.get(vm).items.clone() {
                words.push(bytes(vm, &item)?);
            }
            Program::Argv(words)
        }
        line => Program::Line(bytes(vm, line)?),
    };
    let mut spec = CommandSpec::new(program).captured();
    if let Value::Hash(environment) = args.at(1) {
        let pairs: Vec<(Value, Value)> =
            environment.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in pairs {
            let key = bytes(vm, &key)?;
            let value = if value.is_nil() { None } else { Some(bytes(vm, &value)?) };
            spec.env.insert(key, value);
        }
    }
    if !args.at(2).is_nil() {
        spec.cwd = Some(bytes(vm, args.at(2))?);
    }
    spec.uid = id(vm, args.at(3))?;
    spec.gid = id(vm, args.at(4))?;
    spec.umask = id(vm, args.at(5))?;
    if !args.at(6).is_nil() {
        spec.input = Some(bytes(vm, args.at(6))?);
    }
    if !args.at(7).is_nil() {
        spec.timeout = Some(Duration::try_from_secs_f64(vm.to_f64(args.at(7))?).unwrap_or(Duration::MAX));
    }
    spec.until_exit = true;
    let host = vm.host.clone();
    let mut failure = None;
    let live = vm.ivar_get(this, Symbol::intern_static("@live")).filter(Value::truthy);
    let started = host.monotonic_ns();
    let result = host.run(&spec, &mut |event| {
        let (name, data) = match event {
            CommandEvent::Stdout(data) => ("stdout", data),
            CommandEvent::Stderr(data) => ("stderr", data),
            CommandEvent::Interrupted if host.stop_asked() => return Flow::Kill,
            _ => return Flow::Continue,
        };
        if live.is_some()
            && let Err(error) = vm.call_name(this, "__live", &[Value::sym(name), Value::bytes(data)])
        {
            failure = Some(error);
            return Flow::Kill;
        }
        Flow::Continue
    });
    if let Some(error) = failure {
        return Err(error);
    }
    if host.stop_asked() {
        vm.serve_interrupts()?;
    }
    let output = match result {
        Ok(output) => output,
        Err(error) => {
            let shown =
                String::from_utf8_lossy(&spec.program.to_argv().first().cloned().unwrap_or_default()).into_owned();
            return Err(vm.errno(error.errno, Some(&shown)));
        }
    };
    let is_secret = vm.ivar_get(this, Symbol::intern_static("@sensitive")).is_some_and(|secret| secret.truthy());
    let shown = || match &spec.program {
        _ if is_secret => "(sensitive command)".to_string(),
        Program::Line(line) | Program::Shell(line) => String::from_utf8_lossy(line).into_owned(),
        Program::Argv(words) => String::from_utf8_lossy(&words.join(&b' ')).into_owned(),
    };
    note_ended(&*host, &shown, started, &output);
    let status = rchef_ruby::embed::process::status_object(output.status);
    let text = |data: Vec<u8>| Value::string(RString::utf8(data));
    Ok(Value::array(vec![status, text(output.stdout), text(output.stderr), Value::bool(output.timed_out)]))
}
