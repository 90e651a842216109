//! `rchef client` (also by the names chef-client, chef-solo, chef-apply): a run from a chef-repo on this machine.

mod archive;
mod books;
mod checkpoint;
mod child;
mod ending;
pub mod flags;
mod fresh;
mod guid;
mod lock;
mod log;
pub mod plan;
mod privileges;
mod record;
pub mod report;
mod resume;
mod run_options;
mod save;
mod schedule;
mod several;
mod signals;
mod step;

use flags::{Called, Options};

use crate::diagnostic;
use crate::formatter::{doc::Doc, min::Min};
use crate::input::config::{self, Refusal, absolute, set, setting, text_setting, texts};
use crate::input::{self, Program, Request};
use log::Logger;
use rchef_host::compose;
use rchef_host::{Files, Host, RealHost};
use rchef_recipe::chef_class::log_line;
use rchef_recipe::compile::{self, Input, RecipeFile, RecipeForm};
use rchef_recipe::cookbook;
use rchef_recipe::data::policy::Choice;
use rchef_recipe::events::{Sink, emit};
use rchef_recipe::log::{Level, show_from};
use rchef_recipe::provider::runner;
use rchef_recipe::provider::simulation::asking;
use rchef_recipe::reboot;
use rchef_recipe::run::{ActionMode, converge_mut, process_mut};
use rchef_recipe::subscribers;
use rchef_ruby::{Res, Value, Vm, sym};
use std::cell::Cell;
use std::rc::Rc;

