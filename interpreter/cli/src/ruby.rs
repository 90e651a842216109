//! `rchef ruby [-e CODE] [-r FILE]... [-I DIR]... [--gem-path DIR]... [FILE [ARG...]]`: plain Ruby on the engine, with MRI's exit status and error
//! output. `require "chef"` (`-rchef`) loads the Chef model.

use rchef_host::{RealHost, StandardStream, Streams};
use rchef_ruby::embed::vm::Limits;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};
use std::rc::Rc;

#[derive(Default)]
struct Options {
    code: Vec<String>,
    requires: Vec<String>,
    include: Vec<String>,
    gem_path: Vec<String>,
    /// None: `false`; Some(None): nil (`-W0`); Some(Some(()))): true (`-w`, `-W`, `-W2`).
    verbose: Option<Option<()>>,
    debug: bool,
    check: bool,
    /// `-v` and `--version` show the version; `-v` shows it before a program as well.
    version: Option<Version>,
    /// `-C`: the directories to change to, one after the other.
    directories: Vec<String>,
    /// `-S`: the program is searched for in PATH.
    search: bool,
    external: Option<String>,
    internal: Option<String>,
    /// `-W:deprecated`, `-W:no-experimental`.
    categories: Vec<(String, bool)>,
    file: Option<String>,
    args: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Version {
    Only,
    AndProgram,
}

impl Options {
    /// `-E EXTERNAL[:INTERNAL]`; an empty part changes nothing.
    fn encodings(&mut self, text: &str) {
        let (external, internal) = text.split_once(':').unwrap_or((text, ""));
        for (part, place) in [(external, &mut self.external), (internal, &mut self.internal)] {
            if !part.is_empty() {
                *place = Some(part.to_string());
            }
        }
    }
}

/// Letters without a value may stand in one word: `-wc` is `-w -c`.
fn letters(arg: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = arg.strip_prefix('-').unwrap_or_default();
    while rest.len() > 1 && rest.starts_with(['w', 'c', 'v', 'd', 'U', 'S']) {
        words.push(format!("-{}", &rest[..1]));
        rest = &rest[1..];
    }
    match words.is_empty() {
        true => vec![arg.to_string()],
        false => {
            words.push(format!("-{rest}"));
            words
        }
    }
}

fn parse(args: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let args: Vec<String> = args.iter().flat_map(|arg| letters(arg)).collect();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut value = |prefix: usize| {
            if arg.len() > prefix { arg[prefix..].to_string() } else { rest.next().cloned().unwrap_or_default() }
        };
        match arg.as_str() {
            "--" => {
                take_file(&mut options, &mut rest.cloned());
                break;
            }
            "--gem-path" => options.gem_path.push(rest.next().cloned().unwrap_or_default()),
            "-w" | "-W" | "-W2" => options.verbose = Some(Some(())),
            "-v" => {
                options.verbose = Some(Some(()));
                options.version = options.version.or(Some(Version::AndProgram));
            }
            "--version" => options.version = Some(Version::Only),
            "-S" => options.search = true,
            "-U" => options.internal = Some("UTF-8".to_string()),
            "-E" | "--encoding" => {
                let text = value(arg.len());
                options.encodings(&text);
            }
            "-W0" => options.verbose = Some(None),
            "-W1" => options.verbose = None,
            "-d" => options.debug = true,
            "-c" => options.check = true,
            _ if arg.starts_with("-e") => options.code.push(value(2)),
            _ if arg.starts_with("-r") => options.requires.push(value(2)),
            _ if arg.starts_with("-I") => options.include.extend(value(2).split(':').map(str::to_string)),
            _ if arg.starts_with("-C") || arg.starts_with("-X") => options.directories.push(value(2)),
            _ if arg.starts_with("-W:") => {
                let name = arg[3..].trim_start_matches("no-");
                options.categories.push((name.to_string(), !arg[3..].starts_with("no-")));
            }
            _ if arg.starts_with("-E") => options.encodings(&arg[2..]),
            _ if arg.starts_with("--encoding=") => options.encodings(&arg[11..]),
            _ if arg.starts_with("--external-encoding=") => options.external = Some(arg[20..].to_string()),
            _ if arg.starts_with("--internal-encoding=") => options.internal = Some(arg[20..].to_string()),
            _ if arg.starts_with("-K") => {
                options.external = match arg.as_bytes().get(2) {
                    Some(b'u' | b'U') => Some("UTF-8".to_string()),
                    Some(b'e' | b'E') => Some("EUC-JP".to_string()),
                    Some(b's' | b'S') => Some("Windows-31J".to_string()),
                    Some(b'n' | b'N' | b'a' | b'A') => Some("ASCII-8BIT".to_string()),
                    _ => options.external.take(),
                };
            }
            _ if ["-W", "--disable", "--enable"].iter().any(|known| arg.starts_with(known)) => {}
            "--yjit" | "--jit" => {}
            _ if arg.starts_with('-') && arg.len() > 1 => {
                return Err(format!("ruby: invalid option {arg}  (-h will show valid options) (RuntimeError)\n"));
            }
            _ => {
                take_file(&mut options, &mut std::iter::once(arg.clone()).chain(rest.cloned()));
                break;
            }
        }
    }
    Ok(options)
}

