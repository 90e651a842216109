//! Other Ruby-level names that libraries use: `Chef::Config`, `Chef::Log`, `Chef.run_context` and similar ones.

use crate::log::{Level, detail, wants};
use crate::run::{class, run_mut};
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{ClassId, MethodDef, Res, Symbol, Value, Vm, any, at_least, def, opt, sym};
use std::rc::Rc;

/// Dumps show this for [`local_cache`], which depends on the machine.
pub const CACHE: &str = "%CACHE%";

#[derive(Default)]
struct Singletons {
    events: Option<Value>,
    logger: Option<Value>,
    config: Option<Value>,
    cache: Option<Rc<str>>,
    /// Places of deprecated calls, each with whether a comment on that line silences the warning.
    silenced: rustc_hash::FxHashMap<String, bool>,
}

/// The default file cache of a local run, below the user's home directory.
pub fn local_cache(vm: &mut Vm) -> Rc<str> {
    if let Some(found) = &vm.extension::<Singletons>().cache {
        return found.clone();
    }
    let host = vm.host.clone();
    let home =
        host.env(b"HOME").filter(|home| !home.is_empty()).map(|home| String::from_utf8_lossy(&home).into_owned());
    let home = home.unwrap_or_else(|| "/root".into());
    let made: Rc<str> = format!("{}/.chef/local-mode-cache/cache", home.trim_end_matches('/')).into();
    vm.extension::<Singletons>().cache = Some(made.clone());
    made
}

/// The text with that directory replaced by [`CACHE`], and the home directory of other paths in `local-mode-cache` by `{HOME}`.
pub fn without_cache(vm: &mut Vm, text: String) -> String {
    let cache = local_cache(vm);
    let beside = parent(&cache);
    if text.len() < beside.len() || memchr::memmem::find(text.as_bytes(), beside.as_bytes()).is_none() {
        return text;
    }
    text.replace(&*cache, CACHE).replace(beside, "{HOME}/.chef/local-mode-cache")
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(parent, _)| parent)
}

fn nothing(_: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::Nil)
}

/// The run's event dispatcher (`Chef::EventDispatch::Dispatcher`).
pub fn events_value(vm: &mut Vm) -> Res {
    if let Some(found) = &vm.extension::<Singletons>().events {
        return Ok(found.clone());
    }
    let chef = class(vm, |classes| classes.chef)?;
    let module = vm.define_module(chef, "EventDispatch");
    let class = vm.const_get_from(module, Symbol::intern_static("Dispatcher"), false)?.unwrap_or_default();
    let made = vm.call(&class, sym::NEW, &[])?;
    vm.extension::<Singletons>().events = Some(made.clone());
    Ok(made)
}

/// Makes the dispatcher of a run context that code has created the run's dispatcher. Its subscribers get the run's events from now on.
pub fn set_events(vm: &mut Vm, dispatcher: &Value) -> Res<()> {
    let subscribers = Symbol::intern_static("subscribers");
    if dispatcher.is_nil() || !vm.respond_to(dispatcher, subscribers, false)? {
        return Ok(());
    }
    vm.extension::<Singletons>().events = Some(dispatcher.clone());
    let known = vm.call(dispatcher, subscribers, &[])?;
    if !vm.to_array(&known)?.is_empty() {
        crate::subscribers::attend(vm);
    }
    Ok(())
}

/// The logger of resources and providers: `Chef::Log` itself.
pub fn logger_value(vm: &mut Vm) -> Res {
    if let Some(found) = &vm.extension::<Singletons>().logger {
        return Ok(found.clone());
    }
    let chef = class(vm, |classes| classes.chef)?;
    let made = vm.const_get_from(chef, Symbol::intern_static("Log"), false)?.unwrap_or_default();
    vm.extension::<Singletons>().logger = Some(made.clone());
    Ok(made)
}

