//! `rchef client` (also by the names chef-client, chef-solo, chef-apply): a run from a chef-repo on this machine.

mod ending;
mod lock;
mod options;
mod report;
mod signals;

use crate::config::{self, Refusal, absolute, evaluate, set, setting, text_setting};
use crate::diagnostic;
use crate::formatter::{doc::Doc, min::Min, raw};
use clap::{ArgAction, Parser};
use rchef_host::compose::{self, Finish};
use rchef_host::{Files, OpenFlags, RealHost};
use rchef_recipe::chef_api::log_line;
use rchef_recipe::compile::{self, Input};
use rchef_recipe::events::{Sink, emit};
use rchef_recipe::log::{Level, show_from};
use rchef_recipe::node::{self, Component};
use rchef_recipe::provider::runner;
use rchef_recipe::run::{ActionMode, converge_mut, process_mut, run_mut};
use rchef_recipe::{subscribers, unsent};
use rchef_ruby::{Res, Value, Vm, sym};
use serde_json::{Map, Value as Json};
use std::rc::Rc;

/// Converges this machine from a chef-repo.
#[derive(Parser, Debug)]
#[command(name = "rchef client", about = "Converge this machine from a chef-repo", disable_version_flag = true)]
pub struct Options {
    /// Use the repository on disk (always so)
    #[arg(short = 'z', long = "local-mode")]
    local: bool,
    /// Run list of this run only
    #[arg(short = 'o', long = "override-runlist", value_name = "RUNLIST")]
    override_run_list: Option<String>,
    /// Run list, saved with the node
    #[arg(short = 'r', long = "runlist", value_name = "RUNLIST")]
    run_list: Option<String>,
    /// JSON attributes
    #[arg(short = 'j', long = "json-attributes", value_name = "FILE")]
    json: Option<String>,
    /// Environment
    #[arg(short = 'E', long)]
    environment: Option<String>,
    /// Node name
    #[arg(short = 'N', long = "node-name")]
    node_name: Option<String>,
    /// Only say what would be changed
    #[arg(short = 'W', long = "why-run")]
    why_run: bool,
    /// Folders with gems of pure Ruby, or `.gem` archives (also: GEM_PATH, `vendor/gems`)
    #[arg(long = "gem-path", value_name = "PATH")]
    gem_path: Vec<String>,
    /// Configuration file
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Option<String>,
    /// A setting, over the configuration file's
    #[arg(long = "config-option", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Level of the log: auto, trace, debug, info, warn, error, fatal
    #[arg(short = 'l', long = "log_level", alias = "log-level", value_name = "LEVEL")]
    log_level: Option<String>,
    /// File of the log
    #[arg(short = 'L', long = "logfile", value_name = "FILE")]
    log_file: Option<String>,
    /// Output: doc, min, null
    #[arg(short = 'F', long = "format", value_name = "NAME", default_value = "doc")]
    format: String,
    /// Colours on a terminal
    #[arg(long, overrides_with = "no_color")]
    color: bool,
    /// No colours
    #[arg(long)]
    no_color: bool,
    /// Do not wait until what is written has reached the disk
    #[arg(long = "no-fsync")]
    no_fsync: bool,
    /// One run (always so)
    #[arg(long)]
    once: bool,
    /// Ignored: rchef asks for no licence
    #[arg(long = "chef-license", value_name = "VALUE", num_args = 0..=1)]
    license: Option<String>,
    #[command(flatten)]
    run: options::RunOptions,
    /// Version
    #[arg(short = 'v', long = "version", action = ArgAction::SetTrue)]
    version: bool,
    /// Recipe files to run after the run list
    files: Vec<String>,
}

/// Shows log messages, on standard output or in a file.
struct Logger {
    least: Level,
    file: Option<String>,
    /// Deprecations too: no formatter lists them.
    deprecations: bool,
}
/// Files that may hold secrets of the node: for the user of the run alone.
const PRIVATE: Finish = Finish { mode: Some(0o600), uid: None, gid: None, sync: false };

impl Sink for Logger {
    fn logged(&self, vm: &mut Vm, level: &str, text: &str) {
        if Level::named(level).is_none_or(|level| level < self.least) {
            return;
        }
        let line = format!("[{}] {}: {text}\n", timestamp(vm), level.to_uppercase());
        let Some(path) = &self.file else { return raw(vm, &line) };
        let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND;
        // a log that cannot be written does not end a run
        let _ = vm.host.open(path.as_bytes(), flags, 0o644).and_then(|log| compose::write_all(&*log, line.as_bytes()));
    }
    fn deprecation(&self, vm: &mut Vm, text: &str, _: &str) {
        if self.deprecations {
            self.logged(vm, "warn", text);
        }
    }
}

