//! Roles and environments from `roles/` and `environments/`, and the expansion of run lists (SPEC-compile 1.11, 2.9).

use super::repo;
use crate::compile::json_value;
use crate::cookbook::runlist::{self, Item};
use crate::run::{chef_error, class};
use rchef_ruby::frame::Definee;
use rchef_ruby::{Res, Symbol, Value, Vm, sym};
use serde_json::{Map, Value as Json, json};

/// A role or an environment: its JSON form, and the file below the chef-repo.
#[derive(Clone, Debug)]
pub struct Document {
    /// Keys as in JSON files.
    pub json: Json,
    /// E.g. `roles/web.rb`.
    pub source: String,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `roles/**/NAME`
    Role,
    /// `environments/NAME`
    Environment,
}
impl Kind {
    fn dir(self) -> &'static str {
        if self == Kind::Role { "roles" } else { "environments" }
    }
    fn class(self) -> &'static str {
        if self == Kind::Role { "Chef::Role" } else { "Chef::Environment" }
    }
}

fn blank(kind: Kind, name: &str) -> Map<String, Json> {
    let mut map = Map::new();
    for (key, value) in [
        ("name", json!(name)),
        ("description", json!("")),
        ("json_class", json!(kind.class())),
        ("default_attributes", json!({})),
        ("override_attributes", json!({})),
    ] {
        map.insert(key.into(), value);
    }
    let rest = if kind == Kind::Role {
        [("chef_type", json!("role")), ("run_list", json!([])), ("env_run_lists", json!({}))]
    } else {
        [("chef_type", json!("environment")), ("cookbook_versions", json!({})), ("", Json::Null)]
    };
    for (key, value) in rest {
        if !value.is_null() {
            map.insert(key.into(), value);
        }
    }
    map
}

/// Files below a directory of the chef-repo that end in `.json` or `.rb`, JSON first.
fn files(vm: &mut Vm, dir: &str, deep: bool, out: &mut Vec<String>, depth: usize) {
    for name in repo::names(vm, dir, false) {
        if name.ends_with(".json") || name.ends_with(".rb") {
            out.push(format!("{dir}/{name}"));
        }
    }
    if deep && depth < 20 {
        for name in repo::names(vm, dir, true) {
            files(vm, &format!("{dir}/{name}"), deep, out, depth + 1);
        }
    }
}
fn stem(path: &str) -> &str {
    let base = path.rsplit('/').next().unwrap_or(path);
    base.strip_suffix(".json").or_else(|| base.strip_suffix(".rb")).unwrap_or(base)
}

/// Names of all roles or environments, sorted.
pub fn all(vm: &mut Vm, kind: Kind) -> Vec<String> {
    let mut found = Vec::new();
    files(vm, kind.dir(), kind == Kind::Role, &mut found, 0);
    let mut names: Vec<String> = found.iter().map(|path| stem(path).to_string()).collect();
    names.sort();
    names.dedup();
    names
}

/// Reads a role or an environment; None when there is none. DuplicateRole when several files of one kind define it.
pub fn load(vm: &mut Vm, kind: Kind, name: &str) -> Res<Option<Document>> {
    let mut found = Vec::new();
    files(vm, kind.dir(), kind == Kind::Role, &mut found, 0);
    found.retain(|path| stem(path) == name);
    for ending in [".json", ".rb"] {
        let mut fitting = found.iter().filter(|path| path.ends_with(ending));
        let Some(source) = fitting.next() else { continue };
        if fitting.next().is_some() {
            return Err(chef_error(vm, "DuplicateRole", format!("Multiple roles of same type found named {name}")));
        }
        let map = if ending == ".json" {
            let mut map = blank(kind, name);
            if let Some(Json::Object(given)) = repo::json(vm, source)? {
                map.extend(given);
            }
            if let (Some(old), true) = (
                map.shift_remove("recipes"),
                map.get("run_list").is_none_or(|list| list.as_array().is_none_or(Vec::is_empty)),
            ) {
                map.insert("run_list".into(), old);
            }
            map
        } else {
            let code = repo::bytes(vm, source)?.unwrap_or_default();
            let class = ruby_class(vm, kind)?;
            let object = vm.call(&class, sym::NEW, &[])?;
            vm.call_name(&object, "name", &[Value::str(name)])?;
            let path = repo::path(vm, source);
            crate::run::evaluate(vm, &code, &path, &object, Definee::SingletonOf(object.clone()))?;
            let hash = vm.call_name(&object, "to_h", &[])?;
            match repo::to_json(vm, &hash)? {
                Json::Object(map) => map,
                _ => blank(kind, name),
            }
        };
        return Ok(Some(Document { json: Json::Object(map), source: source.clone() }));
    }
    Ok(None)
}