static LOG: &[MethodDef] = &[
    any("debug", log),
    any("info", log),
    any("warn", log),
    any("error", log),
    any("fatal", log),
    any("trace", log),
    any("deprecation", log_deprecation),
    opt("level", level, 0, 1),
    def("level=", set_level, 1),
    any("with_child", itself),
    any("init", nothing),
    def("debug?", no, 0),
    def("trace?", no, 0),
    def("info?", no, 0),
    def("warn?", yes, 0),
    def("error?", yes, 0),
    def("fatal?", yes, 0),
    def("<<", log, 1),
    any("add", log_at),
    def("logger", same, 0),
    def("loggers", loggers, 0),
    any("use_log_devices", nothing),
    any("setup!", nothing),
    any("reset!", nothing),
    def("configured?", yes, 0),
    def("metadata", metadata, 0),
    def("caller_location", caller_location, 0),
];
fn yes(_: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::True)
}
fn same(_: &mut Vm, this: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(this.clone())
}
fn metadata(_: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::hash(rchef_ruby::RHash::default()))
}
/// Mixlib::Log forwards every other method to the log devices with `send`, so private methods such as `fail` work, too; `unknown` is a log level.
fn log_missing(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let Value::Sym(name) = *args.at(0) else { return Ok(Value::Nil) };
    let rest = rchef_ruby::Args { pos: &args.pos[1..], ..args };
    if name.as_str() == "unknown" {
        return log(vm, this, rest);
    }
    let class = vm.class_of(this);
    if vm.find_method(class, name).is_none() {
        return Err(vm.no_method_error(this, name, rest.pos, rchef_ruby::embed::call::CallKind::Method, None));
    }
    vm.call_args(this, name, rest)?;
    loggers(vm, this, rest)
}
fn loggers(_: &mut Vm, this: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::array(vec![this.clone()]))
}
/// `add(severity, message = nil, progname = nil)`, with Logger's numbers of severities.
fn log_at(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let level = match args.at(0) {
        Value::Int(0) => "debug",
        Value::Int(1) => "info",
        Value::Int(3) => "error",
        Value::Int(4) => "fatal",
        Value::Sym(name) => name.as_str(),
        _ => "warn",
    };
    let text = if args.at(1).is_nil() { args.at(2).clone() } else { args.at(1).clone() };
    vm.call_name(this, level, &[text])
}
fn no(_: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::False)
}
fn itself(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    match args.block {
        Some(block) => vm.yield1(block, this.clone()),
        None => Ok(this.clone()),
    }
}
/// `level` gives `:warn`; `level(name)` and `level = name` only validate their argument.
fn level(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    match args.at(0) {
        Value::Nil => Ok(Value::sym("warn")),
        _ => set_level(vm, this, args),
    }
}
fn set_level(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    match args.at(0) {
        Value::Sym(name) if crate::log::Level::named(name.as_str()).is_some() => {}
        Value::Int(-1..=4) => {}
        _ => return Err(vm.argument_error("Log level must be one of :trace, :debug, :info, :warn, :error, or :fatal")),
    }
    Ok(args.at(0).clone())
}

/// A message of the run's log.
#[derive(Clone, Debug)]
pub struct LogLine {
    /// `warn`, `error`, …
    pub level: &'static str,
    pub text: String,
}

#[derive(Default)]
pub struct Logged(pub Vec<LogLine>);

/// Logs a message through the run's event sinks.
pub fn log_line(vm: &mut Vm, level: &'static str, text: impl Into<String>) {
    let text = text.into();
    crate::events::emit(vm, |sink, vm| sink.logged(vm, level, &text));
    vm.extension::<Logged>().0.push(LogLine { level, text });
}

/// Logs a message by the method of `Chef::Log`, which Ruby code may replace.
///
/// # Errors
/// Those of a replaced method.
pub fn say(vm: &mut Vm, level: &'static str, text: &str) -> Res<()> {
    let logger = logger_value(vm)?;
    vm.call(&logger, Symbol::intern_static(level), &[Value::str(text)]).map(drop)
}

fn log(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let level = match vm.current_native_name().map(Symbol::as_str) {
        Some(name @ ("debug" | "trace")) => {
            let level = if name == "debug" { Level::Debug } else { Level::Trace };
            if wants(vm, level)
                && let Some(text) = log_text(vm, &args)?
            {
                detail(vm, level, text);
            }
            return Ok(Value::Nil);
        }
        Some("info") => "info",
        Some("error") => "error",
        Some("fatal") => "fatal",
        _ => "warn",
    };
    let text = log_text(vm, &args)?.unwrap_or_default();
    log_line(vm, level, text);
    Ok(Value::Nil)
}