/// Runs the command; gives the exit status. `name` is the name of the binary, or the command.
pub fn run(name: &str, args: &[String]) -> u8 {
    let program = flags::program(name);
    let called = match flags::parse(program, name, args) {
        Ok(called) => called,
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
    let mut called = called;
    let kept = match held_against(&mut called) {
        Ok(kept) => kept,
        Err(text) => {
            diagnostic::complain(&format!("{}\n", text.trim_end()));
            return 1;
        }
    };
    let options = &called.options;
    if options.output.version {
        diagnostic::print(&format!("rchef: {} (rchef {})\n", rchef_recipe::CHEF_VERSION, env!("CARGO_PKG_VERSION")));
        return 0;
    }
    let real = Rc::new(RealHost::new());
    real.set_durable(!options.output.no_fsync);
    let mut vm = match crate::compile::machine(real.clone()) {
        Ok(vm) => vm,
        Err(text) => {
            diagnostic::complain(&format!("{text}\n"));
            return 1;
        }
    };
    vm.name_program(name);
    vm.host.clone().umask(Some(0o022));
    rchef_stdlib::offer_declared_gems(&mut vm);
    let cwd = rchef_host::Files::getcwd(&*vm.host.clone()).unwrap_or_default();
    let places = options.node.gem_path.iter().map(|path| rchef_host::files::absolute(&cwd, path.as_bytes()));
    let places: Vec<String> = places.map(|path| String::from_utf8_lossy(&path).into_owned()).collect();
    rchef_stdlib::add_gem_folders(&mut vm, places);
    let command = if program == Program::Solo { "solo" } else { "client" };
    let prepared = prepare(&mut vm, &called, program, command, args).and_then(|mut prepared| {
        prepared.plan = kept;
        let schedule = if program == Program::Apply { None } else { schedule::of(&mut vm, options, command, args)? };
        Ok((prepared, schedule))
    });
    let status = match prepared {
        Ok((_, Some(schedule))) => schedule.run(&mut vm, options.schedule.in_background),
        Ok((mut prepared, None)) => {
            let status = client(&mut vm, &real, options, &mut prepared);
            real.settle();
            real.close_journal();
            status
        }
        Err((status, text)) => {
            diagnostic::complain(&format!("{}\n", text.trim_end()));
            status
        }
    };
    // runs at_exit blocks of cookbooks
    match vm.finish(Ok(())) {
        0 => status,
        ended => ended,
    }
}

/// The kept plan of `--plan` and its targets, and replaces the options by those that it was made with. An error if making the plan again gives a
/// different one.
fn held_against(called: &mut Called) -> Result<Option<(serde_json::Value, Vec<String>)>, String> {
    let Some(path) = called.options.run.plan.clone() else { return Ok(None) };
    let given = &called.options;
    let runs_other =
        given.run_list.overriding.is_some() || given.run_list.run_list.is_some() || !given.files.is_empty();
    if runs_other && given.child.is_none() {
        return Err("--plan runs what the plan was made of; leave out the run list and recipe files".into());
    }
    let saved = plan::saved::read(&path)?;
    // for one of several policies the parent has checked this
    if called.options.child.is_none() {
        let differences = plan::saved::differences(&saved.plan, &plan::again(&saved.words)?);
        if !differences.is_empty() {
            return Err(format!(
                "{path}: this machine or its cookbooks now give another plan, so nothing was changed:\n  {}\nhint: make the plan again",
                differences.join("\n  ")
            ));
        }
    }
    let (made_of, targets) = plan::client_of(&saved.words)?;
    let options = &mut called.options;
    options.local = true;
    options.run_list = made_of.run_list;
    options.node = made_of.node;
    options.legacy = made_of.legacy;
    options.new_node = made_of.new_node;
    options.files = made_of.files;
    Ok(Some((saved.plan, targets)))
}

/// Everything that a run needs.
struct Prepared {
    input: Input,
    warnings: Vec<String>,
    cache: String,
    /// The directory of the configuration file.
    folder: String,
    format: String,
    /// The log shows the progress of the run instead of a formatter.
    logs: bool,
    program: Program,
    /// The run stops if a node that was never saved would generate passwords.
    guards_new_node: bool,
    /// The policies of the run; if there are several, each runs in a child process.
    policies: Vec<Choice>,
    /// The parent's instructions, in the child process of one of several policies.
    told: Option<several::Told>,
    /// The command and its arguments, for starting this program again.
    command: String,
    words: Vec<String>,
    /// Options that make `rchef compile` use the same node and cookbooks.
    compile_words: Vec<String>,
    run: run_options::RunOptions,
    /// The kept plan (`--plan`) and its targets.
    plan: Option<(serde_json::Value, Vec<String>)>,
}

impl Prepared {
    /// Whether the node is saved at the end of the run.
    fn saves(&self, vm: &mut Vm) -> bool {
        self.program != Program::Apply && !setting(vm, "solo_legacy_mode").truthy()
    }

    /// The path of a file in the cache about this run; each of several policies has its own.
    fn note(&self, stem: &str, extension: &str) -> String {
        match &self.told {
            Some(told) => format!("{}/{stem}_{}.{extension}", self.cache, told.policy.name),
            None => format!("{}/{stem}.{extension}", self.cache),
        }
    }
}

const FORMATS: [&str; 4] = ["doc", "min", "minimal", "null"];

/// The class of a formatter that the configuration defines (`Chef::Formatters::Base` with `cli_name`); nil if there is none.
fn own_formatter(vm: &mut Vm, name: &str) -> Value {
    let Some(chef) = process_mut(vm).classes.chef else { return Value::Nil };
    let formatters = vm.const_get_from(chef, rchef_ruby::Symbol::intern_static("Formatters"), false);
    match formatters {
        Ok(Some(formatters)) => vm.call_name(&formatters, "by_name", &[Value::str(name)]).unwrap_or_default(),
        _ => Value::Nil,
    }
}

/// Subscribes a formatter class of the configuration to the run's events.
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
    let events = rchef_recipe::chef_class::events_value(vm)?;
    vm.call_name(&events, "register", &[made]).map(drop)
}

