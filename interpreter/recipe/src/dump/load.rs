//! The sections about what was loaded: inputs, run list, cookbooks, files, recipes (SPEC-compile 6.2).

use super::place::{short_file, short_place};
use crate::compile::Input;
use crate::context;
use crate::cookbook::{self, Cookbook};
use crate::process::CHEF_VERSION;
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use rchef_model::run_list::{self, Branch};
use rchef_ruby::{Res, Vm};
use std::collections::BTreeMap;

/// The inputs of the compile, without the values of the JSON attributes.
pub fn inputs(vm: &mut Vm, input: &Input, immediate: &str) -> Json {
    let mut map = Map::new();
    map.insert("run_list".into(), json!(input.run_list));
    map.insert("environment".into(), json!(input.environment.as_deref().unwrap_or("_default")));
    if let Some(policy) = crate::data::policy::of_run(vm) {
        let mut shown = Map::new();
        for (key, text) in
            [("name", policy.choice.name.as_str()), ("group", &policy.choice.group), ("revision", policy.revision())]
        {
            if !text.is_empty() {
                shown.push(key, json!(text));
            }
        }
        map.insert("policy".into(), Json::Object(shown));
    }
    if let Some(json) = input.json.as_ref().and_then(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).ok()) {
        map.insert("json_attributes".into(), masked(vm, &Json::from(json)));
    }
    map.insert("ohai_sha256".into(), Json::from(rchef_change::file::checksum(&input.ohai)));
    map.insert("chef_version".into(), json!(CHEF_VERSION));
    map.insert("load_order".into(), json!(if input.chef19_order { "chef19" } else { "seed" }));
    map.insert("immediate".into(), json!(immediate));
    let volatile = super::options(vm).volatile.clone();
    if !volatile.is_empty() {
        let shown = volatile.into_iter().map(|(key, text)| (key, Json::from(text)));
        map.insert("volatile".into(), Json::Object(shown.collect()));
    }
    Json::Object(map)
}
fn masked(vm: &mut Vm, value: &Json) -> Json {
    match value {
        Json::Object(map) if !map.is_empty() => {
            Json::Object(map.iter().map(|(key, value)| (key.clone(), masked(vm, value))).collect())
        }
        value => super::mask::hidden(vm, value),
    }
}

/// The run list as given, expanded, and as a tree.
pub fn run_list(vm: &mut Vm, input: &Input) -> Json {
    let expansion = crate::data::expanded::of_run(vm);
    let given: Vec<&str> = input.run_list.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
    let expanded: Vec<String> = expansion.recipes.qualified().collect();
    let tree: Vec<Json> = expansion.tree.iter().map(branch).collect();
    let mut map = Map::new();
    map.insert("given".into(), json!(given));
    map.insert("expanded".into(), json!(expanded));
    map.insert("roles".into(), json!(expansion.roles));
    map.insert("tree".into(), Json::Array(tree));
    if !expansion.missing.is_empty() {
        map.insert("missing_roles".into(), json!(expansion.missing));
    }
    Json::Object(map)
}
fn branch(item: &Branch) -> Json {
    let mut map = Map::new();
    map.insert("type".into(), json!(if item.is_role { "role" } else { "recipe" }));
    map.insert("name".into(), json!(item.name));
    if let Some(version) = &item.version {
        map.insert("version".into(), json!(version));
    }
    for (key, set) in [("skipped", item.skipped), ("missing", item.missing)] {
        if set {
            map.insert(key.into(), json!(true));
        }
    }
    if !item.children.is_empty() {
        map.insert("children".into(), Json::Array(item.children.iter().map(branch).collect()));
    }
    Json::Object(map)
}

/// The cookbooks that the run list reaches, in order, then other cookbooks that were used.
pub fn cookbooks(vm: &mut Vm, input: &Input) -> Json {
    let first: Vec<String> =
        crate::data::expanded::of_run(vm).recipes.names().map(|name| run_list::cookbook_of(name).to_string()).collect();
    let known = cookbook::cookbooks(vm);
    let mut names = known.order.clone();
    for recipe in &known.recipes {
        let name = recipe.key.split("::").next().unwrap_or_default();
        if !names.iter().any(|known| known == name) {
            names.push(name.to_string());
        }
    }
    let all: Vec<&Cookbook> = names
        .iter()
        .filter_map(|name| known.all.iter().find(|cookbook| cookbook.name == *name).map(|found| &**found))
        .collect();
    let mut list = Vec::new();
    for found in &all {
        let reachable = known.order.contains(&found.name);
        let reason = if first.contains(&found.name) {
            Some("run_list".to_string())
        } else {
            all.iter()
                .find(|other| reachable && other.metadata.depends.iter().any(|(name, _)| *name == found.name))
                .map(|other| format!("dependency of {}", other.name))
        };
        list.push(record(found, input, reason.unwrap_or_else(|| "include_recipe".into()), reachable));
    }
    Json::Array(list)
}

