//! `client.rb`: which configuration file a command reads, its evaluation as Ruby, and settings of the command line on top of it.

use super::{Program, Request, repository};
use crate::diagnostic;
use rchef_host::{Host, Processes, compose};
use rchef_recipe::chef_class::config;
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::{Value, Vm, sym};

/// Exit status for an invalid configuration.
pub const FAILURE: u8 = 43;

/// Exit status and message.
pub type Refusal = (u8, String);

pub fn setting(vm: &mut Vm, key: &str) -> Value {
    rchef_recipe::chef_class::setting(vm, key).unwrap_or_default()
}
pub fn set(vm: &mut Vm, key: &str, value: Value) {
    if let Ok(table) = config(vm) {
        let _ = vm.call(&table, sym::ASET, &[Value::sym(key), value]);
    }
}
/// A setting's text; None if it is empty.
pub fn text_setting(vm: &mut Vm, key: &str) -> Option<String> {
    let value = setting(vm, key);
    if value.is_nil() { None } else { vm.to_s_text(&value).ok().filter(|text| !text.is_empty()) }
}
/// The texts of a setting, which is a list or a single value; empty if it is not set.
pub fn texts(vm: &mut Vm, key: &str) -> Vec<String> {
    let configured = setting(vm, key);
    let items = if configured.is_nil() { Vec::new() } else { vm.to_array(&configured).unwrap_or_default() };
    items.iter().filter_map(|item| vm.to_s_text(item).ok()).filter(|text| !text.is_empty()).collect()
}
/// Exports configured proxies to the environment, where child processes and HTTP clients look for them.
pub fn export_proxies(vm: &mut Vm) {
    let given = ["http_proxy", "https_proxy", "ftp_proxy", "no_proxy"];
    if given.into_iter().any(|key| !setting(vm, key).is_nil())
        && let Some(class) = vm.class_named("Chef::Config")
    {
        let _ = vm.call_name(&Value::Class(class), "export_proxies", &[]);
    }
}

/// The absolute paths that a setting names; empty if it is not set.
pub fn paths(vm: &mut Vm, key: &str, cwd: &str) -> Vec<String> {
    texts(vm, key).iter().map(|path| absolute(cwd, path)).collect()
}

pub fn absolute(cwd: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_string() } else { format!("{cwd}/{path}") }
}

/// An evaluated configuration.
#[derive(Debug, Default)]
pub struct Configuration {
    /// The configuration file, if there is one.
    pub file: Option<String>,
    /// Warnings to log once the log is open.
    pub warnings: Vec<String>,
}

/// The error for a configuration or JSON attributes that cannot be read.
pub fn unloaded(path: &str, why: &str) -> Refusal {
    (1, format!("Cannot load configuration from {path}: {}", why.trim_end()))
}

/// The configuration files for a request, in order of evaluation.
fn files(
    vm: &mut Vm,
    files: &dyn Host,
    request: &Request<'_>,
    warnings: &mut Vec<String>,
) -> Result<Vec<(String, Vec<u8>)>, Refusal> {
    let (options, cwd) = (request.options, request.cwd);
    if options.no_config || request.program == Program::Apply && options.config.is_none() {
        return Ok(Vec::new());
    }
    let home = Processes::env(files, b"HOME").unwrap_or_default();
    let home = String::from_utf8_lossy(&home).into_owned();
    let usual = match request.program {
        Program::Client { local: false } => Some("/etc/chef/client.rb".to_string()),
        Program::Solo => Some("/etc/chef/solo.rb".to_string()),
        Program::Client { local: true } => repository::workstation_config(files, cwd, &home),
        Program::Compile => match repository::own_config(files, cwd, &request.repository) {
            Some(path) if is_hermetic(vm) && !repository::really_holds(files, &request.repository, &path) => {
                return Err((
                    1,
                    format!(
                        "{path} leads out of the chef-repo, which with a simulated node nothing in it may. `--config` names a configuration file"
                    ),
                ));
            }
            found => found,
        },
        Program::Apply => None,
    };
    let Some(main) = options.config.as_ref().map(|path| super::located(cwd, path)).or(usual) else {
        return Ok(Vec::new());
    };
    let source = match super::read(vm, files, &main) {
        Ok(source) => source,
        Err(why) if request.program == Program::Compile => return Err((1, format!("{main}: {why}"))),
        Err(_) if options.config.is_none() => return Ok(Vec::new()),
        Err(why) if super::is_address(&main) || compose::exists(files, main.as_bytes()) => {
            return Err(unloaded(&main, &why));
        }
        Err(_) => {
            warnings.push(format!("Did not find config file: {main}. Using command line options instead."));
            return Ok(Vec::new());
        }
    };
    let mut found = vec![(main, source)];
    if let Some((folder, _)) = found[0].0.clone().rsplit_once('/')
        && request.program != Program::Compile
        && !super::is_address(folder)
    {
        let more = if request.program == Program::Solo { "solo.d" } else { "client.d" };
        let folder = format!("{folder}/{more}");
        let entries = files.readdir(folder.as_bytes()).unwrap_or_default();
        let mut names: Vec<String> =
            entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
        names.retain(|name| name.ends_with(".rb"));
        names.sort();
        for name in names {
            let path = format!("{folder}/{name}");
            match compose::read_file(files, path.as_bytes()) {
                Ok(source) => found.push((path, source)),
                Err(error) => return Err(unloaded(&path, &error.message())),
            }
        }
    }
    Ok(found)
}

