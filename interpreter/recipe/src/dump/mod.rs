//! `rchef-dump/1`: the result of a compile as data (SPEC-compile 6). YAML and JSON are renderings of the same document, which
//! `schema/rchef-dump-1.json` describes.
//!
//! - [`load`]: inputs, run list, cookbooks, files, recipes; [`attributes`]: values and their origins; [`record`]: resources;
//! - [`edges`]: notifications; [`effects`]: effects, reads, findings; [`value`]: Ruby values; [`mask`]: masking; [`place`]: paths. The tree and its
//!   renderings are in [`rchef_model::document`] and [`rchef_model::yaml`].

pub mod attributes;
pub mod conflicts;
mod edges;
pub mod effects;
mod load;
pub mod mask;
pub mod place;
mod record;
pub mod value;

pub use place::{short_place, without_roots};
pub use record::{Snapshot, keep, snapshot};

use crate::compile::Input;
use crate::context;
use crate::converge::Part;
use crate::resource::def::ResourceDef;
use crate::resource::state;
use crate::run::{converge_mut, run_mut};
use edges::Writer;
use effects::Finding;
use rchef_model::code::Code;
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use rchef_ruby::{Error, Res, Value, Vm, sym};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// The parts of the attributes section to include.
#[derive(Clone, Copy, Debug)]
pub struct Attributes {
    pub merged: bool,
    pub levels: bool,
    pub provenance: bool,
    pub history: bool,
}

/// Renders the content of a resource that writes a file; None for other resources.
pub type Renderer = fn(&mut Vm, &Value) -> Res<Option<Vec<u8>>>;

/// What a dump includes.
#[derive(Clone, Debug)]
pub struct Options {
    pub attributes: Attributes,
    /// Include Ohai's data.
    pub automatic: bool,
    /// Include default values of properties.
    pub defaults: bool,
    /// Maps inside values keep their insertion order instead of being sorted.
    pub insertion_order: bool,
    /// Show sensitive values.
    pub reveal: bool,
    /// Inputs that differ from machine to machine and run to run.
    pub volatile: Vec<(&'static str, String)>,
    /// The key of the HMACs that replace sensitive values.
    pub digest: Option<Vec<u8>>,
    /// How actions that recipes run at compile time are handled: `overlay`, `record`, `whyrun`, `run`.
    pub immediate: &'static str,
    /// The function that renders the content of files, and whether the content is shown besides its digest.
    pub render: Option<(Renderer, bool)>,
    /// What exceptions are about, beside their messages.
    pub about: bool,
    /// Include only these sections (besides schema, status and error); all if empty.
    pub only: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            attributes: Attributes { merged: true, levels: true, provenance: true, history: false },
            automatic: false,
            defaults: false,
            insertion_order: false,
            reveal: false,
            volatile: Vec::new(),
            digest: None,
            immediate: "overlay",
            render: None,
            about: false,
            only: Vec::new(),
        }
    }
}

/// The names of the sections, in order.
pub const SECTIONS: [&str; 13] = [
    "inputs",
    "run_list",
    "cookbooks",
    "load",
    "attributes",
    "recipes",
    "resources",
    "units",
    "notifications",
    "delayed_queue",
    "effects",
    "reads",
    "lints",
];

/// The dump options of the VM; to be set before the compile.
pub fn options(vm: &mut Vm) -> &mut Options {
    vm.extension::<Options>()
}