/// The local time as `2026-01-01T00:00:00+00:00`.
fn timestamp(vm: &Vm) -> String {
    let seconds = vm.host.wall_ns().div_euclid(1_000_000_000);
    let offset = i64::from(vm.host.local_zone(seconds).offset);
    let (day, second) = ((seconds + offset).div_euclid(86_400), (seconds + offset).rem_euclid(86_400));
    // days since 1970 as a date of the proleptic Gregorian calendar; years start in March
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let (date, month) =
        (of_year - (153 * from_march + 2) / 5 + 1, if from_march < 10 { from_march + 3 } else { from_march - 9 });
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let sign = if offset < 0 { '-' } else { '+' };
    format!(
        "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}{sign}{:02}:{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60,
        offset.abs() / 3600,
        offset.abs() / 60 % 60
    )
}

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
    let places = options.gem_path.iter().map(|path| rchef_host::files::absolute(&cwd, path.as_bytes()));
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
    /// The run list that is saved with the node.
    saved_list: Vec<String>,
    repository: String,
    cache: String,
    /// Recipe files: path and source.
    files: Vec<(String, Vec<u8>)>,
    apply: bool,
}

/// Evaluates the configuration file and applies the command line's settings over it.
fn configure(vm: &mut Vm, options: &Options, cwd: &str, name: &str) -> Result<Option<String>, Refusal> {
    let host = vm.host.clone();
    let usual = if name == "chef-solo" { "/etc/chef/solo.rb" } else { "/etc/chef/client.rb" };
    let path = options.config.as_ref().map_or(usual.to_string(), |path| absolute(cwd, path));
    config::begin(vm);
    let found = compose::read_file(&*host, path.as_bytes());
    let mut used = None;
    match found {
        Ok(source) => {
            evaluate(vm, &path, &source)?;
            used = Some(path);
        }
        Err(_) if options.config.is_some() => diagnostic::complain(&format!(
            "[{}] WARN: Did not find config file: {path}. Using command line options instead.\n",
            timestamp(vm)
        )),
        Err(_) => {}
    }
    for option in &options.settings {
        let Some((key, value)) = option.split_once('=') else {
            return Err((config::FAILURE, format!("Unparsable config option \"{option}\"")));
        };
        let value = match value.trim() {
            "true" => Value::True,
            "false" => Value::False,
            "" | "nil" | "null" => Value::Nil,
            text => text.parse().map(Value::Int).unwrap_or_else(|_| Value::str(text)),
        };
        set(vm, key.trim(), value);
    }
    Ok(used)
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

/// The nearest directory at or above `cwd` that holds cookbooks.
fn repository(vm: &mut Vm, cwd: &str) -> String {
    if let Some(path) = text_setting(vm, "chef_repo_path") {
        return absolute(cwd, &path);
    }
    let host = vm.host.clone();
    let mut here = cwd;
    loop {
        if ["cookbooks", "cookbook_artifacts"]
            .iter()
            .any(|name| compose::exists(&*host, format!("{here}/{name}").as_bytes()))
        {
            return here.to_string();
        }
        match here.rsplit_once('/') {
            Some((above, _)) if !above.is_empty() => here = above,
            _ => return cwd.to_string(),
        }
    }
}

/// Adds `from` to `into` as node attributes merge: maps by key, lists as unions.
fn merge(into: &mut Json, from: Json) {
    match (into, from) {
        (Json::Object(into), Json::Object(from)) => {
            for (key, value) in from {
                match into.get_mut(&key) {
                    Some(known) => merge(known, value),
                    None => {
                        into.insert(key, value);
                    }
                }
            }
        }
        (Json::Array(into), Json::Array(from)) => {
            for item in from {
                if !into.contains(&item) {
                    into.push(item);
                }
            }
        }
        (into, from) => *into = from,
    }
}

fn names(list: Option<&Json>) -> Vec<String> {
    list.and_then(Json::as_array)
        .map(|items| items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect())
        .unwrap_or_default()
}
fn items(list: &str) -> Vec<String> {
    let named = |item: &str| if item.contains('[') { item.to_string() } else { format!("recipe[{item}]") };
    list.split(',').map(str::trim).filter(|item| !item.is_empty()).map(named).collect()
}

fn prepare(vm: &mut Vm, options: &Options, name: &str) -> Result<Prepared, Refusal> {
    let host = vm.host.clone();
    let cwd = host.getcwd().map_err(|error| (1, error.to_string()))?;
    let cwd = String::from_utf8_lossy(&cwd).into_owned();
    let config_file = configure(vm, options, &cwd, name)?;
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
    let repository = repository(vm, &cwd);
    let choice = config::facts_choice(vm);
    let ohai = rchef_providers::facts::collect_text(&*host, &choice);
    let node_name = options
        .node_name
        .clone()
        .or_else(|| text_setting(vm, "node_name"))
        .or_else(|| rchef_recipe::compile::name_of(&ohai));
    let Some(node_name) = node_name else {
        return Err((1, "Unable to determine node name: configure node_name or set the machine's host name".into()));
    };
    set(vm, "node_name", Value::str(&node_name));
    let home = host.env(b"HOME").map(|home| String::from_utf8_lossy(&home).into_owned()).unwrap_or_default();
    let base = config_file
        .as_ref()
        .and_then(|path| path.rsplit_once('/'))
        .map_or(format!("{home}/.chef"), |(folder, _)| folder.to_string());
    let base = text_setting(vm, "cache_path").unwrap_or(format!("{base}/local-mode-cache"));
    let cache = text_setting(vm, "file_cache_path").unwrap_or(format!("{base}/cache"));
    for (key, value) in [("cache_path", &base), ("file_cache_path", &cache), ("chef_repo_path", &repository)] {
        set(vm, key, Value::str(value));
    }
    let mut cookbook_paths = config::paths(vm, "cookbook_path", &cwd);
    if cookbook_paths.is_empty() {
        cookbook_paths.push(format!("{repository}/cookbooks"));
    }
    let paths = Value::array(cookbook_paths.iter().map(Value::str).collect());
    set(vm, "cookbook_path", paths);
    let read_json = |path: &str| -> Result<Json, Refusal> {
        let bytes = compose::read_file(&*host, path.as_bytes())
            .map_err(|error| (1, format!("Cannot load configuration from {path}: {}", error.message())))?;
        serde_json::from_slice(&bytes).map_err(|error| (1, diagnostic::broken_json("the file", path, &bytes, &error)))
    };
    let apply = name == "chef-apply";
    let saved_path = format!("{repository}/nodes/{node_name}.json");
    let mut normal = Json::Object(Map::new());
    let mut saved_list = Vec::new();
    let mut environment = None;
    if !apply && compose::exists(&*host, saved_path.as_bytes()) {
        let saved = read_json(&saved_path)?;
        saved_list = names(saved.get("run_list"));
        environment = saved.get("chef_environment").and_then(Json::as_str).map(str::to_string);
        merge(&mut normal, saved.get("normal").cloned().unwrap_or(Json::Null));
    }
    if normal.is_null() {
        normal = Json::Object(Map::new());
    }
    let given = options.json.clone().or_else(|| text_setting(vm, "json_attribs"));
    if let Some(path) = given {
        let mut json = read_json(&absolute(&cwd, &path))?;
        if let Some(map) = json.as_object_mut() {
            let lists: Vec<Json> = ["run_list", "recipes"].iter().filter_map(|key| map.remove(*key)).collect();
            if lists.len() == 2 {
                return Err((1, "run_list and recipes are both given: only one of them may be".into()));
            }
            if let Some(list) = lists.first() {
                saved_list = items(&names(Some(list)).join(","));
            }
        }
        merge(&mut normal, json);
    }
    if let Some(list) = &options.run_list {
        saved_list = items(list);
    }
    let mut files = Vec::new();
    for path in &options.files {
        let path = absolute(&cwd, path);
        let source = compose::read_file(&*host, path.as_bytes())
            .map_err(|_| (1, format!("Invalid argument; could not find the following recipe files: \"{path}\"")))?;
        files.push((path, source));
    }
    if apply && files.is_empty() {
        return Err((1, "No recipe file provided".into()));
    }
    let effective = match &options.override_run_list {
        Some(list) => items(list),
        None => saved_list.clone(),
    };
    let environment = options.environment.clone().or(environment);
    let input = Input {
        repo: repository.clone(),
        cookbook_paths,
        run_list: effective.join(","),
        overriding: options.override_run_list.is_some(),
        node_name,
        ohai,
        json: Some(normal.to_string().into_bytes()),
        environment,
        chef19_order: text_setting(vm, "load_order").is_some_and(|order| order == "chef19"),
        enforce_versions: true,
        ..Input::default()
    };
    Ok(Prepared { input, saved_list, repository, cache, files, apply })
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
    let file_of_log = options.log_file.clone().filter(|name| name != "STDOUT" && name != "-");
    rchef_recipe::events::sinks(vm).push(Rc::new(Logger {
        least: level,
        file: file_of_log.clone(),
        deprecations: options.format != "doc",
    }));
    let blocks = formatter.is_some();
    let on_output = file_of_log.is_none() && level <= Level::Fatal;
    rchef_recipe::events::sinks(vm).extend(formatter);
    ending::listen(vm, blocks, on_output);
    rchef_recipe::events::sinks(vm).push(Rc::new(subscribers::Recorder));
    let host = vm.host.clone();
    let mut strays = Ok(Vec::new());
    let _lock = match signals::watch(vm).and_then(|()| own_lock(vm, options, prepared, why_run)) {
        Ok(lock) => lock,
        Err(error) => return ending::refused(vm, error),
    };
    if !why_run {
        let _ = compose::create_dir_all(&*host, prepared.cache.as_bytes(), 0o755);
        strays = real.keep_journal(format!("{}/staging", prepared.cache).as_bytes());
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
    if options.override_run_list.is_some() {
        log_line(vm, "warn", "Run List override has been provided.");
        log_line(vm, "warn", format!("Original Run List: [{}]", prepared.saved_list.join(", ")));
        log_line(vm, "warn", format!("Overridden Run List: [{}]", prepared.input.run_list.replace(',', ", ")));
    } else if prepared.input.run_list.is_empty() && prepared.files.is_empty() {
        log_line(vm, "warn", format!("Node {} has an empty run list.", prepared.input.node_name));
    }
    keep_books(vm, options, prepared, why_run);
    match register_formatter(vm, &options.format).and_then(|()| converge(vm, prepared)) {
        Ok(()) => succeeded(vm, options, prepared, why_run),
        Err(error) => failed(vm, prepared, error),
    }
}

/// Begins what is written down of the run: its report, and the notifications that it owes.
fn keep_books(vm: &mut Vm, options: &Options, prepared: &Prepared, why_run: bool) {
    if let Some(path) = &options.run.report {
        let run =
            report::Run { node_name: prepared.input.node_name.clone(), why_run, run_list: prepared.saved_list.clone() };
        report::begin(vm, path, run);
    }
    let path = ledger_of(prepared);
    let left = unsent::open(vm, &path, options.run.resume_notifications);
    if left.is_empty() {
        return;
    }
    let list: String = left.iter().map(|owed| format!("\n  {}", owed.shown())).collect();
    let text = if options.run.resume_notifications {
        format!("Notifications that an earlier run could not send are sent at the end of this one:{list}")
    } else {
        format!(
            "An earlier run ended before it had sent these notifications; --resume-notifications sends them, removing {path} forgets them:{list}"
        )
    };
    diagnostic::complain(&format!("warning: {text}\n"));
}

/// The file of the notifications that are owed.
fn ledger_of(prepared: &Prepared) -> String {
    format!("{}/unsent-notifications.jsonl", prepared.cache)
}

/// Ends what is written down of the run.
fn close_books(vm: &mut Vm, prepared: &Prepared, failure: Option<&Value>) {
    let (owed, left) = unsent::close(vm, failure.is_none());
    if !owed.is_empty() {
        let list: String = owed.iter().map(|owed| format!("\n  {}", owed.shown())).collect();
        let path = ledger_of(prepared);
        let text = format!(
            "These notifications of changes that were made have not been sent; they are kept in {path}, and a run with --resume-notifications sends them:{list}"
        );
        crate::formatter::flush(vm);
        diagnostic::complain(&format!("warning: {text}\n"));
    }
    let all: Vec<unsent::Owed> = owed.into_iter().chain(left).collect();
    report::end(vm, failure, &all);
}

/// The lock of this machine's runs; chef-apply has none.
fn own_lock(vm: &mut Vm, options: &Options, prepared: &Prepared, why_run: bool) -> Res<Option<lock::RunLock>> {
    if prepared.apply {
        return Ok(None);
    }
    let path = options.run.lockfile.clone().or_else(|| text_setting(vm, "lockfile"));
    let path = path.unwrap_or_else(|| format!("{}/chef-client-running.pid", prepared.cache));
    let timeout = match options.run.run_lock_timeout {
        None => match setting(vm, "run_lock_timeout") {
            Value::Nil => None,
            seconds => Some(vm.to_f64(&seconds)?),
        },
        given => given,
    };
    lock::take(vm, &path, timeout, why_run)
}

fn converge(vm: &mut Vm, prepared: &Prepared) -> Res<()> {
    subscribers::configured(vm)?;
    subscribers::start(vm)?;
    if let Err(error) = compile::compile(vm, &prepared.input) {
        return runner::abort_compile(vm, error);
    }
    let root = run_mut(vm).root.clone();
    for (path, source) in &prepared.files {
        let names = if prepared.apply {
            ("(chef-apply cookbook)", "(chef-apply recipe)")
        } else {
            ("@recipe_files", path.as_str())
        };
        rchef_recipe::recipe::load_file(vm, &root, names, path, source)?;
    }
    runner::converge_run(vm)
}

fn succeeded(vm: &mut Vm, options: &Options, prepared: &Prepared, why_run: bool) -> u8 {
    if options.override_run_list.is_some() {
        log_line(vm, "warn", "Skipping final node save because override_runlist was given");
    } else if why_run {
        log_line(vm, "warn", "In why-run mode, so NOT performing node save.");
    } else if !prepared.apply
        && let Err(error) = save(vm, prepared)
    {
        return failed(vm, prepared, error);
    }
    if let Err(error) = subscribers::ended(vm, None) {
        return failed(vm, prepared, error);
    }
    close_books(vm, prepared, None);
    emit(vm, |sink, vm| sink.run_completed(vm));
    0
}

/// Writes `nodes/NAME.json` (SPEC-compile 2.8; empty levels are left out).
fn save(vm: &mut Vm, prepared: &Prepared) -> Res<()> {
    let node = run_mut(vm).node.clone();
    let data = vm.call_name(&node, "data_for_save", &[])?;
    let text = vm.call_name(&data, "to_json", &[]);
    let mut saved = Map::new();
    saved.insert("name".into(), Json::from(prepared.input.node_name.as_str()));
    let full: Json = match text.and_then(|text| vm.to_s_text(&text)) {
        Ok(text) => serde_json::from_str(&text).unwrap_or_default(),
        Err(_) => {
            let mut levels = Map::new();
            for (key, component) in [
                ("normal", Component::Normal),
                ("default", Component::Default),
                ("override", Component::Override),
                ("automatic", Component::Automatic),
            ] {
                let value = node::component(vm, &node, component)?;
                let shown = rchef_recipe::dump::value::encode(vm, &value, true)?;
                levels.insert(key.into(), shown.into());
            }
            Json::Object(levels)
        }
    };
    let environment = full
        .get("chef_environment")
        .and_then(Json::as_str)
        .or(prepared.input.environment.as_deref())
        .filter(|name| *name != "_default");
    if let Some(environment) = environment {
        saved.insert("chef_environment".into(), Json::from(environment));
    }
    for key in ["normal", "default", "override", "automatic"] {
        if let Some(level) = full.get(key).filter(|level| level.as_object().is_some_and(|map| !map.is_empty())) {
            saved.insert(key.into(), level.clone());
        }
    }
    saved.insert("run_list".into(), Json::from(prepared.saved_list.clone()));
    let host = vm.host.clone();
    let folder = format!("{}/nodes", prepared.repository);
    let path = format!("{folder}/{}.json", prepared.input.node_name);
    let text = format!("{:#}\n", Json::Object(saved));
    let written = compose::create_dir_all(&*host, folder.as_bytes(), 0o755)
        .and_then(|_| compose::atomic_write(&*host, path.as_bytes(), text.as_bytes(), PRIVATE));
    written.map_err(|error| vm.host_error(&error))
}

fn failed(vm: &mut Vm, prepared: &Prepared, error: rchef_ruby::Error) -> u8 {
    let exception = vm.error_value(error);
    // the failure of the run is what is reported, not one of those who are told of it
    let _ = subscribers::ended(vm, Some(&exception));
    close_books(vm, prepared, Some(&exception));
    emit(vm, |sink, vm| sink.run_failed(vm, &exception));
    ending::report(vm, &prepared.cache, &exception)
}
