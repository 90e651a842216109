use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, Gc, MethodDef, RHash, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_client_config",
    class: "ChefClientConfig",
    doc: "Writes the client's own configuration.",
    introduced: "16.6",
    provides: &[Provides::always("chef_client_config")],
    actions: &["create", "remove"],
    default_action: &["create"],
    properties: &[
        prop("config_directory", &[Str]).default(LitStr("/etc/chef")).doc("Where client.rb goes."),
        prop("user", &[Str]).doc("Owner of files and directories."),
        prop("group", &[Str]).doc("Group of files and directories."),
        prop("node_name", &[Str, NIL_CLASS]).lazy(node_name).doc("Name of the node."),
        prop("chef_server_url", &[Str]).required().doc("Address of the server."),
        prop("ssl_verify_mode", &[Sym, Str])
            .coerce(string_to_symbol)
            .equal_to(&[LitSym("verify_none"), LitSym("verify_peer")])
            .doc("Whether the server's certificate is checked."),
        prop("formatters", &[Array]).default_empty(Array).doc("Formatters of the output."),
        prop("event_loggers", &[Array]).default_empty(Array).doc("Loggers of events."),
        prop("log_level", &[Sym])
            .equal_to(&[
                LitSym("auto"),
                LitSym("trace"),
                LitSym("debug"),
                LitSym("info"),
                LitSym("warn"),
                LitSym("fatal"),
            ])
            .doc("Least severity that is logged."),
        prop("log_location", &[Str, Sym])
            .callbacks(&[(
                "accepts Symbol values of ':win_evt' for Windows Event Log or ':syslog' for Syslog",
                log_location,
            )])
            .doc("Where the log goes."),
        prop("http_proxy", &[Str]).doc("Proxy for HTTP."),
        prop("https_proxy", &[Str]).doc("Proxy for HTTPS."),
        prop("ftp_proxy", &[Str]).doc("Proxy for FTP."),
        prop("no_proxy", &[Str, Array]).coerce(comma_text).default_empty(Array).doc("Hosts to reach without proxy."),
        prop("ohai_disabled_plugins", &[Array]).coerce(plugins).default_empty(Array).doc("Plugins of Ohai not to run."),
        prop("ohai_optional_plugins", &[Array])
            .coerce(plugins)
            .default_empty(Array)
            .doc("Optional plugins of Ohai to run."),
        prop("policy_persist_run_list", &[Bool])
            .default(False)
            .since("17.3")
            .doc("Store the run list of a policy on the node."),
        prop("minimal_ohai", &[Bool]).default(False).doc("Collect only what the client itself needs."),
        prop("start_handlers", &[Array])
            .default_empty(Array)
            .doc("Handlers of the start, as Hashes of `class` and `arguments`."),
        prop("report_handlers", &[Array])
            .default_empty(Array)
            .doc("Handlers of success, as Hashes of `class` and `arguments`."),
        prop("rubygems_url", &[Str, Array]).since("17.11").doc("Gem server of chef_gem and of metadata's gems."),
        prop("exception_handlers", &[Array])
            .default_empty(Array)
            .doc("Handlers of failure, as Hashes of `class` and `arguments`."),
        prop("chef_license", &[Str])
            .equal_to(&[LitStr("accept"), LitStr("accept-no-persist"), LitStr("accept-silent")])
            .doc("Acceptance of the licence."),
        prop("policy_name", &[Str]).doc("Policy of the node."),
        prop("policy_group", &[Str]).doc("Policy group of the node."),
        prop("named_run_list", &[Str]).doc("Named run list of the policy."),
        prop("pid_file", &[Str]).doc("Where the process's number is kept."),
        prop("file_cache_path", &[Str]).doc("Where cookbooks and downloads are cached."),
        prop("file_backup_path", &[Str]).doc("Where old versions of files go."),
        prop("file_staging_uses_destdir", &[Str]).doc("Stage files beside their destination."),
        prop("additional_config", &[Str]).doc("More text for client.rb."),
        prop("data_collector_server_url", &[Str]).since("17.8").doc("Address of the data collector."),
        prop("data_collector_token", &[Str]).since("17.8").doc("Token for the data collector."),
        prop("directory_specs", &[Hash])
            .coerce(merge_specs)
            .lazy(default_specs)
            .callbacks(&[
                ("keys must be one of :config, :client_d, :logs, :cache, :backups", known_directories),
                ("values must be a hash with keys only from :owner, :group, :mode, :rights, :inherits", known_settings),
            ])
            .doc("Owner, group, mode and rights of each directory."),
        prop("client_rb_mode", &[Str]).default(LitStr("0640")).doc("Mode of client.rb."),
    ],
    methods: METHODS,
    provider_methods: crate::providers::chef_client_config::METHODS,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("string_to_symbol", string_to_symbol_method, 1)];
