//! Roles and environments in `roles/` and `environments/` of the chef-repo (SPEC-compile 1.11, 2.9).

use super::expanded::{Expansion, Stored};
use super::repo;
use crate::data::json_value;
use crate::run::{chef_error, class};
use rchef_model::Value as Json;
use rchef_model::role::{Kind, Role, stem};
use rchef_model::run_list::{ExpandError, Item};
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::{Error, Res, Symbol, Value, Vm, sym};

/// The `.json` and `.rb` files below a directory of the chef-repo, JSON first.
fn files(vm: &mut Vm, dir: &str, deep: bool, out: &mut Vec<String>, depth: usize) {
    let found = repo::listing(vm, dir);
    for name in found.files {
        if name.ends_with(".json") || name.ends_with(".rb") {
            out.push(format!("{dir}/{name}"));
        }
    }
    if deep && depth < 20 {
        for name in found.folders {
            files(vm, &format!("{dir}/{name}"), deep, out, depth + 1);
        }
    }
}
/// The names of all roles or environments, sorted.
pub fn all(vm: &mut Vm, kind: Kind) -> Vec<String> {
    let mut found = Vec::new();
    files(vm, kind.directory(), kind == Kind::Role, &mut found, 0);
    let mut names: Vec<String> = found.iter().map(|path| stem(path).to_string()).collect();
    names.sort();
    names.dedup();
    names
}

/// Reads a role or an environment; None if it does not exist. Raises DuplicateRole if several files of the same type define it.
pub fn load(vm: &mut Vm, kind: Kind, name: &str) -> Res<Option<Stored>> {
    let mut found = Vec::new();
    files(vm, kind.directory(), kind == Kind::Role, &mut found, 0);
    found.retain(|path| stem(path) == name);
    for ending in [".json", ".rb"] {
        let mut fitting = found.iter().filter(|path| path.ends_with(ending));
        let Some(source) = fitting.next() else { continue };
        if fitting.next().is_some() {
            return Err(chef_error(vm, "DuplicateRole", format!("Multiple roles of same type found named {name}")));
        }
        let map = if ending == ".json" {
            kind.complete(name, repo::json(vm, source)?.unwrap_or_default())
        } else {
            let code = repo::bytes(vm, source)?.unwrap_or_default();
            let class = ruby_class(vm, kind)?;
            let object = vm.call(&class, sym::NEW, &[])?;
            vm.call_name(&object, "name", &[Value::str(name)])?;
            let path = repo::path(vm, source);
            crate::run::evaluate(vm, &code, &path, &object, Definee::SingletonOf(object.clone()))?;
            let hash = vm.call_name(&object, "to_h", &[])?;
            match crate::data::to_json(vm, &hash)? {
                Json::Object(map) => map,
                _ => kind.blank(name),
            }
        };
        return Ok(Some(Stored { role: Role::new(Json::Object(map)), source: source.clone() }));
    }
    Ok(None)
}

/// `Chef::Role` or `Chef::Environment`, autoloaded if necessary.
fn ruby_class(vm: &mut Vm, kind: Kind) -> Res {
    let chef = class(vm, |classes| classes.chef)?;
    let name = Symbol::intern_static(kind.class().trim_start_matches("Chef::"));
    match vm.const_get_from(chef, name, false)? {
        Some(found) => Ok(found),
        None => Err(vm.runtime_error(format!("{} is not there", kind.class()))),
    }
}
/// A `Chef::Role` or `Chef::Environment` made from its document.
pub fn object(vm: &mut Vm, kind: Kind, document: &Json) -> Res {
    let (class, hash) = (ruby_class(vm, kind)?, json_value(vm, document)?);
    vm.call_name(&class, "from_hash", &[hash])
}

/// Expands run list items with the roles of the chef-repo, for an environment. Missing roles are logged and recorded.
pub fn expand(vm: &mut Vm, items: Vec<Item>, environment: &str) -> Res<Expansion> {
    let expanded = Expansion::expand(items, environment, |name, by| {
        let found = load(vm, Kind::Role, name)?;
        if found.is_none() {
            let text =
                format!("Role {name} (included by '{by}') is in the runlist but does not exist. Skipping expand.");
            crate::chef_class::log_line(vm, "error", text);
        }
        Ok::<_, Error>(found)
    });
    expanded.map_err(|error| match error {
        ExpandError::Conflict(conflict) => chef_error(vm, "CookbookVersionConflict", conflict.to_string()),
        ExpandError::Item(error) => vm.argument_error(error.to_string()),
        ExpandError::Role(error) => error,
    })
}

/// The exception for a missing role or environment.
pub fn missing(vm: &mut Vm, kind: Kind, name: &str) -> rchef_ruby::Error {
    match kind {
        Kind::Role => chef_error(vm, "RoleNotFound", format!("Role '{name}' could not be loaded from disk")),
        Kind::Environment => {
            chef_error(vm, "EnvironmentNotFound", format!("Environment '{name}' could not be loaded from disk"))
        }
    }
}
