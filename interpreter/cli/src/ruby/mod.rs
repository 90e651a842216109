//! `rchef ruby [-e CODE] [-r FILE]... [-I DIR]... [--gem-path DIR]... [FILE [ARG...]]`: plain Ruby on the engine, with MRI's exit status and error
//! output. `require "chef"` (`-rchef`) loads the Chef model.

mod options;
mod usage;

use options::{Options, Origin, Print, Separator, Verbosity};
use rchef_host::{RealHost, StandardStream, Streams};
use rchef_ruby::embed::program::{LineLoop, Program};
use rchef_ruby::embed::vm::Limits;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};
use std::rc::Rc;

/// The path of the link `ruby` by which this program was started: as given, or found in PATH.
fn link(host: &RealHost, called: &str) -> Option<String> {
    use rchef_host::Files;
    let cwd = host.getcwd().ok()?;
    let there = |path: &[u8]| host.stat(path).is_ok().then(|| String::from_utf8_lossy(path).into_owned());
    if called.contains('/') {
        return there(&rchef_host::files::absolute(&cwd, called.as_bytes()));
    }
    find(host, b"PATH", called)
}

/// The path of a file in one of the directories that a variable of the environment lists.
fn find(host: &RealHost, variable: &[u8], name: &str) -> Option<String> {
    use rchef_host::{Files, Processes};
    let folders = host.env(variable)?;
    folders.split(|byte| *byte == b':').find_map(|folder| {
        let path = rchef_host::files::absolute(folder, name.as_bytes());
        host.stat(&path).is_ok().then(|| String::from_utf8_lossy(&path).into_owned())
    })
}

/// Runs the command; gives the exit status. `called` is the name of the program if it was started as `ruby`: `RbConfig.ruby` is then that link.
pub fn run(args: &[String], called: Option<&str>) -> u8 {
    let host = Rc::new(RealHost::new());
    let Some(mut vm) = Vm::new(host.clone()) else { return 1 };
    vm.limits = Limits::of_machine(&*host);
    rchef_stdlib::register(&mut vm);
    if let Some(path) = called.and_then(|called| link(&host, called)) {
        rchef_stdlib::set_ruby_program(&mut vm, path);
    }
    for signal in rchef_ruby::embed::signal::RAISING {
        // these raise SignalException (or Interrupt), as in MRI
        if let Some(number) = rchef_host::error::signal_number(signal) {
            let _ = rchef_host::Processes::on_signal(&*host, number, rchef_host::processes::Disposition::Watch);
        }
    }
    rchef_stdlib::register_gems(&mut vm);
    rchef_recipe::ruby_sources::on_require(&mut vm, model);
    let mut options = Options::default();
    let status = match run_with(&mut vm, &host, &mut options, args) {
        Ok(Some(result)) => vm.finish(result),
        Ok(None) => 0,
        Err(text) => {
            let _ = vm.write_stderr(format!("ruby: {text}\n").as_bytes());
            1
        }
    };
    // the process ends here: output is flushed, and dropping the VM would only cost time
    std::mem::forget(vm);
    status
}

/// Reads the options of RUBYOPT and of the command line, which come before those.
fn read_options(host: &RealHost, options: &mut Options, args: &[String]) -> Result<(), String> {
    let mut probe = Options::default();
    options::read(&mut probe, args.iter().cloned(), Origin::CommandLine)?;
    if probe.features.rubyopt {
        let given = rchef_host::Processes::env(host, b"RUBYOPT").unwrap_or_default();
        let given = String::from_utf8_lossy(&given).into_owned();
        // a word without a dash is an option, unless the option before it waits for its value
        let mut waits = false;
        let words = given.split_whitespace().map(|word| {
            let is_value = std::mem::replace(&mut waits, ["-r", "-I", "-E"].contains(&word));
            if is_value || word.starts_with('-') { word.to_string() } else { format!("-{word}") }
        });
        options::read(options, words, Origin::Environment)?;
    }
    let (external, internal) = (options.external.take(), options.internal.take());
    let mut rest = options::read(options, args.iter().cloned(), Origin::CommandLine)?.into_iter();
    options.external = options.external.take().or(external);
    options.internal = options.internal.take().or(internal);
    if options.code.is_empty() {
        options.file = rest.next();
    }
    options.args = rest.collect();
    Ok(())
}