const DIRECTORIES: [(&str, &str); 5] =
    [("config", "0750"), ("client_d", "0750"), ("logs", "0755"), ("cache", "0750"), ("backups", "0750")];
const SETTINGS: [&str; 5] = ["owner", "group", "mode", "rights", "inherits"];

fn node_name(vm: &mut Vm, resource: &Value) -> Res {
    let node = coerce::read(vm, resource, "node")?;
    coerce::read(vm, &node, "name")
}

/// A String as a Symbol; a leading colon is dropped.
fn string_to_symbol(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match coerce::text(vm, value).as_deref().and_then(|text| text.strip_prefix(':')) {
        Some(name) => Ok(Value::sym(name)),
        None => vm.call_name(value, "to_sym", &[]),
    }
}

fn string_to_symbol_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    string_to_symbol(vm, this, args.at(0))
}

/// The elements of a list, joined by commas.
fn comma_text(vm: &mut Vm, _resource: &Value, value: &Value) -> Res {
    match value {
        Value::Array(_) => vm.call_name(value, "join", &[Value::str(",")]),
        _ => Ok(value.clone()),
    }
}

/// Names of Ohai plugins as capitalized Symbols.
fn plugins(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let mut names = Vec::new();
    for item in vm.to_array(value)? {
        let name = string_to_symbol(vm, resource, &item)?;
        names.push(vm.call_name(&name, "capitalize", &[])?);
    }
    Ok(Value::array(names))
}

/// The only Symbols that are allowed are `:win_evt` and `:syslog`.
fn log_location(_vm: &mut Vm, value: &Value) -> Res<bool> {
    Ok(!matches!(value, Value::Sym(name) if !matches!(name.as_str(), "win_evt" | "syslog")))
}

fn pairs(vm: &Vm, hash: &Gc<RHash>) -> Vec<(Value, Value)> {
    hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn default_specs(vm: &mut Vm, _resource: &Value) -> Res {
    let mut specs = Vec::new();
    for (name, mode) in DIRECTORIES {
        let spec = coerce::symbol_hash(vm, &[("mode", Value::str(mode)), ("inherits", Value::sym("auto"))])?;
        specs.push((Value::sym(name), spec));
    }
    vm.new_hash(specs)
}

/// The defaults, merged with the given settings directory by directory.
fn merge_specs(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let merged = default_specs(vm, resource)?;
    let (Value::Hash(into), Value::Hash(given)) = (&merged, value) else { return Ok(value.clone()) };
    for (name, spec) in pairs(vm, given) {
        let spec = match (vm.hash_get(into, &name)?, &spec) {
            (Some(base @ Value::Hash(_)), Value::Hash(_)) => vm.call_name(&base, "merge", &[spec])?,
            _ => spec,
        };
        vm.hash_set(into, name, spec)?;
    }
    Ok(merged)
}

fn known(keys: &[(Value, Value)], names: &[&str]) -> bool {
    keys.iter().all(|(key, _)| matches!(key, Value::Sym(key) if names.contains(&key.as_str())))
}

fn known_directories(vm: &mut Vm, value: &Value) -> Res<bool> {
    let Value::Hash(hash) = value else { return Ok(false) };
    Ok(known(&pairs(vm, hash), &DIRECTORIES.map(|(name, _)| name)))
}

fn known_settings(vm: &mut Vm, value: &Value) -> Res<bool> {
    let values = vm.call_name(value, "values", &[])?;
    let values = vm.to_array(&values)?;
    Ok(values.iter().all(|spec| matches!(spec, Value::Hash(spec) if known(&pairs(vm, spec), &SETTINGS))))
}