/// The document of a compile; `failure` is the error that ended it.
pub fn document(vm: &mut Vm, input: &Input, failure: Option<Error>) -> Res<Json> {
    let options = options(vm).clone();
    let mut top = Map::new();
    top.insert("schema".into(), json!("rchef-dump/1"));
    top.insert("status".into(), json!(if failure.is_some() { "failed" } else { "complete" }));
    if let Some(error) = failure {
        top.insert("error".into(), error_record(vm, error)?);
    }
    let mut writer = Writer::default();
    let root = run_mut(vm).root.clone();
    let mut resources = Vec::new();
    if !root.is_nil() {
        resources = records(vm, &mut writer, &root, "r")?;
        edges::unheard(vm, &mut writer, &root)?;
    }
    let units = units(vm, &mut writer)?;
    let mut findings = std::mem::take(&mut writer.findings);
    for section in SECTIONS {
        if !options.only.is_empty() && !options.only.iter().any(|wanted| wanted == section) {
            continue;
        }
        let made = match section {
            "inputs" => load::inputs(vm, input, options.immediate),
            "run_list" => load::run_list(vm, input),
            "cookbooks" => load::cookbooks(vm, input),
            "load" => load::files(vm),
            "attributes" => attributes::section(vm, &options)?,
            "recipes" => load::recipes(vm, None, &writer.declared)?,
            "resources" => Json::Array(std::mem::take(&mut resources)),
            "units" if units.is_empty() => continue,
            "units" => Json::Array(units.clone()),
            "notifications" => Json::Array(std::mem::take(&mut writer.edges)),
            "delayed_queue" => match edges::queue(vm, &root)? {
                queue if queue.is_empty() => continue,
                queue => Json::Array(queue),
            },
            "effects" => effects::effects(vm).0,
            "reads" => effects::effects(vm).1,
            _ => effects::lints_json(&effects::lints(vm, std::mem::take(&mut findings))),
        };
        top.insert(section.into(), made);
    }
    Ok(mask::apply(vm, Json::Object(top)))
}

/// The document of several policies: their documents in order, what two of them manage differently, and which of them read attributes that an
/// earlier one set during its compile (these may compile differently after that one has converged).
pub fn policies(defs: &[&ResourceDef], documents: Vec<Json>, provisional: Vec<Json>, failed: bool) -> Json {
    let mut top = Map::new();
    top.push("schema", json!("rchef-dump/1"));
    top.push("status", json!(if failed { "failed" } else { "complete" }));
    top.push("conflicts", conflicts::of(&conflicts::Table::new(defs), &documents));
    top.push("provisional", Json::Array(provisional));
    top.push("policies", Json::Array(documents));
    Json::Object(top)
}

/// One record for each `run_recipe` unit.
fn units(vm: &mut Vm, writer: &mut Writer) -> Res<Vec<Json>> {
    let mut list = Vec::new();
    for unit in load::units(vm) {
        let mut inner = Writer { ids: std::mem::take(&mut writer.ids), ..Writer::default() };
        let resources = records(vm, &mut inner, &unit.context, &format!("{}.", unit.label))?;
        edges::unheard(vm, &mut inner, &unit.context)?;
        let mut map = Map::new();
        map.insert("id".into(), json!(unit.label));
        if let Some(place) = &unit.called_at {
            map.insert("called_at".into(), json!(short_place(vm, place)));
        }
        map.insert("recipes".into(), load::recipes(vm, Some(&unit.label), &inner.declared)?);
        map.insert("resources".into(), Json::Array(resources));
        map.insert("notifications".into(), Json::Array(inner.edges));
        list.push(Json::Object(map));
        writer.ids = inner.ids;
        writer.findings.extend(inner.findings);
    }
    Ok(list)
}

/// An exception: class, message, place, causes, and the stack frames in cookbooks.
pub fn error_record(vm: &mut Vm, error: Error) -> Res<Json> {
    let exception = vm.error_value(error);
    let mut map = brief(vm, &exception)?;
    let backtrace = vm.call(&exception, sym::BACKTRACE, &[])?;
    let mut frames = Vec::new();
    for line in vm.to_array(&backtrace)? {
        let line = vm.to_s_text(&line)?;
        frames.push(short_place(vm, &line));
    }
    let mut own = Vec::new();
    for frame in &frames {
        if place::in_cookbook(vm, frame) {
            own.push(frame.clone());
        }
    }
    if own.is_empty() {
        own = frames;
    }
    if let Some(first) = own.first() {
        let location = first.split(":in ").next().unwrap_or(first).to_string();
        if place::in_cookbook(vm, &location) {
            let (cookbook, path) = location.split_once('/').unwrap_or_default();
            map.insert("cookbook".into(), json!(cookbook));
            if let Some(recipe) = path.strip_prefix("recipes/").and_then(|rest| rest.split('.').next()) {
                map.insert("recipe".into(), json!(recipe));
            }
        }
        map.insert("location".into(), json!(location));
    }
    let mut causes = Vec::new();
    let mut cause = vm.call_name(&exception, "cause", &[])?;
    while !cause.is_nil() && causes.len() < 10 {
        causes.push(Json::Object(brief(vm, &cause)?));
        cause = vm.call_name(&cause, "cause", &[])?;
    }
    if !causes.is_empty() {
        map.insert("causes".into(), Json::Array(causes));
    }
    own.truncate(20);
    map.insert("backtrace".into(), json!(own));
    Ok(Json::Object(map))
}
fn brief(vm: &mut Vm, exception: &Value) -> Res<Map> {
    let class = vm.class_name_of(exception);
    let text = vm.call(exception, sym::MESSAGE, &[])?;
    let text = vm.to_s_text(&text)?;
    let mut map = Map::new();
    map.insert("class".into(), json!(class));
    let text = without_roots(vm, &text);
    map.insert("message".into(), json!(mask::text(vm, &text)));
    if options(vm).about
        && let Some(about) = crate::subject::record(vm, exception)
    {
        map.insert("about".into(), shown(vm, about).into());
    }
    Ok(map)
}
/// Names and paths of such a record as the dump has texts.
fn shown(vm: &mut Vm, value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value as Plain;
    match value {
        Plain::String(text) => {
            let text = without_roots(vm, &text);
            Plain::String(mask::text(vm, &text).to_string())
        }
        Plain::Array(all) => all.into_iter().map(|value| shown(vm, value)).collect(),
        Plain::Object(map) => map.into_iter().map(|(key, value)| (key, shown(vm, value))).collect(),
        other => other,
    }
}

