//! `chef_client_config`: the client's directories and its client.rb.

use super::support::*;
use rchef_change::{Assertion, ChangeError};
use rchef_host::Host;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct ChefClientConfig;

/// A directory with those of owner, group and mode that are given.
struct Directory {
    path: String,
    access: Vec<(&'static str, Value)>,
}

/// What a `chef_client_config` resource asks for.
pub(crate) struct Desired {
    create: bool,
    directory: String,
    directories: Vec<Directory>,
    user: Option<String>,
    group: Option<String>,
    mode: String,
    content: String,
}

/// Settings that are written unchanged, in the order of the file; nil and empty ones are left out.
const SETTINGS: [&str; 19] = [
    "node_name",
    "chef_license",
    "chef_server_url",
    "event_loggers",
    "file_backup_path",
    "file_cache_path",
    "file_staging_uses_destdir",
    "formatters",
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "log_level",
    "named_run_list",
    "no_proxy",
    "pid_file",
    "policy_group",
    "policy_name",
    "rubygems_url",
    "ssl_verify_mode",
];

/// A property as Ruby source; None if it is nil or empty.
fn source(vm: &mut Vm, resource: &Value, property: &'static str) -> Res<Option<String>> {
    let value = get(vm, resource, property)?;
    if value.is_nil() || vm.call_name(&value, "empty?", &[])?.truthy() {
        return Ok(None);
    }
    vm.inspect(&value).map(Some)
}

/// The Ruby source that makes a handler, given as a Hash of `class` and `arguments`.
fn handler_source(vm: &mut Vm, handler: &Value) -> Res<String> {
    let [class, arguments] = ["class", "arguments"].map(Value::str);
    let class = vm.call(handler, rchef_ruby::sym::AREF, &[class])?;
    let arguments = vm.call(handler, rchef_ruby::sym::AREF, &[arguments])?;
    let mut texts = Vec::new();
    for argument in vm.to_array(&arguments)? {
        texts.push(vm.to_s_text(&argument)?);
    }
    Ok(format!("{}.new({})", vm.to_s_text(&class)?, texts.join(",")))
}

/// The methods of the provider.
pub(crate) static METHODS: &[MethodDef] =
    &[def("format_handler", format_handler, 1), def("log_directory", log_directory_method, 0)];

fn format_handler(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut sources = Vec::new();
    for handler in vm.to_array(args.at(0))? {
        sources.push(Value::str(handler_source(vm, &handler)?));
    }
    Ok(Value::array(sources))
}

fn log_directory_method(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    Ok(log_directory(vm, &resource)?.map(Value::str).unwrap_or_default())
}

/// Handlers, given as Hashes of `class` and `arguments`, as the lines of client.rb that add them to a list.
fn handlers(vm: &mut Vm, resource: &Value, list_name: &'static str) -> Res<String> {
    let given = get(vm, resource, list_name)?;
    let mut lines = String::new();
    for handler in vm.to_array(&given)? {
        lines.push_str(&format!("    {list_name} << {}\n", handler_source(vm, &handler)?));
    }
    if lines.is_empty() {
        return Ok(lines);
    }
    let kind = match list_name {
        "exception_handlers" => "an exception",
        "report_handlers" => "a report",
        _ => "a start",
    };
    Ok(format!(
        "  # Do not crash if {kind} handler is missing / not installed yet\n  begin\n{lines}  rescue NameError => e\n    Chef::Log.error e\n  end\n"
    ))
}

/// The text of client.rb.
fn client_rb(vm: &mut Vm, resource: &Value) -> Res<String> {
    let mut text = String::new();
    for property in SETTINGS {
        if let Some(value) = source(vm, resource, property)? {
            text.push_str(&format!("{property} {value}\n"));
        }
    }
    for property in ["minimal_ohai", "policy_persist_run_list"] {
        text.push_str(&format!("{property} {}\n", flag(vm, resource, property)?));
    }
    for (key, property) in
        [("ohai.disabled_plugins", "ohai_disabled_plugins"), ("ohai.optional_plugins", "ohai_optional_plugins")]
    {
        if let Some(value) = source(vm, resource, property)? {
            text.push_str(&format!("{key} {value}\n"));
        }
    }
    let log = get(vm, resource, "log_location")?;
    match &log {
        Value::Nil => {}
        Value::Str(_) if ["STDOUT", "STDERR"].contains(&vm.to_s_text(&log)?.as_str()) => {
            text.push_str(&format!("log_location {}\n", vm.to_s_text(&log)?));
        }
        other => text.push_str(&format!("log_location {}\n", vm.inspect(other)?)),
    }
    for (key, property) in
        [("data_collector.server_url", "data_collector_server_url"), ("data_collector.token", "data_collector_token")]
    {
        if let Some(value) = source(vm, resource, property)? {
            text.push_str(&format!("{key} {value}\n"));
        }
    }
    for list_name in ["start_handlers", "report_handlers", "exception_handlers"] {
        text.push_str(&handlers(vm, resource, list_name)?);
    }
    text.push_str(&self::text(vm, resource, "additional_config")?);
    Ok(text)
}

/// The log's directory; None if the log is not a file.
fn log_directory(vm: &mut Vm, resource: &Value) -> Res<Option<String>> {
    let log = get(vm, resource, "log_location")?;
    let Some(path) = crate::coerce::text(vm, &log).filter(|path| path != "STDOUT" && path != "STDERR") else {
        return Ok(None);
    };
    Ok(Some(lossy(rchef_host::files::dirname(path.as_bytes()))))
}

/// The path of a directory of `directory_specs`.
fn path_of(vm: &mut Vm, resource: &Value, name: &str) -> Res<Option<String>> {
    let configuration = text(vm, resource, "config_directory")?;
    let configuration = configuration.trim_end_matches('/').to_string();
    let or_own = |vm: &mut Vm, property: &'static str| -> Res<Option<String>> {
        if let Some(path) = text_opt(vm, resource, property)? {
            return Ok(Some(path));
        }
        let own = crate::coerce::config(vm, property)?;
        if own.is_nil() { Ok(None) } else { vm.to_s_text(&own).map(Some) }
    };
    match name {
        "config" => Ok(Some(configuration)),
        "client_d" => Ok(Some(format!("{configuration}/client.d"))),
        "logs" => log_directory(vm, resource),
        "cache" => or_own(vm, "file_cache_path"),
        "backups" => or_own(vm, "file_backup_path"),
        _ => Ok(None),
    }
}

