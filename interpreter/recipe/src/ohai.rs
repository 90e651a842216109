//! Facts from Ruby plugins (`Ohai.plugin`) in cookbooks' `ohai` folders and in `ohai.plugin_path`, and reloading by `ohai` resources. The native
//! facts are collected elsewhere. The plugins run in `ruby/ohai.rb`, which is only loaded if there are any.

use crate::cookbook;
use crate::data::json_value;
use crate::node::{self, Component, provenance};
use crate::process::process_mut;
use crate::run::run_mut;
use rchef_host::Host;
use rchef_host::files::{self, FileKind};
use rchef_ruby::embed::library::Library;
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def, sym};
use serde_json::Value as Json;

/// The default plugin directory.
const PLUGINS: &str = "/etc/chef/ohai/plugins";

static METHODS: &[MethodDef] = &[def("facts", facts, 1), def("fact?", is_fact, 1)];

/// Registers the native methods that `ruby/ohai.rb` uses.
pub(crate) fn boot(vm: &mut Vm) {
    vm.libraries.insert("chef/rchef/facts", Library::Native(define));
}

fn define(vm: &mut Vm) -> Res<()> {
    if let Some(module) = vm.class_named("Ohai") {
        vm.define_singleton_methods(module, METHODS);
    }
    Ok(())
}

/// `Ohai.facts(name)`: all native facts, or those of the plugins with this attribute. A simulated node keeps its given facts.
fn facts(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = if args.at(0).is_nil() { None } else { Some(vm.to_s_text(args.at(0))?) };
    match native(vm, name.as_deref())? {
        Some(found) => Ok(found),
        None => Ok(Value::Nil),
    }
}

fn native(vm: &mut Vm, name: Option<&str>) -> Res<Option<Value>> {
    let natives = process_mut(vm).natives;
    if let Some(natives) = natives.filter(|_| run_mut(vm).live_facts) {
        return (natives.collect)(vm, name).map(|found| json_value(vm, &Json::Object(found))).transpose();
    }
    let node = run_mut(vm).node.clone();
    if node.is_nil() {
        return vm.new_hash(Vec::new()).map(Some);
    }
    let all = node::component(vm, &node, Component::Automatic)?;
    let Some(name) = name else { return Ok(Some(all)) };
    let key = Value::str(name.split('/').next().unwrap_or(name));
    let value = vm.call(&all, sym::AREF, std::slice::from_ref(&key))?;
    if value.is_nil() { Ok(None) } else { vm.new_hash(vec![(key, value)]).map(Some) }
}

/// `Ohai.fact?(name)`: whether a native plugin provides the attribute, on this machine or another.
fn is_fact(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    let name = name.trim_start_matches('/');
    let knows = process_mut(vm).natives.is_some_and(|natives| (natives.knows)(name.split('/').next().unwrap_or(name)));
    Ok(Value::bool(knows || native(vm, Some(name))?.is_some()))
}

/// Whether a directory of `ohai.plugin_path` contains plugins.
fn has_plugins(vm: &mut Vm) -> Res<bool> {
    let settings = crate::chef_class::setting(vm, "ohai")?;
    let mut folders = vec![PLUGINS.to_string()];
    if !settings.is_nil() {
        folders.clear();
        for key in ["plugin_path", "directory"] {
            let value = vm.call(&settings, sym::AREF, &[Value::sym(key)])?;
            if value.is_nil() {
                continue;
            }
            for item in vm.to_array(&value)? {
                folders.push(vm.to_s_text(&item)?);
            }
        }
    }
    let host = vm.host.clone();
    Ok(folders.iter().any(|folder| holds_plugin(&*host, folder.as_bytes())))
}
/// Whether `Dir.glob("**/*.rb")` would find a plugin in the directory.
fn holds_plugin(host: &dyn Host, folder: &[u8]) -> bool {
    host.readdir(folder).unwrap_or_default().iter().filter(|entry| !entry.name.starts_with(b".")).any(|entry| {
        entry.name.ends_with(b".rb")
            || entry.kind == FileKind::Directory && holds_plugin(host, &files::join(folder, &entry.name))
    })
}

/// A new `Ohai::System`.
fn system(vm: &mut Vm) -> Res {
    let outer = vm.const_resolve(rchef_ruby::ClassId::OBJECT, rchef_ruby::Symbol::intern_static("Ohai"))?;
    let Some(Value::Class(outer)) = outer else { return Err(vm.not_implemented("Ohai")) };
    let class = vm.const_resolve(outer, rchef_ruby::Symbol::intern_static("System"))?.unwrap_or_default();
    vm.call(&class, sym::NEW, &[])
}

