//! `rchef client` (also by the names chef-client, chef-solo, chef-apply): a run from a chef-repo on this machine.

mod books;
mod ending;
mod lock;
mod log;
mod options;
mod report;
mod run_options;
mod save;
mod signals;

pub use options::Options;

use crate::diagnostic;
use crate::formatter::{doc::Doc, min::Min};
use crate::input::config::{self, Refusal, absolute, set, setting, text_setting};
use crate::input::{self, Program, Request};
use clap::Parser;
use log::Logger;
use rchef_host::compose;
use rchef_host::{Files, RealHost};
use rchef_recipe::chef_api::log_line;
use rchef_recipe::compile::{self, Input, RecipeFile};
use rchef_recipe::events::{Sink, emit};
use rchef_recipe::log::{Level, show_from};
use rchef_recipe::provider::runner;
use rchef_recipe::run::{ActionMode, converge_mut, process_mut};
use rchef_recipe::subscribers;
use rchef_ruby::{Res, Value, Vm, sym};
use std::rc::Rc;

/// Runs; `name` is the name the binary was called by; the number is the exit status.
pub fn run(name: &str, args: &[String]) -> u8 {
    let options = match Options::try_parse_from(std::iter::once(name.to_string()).chain(args.iter().cloned())) {
        Ok(options) => options,
        Err(error) => {
            let text = error.render().to_string();
            if error.use_stderr() {
                diagnostic::complain(&text);
                return 1;
            }
            diagnostic::print(&text);
            return 0;
        }
    };
    if options.version {
        diagnostic::print(&format!("rchef: {} (rchef {})\n", rchef_recipe::CHEF_VERSION, env!("CARGO_PKG_VERSION")));
        return 0;
    }
    let real = Rc::new(RealHost::new());
    real.set_durable(!options.no_fsync);
    let mut vm = match crate::compile::machine(real.clone()) {
        Ok(vm) => vm,
        Err(text) => {
            diagnostic::complain(&format!("{text}\n"));
            return 1;
        }
    };
    let _ = vm.global_set(rchef_ruby::Symbol::intern_static("$0"), Value::str(name));
    vm.host.clone().umask(Some(0o022));
    rchef_stdlib::offer_declared_gems(&mut vm);
    let cwd = rchef_host::Files::getcwd(&*vm.host.clone()).unwrap_or_default();
    let places = options.node.gem_path.iter().map(|path| rchef_host::files::absolute(&cwd, path.as_bytes()));
    let places: Vec<String> = places.map(|path| String::from_utf8_lossy(&path).into_owned()).collect();
    rchef_stdlib::add_gem_folders(&mut vm, places);
    let status = match prepare(&mut vm, &options, name) {
        Ok(prepared) => {
            let status = client(&mut vm, &real, &options, &prepared);
            real.settle();
            real.close_journal();
            status
        }
        Err((status, text)) => {
            diagnostic::complain(&format!("{}\n", text.trim_end()));
            status
        }
    };
    // what cookbooks' code has left for the end of the process
    match vm.finish(Ok(())) {
        0 => status,
        ended => ended,
    }
}

/// What a run works with.
struct Prepared {
    input: Input,
    warnings: Vec<String>,
    cache: String,
    apply: bool,
}

const FORMATS: [&str; 4] = ["doc", "min", "minimal", "null"];

/// The class of a formatter that the configuration brought along (`Chef::Formatters::Base` with `cli_name`); nil when there is none.
fn own_formatter(vm: &mut Vm, name: &str) -> Value {
    let Some(chef) = process_mut(vm).classes.chef else { return Value::Nil };
    let formatters = vm.const_get_from(chef, rchef_ruby::Symbol::intern_static("Formatters"), false);
    match formatters {
        Ok(Some(formatters)) => vm.call_name(&formatters, "by_name", &[Value::str(name)]).unwrap_or_default(),
        _ => Value::Nil,
    }
}

/// Lets such a formatter hear the events of the run.
fn register_formatter(vm: &mut Vm, name: &str) -> Res<()> {
    if FORMATS.contains(&name) {
        return Ok(());
    }
    let class = own_formatter(vm, name);
    let streams = [
        vm.global_get(rchef_ruby::Symbol::intern_static("$stdout"))?,
        vm.global_get(rchef_ruby::Symbol::intern_static("$stderr"))?,
    ];
    let made = vm.call(&class, sym::NEW, &streams)?;
    let events = rchef_recipe::chef_api::events_value(vm)?;
    vm.call_name(&events, "register", &[made]).map(drop)
}