/// The message to log: the argument, or the result of the block.
fn log_text(vm: &mut Vm, args: &rchef_ruby::Args<'_>) -> Res<Option<String>> {
    let value = match (args.get(0), args.block) {
        (Some(value), _) => value.clone(),
        (None, Some(block)) => vm.yield_block(block, rchef_ruby::Args::none())?,
        (None, None) => return Ok(None),
    };
    vm.to_s_text(&value).map(Some)
}

/// `Chef::Log.deprecation(text)`: logs a warning, or raises DeprecatedFeatureError if `treat_deprecation_warnings_as_errors` is set.
fn log_deprecation(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let table = config(vm)?;
    if !vm.call(&table, sym::AREF, &[Value::sym("treat_deprecation_warnings_as_errors")])?.truthy() {
        return vm.call_args(this, Symbol::intern_static("warn"), args);
    }
    vm.call_args(this, Symbol::intern_static("error"), args)?;
    let kind = vm.class_named("Chef::Exceptions::DeprecatedFeatureError").unwrap_or(ClassId::RUNTIME_ERROR);
    let made = vm.call(&Value::Class(kind), sym::NEW, &[args.at(0).clone()])?;
    Err(crate::run::raised(vm, made))
}

static CHEF: &[MethodDef] = &[
    def("run_context", run_context, 0),
    def("node", node, 0),
    def("set_node", set_node, 1),
    def("set_run_context", set_run_context, 1),
    def("reset!", reset, 0),
    any("deprecated", deprecated),
    any("log_deprecation", deprecated),
];
fn run_context(vm: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(run_mut(vm).root.clone())
}
fn node(vm: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(run_mut(vm).node.clone())
}
fn set_node(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    run_mut(vm).node = args.at(0).clone();
    Ok(args.at(0).clone())
}
fn set_run_context(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    run_mut(vm).root = args.at(0).clone();
    Ok(args.at(0).clone())
}
/// `Chef.reset!`: forgets the node and the run context, and restores the DSL names of the first call.
fn reset(vm: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    let run = run_mut(vm);
    (run.node, run.root) = (Value::Nil, Value::Nil);
    crate::resource::registry::reset(vm);
    Ok(Value::Nil)
}
/// Records a deprecation; raises DeprecatedFeatureError if `treat_deprecation_warnings_as_errors` is set.
pub fn deprecate(vm: &mut Vm, text: &str) -> Res<()> {
    let table = config(vm)?;
    if vm.call(&table, sym::AREF, &[Value::sym("treat_deprecation_warnings_as_errors")])?.truthy() {
        let text = format!("{text} (raising error due to treat_deprecation_warnings_as_errors being set)");
        return Err(crate::run::chef_error(vm, "DeprecatedFeatureError", text));
    }
    vm.deprecated(text);
    Ok(())
}
/// The line of Ruby code that calls.
fn location(vm: &mut Vm) -> String {
    let trace = vm.backtrace(0);
    trace.first().map(|entry| vm.trace_line(entry)).unwrap_or_default()
}
/// `Chef::Log.caller_location`
fn caller_location(vm: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::str(location(vm)))
}
/// `Chef.deprecated(type, text, location = nil)`: reports to the run's event subscribers, outside of a run to the log.
fn deprecated(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let value = args.get(1).or(args.get(0)).cloned().unwrap_or_default();
    let text = vm.to_s_text(&value)?;
    let place = match args.get(2).filter(|place| !place.is_nil()) {
        Some(given) => vm.to_s_text(given)?,
        None => location(vm),
    };
    let root = run_mut(vm).root.clone();
    let outside = root.is_nil() || vm.call_name(&root, "events", &[])?.is_nil();
    let mut message = Value::str(&text);
    if args.len() > 1 && (outside || crate::subscribers::attended(vm) || silencing(vm, &place)?) {
        let chef = class(vm, |classes| classes.chef)?;
        let kinds = vm.const_get_from(chef, Symbol::intern_static("Deprecated"), false)?.unwrap_or_default();
        let made = vm.call_name(&kinds, "create", &[args.at(0).clone(), Value::str(&text), Value::str(&place)])?;
        if vm.call_name(&made, "silenced?", &[])?.truthy() {
            return Ok(Value::Nil);
        }
        if outside {
            let (log, shown) = (logger_value(vm)?, Value::str(vm.to_s_text(&made)?));
            return vm.call_name(&log, "deprecation", &[shown]);
        }
        message = made;
    }
    deprecate(vm, &text)?;
    crate::subscribers::deprecation(vm, message, &text, &place);
    Ok(Value::Nil)
}
/// Whether the configuration or a comment on the line silences the warning.
fn silencing(vm: &mut Vm, place: &str) -> Res<bool> {
    let table = config(vm)?;
    if vm.call(&table, sym::AREF, &[Value::sym("silence_deprecation_warnings")])?.truthy() {
        return Ok(true);
    }
    if let Some(known) = vm.extension::<Singletons>().silenced.get(place) {
        return Ok(*known);
    }
    let found = silenced_at(vm, place).unwrap_or(false);
    vm.extension::<Singletons>().silenced.insert(place.to_string(), found);
    Ok(found)
}
fn silenced_at(vm: &Vm, place: &str) -> Option<bool> {
    let mut parts = place.split(':');
    let (path, line) = (parts.next()?, parts.next()?.parse::<usize>().ok()?);
    let bytes = rchef_host::compose::read_file(&*vm.host, path.as_bytes()).ok()?;
    let source = String::from_utf8_lossy(&bytes);
    Some(source.lines().nth(line.saturating_sub(1))?.contains("chef:silence_deprecation"))
}

