//! Roles and environments from `roles/` and `environments/`, and the expansion of run lists (SPEC-compile 1.11, 2.9).

use super::repo;
use crate::compile::json_value;
use crate::cookbook::runlist::{self, Item};
use crate::run::chef_error;
use rchef_ruby::frame::Definee;
use rchef_ruby::value::NativeData;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, opt};
use serde_json::{Map, Value as Json, json};

/// State of a `Chef::Role` or `Chef::Environment`.
#[derive(Clone)]
struct Data(Map<String, Json>);
impl NativeData for Data {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

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
            let object = instance(vm, kind, blank(kind, name));
            let path = repo::path(vm, source);
            vm.run_string_as(&code, &path, &object, Definee::SingletonOf(object.clone()))?;
            vm.data::<Data>(&object).map(|data| data.0.clone()).unwrap_or_default()
        };
        return Ok(Some(Document { json: Json::Object(map), source: source.clone() }));
    }
    Ok(None)
}

fn instance(vm: &Vm, kind: Kind, map: Map<String, Json>) -> Value {
    Value::data(vm.class_named(kind.class()).unwrap_or(ClassId::OBJECT), Data(map))
}
/// The document as a `Chef::Role` or `Chef::Environment`.
pub fn object(vm: &Vm, kind: Kind, document: Document) -> Value {
    let map = if let Json::Object(map) = document.json { map } else { Map::new() };
    instance(vm, kind, map)
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
                    into.tree.push(Branch { missing: true, ..branch });
                    continue;
                };
                let mut list = Vec::new();
                for text in run_list_for(vm, &role.json, environment)? {
                    list.push(runlist::item(vm, &text)?);
                }
                let around = std::mem::take(&mut into.tree);
                expand(vm, &list, environment, into)?;
                branch.children = std::mem::replace(&mut into.tree, around);
                into.tree.push(branch);
                into.applied.push(role);
            }
        }
    }
    Ok(())
}

/// A role's run list in an environment.
fn run_list_for(vm: &mut Vm, role: &Json, environment: &str) -> Res<Vec<String>> {
    let by_environment = role.get("env_run_lists").and_then(Json::as_object).filter(|map| !map.is_empty());
    if let Some(lists) = by_environment {
        let Some(default) = lists
            .get("_default")
            .or_else(|| role.get("run_list").filter(|list| list.as_array().is_some_and(|list| !list.is_empty())))
        else {
            return Err(chef_error(
                vm,
                "InvalidEnvironmentRunListSpecification",
                "_default key is required in env_run_lists.\n(env_run_lists: {})"
                    .replace("{}", &Json::Object(lists.clone()).to_string()),
            ));
        };
        return Ok(texts(Some(lists.get(environment).unwrap_or(default))));
    }
    Ok(texts(role.get("run_list")))
}

