//! `rchef-dump/1`: what a compile made, as data (SPEC-compile 6). YAML and JSON are renderings of the same document.

mod record;
pub mod value;
pub mod yaml;

pub use record::{Snapshot, snapshot};

use crate::compile::Input;
use crate::context;
use crate::cookbook;
use crate::names::N;
use crate::resource::instance;
use crate::run::run_mut;
use crate::{CHEF_VERSION, node};
use rchef_ruby::{Error, Res, Value, Vm, sym};
use rustc_hash::FxHashMap as HashMap;
use serde_json::{Map, Value as Json, json};

/// A path below a cookbook as `cookbook/path`.
pub fn short_place(vm: &mut Vm, place: &str) -> String {
    let roots = &run_mut(vm).cookbook_roots;
    let best = roots
        .iter()
        .filter(|(root, _)| place.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/')))
        .max_by_key(|(root, _)| root.len());
    match best {
        Some((root, name)) => format!("{name}{}", &place[root.len()..]),
        None => place.to_string(),
    }
}

/// Text with the directories that hold cookbooks left out: they differ from machine to machine.
pub fn without_roots(vm: &mut Vm, text: &str) -> String {
    let mut parents: Vec<String> = run_mut(vm)
        .cookbook_roots
        .iter()
        .filter_map(|(root, _)| root.rsplit_once('/').map(|(parent, _)| format!("{parent}/")))
        .collect();
    parents.dedup();
    let mut text = text.replace(crate::chef_api::CACHE, "%CACHE%");
    for parent in parents {
        text = text.replace(&parent, "");
    }
    text
}

/// Collects edges while records are made; ids by the resource's address.
struct Writer {
    edges: Vec<(String, Json)>,
    ids: HashMap<usize, String>,
}

/// The document of a compile; `failure` is what ended it.
pub fn document(vm: &mut Vm, input: &Input, failure: Option<Error>) -> Res<Json> {
    let mut top = Map::new();
    top.insert("schema".into(), json!("rchef-dump/1"));
    top.insert("status".into(), json!(if failure.is_some() { "failed" } else { "complete" }));
    if let Some(error) = failure {
        top.insert("error".into(), error_record(vm, error)?);
    }
    top.insert("inputs".into(), json!({ "run_list": input.run_list, "environment": input.environment.clone().unwrap_or_else(|| "_default".into()), "chef_version": CHEF_VERSION }));
    let (order, loaded, recipes) = {
        let known = cookbook::cookbooks(vm);
        (known.order.clone(), known.loaded.clone(), known.recipes.clone())
    };
    top.insert("run_list".into(), json!({ "given": input.run_list.split(',').map(str::trim).collect::<Vec<_>>() }));
    let mut cookbooks = Vec::new();
    for name in order {
        let found = cookbook::get(vm, &name)?;
        let depends: Map<String, Json> =
            found.metadata.depends.iter().map(|(name, constraint)| (name.clone(), json!(constraint))).collect();
        cookbooks.push(json!({ "name": found.name, "version": found.metadata.version, "dependencies": depends, "files": found.files.len(), "ignored": found.ignored }));
    }
    top.insert("cookbooks".into(), Json::Array(cookbooks));
    let load: Vec<Json> = loaded
        .iter()
        .enumerate()
        .map(
            |(seq, (kind, cookbook, file))| json!({ "seq": seq + 1, "type": kind, "cookbook": cookbook, "file": file }),
        )
        .collect();
    top.insert("load".into(), Json::Array(load));
    let root = run_mut(vm).root.clone();
    let node_value = run_mut(vm).node.clone();
    if !node_value.is_nil() {
        let merged = node::merged(vm, &node_value, true)?;
        top.insert("attributes".into(), json!({ "merged": value::encode(vm, &merged, true)? }));
    }
    top.insert(
        "recipes".into(),
        Json::Array(recipes.iter().enumerate().map(|(seq, name)| json!({ "seq": seq + 1, "recipe": name })).collect()),
    );
    let mut writer = Writer { edges: Vec::new(), ids: HashMap::default() };
    let resources = if root.is_nil() { Vec::new() } else { records(vm, &mut writer, &root, "r")? };
    top.insert("resources".into(), Json::Array(resources));
    writer.edges.sort_by(|a, b| a.0.cmp(&b.0));
    let edges = writer.edges.into_iter().map(|(_, edge)| edge).collect();
    top.insert("notifications".into(), Json::Array(edges));
    let effects = effects(vm);
    top.insert("effects".into(), effects);
    top.insert("lints".into(), lints(vm)?);
    Ok(Json::Object(top))
}

fn lints(vm: &mut Vm) -> Res<Json> {
    let mut found: Vec<(String, u32, String, String)> = run_mut(vm)
        .lints
        .iter()
        .map(|lint| (lint.file.clone(), lint.line, lint.code.to_string(), lint.text.clone()))
        .collect();
    for (what, file, line) in vm.deprecations.clone() {
        found.push((file.to_string(), line, "deprecated".into(), what));
    }
    for lint in &mut found {
        lint.0 = short_place(vm, &lint.0);
    }
    found.sort();
    Ok(Json::Array(
        found
            .into_iter()
            .map(|(file, line, code, text)| json!({ "source": format!("{file}:{line}"), "code": code, "text": text }))
            .collect(),
    ))
}

/// What code tried to do to the machine, when it ran on an overlay.
fn effects(vm: &mut Vm) -> Json {
    let host = vm.host.clone();
    let Some(overlay) = host.as_overlay() else { return Json::Array(Vec::new()) };
    let mut list = Vec::new();
    for effect in overlay.effects() {
        let place = effect.source.as_ref().map(|source| format!("{}:{}", source.file, source.line));
        let place = place.map(|place| short_place(vm, &place));
        list.push(json!({ "kind": format!("{:?}", effect.kind).to_lowercase(), "subject": String::from_utf8_lossy(&effect.subject), "source": place }));
    }
    Json::Array(list)
}

fn error_record(vm: &mut Vm, error: Error) -> Res<Json> {
    let exception = vm.error_value(error);
    let class = vm.class_name_of(&exception);
    let text = vm.call(&exception, sym::MESSAGE, &[])?;
    let message = vm.to_s_text(&text)?;
    let backtrace = vm.call(&exception, sym::BACKTRACE, &[])?;
    let mut frames = Vec::new();
    for line in vm.to_array(&backtrace)? {
        let line = vm.to_s_text(&line)?;
        frames.push(short_place(vm, &line));
    }
    let location = frames.first().map(|line| line.split(":in ").next().unwrap_or(line).to_string());
    frames.truncate(20);
    Ok(json!({ "class": class, "message": message, "location": location, "backtrace": frames }))
}

/// Records of a context's resources.
fn records(vm: &mut Vm, writer: &mut Writer, context: &Value, prefix: &str) -> Res<Vec<Json>> {
    let resources = context::resources(vm, context)?;
    let mut keys: Vec<String> = Vec::new();
    for resource in &resources {
        keys.push(context::declared_key(vm, resource)?);
    }
    let ids: Vec<String> = (1..=resources.len()).map(|index| format!("{prefix}{index:04}")).collect();
    for (resource, id) in resources.iter().zip(&ids) {
        writer.ids.insert(resource.address(), id.clone());
    }
    let mut later: HashMap<&str, usize> = HashMap::default();
    let mut shadowed = vec![None; resources.len()];
    for (index, key) in keys.iter().enumerate().rev() {
        shadowed[index] = later.insert(key, index).map(|index| ids[index].clone());
    }
    let mut found = Vec::new();
    for (index, resource) in resources.iter().enumerate() {
        found.push(record(vm, writer, context, resource, &ids[index], &keys[index], shadowed[index].take())?);
    }
    Ok(found)
}

fn text_of(vm: &mut Vm, value: Value) -> Res<Json> {
    if value.is_nil() { Ok(Json::Null) } else { Ok(json!(vm.to_s_text(&value)?)) }
}

fn record(
    vm: &mut Vm,
    writer: &mut Writer,
    context: &Value,
    resource: &Value,
    id: &str,
    key: &str,
    shadowed_by: Option<String>,
) -> Res<Json> {
    let mut map = Map::new();
    map.insert("id".into(), json!(id));
    map.insert("key".into(), json!(key));
    let declared = vm.ivar_get(resource, N.i_declared_type).unwrap_or_default();
    map.insert("type".into(), text_of(vm, declared)?);
    let kind = instance::name_of_type(vm, resource)?;
    map.insert("class".into(), text_of(vm, kind)?);
    let taken = match run_mut(vm).snapshots.remove(&resource.address()) {
        Some(kept) => kept,
        None => record::snapshot(vm, context, resource)?,
    };
    map.extend(taken.facets);
    if let Some(later) = shadowed_by {
        map.insert("shadowed_by".into(), json!(later));
    }
    for edge in taken.edges {
        let target = context::resolve_target(vm, context, &edge.notification).unwrap_or(None);
        let to_id = target.as_ref().and_then(|target| writer.ids.get(&target.address()).cloned());
        let mut shown = Map::new();
        shown.insert("from".into(), json!(key));
        shown.insert("from_id".into(), json!(id));
        shown.extend(edge.facets);
        shown.insert("to_id".into(), json!(to_id));
        shown.insert("resolves".into(), json!(if target.is_some() { "yes" } else { "no" }));
        writer.edges.push((id.to_string(), Json::Object(shown)));
    }
    let children = children(vm, writer, resource, id)?;
    if !children.is_empty() {
        map.insert("children".into(), Json::Array(children));
    }
    Ok(Json::Object(map))
}

fn children(vm: &mut Vm, writer: &mut Writer, resource: &Value, id: &str) -> Res<Vec<Json>> {
    let expansions: Vec<_> =
        run_mut(vm).expansions.iter().filter(|expansion| expansion.resource.same(resource)).cloned().collect();
    let mut found: Vec<Json> = Vec::new();
    for expansion in expansions {
        let resources = if expansion.context.is_nil() {
            Vec::new()
        } else {
            records(vm, writer, &expansion.context, &format!("{id}.{}.", expansion.action))?
        };
        let mut entry = Map::new();
        entry.insert("action".into(), json!(expansion.action.as_str()));
        entry.insert("resources".into(), Json::Array(resources));
        if let Some(exception) = expansion.error {
            entry.insert("error".into(), error_record(vm, crate::provider::class::raise(exception))?);
        }
        found.push(Json::Object(entry));
    }
    Ok(found)
}