/// The records of a context's resources.
fn records(vm: &mut Vm, writer: &mut Writer, context: &Value, prefix: &str) -> Res<Vec<Json>> {
    let resources = context::resources(vm, context)?;
    let mut keys: Vec<String> = Vec::with_capacity(resources.len());
    for resource in &resources {
        keys.push(context::declared_key(vm, resource)?);
    }
    let ids: Vec<String> = (1..=resources.len()).map(|index| format!("{prefix}{index:04}")).collect();
    for (index, (resource, id)) in resources.iter().zip(&ids).enumerate() {
        writer.ids.insert(resource.address(), edges::Place { id: id.clone(), context: context.address(), index });
    }
    let mut later: HashMap<&str, usize> = HashMap::default();
    let mut shadowed = vec![None; resources.len()];
    for (index, key) in keys.iter().enumerate().rev() {
        shadowed[index] = later.insert(key, index).map(|index| ids[index].clone());
    }
    let mut found = Vec::with_capacity(resources.len());
    for (index, resource) in resources.iter().enumerate() {
        found.push(record(vm, writer, context, resource, &ids[index], &keys[index], shadowed[index].take())?);
    }
    Ok(found)
}

fn text_of(vm: &mut Vm, value: Value) -> Res<Json> {
    Ok(match value {
        Value::Nil => Json::Null,
        Value::Sym(name) => Json::word(name.as_str()),
        value => Json::from(vm.to_s_text(&value)?),
    })
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
    let mut map = Map::with_capacity(20);
    map.push("id", json!(id));
    map.push("key", json!(key));
    let declared = state::read(vm, resource, state::Slot::DeclaredType);
    map.push("type", text_of(vm, declared)?);
    map.push("class", record::class_of(vm, resource)?);
    let taken = match record::taken(vm, resource) {
        Some(kept) => kept,
        None => record::snapshot(vm, context, resource)?,
    };
    if let (Some(Json::String(cookbook)), Some(Json::String(recipe))) =
        (taken.facets.get("cookbook"), taken.facets.get("recipe"))
    {
        writer.declared.entry(format!("{cookbook}::{recipe}")).or_default().push(id.to_string());
    }
    map.extend(taken.facets);
    let source = |map: &Map| map.get("source").and_then(Json::as_str).map(str::to_string);
    match record::provider_of(vm, &mut writer.natives, resource)? {
        Some(provider) => {
            map.push("provider", provider);
        }
        None => writer.find(
            source(&map).as_deref(),
            Code::NoProvider,
            format!("{key}: rchef has no provider for this resource on this platform; converging it fails"),
        ),
    }
    if let Some(later) = shadowed_by {
        let text = format!("{key} is declared again as {later}: notifications and lookups reach that one");
        writer.find(source(&map).as_deref(), Code::DuplicateKey, text);
        map.insert("shadowed_by".into(), json!(later));
    }
    edges::of(vm, writer, context, resource, (id, key), taken.edges)?;
    if converge_mut(vm).stopped.contains(&resource.address()) {
        map.insert("stopped_by_guard".into(), json!(true));
    }
    let children = children(vm, writer, resource, id)?;
    if !children.is_empty() {
        map.insert("children".into(), Json::Array(children));
    }
    map.shrink_to_fit();
    Ok(Json::Object(map))
}