fn prepare(vm: &mut Vm, options: &Options, name: &str) -> Result<Prepared, Refusal> {
    let host = vm.host.clone();
    let cwd = host.getcwd().map_err(|error| (1, error.to_string()))?;
    let cwd = String::from_utf8_lossy(&cwd).into_owned();
    let program = match name {
        "chef-apply" => Program::Apply,
        "chef-solo" => Program::Solo,
        _ => Program::Client { local: options.local },
    };
    let request = Request::new(&*host, &options.node, &options.run_list, program, &cwd);
    let settings = config::configure(vm, &*host, &request)?;
    config::export_proxies(vm);
    if !FORMATS.contains(&options.format.as_str()) && own_formatter(vm, &options.format).is_nil() {
        return Err((1, format!("No output formatter found for {} (available: doc, min, null)", options.format)));
    }
    let server = text_setting(vm, "chef_server_url").filter(|url| !url.starts_with("chefzero"));
    if let Some(url) = server.filter(|_| !options.local && name == "chef-client") {
        return Err((1, format!("rchef runs from a chef-repo and cannot talk to the server {url}; use --local-mode")));
    }
    if options.why_run {
        set(vm, "why_run", Value::True);
    }
    let choice = rchef_providers::facts::choice(vm);
    let ohai = rchef_providers::facts::collect_text(&*host, &choice);
    let mut resolved = input::resolve(vm, &*host, &request, &settings, ohai)?;
    let input = &mut resolved.input;
    input.enforce_versions = true;
    if input.node_name.is_empty() {
        let Some(name) = rchef_recipe::compile::name_of(&input.ohai) else {
            return Err((
                1,
                "Unable to determine node name: configure node_name or set the machine's host name".into(),
            ));
        };
        input.node_name = name;
    }
    let home = host.env(b"HOME").map(|home| String::from_utf8_lossy(&home).into_owned()).unwrap_or_default();
    let base = settings
        .file
        .as_ref()
        .and_then(|path| path.rsplit_once('/'))
        .map_or(format!("{home}/.chef"), |(folder, _)| folder.to_string());
    let base = text_setting(vm, "cache_path").unwrap_or(format!("{base}/local-mode-cache"));
    let cache = text_setting(vm, "file_cache_path").unwrap_or(format!("{base}/cache"));
    let backup = text_setting(vm, "file_backup_path").unwrap_or(format!("{base}/backup"));
    for (key, value) in [
        ("node_name", &input.node_name),
        ("cache_path", &base),
        ("file_cache_path", &cache),
        ("file_backup_path", &backup),
        ("chef_repo_path", &input.repo),
    ] {
        set(vm, key, Value::str(value));
    }
    let paths = Value::array(input.cookbook_paths.iter().map(Value::str).collect());
    set(vm, "cookbook_path", paths);
    let apply = program == Program::Apply;
    for path in &options.files {
        let path = absolute(&cwd, path);
        let source = compose::read_file(&*host, path.as_bytes())
            .map_err(|_| (1, format!("Invalid argument; could not find the following recipe files: \"{path}\"")))?;
        let names = if apply {
            ("(chef-apply cookbook)".to_string(), "(chef-apply recipe)".to_string())
        } else {
            ("@recipe_files".to_string(), path.clone())
        };
        input.files.push(RecipeFile { path, source, names });
    }
    if apply && input.files.is_empty() {
        return Err((1, "No recipe file provided".into()));
    }
    Ok(Prepared { input: resolved.input, warnings: resolved.warnings, cache, apply })
}