/// The formatter of the command line, else of the configuration, else `doc` (`null` if the log replaces it); and whether the log replaces it.
fn format_of(vm: &mut Vm, options: &Options) -> Result<(String, bool), Refusal> {
    let configured = config::texts(vm, "formatters").into_iter().next();
    let configured = configured.or_else(|| text_setting(vm, "add_formatter")).or_else(|| text_setting(vm, "formatter"));
    let logs = options.output.force_logger || setting(vm, "force_logger").truthy();
    let logs = logs && !options.output.force_formatter;
    let usual = if logs { "null" } else { "doc" };
    let format = options.output.format.clone().or(configured).unwrap_or_else(|| usual.to_string());
    if !FORMATS.contains(&format.as_str()) && own_formatter(vm, &format).is_nil() {
        return Err((1, format!("No output formatter found for {format} (available: doc, min, null)")));
    }
    Ok((format, logs))
}

/// Copies options of the command line into `Chef::Config`.
fn settings_of(vm: &mut Vm, options: &Options, program: Program) {
    if options.output.why_run {
        set(vm, "why_run", Value::True);
    }
    if program == Program::Solo {
        set(vm, "solo", Value::True);
    }
    if options.legacy {
        set(vm, "solo_legacy_mode", Value::True);
    }
    if options.output.foreign.minimal_ohai {
        set(vm, "minimal_ohai", Value::True);
    }
    for (key, given) in [
        ("log_level", &options.output.log_level),
        ("json_attribs", &options.node.json),
        ("override_runlist", &options.run_list.overriding),
        ("named_run_list", &options.node.named_run_list),
        ("policy_group", &options.node.policy_group),
    ] {
        if let Some(text) = given {
            let value = if key == "log_level" { Value::sym(text) } else { Value::str(text) };
            set(vm, key, value);
        }
    }
}

/// Options that make `rchef compile` use the same node and cookbooks.
fn compile_words(options: &Options, config_file: Option<&String>) -> Vec<String> {
    let node = &options.node;
    let mut words = Vec::new();
    let mut add = |flag: &str, value: Option<&String>| {
        if let Some(value) = value {
            words.extend([flag.to_string(), value.clone()]);
        }
    };
    add("-c", config_file);
    add("-j", node.json.as_ref());
    add("-E", node.environment.as_ref());
    add("--policy-group", node.policy_group.as_ref());
    add("--policyfile", node.policy_file.as_ref());
    add("-n", node.named_run_list.as_ref());
    add("-o", options.run_list.overriding.as_ref());
    for (flag, values) in
        [("--config-option", &node.settings), ("--cookbook-path", &node.cookbook_path), ("--gem-path", &node.gem_path)]
    {
        values.iter().for_each(|value| add(flag, Some(value)));
    }
    words
}

/// Adds recipes outside of cookbooks: those of `apply`, and recipe files named after the options.
fn add_recipes(host: &dyn Host, input: &mut Input, called: &Called, cwd: &str) -> Result<(), Refusal> {
    for recipe in &called.recipes {
        input.files.push(recipe.read(cwd)?);
    }
    for path in &called.options.files {
        let path = absolute(cwd, path);
        let source = compose::read_file(host, path.as_bytes())
            .map_err(|_| (1, format!("Invalid argument; could not find the following recipe files: \"{path}\"")))?;
        let names = ("@recipe_files".to_string(), path.clone());
        input.files.push(RecipeFile { form: RecipeForm::of(&path), path, source, names });
    }
    Ok(())
}

/// Directories of a run: that of the configuration file, and the base of caches and backups.
struct Folders {
    config: String,
    cache: String,
}

fn cache_folder(vm: &mut Vm, file: Option<&str>) -> Folders {
    let host = vm.host.clone();
    let home = host.env(b"HOME").map(|home| String::from_utf8_lossy(&home).into_owned()).unwrap_or_default();
    let file = file.filter(|path| !input::is_address(path));
    let own = file.and_then(|path| path.rsplit_once('/')).map(|(folder, _)| folder.to_string());
    let config = own.unwrap_or(format!("{home}/.chef"));
    let cache = text_setting(vm, "cache_path").unwrap_or(format!("{config}/local-mode-cache"));
    Folders { config, cache }
}