fn children(vm: &mut Vm, writer: &mut Writer, resource: &Value, id: &str) -> Res<Vec<Json>> {
    if writer.expanded.is_none() {
        let mut index: HashMap<usize, Vec<usize>> = HashMap::default();
        for (at, expansion) in converge_mut(vm).expansions.iter().enumerate() {
            index.entry(expansion.resource.address()).or_default().push(at);
        }
        writer.expanded = Some(index);
    }
    let Some(found) = writer.expanded.as_ref().and_then(|index| index.get(&resource.address())).cloned() else {
        return Ok(Vec::new());
    };
    let expansions: Vec<_> = found.into_iter().map(|at| converge_mut(vm).expansions[at].clone()).collect();
    let mut found: Vec<Json> = Vec::new();
    let mut rest = &expansions[..];
    while let Some((first, after)) = rest.split_first() {
        let within = after.iter().take_while(|next| next.nested).count();
        let (inner, after) = after.split_at(within);
        rest = after;
        let mut entry = Map::new();
        entry.insert("action".into(), json!(first.action.as_str()));
        match first.part {
            Part::Action => {}
            Part::Guard => entry.insert("evaluated".into(), json!("guard")),
            Part::Lazy => entry.insert("evaluated".into(), json!("lazy")),
        }
        let (always, on_change) = declared_by(vm, writer, first, inner, id)?;
        entry.insert("resources".into(), Json::Array(always));
        if !on_change.is_empty() {
            entry.insert("on_change".into(), Json::Array(on_change));
        }
        if let Some(exception) = std::iter::once(first).chain(inner).find_map(|one| one.change_error.clone()) {
            entry.insert("on_change_error".into(), error_record(vm, crate::provider::class::raise(exception))?);
        }
        if let Some(exception) = first.error.clone() {
            entry.insert("error".into(), error_record(vm, crate::provider::class::raise(exception))?);
        }
        found.push(Json::Object(entry));
    }
    Ok(found)
}

/// The resources that an action declared, including those of nested actions, in the order of the run; second, those that it declares only if
/// something has to change.
fn declared_by(
    vm: &mut Vm,
    writer: &mut Writer,
    first: &crate::run::Expansion,
    inner: &[crate::run::Expansion],
    id: &str,
) -> Res<(Vec<Json>, Vec<Json>)> {
    let mut made: Vec<(u32, bool, Json)> = Vec::new();
    for (number, expansion) in std::iter::once(first).chain(inner).enumerate() {
        if expansion.context.is_nil() {
            continue;
        }
        let mut places = Vec::new();
        for resource in context::resources(vm, &expansion.context)? {
            let (reached, on_change) =
                state::state(vm, &resource).map_or((0, false), |state| (state.reached, state.on_change));
            places.push((if reached == 0 { u32::MAX } else { reached }, on_change));
        }
        let prefix =
            if number == 0 { format!("{id}.{}.", first.action) } else { format!("{id}.{}.{number}.", first.action) };
        let outer = std::mem::take(&mut writer.declared);
        let found = records(vm, writer, &expansion.context, &prefix)?;
        made.extend(places.into_iter().zip(found).map(|((place, on_change), record)| (place, on_change, record)));
        writer.declared = outer;
    }
    if !inner.is_empty() {
        made.sort_by_key(|(place, ..)| *place);
    }
    let (on_change, always): (Vec<_>, Vec<_>) = made.into_iter().partition(|(_, on_change, _)| *on_change);
    let plain = |list: Vec<(u32, bool, Json)>| list.into_iter().map(|(.., record)| record).collect();
    Ok((plain(always), plain(on_change)))
}

/// The findings of a finished compile, including those that only the dump makes, sorted.
pub fn findings(vm: &mut Vm) -> Res<Vec<Finding>> {
    let root = run_mut(vm).root.clone();
    let mut writer = Writer::default();
    if !root.is_nil() {
        records(vm, &mut writer, &root, "r")?;
        edges::unheard(vm, &mut writer, &root)?;
    }
    Ok(effects::lints(vm, writer.findings))
}

/// The IDs of declared resources by recipe.
type Declared = BTreeMap<String, Vec<String>>;