fn client(vm: &mut Vm, real: &RealHost, options: &Options, prepared: &Prepared) -> u8 {
    let why_run = setting(vm, "why_run").truthy();
    converge_mut(vm).mode = if why_run { ActionMode::WhyRun } else { ActionMode::Converge };
    let colour = !options.no_color && setting(vm, "color").same(&Value::False).eq(&false);
    let formatter: Option<Rc<dyn Sink>> = match options.format.as_str() {
        "doc" => Some(Rc::new(Doc::new(vm, colour, why_run))),
        "min" | "minimal" => Some(Rc::new(Min::new(vm, colour))),
        _ => None,
    };
    let level = options.log_level.clone().or_else(|| text_setting(vm, "log_level")).unwrap_or_default();
    let level = Level::named(&level).unwrap_or_default();
    show_from(vm, level);
    if level <= Level::Debug {
        real.keep_notes();
    }
    converge_mut(vm).skip_preflight = options.run.no_preflight;
    let file = options.log_file.clone().filter(|name| name != "STDOUT" && name != "-");
    let on_output = file.is_none() && level <= Level::Fatal;
    let deprecations = options.format != "doc";
    rchef_recipe::events::sinks(vm).push(Rc::new(Logger { least: level, file, deprecations }));
    let blocks = formatter.is_some();
    rchef_recipe::events::sinks(vm).extend(formatter);
    ending::listen(vm, blocks, on_output);
    rchef_recipe::events::sinks(vm).push(Rc::new(subscribers::Recorder));
    let host = vm.host.clone();
    let mut strays = Ok(Vec::new());
    let _lock = match signals::watch(vm).and_then(|()| books::own_lock(vm, options, prepared, why_run)) {
        Ok(lock) => lock,
        Err(error) => return ending::refused(vm, error),
    };
    if !why_run {
        let _ = compose::create_dir_all(&*host, prepared.cache.as_bytes(), 0o755);
        strays = real.keep_journal(format!("{}/staging", prepared.cache).as_bytes());
    }
    for text in &prepared.warnings {
        log_line(vm, "warn", text.as_str());
    }
    log_line(vm, "info", format!("*** rchef {} ***", env!("CARGO_PKG_VERSION")));
    let header = format!("rchef, version {} (Chef {})", env!("CARGO_PKG_VERSION"), rchef_recipe::CHEF_VERSION);
    emit(vm, |sink, vm| sink.run_start(vm, &header));
    match strays {
        Ok(paths) => {
            for path in paths {
                let path = String::from_utf8_lossy(&path).into_owned();
                log_line(vm, "info", format!("Removed {path}, which a run that was killed had not finished"));
            }
        }
        Err(error) => log_line(
            vm,
            "warn",
            format!("Cannot keep track of temporary files ({error}): they would stay if this run were killed"),
        ),
    }
    books::keep_books(vm, options, prepared, why_run);
    match register_formatter(vm, &options.format).and_then(|()| converge(vm, prepared)) {
        Ok(()) => succeeded(vm, prepared, why_run),
        Err(error) => failed(vm, prepared, error),
    }
}

fn converge(vm: &mut Vm, prepared: &Prepared) -> Res<()> {
    subscribers::configured(vm)?;
    subscribers::start(vm)?;
    if let Err(error) = compile::compile(vm, &prepared.input) {
        return runner::abort_compile(vm, error);
    }
    runner::converge_run(vm)
}

fn succeeded(vm: &mut Vm, prepared: &Prepared, why_run: bool) -> u8 {
    if prepared.input.overriding {
        log_line(vm, "warn", "Skipping final node save because override_runlist was given");
    } else if why_run {
        log_line(vm, "warn", "In why-run mode, so NOT performing node save.");
    } else if !prepared.apply
        && let Err(error) = save::document(vm).and_then(|document| save::save(vm, &document))
    {
        return failed(vm, prepared, error);
    }
    if let Err(error) = subscribers::ended(vm, None) {
        return failed(vm, prepared, error);
    }
    books::close_books(vm, prepared, None);
    emit(vm, |sink, vm| sink.run_completed(vm));
    match rchef_recipe::reboot::if_requested(vm) {
        Ok(()) => 0,
        Err(error) => failed(vm, prepared, error),
    }
}

fn failed(vm: &mut Vm, prepared: &Prepared, error: rchef_ruby::Error) -> u8 {
    let exception = vm.error_value(error);
    // the failure of the run is what is reported, not one of those who are told of it
    let _ = subscribers::ended(vm, Some(&exception));
    books::close_books(vm, prepared, Some(&exception));
    emit(vm, |sink, vm| sink.run_failed(vm, &exception));
    ending::report(vm, &prepared.cache, &exception)
}