static CONFIG: &[MethodDef] = &[
    def("[]", config_get, 1),
    def("[]=", config_set, 2),
    def("key?", config_has, 1),
    def("has_key?", config_has, 1),
    def("to_hash", config_hash, 0),
    def("to_h", config_hash, 0),
    def("save", config_hash, 0),
    def("reset", config_reset, 0),
    def("keys", config_keys, 0),
    def("delete", config_delete, 1),
    at_least("fetch", config_fetch, 1),
    def("merge!", config_merge, 1),
    def("from_file", config_from_file, 1),
    any("configure", itself),
    opt("platform_specific_path", config_path, 1, 1),
    opt("etc_chef_dir", config_etc, 0, 1),
    opt("var_chef_dir", config_var, 0, 1),
];
fn config_forward(vm: &mut Vm, method: &str, args: rchef_ruby::Args<'_>) -> Res {
    let table = config(vm)?;
    vm.call_args(&table, Symbol::intern(method), args)
}
fn config_keys(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    config_forward(vm, "keys", args)
}
fn config_delete(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    config_forward(vm, "delete", args)
}
fn config_fetch(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    config_forward(vm, "fetch", args)
}
fn config_merge(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    config_forward(vm, "merge!", args)
}
/// Evaluates a configuration file with the settings as `self`.
fn config_from_file(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let path = vm.to_path(args.at(0))?;
    let source = crate::run::read_file(vm, &path)?;
    let definee = match this {
        Value::Class(id) => vm.meta(*id),
        _ => ClassId::OBJECT,
    };
    vm.run_string_as(&source, &path, this, rchef_ruby::embed::frame::Definee::Module(definee))
}
fn config_path(_: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    Ok(args.at(0).clone())
}
fn config_etc(_: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::str("/etc/chef"))
}
fn config_var(_: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    Ok(Value::str("/var/chef"))
}

/// The default pattern for names of users and groups (Chef's `user_valid_regex`).
const ACCOUNT_NAME: &str = r"^[^-+~:,\t\r\n\f\0]+[^:,\t\r\n\f\0]*$";

/// The value of `Chef::Config[key]` if it was set; nil if not, even where Chef derives a default.
pub fn setting(vm: &mut Vm, key: &str) -> Res {
    let table = config(vm)?;
    vm.call(&table, sym::AREF, &[Value::sym(key)])
}