/// Evaluates the configuration for a request, then applies the settings of its command line.
pub fn configure(vm: &mut Vm, host: &dyn Host, request: &Request<'_>) -> Result<Configuration, Refusal> {
    // unset settings are determined later; a compile writes nothing and keeps Chef's default paths
    let places: &[&str] = match request.program {
        Program::Compile => &[],
        _ => &["file_cache_path", "cache_path", "file_backup_path", "local_mode"],
    };
    for key in ["node_name", "environment"].iter().chain(places) {
        set(vm, key, Value::Nil);
    }
    let mut warnings = Vec::new();
    let files = files(vm, host, request, &mut warnings)?;
    for (path, source) in &files {
        evaluate(vm, path, source)?;
    }
    for option in &request.options.settings {
        let Some((key, value)) = option.split_once('=') else {
            return Err((FAILURE, format!("Unparsable config option \"{option}\"")));
        };
        let value =
            value_of(vm, value.trim()).map_err(|text| (FAILURE, format!("--config-option {option}: {text}")))?;
        set(vm, key.trim(), value);
    }
    let file = files.into_iter().next().map(|(path, _)| path);
    if let Some(path) = &file {
        set(vm, "config_file", Value::str(path));
    }
    Ok(Configuration { file, warnings })
}

/// Evaluates `.chef/config.rb` of a chef-repo, if it exists.
pub fn own_file(vm: &mut Vm, host: &dyn Host, repository: &str) -> Result<(), Refusal> {
    let Some(path) = repository::own_config(host, repository, repository) else { return Ok(()) };
    match compose::read_file(host, path.as_bytes()) {
        Ok(source) => evaluate(vm, &path, &source),
        Err(error) => Err((1, format!("{path}: {}", error.message()))),
    }
}

/// Whether code sees a simulated node, and only explicitly allowed places of the machine.
pub fn is_hermetic(vm: &Vm) -> bool {
    vm.host.as_overlay().is_some_and(|overlay| !overlay.shows_machine())
}

/// Checks the places that a configuration names. A chef-repo and its own configuration file may be untrusted: with a simulated node they must
/// not open places outside of the chef-repo.
///
/// # Errors
/// The file names an existing place outside, which no option of the command line allows.
pub fn check_places(vm: &mut Vm, host: &dyn Host, request: &Request<'_>) -> Result<(), Refusal> {
    let options = request.options;
    if request.program != Program::Compile || options.config.is_some() || !is_hermetic(vm) {
        return Ok(());
    }
    let named = |key: &str| options.settings.iter().any(|option| option.split('=').next().map(str::trim) == Some(key));
    let keys = rchef_recipe::data::repo::PLACES.map(|(_, key)| key);
    for key in keys.into_iter().chain(["cookbook_path", "chef_repo_path", "json_attribs"]) {
        let over = match key {
            "cookbook_path" => !options.cookbook_path.is_empty(),
            "json_attribs" => options.json.is_some(),
            _ => false,
        };
        if over || named(key) {
            continue;
        }
        for path in paths(vm, key, request.cwd) {
            let shows = vm.host.as_overlay().is_some_and(|overlay| overlay.shows(path.as_bytes()));
            // attributes are read from the machine, where links may lead out; the other places from the simulated node's files, where they cannot
            let held = match key {
                "json_attribs" => repository::really_holds(host, &request.repository, &path),
                _ => repository::holds(&request.repository, &path),
            };
            if !shows && !held && compose::exists(host, path.as_bytes()) {
                let file = text_setting(vm, "config_file").unwrap_or_default();
                return Err((
                    1,
                    format!(
                        "{file}: {key} names {path}, which is not in the chef-repo {}. With a simulated node nothing in a chef-repo opens places outside of it. `--allow-path {path}` opens this one",
                        request.repository
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// The value of a setting on the command line, parsed as YAML.
fn value_of(vm: &mut Vm, text: &str) -> Result<Value, String> {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/_.-".contains(&byte));
    match text {
        "true" => return Ok(Value::True),
        "false" => return Ok(Value::False),
        "" | "nil" | "null" => return Ok(Value::Nil),
        _ => {}
    }
    if let Ok(number) = text.parse() {
        return Ok(Value::Int(number));
    }
    // saves loading the YAML parser for paths and words
    if plain(text) && text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/') {
        return Ok(Value::str(text));
    }
    let main = Value::Class(rchef_ruby::ClassId::OBJECT);
    let loader = vm.run_string_as(
        b"require 'yaml'; ->(text) { YAML.safe_load(text) }",
        "(config-option)",
        &main,
        Definee::SingletonOf(main.clone()),
    );
    let value = loader.and_then(|loader| vm.call_name(&loader, "call", &[Value::str(text)]));
    value.map_err(|error| diagnostic::describe(vm, error))
}

/// Evaluates a configuration file.
fn evaluate(vm: &mut Vm, path: &str, source: &[u8]) -> Result<(), Refusal> {
    let class = vm.class_named("Chef::Config").map(Value::Class).unwrap_or_default();
    set(vm, "config_file", Value::str(path));
    // load Ohai's settings only for files that mention them
    if memchr::memmem::find(source, b"ohai").is_some() {
        let settings = vm.run_string_as(b"::Ohai::Config", path, &class, Definee::SingletonOf(class.clone()));
        set(vm, "ohai", settings.unwrap_or_default());
    }
    match vm.run_string_as(source, path, &class, Definee::SingletonOf(class.clone())) {
        Ok(_) => Ok(()),
        Err(error) => Err((FAILURE, format!("Configuration error in {path}\n{}", diagnostic::describe(vm, error)))),
    }
}
