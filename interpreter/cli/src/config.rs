//! `client.rb`: the configuration file and the settings over it, for every command that reads one.

use crate::diagnostic;
use rchef_recipe::chef_api::config;
use rchef_ruby::frame::Definee;
use rchef_ruby::{Value, Vm, sym};

/// Exit status of a configuration that cannot be used.
pub const FAILURE: u8 = 43;

/// An exit status, and why.
pub type Refusal = (u8, String);

/// A setting's value.
pub fn setting(vm: &mut Vm, key: &str) -> Value {
    config(vm).and_then(|table| vm.call(&table, sym::AREF, &[Value::sym(key)])).unwrap_or_default()
}
/// Sets one.
pub fn set(vm: &mut Vm, key: &str, value: Value) {
    if let Ok(table) = config(vm) {
        let _ = vm.call(&table, sym::ASET, &[Value::sym(key), value]);
    }
}
/// A setting's text, unless it is empty.
pub fn text_setting(vm: &mut Vm, key: &str) -> Option<String> {
    let value = setting(vm, key);
    if value.is_nil() { None } else { vm.to_s_text(&value).ok().filter(|text| !text.is_empty()) }
}

/// Before a configuration is read: what it does not set is worked out later.
pub fn begin(vm: &mut Vm) {
    for key in ["node_name", "file_cache_path", "cache_path"] {
        set(vm, key, Value::Nil);
    }
}

/// Evaluates a configuration file.
pub fn evaluate(vm: &mut Vm, path: &str, source: &[u8]) -> Result<(), Refusal> {
    let class = vm.class_named("Chef::Config").map(Value::Class).unwrap_or_default();
    set(vm, "config_file", Value::str(path));
    // Ohai's settings are loaded for the files that speak of them
    if memchr::memmem::find(source, b"ohai").is_some() {
        let settings = vm.run_string_as(b"::Ohai::Config", path, &class, Definee::SingletonOf(class.clone()));
        set(vm, "ohai", settings.unwrap_or_default());
    }
    match vm.run_string_as(source, path, &class, Definee::SingletonOf(class.clone())) {
        Ok(_) => Ok(()),
        Err(error) => Err((FAILURE, format!("Configuration error in {path}\n{}", diagnostic::describe(vm, error)))),
    }
}

/// The paths that a setting names, absolute; none when it is not set.
pub fn paths(vm: &mut Vm, key: &str, cwd: &str) -> Vec<String> {
    let configured = setting(vm, key);
    let items = if configured.is_nil() { Vec::new() } else { vm.to_array(&configured).unwrap_or_default() };
    items.iter().map(|item| absolute(cwd, &vm.to_s_text(item).unwrap_or_default())).collect()
}

/// A path made absolute.
pub fn absolute(cwd: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_string() } else { format!("{cwd}/{path}") }
}