/// The settings as a Hash with Symbol keys.
pub fn config(vm: &mut Vm) -> Res {
    if let Some(found) = &vm.extension::<Singletons>().config {
        return Ok(found.clone());
    }
    let cache = local_cache(vm);
    let mut pairs = vec![
        (Value::sym("file_cache_path"), Value::str(&*cache)),
        (Value::sym("cache_path"), Value::str(parent(&cache))),
    ];
    for (key, value) in [
        ("file_backup_path", "/var/chef/backup"),
        ("environment", "_default"),
        ("chef_server_url", "chefzero://localhost:1"),
        ("encrypted_data_bag_secret", "/etc/chef/encrypted_data_bag_secret"),
        ("internal_locale", "C.UTF-8"),
        ("config_file", "/etc/chef/client.rb"),
        ("client_key", "/etc/chef/client.pem"),
        ("node_name", "chef"),
        ("chef_server_root", "chefzero://localhost:1"),
        ("config_dir", "/etc/chef/"),
        ("client_d_dir", "/etc/chef/client.d"),
        ("trusted_certs_dir", "/etc/chef/trusted_certs"),
        ("validation_key", "/etc/chef/validation.pem"),
        ("validation_client_name", "chef-validator"),
        ("authentication_protocol_version", "1.1"),
    ] {
        pairs.push((Value::sym(key), Value::str(value)));
    }
    for (key, value) in [
        ("why_run", false),
        ("solo", false),
        ("solo_legacy_mode", false),
        ("local_mode", true),
        ("verbose_logging", true),
        ("enable_selinux_file_permission_fixup", true),
        ("rubygems_cache_enabled", true),
        ("allow_deprecated_resources", false),
        ("verify_api_cert", false),
        ("fips", false),
        ("treat_deprecation_warnings_as_errors", false),
        ("diff_disabled", false),
        ("file_atomic_update", true),
        ("zypper_check_gpg", true),
        ("resource_unified_mode_default", true),
        ("no_lazy_load", true),
        ("stream_execute_output", false),
        ("enable_reporting", true),
    ] {
        pairs.push((Value::sym(key), Value::bool(value)));
    }
    pairs.push((Value::sym("yum_lock_timeout"), Value::Int(30)));
    for (key, value) in [
        ("umask", 0o22),
        ("http_retry_count", 5),
        ("http_retry_delay", 5),
        ("rest_timeout", 300),
        ("diff_filesize_threshold", 10_000_000),
        ("diff_output_threshold", 1_000_000),
        ("data_bag_encrypt_version", 3),
        ("data_bag_decrypt_minimum_version", 0),
    ] {
        pairs.push((Value::sym(key), Value::Int(value)));
    }
    pairs.push((Value::sym("ssl_verify_mode"), Value::sym("verify_peer")));
    pairs.push((Value::sym("file_staging_uses_destdir"), Value::sym("auto")));
    pairs.push((Value::sym("log_level"), Value::sym("auto")));
    pairs.push((Value::sym("file_backup_number"), Value::Int(5)));
    pairs.push((Value::sym("rubygems_url"), Value::Nil));
    pairs.push((Value::sym("rubygems_proxy"), Value::Nil));
    let name = vm.call(&Value::Class(ClassId::REGEXP), sym::NEW, &[Value::str(ACCOUNT_NAME)])?;
    for setting in ["user_valid_regex", "group_valid_regex"] {
        pairs.push((Value::sym(setting), Value::array(vec![name.clone()])));
    }
    for list in [
        "start_handlers",
        "report_handlers",
        "exception_handlers",
        "event_handlers",
        "formatters",
        "script_path",
        "silence_deprecation_warnings",
    ] {
        pairs.push((Value::sym(list), Value::array(Vec::new())));
    }
    let made = vm.new_hash(pairs)?;
    vm.extension::<Singletons>().config = Some(made.clone());
    Ok(made)
}
/// Settings that are groups of settings, implemented in `ruby/config.rb`.
const GROUPS: [&str; 7] =
    ["chef_zero", "target_mode", "knife", "windows_service", "chefdk", "chefcli", "data_collector"];

/// A setting as code reads it: the value that was set, a group, or the default that Chef derives from other settings.
fn config_get(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let table = config(vm)?;
    let name = vm.to_name(args.at(0))?;
    if GROUPS.contains(&name.as_str()) {
        return vm.call(this, name, &[]);
    }
    let found = vm.call(&table, sym::AREF, &[Value::Sym(name)])?;
    if found.is_nil() { derived(vm, &table, name.as_str()) } else { Ok(found) }
}