fn record(found: &Cookbook, input: &Input, reason: String, reachable: bool) -> Json {
    let place = input
        .cookbook_paths
        .iter()
        .enumerate()
        .find_map(|(index, path)| Some((index, found.root.strip_prefix(path.as_str())?.trim_start_matches('/'))));
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for file in &found.files {
        let kind = match file.split_once('/') {
            Some((kind, _)) => kind,
            None => "root",
        };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds.sort_unstable();
    let depends: Map =
        found.metadata.depends.iter().map(|(name, constraint)| (name.clone(), json!(constraint))).collect();
    let mut map = Map::new();
    map.insert("name".into(), json!(found.name));
    map.insert("version".into(), json!(found.metadata.version));
    if let Some((index, path)) = place {
        map.insert("path".into(), json!(path));
        map.insert("path_index".into(), json!(index));
    }
    map.insert("dependencies".into(), Json::Object(depends));
    map.insert("reason".into(), json!(reason));
    map.insert("reachable".into(), json!(reachable));
    if found.metadata.immediate {
        map.insert("run_resources".into(), json!("immediately"));
    }
    map.insert(
        "files".into(),
        Json::Object(kinds.into_iter().map(|(kind, count)| (kind.to_string(), json!(count))).collect()),
    );
    map.insert("ignored".into(), json!(found.ignored));
    Json::Object(map)
}

/// Files in load order; libraries that were only loaded by `require` come last.
pub fn files(vm: &mut Vm) -> Json {
    let loaded = cookbook::cookbooks(vm).loaded.clone();
    let mut list = Vec::new();
    for (index, file) in loaded.iter().enumerate() {
        let via = match &file.via {
            Some(place) => format!("include_attribute from {}", short_place(vm, place)),
            None => "automatic".into(),
        };
        list.push(entry(index + 1, file.kind, &file.cookbook, &file.path, &via, &file.defines));
    }
    for feature in vm.loaded.clone() {
        let short = short_file(vm, &feature);
        let Some((name, path)) = short.split_once('/').filter(|(_, path)| path.starts_with("libraries/")) else {
            continue;
        };
        if short != feature && !loaded.iter().any(|file| file.cookbook == name && file.path == path) {
            list.push(entry(list.len() + 1, "libraries", name, path, "require", &[]));
        }
    }
    Json::Array(list)
}
fn entry(seq: usize, kind: &str, cookbook: &str, path: &str, via: &str, defines: &[String]) -> Json {
    let mut map = Map::new();
    map.insert("seq".into(), json!(seq));
    map.insert("type".into(), json!(kind));
    map.insert("cookbook".into(), json!(cookbook));
    map.insert("file".into(), json!(path));
    map.insert("via".into(), json!(via));
    if !defines.is_empty() {
        map.insert("defines".into(), json!(defines));
    }
    Json::Object(map)
}

/// Recipes in order of evaluation, with the IDs of the resources they declared, from `declared`.
pub fn recipes(vm: &mut Vm, unit: Option<&str>, declared: &BTreeMap<String, Vec<String>>) -> Res<Json> {
    let mut list = Vec::new();
    for (index, recipe) in cookbook::cookbooks(vm).recipes.clone().into_iter().enumerate() {
        if recipe.unit.as_deref() != unit {
            continue;
        }
        let file = short_file(vm, &recipe.path);
        let format = match recipe.path.rsplit('.').next() {
            Some("yml" | "yaml") => "yml",
            Some("json") => "json",
            _ => "rb",
        };
        let mut map = Map::new();
        map.insert("seq".into(), json!(index + 1));
        map.insert("recipe".into(), json!(recipe.key));
        map.insert("file".into(), json!(file));
        map.insert("format".into(), json!(format));
        let by = match &recipe.by {
            Some(place) => short_place(vm, place),
            None => format!("run_list[{}]", recipe.index),
        };
        map.insert("included_by".into(), json!(by));
        map.insert("mode".into(), json!(if recipe.immediate { "immediate" } else { "delayed" }));
        if recipe.immediate {
            map.insert("why".into(), json!("metadata"));
        }
        if !recipe.repeats.is_empty() {
            let places: Vec<String> = recipe.repeats.iter().map(|place| short_place(vm, place)).collect();
            map.insert("repeats".into(), json!(places));
        }
        map.insert("resources".into(), json!(declared.get(&recipe.key).cloned().unwrap_or_default()));
        list.push(Json::Object(map));
    }
    Ok(Json::Array(list))
}

/// The `run_recipe` units.
pub fn units(vm: &mut Vm) -> Vec<cookbook::Unit> {
    let units = cookbook::cookbooks(vm).finished.clone();
    units.into_iter().filter(|unit| context::data(vm, &unit.context).is_ok()).collect()
}