/// Refuses a run that needs a Chef Infra Server.
fn only_local(vm: &mut Vm, options: &Options, program: Program) -> Result<(), Refusal> {
    let local = program != Program::Client { local: false } || setting(vm, "local_mode").truthy();
    set(vm, "local_mode", Value::True);
    options.refused(local)?;
    let server = options.server.server.clone().or_else(|| text_setting(vm, "chef_server_url"));
    match server.filter(|url| !local && !url.starts_with("chefzero")) {
        Some(url) => Err(flags::no_server(&url)),
        None => Ok(()),
    }
}

/// Sets the paths of the run in `Chef::Config`; gives the file cache's.
fn set_places(vm: &mut Vm, input: &Input, base: &Folders) -> String {
    let cache = text_setting(vm, "file_cache_path").unwrap_or(format!("{}/cache", base.cache));
    let backup = text_setting(vm, "file_backup_path").unwrap_or(format!("{}/backup", base.cache));
    for (key, value) in [
        ("node_name", &input.node_name),
        ("cache_path", &base.cache),
        ("file_cache_path", &cache),
        ("file_backup_path", &backup),
    ] {
        set(vm, key, Value::str(value));
    }
    if texts(vm, "chef_repo_path").len() < 2 {
        set(vm, "chef_repo_path", Value::str(&input.repo));
    }
    let paths = Value::array(input.cookbook_paths.iter().map(Value::str).collect());
    set(vm, "cookbook_path", paths);
    cache
}

fn prepare(
    vm: &mut Vm,
    called: &Called,
    program: Program,
    command: &str,
    words: &[String],
) -> Result<Prepared, Refusal> {
    let options = &called.options;
    let host = vm.host.clone();
    let cwd = host.getcwd().map_err(|error| (1, error.to_string()))?;
    let cwd = String::from_utf8_lossy(&cwd).into_owned();
    let program = if options.local && program != Program::Solo && program != Program::Apply {
        Program::Client { local: true }
    } else {
        program
    };
    let request = Request::new(&*host, &options.node, &options.run_list, program, &cwd);
    let settings = config::configure(vm, &*host, &request)?;
    if program != Program::Apply {
        privileges::change(vm, options, command, words)?;
    }
    config::export_proxies(vm);
    let (format, logs) = format_of(vm, options)?;
    only_local(vm, options, program)?;
    settings_of(vm, options, program);
    if let Value::Int(mask) = setting(vm, "umask") {
        host.umask(Some((mask & 0o777) as u32));
    }
    let mut choice = rchef_providers::facts::choice(vm);
    choice.minimal = setting(vm, "minimal_ohai").truthy();
    let ohai = asking(vm, |_| rchef_providers::facts::collect(&*host, &choice));
    if let Some(url) = options.recipe_url.clone().or_else(|| text_setting(vm, "recipe_url")) {
        asking(vm, |vm| archive::unpack(vm, &request, &url))?;
    }
    let mut resolved = input::resolve(vm, &*host, &request, &settings, input::Facts::Collected(ohai))?;
    if resolved.policies.len() > 1 && options.child.is_none() && (options.run.resume || !options.run.only.is_empty()) {
        return Err((
            1,
            "--only and --resume choose resources of one policy, and this run has several: name one with --policy-name"
                .into(),
        ));
    }
    resolved.warnings.extend(options.without_effect());
    let input = &mut resolved.input;
    input.enforce_versions = true;
    input.live = true;
    input.fresh = program == Program::Apply;
    input.flat |= options.legacy || setting(vm, "solo_legacy_mode").truthy();
    if input.node_name.is_empty() {
        let refused = "Unable to determine node name: configure node_name or set the machine's host name";
        let name = input.collected.as_ref().and_then(rchef_recipe::compile::name_in);
        input.node_name = name.ok_or_else(|| (1, refused.to_string()))?;
    }
    let base = cache_folder(vm, settings.file.as_deref());
    let cache = set_places(vm, input, &base);
    let why_run = options.output.why_run || setting(vm, "why_run").truthy();
    if let Some(facts) = input.collected.as_mut().filter(|_| program != Program::Apply) {
        guid::keep(vm, &base.config, facts);
    }
    add_recipes(&*host, input, called, &cwd)?;
    if program == Program::Apply && input.files.is_empty() {
        return Err((1, "No recipe file provided\nhint: name a file, or give the recipe with -e TEXT or -s".into()));
    }
    let free = why_run || options.new_node;
    let guards_new_node = !free && program != Program::Apply && !setting(vm, "new_node").truthy();
    let told = match &options.child {
        Some(path) => Some(several::Told::read(&*host, path).map_err(|text| (1, text))?),
        None => None,
    };
    let mut policies = resolved.policies;
    if let Some(told) = &told {
        policies.clear();
        input.policy = Some(told.policy.clone());
        input.carried.clone_from(&told.carried);
        input.one_of_several = true;
    }
    Ok(Prepared {
        guards_new_node,
        input: resolved.input,
        warnings: resolved.warnings,
        cache,
        folder: base.config,
        format,
        logs,
        program,
        policies,
        told,
        command: command.to_string(),
        words: words.to_vec(),
        compile_words: compile_words(options, settings.file.as_ref()),
        run: options.run.clone(),
        plan: None,
    })
}