/// The initial facts of a node, with those of the plugins in `ohai.plugin_path`.
pub(crate) fn at_start(vm: &mut Vm, facts: Value) -> Res {
    if !run_mut(vm).live_facts || !has_plugins(vm)? {
        return Ok(facts);
    }
    let system = system(vm)?;
    vm.call_name(&system, "load_plugins", &[])?;
    vm.call_name(&system, "run_over", &[facts, Value::Nil])
}

/// The plugin files in cookbooks' `ohai` folders, in the order of the cookbooks.
fn files(vm: &mut Vm) -> Res<Vec<String>> {
    let mut found = Vec::new();
    for name in cookbook::cookbooks(vm).order.clone() {
        let cookbook = cookbook::get(vm, &name)?;
        let plugins = cookbook.files.iter().filter(|path| path.starts_with("ohai/") && path.ends_with(".rb"));
        found.extend(plugins.map(|path| format!("{}/{path}", cookbook.root)));
    }
    Ok(found)
}

fn paths(files: &[String]) -> Value {
    Value::array(files.iter().map(Value::str).collect())
}

/// Runs the plugins in cookbooks, which happens before the attribute files load.
pub(crate) fn of_cookbooks(vm: &mut Vm) -> Res<()> {
    let files = files(vm)?;
    if files.is_empty() {
        return Ok(());
    }
    let system = system(vm)?;
    let found = vm.call_name(&system, "run_files", &[paths(&files)])?;
    merge_found(vm, &found)
}

/// Collects all facts again, or those of an attribute, with the Ruby plugins of the configuration and the cookbooks.
///
/// # Errors
/// `Ohai::Exceptions::AttributeNotFound` if no plugin provides the attribute.
pub fn reload(vm: &mut Vm, attribute: Option<&str>) -> Res<()> {
    let files = files(vm)?;
    if files.is_empty() && !has_plugins(vm)? {
        if let Some(found) = native(vm, attribute)? {
            return merge_found(vm, &found);
        }
        let name = attribute.unwrap_or_default();
        let known =
            process_mut(vm).natives.is_some_and(|natives| (natives.knows)(name.split('/').next().unwrap_or(name)));
        if known {
            return Ok(());
        }
    }
    let system = system(vm)?;
    vm.call_name(&system, "load_plugins", &[])?;
    vm.call_name(&system, "add_files", &[paths(&files)])?;
    let names = attribute.map_or(Value::Nil, |name| Value::array(vec![Value::str(name)]));
    let found = vm.call_name(&system, "run_plugins", &[Value::True, names])?;
    merge_found(vm, &found)
}

/// Replaces the node's facts by those that were collected again, by top-level name.
pub(crate) fn merge_found(vm: &mut Vm, facts: &Value) -> Res<()> {
    let node = run_mut(vm).node.clone();
    platform_version(vm, facts)?;
    let Value::Hash(table) = facts else { return Ok(()) };
    let pairs: Vec<(Value, Value)> = table.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let automatic = vm.call_name(&node, "automatic_attrs", &[])?;
    provenance::set_source(vm, Some(provenance::OHAI));
    let stored = pairs.into_iter().try_for_each(|(key, value)| vm.call(&automatic, sym::ASET, &[key, value]).map(drop));
    provenance::set_source(vm, None);
    stored
}

/// Converts `platform_version` to a Chef::VersionString, which can be compared with versions and constraints.
pub(crate) fn platform_version(vm: &mut Vm, facts: &Value) -> Res<()> {
    let Value::Hash(table) = facts else { return Ok(()) };
    let key = Value::str("platform_version");
    if let Some(version @ Value::Str(_)) = vm.hash_get(table, &key)?
        && let Some(class) = node::object::version_string_class(vm)?
    {
        let version = vm.call(&class, sym::NEW, &[version])?;
        vm.hash_set(table, key, version)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::holds_plugin;
    use rchef_host::overlay::skeleton::{self, SkeletonEntry};
    use rchef_host::{OverlayHost, OverlayOptions, RealHost};
    use std::rc::Rc;

    #[test]
    fn folders_without_plugins() {
        let options = OverlayOptions::default();
        let host = OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
        let holds = |path: &str| holds_plugin(&host, path.as_bytes());
        assert!(!holds("/plugins"));
        host.plant(&SkeletonEntry::dir("/plugins/empty", 0o755)).unwrap();
        for path in ["/plugins/README.md", "/plugins/.hidden.rb", "/plugins/.git/a.rb"] {
            host.plant(&SkeletonEntry::file(path, 0o644, b"")).unwrap();
        }
        assert!(!holds("/plugins"));
        host.plant(&SkeletonEntry::file("/plugins/below/a.rb", 0o644, b"")).unwrap();
        assert!(holds("/plugins") && !holds("/plugins/empty"));
    }
}