/// The directories of `directory_specs`, in order.
fn directories(vm: &mut Vm, resource: &Value) -> Res<Vec<Directory>> {
    let mut directories = Vec::new();
    for (name, spec) in pairs(vm, resource, "directory_specs")? {
        let name = vm.to_s_text(&name)?;
        let Value::Hash(spec) = spec else { continue };
        let Some(path) = path_of(vm, resource, &name)? else {
            let mode = vm.hash_get(&spec, &Value::sym("mode"))?;
            let mode = mode.map(|mode| vm.to_s_text(&mode)).transpose()?;
            let more = ["owner", "group", "rights"].map(|key| vm.hash_get(&spec, &Value::sym(key)));
            let customized = more.into_iter().any(|found| found.is_ok_and(|found| found.is_some()));
            if name == "logs" && (customized || mode.as_deref() != Some("0755")) {
                let text = "Invalid directory_specs: logs requires :logs (file path)";
                return Err(raised(vm, &ChangeError::raise("ArgumentError", text)));
            }
            continue;
        };
        let mut access = Vec::new();
        for (key, fallback) in [("owner", "user"), ("group", "group"), ("mode", "")] {
            let given = vm.hash_get(&spec, &Value::sym(key))?.unwrap_or_default();
            let value = match (given.truthy(), fallback) {
                (true, _) => given,
                (false, "") => Value::Nil,
                (false, property) => get(vm, resource, property)?,
            };
            if value.truthy() {
                access.push((key, value));
            }
        }
        directories.push(Directory { path, access });
    }
    Ok(directories)
}

impl Composite for ChefClientConfig {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let create = action == "create";
        Ok(Desired {
            create,
            directory: text(vm, resource, "config_directory")?,
            directories: if create { directories(vm, resource)? } else { Vec::new() },
            user: text_opt(vm, resource, "user")?,
            group: text_opt(vm, resource, "group")?,
            mode: text(vm, resource, "client_rb_mode")?,
            content: if create { client_rb(vm, resource)? } else { String::new() },
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit("Chef::Exceptions::ValidationFailed", "directory", &desired.directory).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let path = format!("{}/client.rb", desired.directory.trim_end_matches('/'));
        if !desired.create {
            return children.declare(Child::new("file", path).action("delete")).map(drop);
        }
        for Directory { path, access } in &desired.directories {
            let directory = Child::new("directory", path).flag("recursive", true);
            let directory = access.iter().fold(directory, |child, (name, value)| child.set(name, value.clone()));
            children.declare(directory)?;
        }
        let mut file = Child::new("template", path).hidden("@rendered", Value::str(&desired.content));
        for (name, value) in [("user", &desired.user), ("group", &desired.group)] {
            if let Some(value) = value {
                file = file.text(name, value);
            }
        }
        children.declare(file.text("mode", &desired.mode).action("create")).map(drop)
    }
}