/// Subscribes the formatter, the log and the recorders to the run's events.
fn listen(vm: &mut Vm, real: &RealHost, options: &Options, prepared: &Prepared, why_run: bool) -> Result<(), String> {
    let colour = !options.output.no_color && setting(vm, "color").same(&Value::False).eq(&false);
    let formatter: Option<Rc<dyn Sink>> = match prepared.format.as_str() {
        "doc" => {
            let is_bare = prepared.program == Program::Apply;
            let doc = if is_bare { Doc::bare(vm, colour, why_run) } else { Doc::new(vm, colour, why_run) };
            doc.watch(real);
            Some(Rc::new(doc))
        }
        "min" | "minimal" => Some(Rc::new(Min::new(vm, colour))),
        _ => None,
    };
    let level = options.output.log_level.clone().or_else(|| text_setting(vm, "log_level"));
    // level `auto`: `info` if the log replaces the formatter
    let level = level
        .filter(|level| level != "auto")
        .unwrap_or_else(|| if prepared.logs { "info".into() } else { "warn".into() });
    let level = Level::of_option(&level)?;
    show_from(vm, level);
    if level <= Level::Debug {
        real.keep_notes();
    }
    let place = log::Place::of(vm, options.output.log_file.as_deref())?;
    let on_output = matches!(place, log::Place::Output) && level <= Level::Fatal;
    let blocks = formatter.is_some();
    let deprecations = prepared.format != "doc";
    rchef_recipe::events::sinks(vm).push(Rc::new(Logger { least: level, place, deprecations }));
    rchef_recipe::events::sinks(vm).extend(formatter);
    ending::listen(vm, blocks, on_output);
    rchef_recipe::events::sinks(vm).push(Rc::new(subscribers::Recorder));
    Ok(())
}