fn getter(vm: &mut Vm, this: &Value, key: &str) -> Res {
    let value = vm.data::<Data>(this).and_then(|data| data.0.get(key).cloned()).unwrap_or_default();
    json_value(vm, &value)
}
fn put(vm: &mut Vm, this: &Value, key: &str, value: Json) {
    if let Some(data) = vm.data_mut::<Data>(this) {
        data.0.insert(key.into(), value);
    }
}
/// `name`, `description`, `default_attributes` …: without an argument what is set, with one it is set.
fn field(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = vm.current_native_name().map(Symbol::as_str).unwrap_or_default();
    let key = key.strip_suffix('=').unwrap_or(key);
    let key = if key == "env_run_list" { "env_run_lists" } else { key };
    if let Some(value) = args.get(0).filter(|value| !value.is_nil()) {
        let fits = match key {
            "name" | "description" => matches!(value, Value::Str(_)),
            _ => matches!(value, Value::Hash(_)),
        };
        if !fits {
            let (shown, kind) =
                (vm.inspect(value)?, if matches!(key, "name" | "description") { "String" } else { "Hash" });
            return Err(chef_error(
                vm,
                "ValidationFailed",
                format!("Option {key} must be a kind of {kind}!  You passed {shown}."),
            ));
        }
        let made = repo::to_json(vm, value)?;
        if key == "name"
            && !made.as_str().is_some_and(|text| {
                !text.is_empty() && text.chars().all(|char| char.is_alphanumeric() || "-_".contains(char))
            })
        {
            return Err(chef_error(
                vm,
                "ValidationFailed",
                format!(
                    "Option name's value {} does not match regular expression /^[\\-[:alnum:]_]+$/",
                    made.as_str().unwrap_or_default()
                ),
            ));
        }
        put(vm, this, key, made);
    }
    getter(vm, this, key)
}
fn run_list(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !args.is_empty() {
        let mut list = Vec::new();
        for arg in args.pos {
            for item in vm.to_array(arg)? {
                let text = vm.to_s_text(&item)?;
                let shown = match runlist::item(vm, &text)? {
                    Item::Role(name) => format!("role[{name}]"),
                    Item::Recipe(name, None) => format!("recipe[{name}]"),
                    Item::Recipe(name, Some(version)) => format!("recipe[{name}@{version}]"),
                };
                if !list.contains(&Json::String(shown.clone())) {
                    list.push(Json::String(shown));
                }
            }
        }
        put(vm, this, "run_list", Json::Array(list));
    }
    getter(vm, this, "run_list")
}
fn cookbook(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (name, version) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    if let Some(Json::Object(map)) = vm.data_mut::<Data>(this).and_then(|data| data.0.get_mut("cookbook_versions")) {
        map.insert(name, version.into());
    }
    Ok(args.at(1).clone())
}
fn to_hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let map = vm.data::<Data>(this).map(|data| data.0.clone()).unwrap_or_default();
    json_value(vm, &Json::Object(map))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let name = vm
        .data::<Data>(this)
        .and_then(|data| data.0.get("name").and_then(Json::as_str).map(str::to_string))
        .unwrap_or_default();
    let kind = if vm.class_name_of(this) == Kind::Role.class() { "role" } else { "environment" };
    Ok(Value::str(if kind == "role" { format!("{kind}[{name}]") } else { name }))
}
fn kind_of(vm: &Vm, class: &Value) -> Kind {
    match class {
        Value::Class(id) if vm.class_name(*id) == Kind::Environment.class() => Kind::Environment,
        _ => Kind::Role,
    }
}
fn load_class(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (kind, name) = (kind_of(vm, this), vm.to_s_text(args.at(0))?);
    match load(vm, kind, &name)? {
        Some(found) => Ok(object(vm, kind, found)),
        None => Err(missing(vm, kind, &name)),
    }
}
fn list_class(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let kind = kind_of(vm, this);
    let mut pairs = Vec::new();
    for name in all(vm, kind) {
        pairs.push((Value::str(&name), Value::str(format!("chefzero://localhost:1/{}/{name}", kind.dir()))));
    }
    vm.new_hash(pairs)
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

static COMMON: &[MethodDef] = &[
    opt("name", field, 0, 1),
    opt("description", field, 0, 1),
    opt("default_attributes", field, 0, 1),
    opt("override_attributes", field, 0, 1),
    def("to_hash", to_hash, 0),
    def("to_h", to_hash, 0),
    def("to_s", to_s, 0),
];
static ROLE: &[MethodDef] = &[
    any("run_list", run_list),
    any("recipes", run_list),
    opt("env_run_lists", field, 0, 1),
    opt("env_run_list", field, 0, 1),
];
static ENVIRONMENT: &[MethodDef] = &[def("cookbook", cookbook, 2), opt("cookbook_versions", field, 0, 1)];
static SINGLETON: &[MethodDef] = &[opt("load", load_class, 1, 2), opt("list", list_class, 0, 1)];

/// Registers `Chef::Role` and `Chef::Environment`.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    for (name, own) in [("Role", ROLE), ("Environment", ENVIRONMENT)] {
        let class = vm.define_class(chef, name, ClassId::OBJECT);
        vm.class_mut(class).allocator = Some(|vm, class| {
            let kind = kind_of(vm, &Value::Class(class));
            Ok(Value::data(class, Data(blank(kind, ""))))
        });
        vm.define_methods(class, COMMON);
        vm.define_methods(class, own);
        vm.define_singleton_methods(class, SINGLETON);
    }
}