/// `Chef::Role` or `Chef::Environment`, loaded if need be.
fn ruby_class(vm: &mut Vm, kind: Kind) -> Res {
    let chef = class(vm, |classes| classes.chef)?;
    let name = Symbol::intern_static(kind.class().trim_start_matches("Chef::"));
    match vm.const_get_from(chef, name, false)? {
        Some(found) => Ok(found),
        None => Err(vm.runtime_error(format!("{} is not there", kind.class()))),
    }
}
/// The document as a `Chef::Role` or `Chef::Environment`.
pub fn object(vm: &mut Vm, kind: Kind, document: &Document) -> Res {
    let (class, hash) = (ruby_class(vm, kind)?, json_value(vm, &document.json)?);
    vm.call_name(&class, "from_hash", &[hash])
}

/// An expanded run list.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Recipes in order, each once, with the version that was asked for.
    pub recipes: Vec<(String, Option<String>)>,
    /// Roles in order of first application; missing ones too.
    pub roles: Vec<String>,
    /// Roles that do not exist.
    pub missing: Vec<String>,
    /// Roles that are being expanded, the outermost first.
    pub within: Vec<String>,
    /// Roles whose attributes apply, the weakest first.
    pub applied: Vec<Document>,
    /// The items as they are nested.
    pub tree: Vec<Branch>,
}

/// An item of a run list, and what it expands to.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// A role; else a recipe.
    pub is_role: bool,
    /// Name.
    pub name: String,
    /// Version that was asked for.
    pub version: Option<String>,
    /// Named before: it counts at its first place only.
    pub skipped: bool,
    /// The role does not exist.
    pub missing: bool,
    /// Items of a role.
    pub children: Vec<Branch>,
}

fn texts(value: Option<&Json>) -> Vec<String> {
    value
        .and_then(Json::as_array)
        .map(|list| list.iter().filter_map(|item| item.as_str().map(str::to_string)).collect())
        .unwrap_or_default()
}
/// `1.0` and `1.0.0` are one version.
fn full_version(version: &str) -> String {
    if version.split('.').count() == 2 { format!("{version}.0") } else { version.to_string() }
}

/// Expands items in place, for an environment.
pub fn expand(vm: &mut Vm, items: &[Item], environment: &str, into: &mut Expansion) -> Res<()> {
    vm.check_stack()?;
    for item in items {
        match item {
            Item::Recipe(name, version) => {
                let skipped = into.recipes.iter().any(|(known, _)| known == name);
                into.tree.push(Branch { name: name.clone(), version: version.clone(), skipped, ..Branch::default() });
                if let Some((_, known)) = into.recipes.iter_mut().find(|(known, _)| known == name) {
                    match (&known, version) {
                        (Some(old), Some(new)) if full_version(old) != full_version(new) => {
                            let text = format!("Run list requires {name} at versions {old} and {new}");
                            return Err(chef_error(vm, "CookbookVersionConflict", text));
                        }
                        (None, Some(_)) => known.clone_from(version),
                        _ => {}
                    }
                } else {
                    into.recipes.push((name.clone(), version.clone()));
                }
            }
            Item::Role(name) => {
                let mut branch = Branch { is_role: true, name: name.clone(), ..Branch::default() };
                if into.roles.contains(name) {
                    into.tree.push(Branch { skipped: true, ..branch });
                    continue;
                }
                into.roles.push(name.clone());
                let Some(role) = load(vm, Kind::Role, name)? else {
                    into.missing.push(name.clone());
                    let by = into.within.last().map_or("top level", String::as_str);
                    let text = format!(
                        "Role {name} (included by '{by}') is in the runlist but does not exist. Skipping expand."
                    );
                    crate::chef_api::log_line(vm, "error", text);
                    into.tree.push(Branch { missing: true, ..branch });
                    continue;
                };
                let mut list = Vec::new();
                for text in run_list_for(&role.json, environment) {
                    list.push(runlist::item(vm, &text)?);
                }
                let around = std::mem::take(&mut into.tree);
                into.within.push(name.clone());
                expand(vm, &list, environment, into)?;
                into.within.pop();
                branch.children = std::mem::replace(&mut into.tree, around);
                into.tree.push(branch);
                into.applied.push(role);
            }
        }
    }
    Ok(())
}

/// A role's run list in an environment: that environment's own, else the default one.
fn run_list_for(role: &Json, environment: &str) -> Vec<String> {
    let own = |name: &str| role.get("env_run_lists").and_then(|lists| lists.get(name));
    texts(own(environment).or_else(|| own("_default")).or_else(|| role.get("run_list")))
}

/// What is raised for a role or environment that is not there.
pub fn missing(vm: &mut Vm, kind: Kind, name: &str) -> rchef_ruby::Error {
    match kind {
        Kind::Role => chef_error(vm, "RoleNotFound", format!("Role '{name}' could not be loaded from disk")),
        Kind::Environment => {
            chef_error(vm, "EnvironmentNotFound", format!("Environment '{name}' could not be loaded from disk"))
        }
    }
}