fn client(vm: &mut Vm, real: &RealHost, options: &Options, prepared: &mut Prepared) -> u8 {
    let why_run = setting(vm, "why_run").truthy();
    converge_mut(vm).mode = if why_run { ActionMode::WhyRun } else { ActionMode::Converge };
    converge_mut(vm).skip_preflight = options.run.no_preflight;
    if let Err(text) = listen(vm, real, options, prepared, why_run) {
        diagnostic::complain(&format!("{text}\n"));
        return 1;
    }
    let host = vm.host.clone();
    let mut strays = Ok(Vec::new());
    let _lock = match signals::watch(vm).and_then(|()| books::own_lock(vm, options, prepared, why_run)) {
        Ok(lock) => lock,
        Err(error) => return ending::refused(vm, error),
    };
    if !why_run {
        let _ = compose::create_dir_all(&*host, prepared.cache.as_bytes(), 0o755);
        strays = real.keep_journal(format!("{}/staging", prepared.cache).as_bytes());
        if let Some(facts) = prepared.input.collected.as_mut().filter(|_| prepared.program != Program::Apply) {
            guid::make(vm, &prepared.folder, facts);
        }
    }
    let prepared = &*prepared;
    if let Some(told) = &prepared.told {
        return one_policy(vm, options, prepared, told);
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
    if !why_run && prepared.program != Program::Apply {
        checkpoint::begin(vm);
    }
    match options.output.slow_report {
        Some(_) if prepared.policies.len() > 1 => {
            log_line(
                vm,
                "warn",
                "--slow-report has no effect on several policies, for each runs in a process of its own: name one",
            );
        }
        Some(count) => slow_report(vm, count),
        None => {}
    }
    if let Err(error) = register_formatter(vm, &prepared.format) {
        return failed(vm, prepared, error);
    }
    if prepared.policies.len() > 1 {
        return several_policies(vm, options, prepared, why_run);
    }
    match converge(vm, prepared) {
        Ok(()) => succeeded(vm, prepared, why_run, None),
        Err(error) => failed(vm, prepared, error),
    }
}

/// The child process of one of several policies; saving the node, handlers and totals are the parent's.
fn one_policy(vm: &mut Vm, options: &Options, prepared: &Prepared, told: &several::Told) -> u8 {
    // with broken settings there may be some; the parent, which runs them, reports what is wrong
    let has_handlers = subscribers::has_handlers(vm).unwrap_or(true) || subscribers::has_data_collector(vm);
    for key in ["start_handlers", "report_handlers", "exception_handlers"] {
        set(vm, key, Value::array(Vec::new()));
    }
    let counter = Rc::new(several::Counter::new(has_handlers));
    rchef_recipe::events::sinks(vm).push(counter.clone());
    let why_run = setting(vm, "why_run").truthy();
    books::begin_part(vm, options, prepared, why_run);
    let mut owed = Vec::new();
    if !why_run {
        books::open_ledger(vm, options, prepared);
        checkpoint::begin(vm);
        cookbook::cookbooks(vm).own_folder = Some(cookbook::own_folder::path(&prepared.cache, &told.policy.name));
    }
    let done = register_formatter(vm, &prepared.format).and_then(|()| converge(vm, prepared));
    if !why_run {
        owed = books::close_ledger(vm, prepared, done.is_ok());
        match done.as_ref().err().and_then(|error| error.exception().cloned()) {
            Some(exception) => checkpoint::leave(vm, prepared, &exception),
            None => checkpoint::forget(vm, prepared),
        }
    }
    let code = match &done {
        Err(error) => match error.exception().cloned() {
            Some(exception) => ending::status(vm, &exception),
            None => 1,
        },
        Ok(()) => 0,
    };
    emit(vm, |sink, vm| sink.policy_ending(vm));
    several::leave_result(vm, told, &counter, (done, code), &owed)
}

/// Runs several policies, one after the other.
fn several_policies(vm: &mut Vm, options: &Options, prepared: &Prepared, why_run: bool) -> u8 {
    if options.check_conflicts {
        match several::conflicts(vm, prepared) {
            Ok(found) if several::told_conflicts(vm, &found) => {
                let text = match found.len() {
                    1 => "the policies manage one thing differently; nothing was changed".to_string(),
                    count => format!("the policies manage {count} things differently; nothing was changed"),
                };
                let error = vm.runtime_error(text);
                return failed(vm, prepared, error);
            }
            Ok(_) => {}
            Err(text) => {
                let error = vm.runtime_error(format!("the policies cannot be compared: {text}"));
                return failed(vm, prepared, error);
            }
        }
    }
    let status = Cell::new(None);
    match several::run(vm, prepared, &status) {
        Ok(finished) => succeeded(vm, prepared, why_run, Some(finished)),
        Err(error) => {
            let own = failed(vm, prepared, error);
            status.get().unwrap_or(own)
        }
    }
}

/// `--slow-report`: adds a `Chef::Handler::SlowReport` that lists this many resources at the end, also of a failed run.
fn slow_report(vm: &mut Vm, count: u32) {
    let code = format!(
        "require 'chef/handler/slow_report'; report = Chef::Handler::SlowReport.new({count}); [:report_handlers, :exception_handlers].each {{ |key| Chef::Config[key] = Array(Chef::Config[key]) + [report] }}"
    );
    let main = Value::Class(rchef_ruby::ClassId::OBJECT);
    let definee = rchef_ruby::embed::frame::Definee::SingletonOf(main.clone());
    if let Err(error) = vm.run_string_as(code.as_bytes(), "(slow-report)", &main, definee) {
        let text = diagnostic::describe(vm, error);
        log_line(vm, "warn", format!("--slow-report: {text}"));
    }
}

fn converge(vm: &mut Vm, prepared: &Prepared) -> Res<()> {
    subscribers::configured(vm)?;
    if prepared.told.is_none() {
        subscribers::report_to_data_collector(vm)?;
    }
    subscribers::start(vm)?;
    match &prepared.plan {
        Some((plan, _)) => {
            let policy = prepared.told.as_ref().map(|told| told.policy.name.clone());
            plan::saved::guard(vm, plan.clone(), policy);
        }
        None if prepared.run.step => step::ask_each(vm),
        None => {}
    }
    if let Err(error) = compile::compile(vm, &prepared.input) {
        return runner::abort_compile(vm, error);
    }
    if prepared.guards_new_node {
        fresh::check(vm, &prepared.input.node_name)?;
    }
    match &prepared.plan {
        Some((_, targets)) if prepared.told.is_some() => {
            plan::targets::choose_known(vm, targets, true)?;
        }
        Some((_, targets)) => plan::targets::choose(vm, targets, true)?,
        None => plan::targets::choose(vm, &prepared.run.only, false)?,
    }
    if prepared.run.resume {
        resume::choose(vm, prepared)?;
    }
    runner::converge_run(vm)
}

/// Ends a successful run: saves the node (`of_policies` has the one that the child processes left), runs handlers, and reboots if a resource
/// requested it.
fn succeeded(vm: &mut Vm, prepared: &Prepared, why_run: bool, of_policies: Option<several::Finished>) -> u8 {
    let (made, asked) = match of_policies {
        Some(finished) => (Some(finished.node), Ok(finished.reboot)),
        None => (None, reboot::requested(vm)),
    };
    if prepared.input.overriding {
        log_line(vm, "warn", "Skipping final node save because override_runlist was given");
    } else if why_run {
        log_line(vm, "warn", "In why-run mode, so NOT performing node save.");
    } else if prepared.saves(vm)
        && let Err(error) = made.map_or_else(|| save::document(vm), Ok).and_then(|document| save::save(vm, &document))
    {
        return failed(vm, prepared, error);
    }
    if let Err(error) = subscribers::ended(vm, None) {
        return failed(vm, prepared, error);
    }
    emit(vm, |sink, vm| sink.run_completed(vm));
    if let Err(error) = subscribers::raised(vm) {
        return failed(vm, prepared, error);
    }
    resume::forget(vm, prepared);
    books::close_books(vm, prepared, None);
    checkpoint::forget(vm, prepared);
    match asked.and_then(|asked| asked.map_or(Ok(()), |request| reboot::carry_out(vm, &request))) {
        Ok(()) => 0,
        Err(error) => failed(vm, prepared, error),
    }
}

fn failed(vm: &mut Vm, prepared: &Prepared, error: rchef_ruby::Error) -> u8 {
    let exception = vm.error_value(error);
    // an error of a handler does not replace the run's own
    let _ = subscribers::ended(vm, Some(&exception));
    resume::note(vm, prepared);
    books::close_books(vm, prepared, Some(&exception));
    checkpoint::leave(vm, prepared, &exception);
    emit(vm, |sink, vm| sink.run_failed(vm, &exception));
    ending::report(vm, &prepared.cache, &exception)
}