fn take_file(options: &mut Options, rest: &mut dyn Iterator<Item = String>) {
    if options.code.is_empty() {
        options.file = rest.next();
    }
    options.args.extend(rest);
}

/// The path of the link `ruby` by which this program was started: as given, or found in PATH.
fn link(host: &RealHost, called: &str) -> Option<String> {
    use rchef_host::{Files, Processes};
    let cwd = host.getcwd().ok()?;
    let there = |path: &[u8]| host.stat(path).is_ok().then(|| String::from_utf8_lossy(path).into_owned());
    if called.contains('/') {
        return there(&rchef_host::files::absolute(&cwd, called.as_bytes()));
    }
    let path = host.env(b"PATH")?;
    path.split(|byte| *byte == b':').find_map(|folder| there(&rchef_host::files::absolute(folder, called.as_bytes())))
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
    // what RUBYOPT asks for, then the command line
    let given = rchef_host::Processes::env(&*host, b"RUBYOPT").unwrap_or_default();
    let given = String::from_utf8_lossy(&given).into_owned();
    let words: Vec<String> = given
        .split_whitespace()
        .map(str::to_string)
        .filter(|word| word.starts_with('-'))
        .chain(args.iter().cloned())
        .collect();
    let options = match parse(&words) {
        Ok(options) => options,
        Err(text) => {
            let _ = vm.write_stderr(text.as_bytes());
            return 1;
        }
    };
    for directory in &options.directories {
        if let Err(error) = rchef_host::Files::chdir(&*host, directory.as_bytes()) {
            let _ = vm.write_stderr(format!("ruby: Can't chdir to {directory} ({})\n", error.message()).as_bytes());
            return 1;
        }
    }
    if let Some(version) = options.version {
        let program = options.file.is_some() || !options.code.is_empty();
        let shown = vm.run_string(b"puts RUBY_DESCRIPTION", "ruby", 1).map(drop);
        if shown.is_err() || version == Version::Only || !program {
            let status = vm.finish(shown);
            std::mem::forget(vm);
            return status;
        }
    }
    let mut options = options;
    if options.search
        && let Some(found) =
            options.file.as_deref().filter(|name| !name.contains('/')).and_then(|name| link(&host, name))
    {
        options.file = Some(found);
    }
    let (source, path) = match &options.file {
        _ if !options.code.is_empty() => (options.code.join("\n").into_bytes(), "-e".to_string()),
        Some(file) if file != "-" => match rchef_host::compose::read_file(&*host, file.as_bytes()) {
            Ok(source) => (source, file.clone()),
            Err(error) => {
                let text = format!("ruby: {} -- {file} (LoadError)\n", error.message());
                let _ = vm.write_stderr(text.as_bytes());
                return 1;
            }
        },
        _ => match host.standard(StandardStream::Input).and_then(|handle| rchef_host::compose::read_all(&*handle)) {
            Ok(source) => (source, "-".to_string()),
            Err(_) => return 1,
        },
    };
    let result = start(&mut vm, &options, &source, &path);
    let status = vm.finish(result);
    // the process ends here: output is flushed, and dropping the VM would only cost time
    std::mem::forget(vm);
    status
}

/// `require "chef"`: loads the Chef model with every shipped resource, without a run.
fn model(vm: &mut Vm) -> Res<()> {
    let program = Symbol::intern("$0");
    let name = vm.global_get(program)?;
    rchef_providers::boot(vm)?;
    vm.global_set(program, name)
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
    if options.verbose == Some(Some(())) {
        vm.call_name(&warning, "[]=", &[Value::sym("deprecated"), Value::True])?;
    }
    for (name, on) in &options.categories {
        if !matches!(name.as_str(), "deprecated" | "experimental") {
            vm.write_stderr(format!("ruby: warning: unknown warning category: `{name}'\n").as_bytes())?;
            continue;
        }
        vm.call_name(&warning, "[]=", &[Value::sym(name), Value::bool(*on)])?;
    }
    Ok(())
}

fn start(vm: &mut Vm, options: &Options, source: &[u8], path: &str) -> Res<()> {
    let argv = Value::array(options.args.iter().map(Value::str).collect());
    vm.const_set(ClassId::OBJECT, Symbol::intern("ARGV"), argv.clone());
    vm.global_set(Symbol::intern("$*"), argv)?;
    vm.global_set(Symbol::intern("$0"), Value::str(path))?;
    vm.global_alias(Symbol::intern("$PROGRAM_NAME"), Symbol::intern("$0"));
    match options.verbose {
        None => {}
        Some(None) => vm.global_set(Symbol::intern("$VERBOSE"), Value::Nil)?,
        Some(Some(())) => vm.global_set(Symbol::intern("$VERBOSE"), Value::True)?,
    }
    settings(vm, options)?;
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
    for feature in &options.requires {
        let main = vm.main.clone();
        vm.call_name(&main, "require", &[Value::str(feature)])?;
    }
    if options.check {
        vm.check_syntax(source, path)?;
        vm.call_name(&Value::Class(ClassId::KERNEL), "puts", &[Value::str("Syntax OK")])?;
        return Ok(());
    }
    vm.run_main(source, path).map(drop)
}