/// Runs what the command line asks for. None: nothing ran.
fn run_with(vm: &mut Vm, host: &RealHost, options: &mut Options, args: &[String]) -> Result<Option<Res<()>>, String> {
    read_options(host, options, args)?;
    let print = match options.print {
        None if options.shows_version => Some(Print::Version),
        other => other,
    };
    let shown = match print {
        None => Ok(()),
        Some(Print::Version) => vm.run_string(b"puts RUBY_DESCRIPTION", "ruby", 1).map(drop),
        Some(Print::Copyright) => vm.run_string(b"puts RUBY_COPYRIGHT", "ruby", 1).map(drop),
        Some(kind @ (Print::Usage | Print::Help)) => {
            let text = Value::str(usage::text("ruby", kind == Print::Help));
            vm.call_name(&Value::Class(ClassId::KERNEL), "print", &[text]).map(drop)
        }
    };
    let has_program = options.file.is_some() || !options.code.is_empty();
    if shown.is_err() || options.print.is_some() || options.chatty && !has_program {
        return Ok(Some(shown));
    }
    for directory in &options.directories {
        rchef_host::Files::chdir(host, directory.as_bytes())
            .map_err(|error| format!("Can't chdir to {directory} ({})", error.message()))?;
    }
    let (source, path) = program(host, options)?;
    if options.switches {
        options.variables = options::switches(&mut options.args)?;
    }
    for name in [&options.external, &options.internal].into_iter().flatten() {
        if rchef_ruby::embed::encoding::to_encoding(vm, &Value::str(name)).is_err() {
            return Err(format!("unknown encoding name - {name} (RuntimeError)"));
        }
    }
    for warning in std::mem::take(&mut options.warnings) {
        if options.verbose != Some(Verbosity::Nil) {
            let _ = vm.write_stderr(format!("ruby: warning: {warning}\n").as_bytes());
        }
    }
    Ok(Some(start(vm, options, &source, &path)))
}

/// The source of the program and its path, with the options that it has itself.
fn program(host: &RealHost, options: &mut Options) -> Result<(Vec<u8>, String), String> {
    if !options.code.is_empty() {
        return Ok((options.code.join("\n").into_bytes(), "-e".to_string()));
    }
    if options.search
        && let Some(name) = options.file.as_deref().filter(|name| !name.contains('/'))
        && let Some(found) = [&b"RUBYPATH"[..], b"PATH"].into_iter().find_map(|variable| find(host, variable, name))
    {
        options.file = Some(found);
    }
    let (mut source, path) = match &options.file {
        Some(file) if file != "-" => {
            let source = rchef_host::compose::read_file(host, file.as_bytes())
                .map_err(|error| format!("{} -- {file} (LoadError)", error.message()))?;
            (source, file.clone())
        }
        _ => {
            let handle = host.standard(StandardStream::Input).map_err(|error| error.message())?;
            let source = rchef_host::compose::read_all(&*handle).map_err(|error| error.message())?;
            (source, "-".to_string())
        }
    };
    options::shebang(options, &mut source)?;
    Ok((source, path))
}

/// `require "chef"`: loads the Chef model with every shipped resource, without a run.
fn model(vm: &mut Vm) -> Res<()> {
    let name = vm.global_get(Symbol::intern("$0"))?;
    let name = vm.to_s_text(&name)?;
    rchef_providers::boot(vm)?;
    vm.name_program(&name);
    Ok(())
}

/// Encodings and categories of warnings.
fn settings(vm: &mut Vm, options: &Options) -> Res<()> {
    let encoding = vm.call_name(&Value::Class(ClassId::OBJECT), "const_get", &[Value::sym("Encoding")])?;
    for (name, setter) in [(&options.external, "default_external="), (&options.internal, "default_internal=")] {
        if let Some(name) = name {
            vm.call_name(&encoding, setter, &[Value::str(name)])?;
        }
    }
    let warning = Value::Class(ClassId::WARNING);
    for (name, on) in &options.categories {
        vm.call_name(&warning, "[]=", &[Value::sym(name), Value::bool(*on)])?;
    }
    Ok(())
}