/// The default of a path setting, below the chef-repo or the cache; nil for all other settings.
fn derived(vm: &mut Vm, table: &Value, name: &str) -> Res {
    let repository = run_mut(vm).repo.clone();
    let below = match name {
        "chef_repo_path" => String::new(),
        "acl_path" => "/acls".into(),
        "client_key_path" => "/client_keys".into(),
        "container_path" => "/containers".into(),
        "group_path" => "/groups".into(),
        "user_path" => "/users".into(),
        "checksum_path" | "lockfile" => {
            let (place, file) = match name {
                "lockfile" => ("file_cache_path", "chef-client-running.pid"),
                _ => ("cache_path", "checksums"),
            };
            let place = vm.call(table, sym::AREF, &[Value::sym(place)])?;
            return Ok(if place.is_nil() { place } else { Value::str(format!("{}/{file}", vm.to_s_text(&place)?)) });
        }
        _ => match crate::data::repo::PLACES.iter().find(|place| place.1 == name) {
            Some((folder, _)) => format!("/{folder}"),
            None => return Ok(Value::Nil),
        },
    };
    Ok(if repository.is_empty() { Value::Nil } else { Value::str(format!("{repository}{below}")) })
}
fn config_set(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    if GROUPS.contains(&name.as_str()) {
        return vm.call(this, Symbol::intern(&format!("{name}=")), &[args.at(1).clone()]);
    }
    let table = config(vm)?;
    vm.call(&table, sym::ASET, &[Value::Sym(name), args.at(1).clone()])
}
fn config_has(vm: &mut Vm, _: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let table = config(vm)?;
    let key = Value::Sym(vm.to_name(args.at(0))?);
    vm.call(&table, sym::KEY_P, &[key])
}
fn config_reset(vm: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    vm.extension::<Singletons>().config = None;
    if let Some(groups) = vm.class_named("Chef::Config::Groups") {
        vm.call_name(&Value::Class(groups), "reset", &[])?;
    }
    Ok(Value::Nil)
}
fn config_hash(vm: &mut Vm, _: &Value, _: rchef_ruby::Args<'_>) -> Res {
    let table = config(vm)?;
    vm.call(&table, sym::DUP, &[])
}
/// `Chef::Config.name` and `Chef::Config.name = value` (in configuration files also `name value`).
fn config_missing(vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    if let Some(key) = name.as_str().strip_suffix('=') {
        let key = Value::sym(key);
        return config_set(vm, this, rchef_ruby::Args::new(&[key, args.at(1).clone()]));
    }
    if args.len() > 1 {
        return config_set(vm, this, rchef_ruby::Args::new(&[Value::Sym(name), args.at(1).clone()]));
    }
    config_get(vm, this, rchef_ruby::Args::new(&[Value::Sym(name)]))
}

pub fn boot(vm: &mut Vm, chef: ClassId) -> Res<()> {
    vm.define_singleton_methods(chef, CHEF);
    let log = vm.define_class(chef, "Log", ClassId::OBJECT);
    vm.define_singleton_methods(log, LOG);
    let meta = vm.meta(log);
    vm.define_closure(meta, sym::METHOD_MISSING, Arity { min: 1, max: None }, Rc::new(log_missing));
    let outer = vm.define_module(ClassId::OBJECT, "ChefConfig");
    let config = vm.define_class(outer, "Config", ClassId::OBJECT);
    vm.const_set(chef, Symbol::intern_static("Config"), Value::Class(config));
    vm.define_singleton_methods(config, CONFIG);
    let meta = vm.meta(config);
    vm.define_closure(meta, sym::METHOD_MISSING, Arity::ANY, Rc::new(config_missing));
    let mixin = vm.define_module(chef, "Mixin");
    for name in [
        "ShellOut",
        "PowershellExec",
        "PowershellType",
        "ParamsValidate",
        "Checksum",
        "Template",
        "Securable",
        "Uris",
        "ConvertToClassName",
        "DeepMerge",
        "Properties",
        "Which",
        "ProxifiedSocket",
        "UnformattedExitstatus",
        "ChefUtilsWiring",
        "WindowsArchitectureHelper",
        "WindowsEnvHelper",
        "PathHelper",
        "Yum",
    ] {
        vm.define_module(mixin, name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::GROUPS;

    #[test]
    fn groups_are_those_of_the_ruby_source() {
        let source = include_str!("ruby/config.rb");
        let contexts = source.lines().filter_map(|line| line.trim().strip_prefix("config_context :"));
        let names: Vec<&str> = contexts.filter_map(|rest| rest.split(' ').next()).collect();
        assert_eq!(names, GROUPS);
        let defined = |suffix: &str| format!("# defines: {}\n", GROUPS.map(|name| format!("{name}{suffix}")).join(" "));
        assert!(source.contains(&defined("")) && source.contains(&defined("=")));
    }
}