/// A separator as the variables `$/` and `$\` have it.
fn separator(kind: &Separator) -> Value {
    match kind {
        Separator::Nothing => Value::Nil,
        Separator::Paragraph => Value::str(""),
        Separator::Byte(byte) => Value::bytes([*byte]),
    }
}

/// What `-n`, `-p` and the options that go with them set.
fn line_settings(vm: &mut Vm, options: &Options) -> Res<()> {
    if let Some(kind) = &options.record_separator {
        vm.preset_global("$/", separator(kind));
    }
    if let Some(kind) = &options.chomps {
        vm.preset_global("$\\", separator(kind));
    }
    if let Some(pattern) = &options.field_separator {
        let pattern = vm.call_name(&Value::Class(ClassId::REGEXP), "new", &[Value::str(pattern)])?;
        vm.preset_global("$;", pattern);
    }
    if let Some(suffix) = &options.in_place {
        vm.set_inplace_mode(suffix);
    }
    let switches = [("$-p", options.prints), ("$-l", options.chomps.is_some()), ("$-a", options.splits)];
    for (name, _) in switches.into_iter().filter(|(_, on)| *on) {
        vm.define_global(name, |_, _| Ok(Value::True), None);
    }
    Ok(())
}

/// Takes away what `--disable` names.
fn disable(vm: &mut Vm, features: options::Features) -> Res<()> {
    let (highlights, suggests) = (features.gems && features.error_highlight, features.gems && features.did_you_mean);
    vm.set_error_notes(highlights, suggests);
    for (name, there) in [("Gem", features.gems), ("ErrorHighlight", highlights), ("DidYouMean", suggests)] {
        if !there {
            vm.call_name(&Value::Class(ClassId::OBJECT), "remove_const", &[Value::sym(name)])?;
        }
    }
    Ok(())
}

fn start(vm: &mut Vm, options: &Options, source: &[u8], path: &str) -> Res<()> {
    for (name, value) in &options.variables {
        vm.global_set(Symbol::intern(name), value.as_ref().map_or(Value::True, Value::str))?;
    }
    vm.set_argv(options.args.iter().map(Value::str).collect());
    vm.name_program(path);
    let level = match options.verbose {
        Some(Verbosity::Nil) => Value::Nil,
        Some(Verbosity::True) => Value::True,
        Some(Verbosity::False) | None => Value::False,
    };
    vm.global_set(Symbol::intern("$VERBOSE"), level)?;
    settings(vm, options)?;
    line_settings(vm, options)?;
    disable(vm, options.features)?;
    vm.set_literals_frozen(options.features.frozen_string_literal);
    if let Some(limit) = options.backtrace_limit {
        vm.set_backtrace_limit(limit);
    }
    if options.debug {
        vm.global_set(Symbol::intern("$DEBUG"), Value::True)?;
    }
    let load_path = vm.load_path();
    let cwd = rchef_host::Files::getcwd(&*vm.host.clone()).unwrap_or_default();
    for path in &options.gem_path {
        let path = rchef_host::files::absolute(&cwd, path.as_bytes());
        rchef_stdlib::add_gem_folders(vm, [String::from_utf8_lossy(&path).into_owned()]);
    }
    let library = rchef_host::Processes::env(&*vm.host, b"RUBYLIB").unwrap_or_default();
    let library = String::from_utf8_lossy(&library).into_owned();
    for folder in options.include.iter().map(String::as_str).chain(library.split(':').filter(|part| !part.is_empty())) {
        let folder = rchef_host::files::absolute(&cwd, folder.as_bytes());
        load_path.get_mut(vm).items.push(Value::bytes(folder));
    }
    if options.check {
        vm.check_syntax(source, path)?;
        vm.call_name(&Value::Class(ClassId::KERNEL), "puts", &[Value::str("Syntax OK")])?;
        return Ok(());
    }
    for feature in &options.requires {
        let main = vm.main.clone();
        vm.call_name(&main, "require", &[Value::str(feature)])?;
    }
    let loops = options.loops.then_some(LineLoop {
        prints: options.prints,
        chomps: options.chomps.is_some(),
        splits: options.splits,
    });
    let encoding = options.source.as_deref();
    vm.run_program(source, path, Program { loops, encoding }).map(drop)
}
