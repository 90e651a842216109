//! A resource's state for its record. With `--expand` it is taken when the run reaches the resource, since later actions change it (accumulated
//! lists, `action :nothing` replaced by another action), and reading a property stores its default.

use super::{mask, options, short_place, text_of, value};
use crate::context::{self, Notification, Timing};
use crate::names::N;
use crate::resource::property::{self, Property, PropertyDefault};
use crate::resource::state::{self, Slot, read};
use crate::resource::{class as resource_class, guard, instance};
use crate::run::{Executed, process_mut};
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The state of a resource at one moment.
#[derive(Default)]
pub struct Snapshot {
    /// The record's fields from `name` on.
    pub facets: Map,
    /// The notifications that it sends.
    pub edges: Vec<Edge>,
}

/// A notification that a resource sends.
pub struct Edge {
    /// The notification; its target is resolved when all resources are known.
    pub notification: Notification,
    /// The fields of its entry in the dump.
    pub facets: Map,
}

/// The snapshots of an expanding run, in the order in which it reached the resources.
#[derive(Default)]
struct Kept(Vec<Option<Snapshot>>);

/// Takes the snapshot of a resource when an expanding run reaches it for the first time.
pub fn keep(vm: &mut Vm, context: &Value, resource: &Value) -> Res<()> {
    if state::state(vm, resource).is_none_or(|state| state.reached != 0) {
        return Ok(());
    }
    let taken = snapshot(vm, context, resource)?;
    let kept = &mut vm.extension::<Kept>().0;
    kept.push(Some(taken));
    let place = u32::try_from(kept.len()).unwrap_or(u32::MAX);
    if let Some(state) = state::state_mut(vm, resource) {
        state.reached = place;
    }
    Ok(())
}

/// Removes and gives the snapshot that [`keep`] took of a resource.
pub(super) fn taken(vm: &mut Vm, resource: &Value) -> Option<Snapshot> {
    let place = state::state(vm, resource)?.reached.checked_sub(1)?;
    vm.extension::<Kept>().0.get_mut(place as usize)?.take()
}

/// The current state of a resource.
pub fn snapshot(vm: &mut Vm, context: &Value, resource: &Value) -> Res<Snapshot> {
    let ivar = |vm: &Vm, name: Symbol| vm.ivar_get(resource, name).unwrap_or_default();
    let mut map = Map::with_capacity(16);
    let name = ivar(vm, N.i_name);
    let name = match name {
        Value::Nil => String::new(),
        name => {
            let name = vm.to_s_text(&name)?;
            crate::chef_class::without_cache(vm, name)
        }
    };
    map.push("name", Json::from(name));
    let actions = crate::provider::runner::actions(vm, resource)?.into_iter();
    map.push("action", actions.map(|action| Json::word(action.as_str())).collect());
    let (executed, origin) =
        state::state(vm, resource).map(|state| (state.executed, state.origin.clone())).unwrap_or_default();
    map.push("phase", Json::word(if executed.is_some() { "compile" } else { "converge" }));
    match executed {
        Some(Executed::No) => {
            map.insert("executed".into(), json!(false));
        }
        Some(how) => {
            let shown = match how {
                Executed::Overlay => json!("overlay"),
                Executed::WhyRun => json!("whyrun"),
                _ => json!(true),
            };
            map.insert("executed".into(), shown);
            let updated = instance::is_updated(vm, resource);
            map.insert("updated".into(), json!(updated));
        }
        None => {}
    }
    if let Some(mode) = state::state(vm, resource).and_then(|state| state.run_actions) {
        map.insert("run_actions".into(), json!({ "value": mode.as_str(), "from": "property" }));
    } else if let Some((immediate, from)) = origin.mode_from {
        let mode = if immediate { "immediately" } else { "delayed" };
        map.insert("run_actions".into(), json!({ "value": mode, "from": &*from }));
    }
    let (cookbook, recipe) = (read(vm, resource, Slot::CookbookName), read(vm, resource, Slot::RecipeName));
    map.push("cookbook", text_of(vm, cookbook)?);
    map.push("recipe", text_of(vm, recipe)?);
    let mut via = Vec::new();
    if let Some(place) = instance::source_place(vm, resource)? {
        let place = short_place(vm, &place);
        match origin.via {
            Some(method) => {
                map.insert("source".into(), json!(chefs_line(method)));
                via.push(place);
            }
            None => {
                map.push("source", Json::from(place));
            }
        }
    }
    via.extend(origin.callers.into_iter().map(|(file, line)| short_place(vm, &format!("{file}:{line}"))));
    if !via.is_empty() {
        map.insert("declared_via".into(), json!(via));
    }
    let sensitive = property::is_sensitive(vm, resource);
    properties(vm, resource, sensitive, &mut map)?;
    let guards = guards(vm, resource, sensitive)?;
    if !guards.is_empty() {
        map.insert("guards".into(), Json::Array(guards));
    }
    if sensitive {
        map.insert("sensitive".into(), json!(true));
    }
    if let Some(found) = rendered(vm, resource, sensitive)? {
        map.insert("rendered".into(), found);
    }
    Ok(Snapshot { facets: map, edges: edges(vm, context, resource)? })
}

/// The line of Chef 18.11's DSL that `caller` gives for a declaration by this method; `{CHEF}` is Chef's library directory.
fn chefs_line(method: &str) -> &'static str {
    match method {
        "find_resource" => "{CHEF}/lib/chef/dsl/declare_resource.rb:233",
        _ => "{CHEF}/lib/chef/dsl/declare_resource.rb:159",
    }
}

fn properties(vm: &mut Vm, resource: &Value, sensitive: bool, map: &mut Map) -> Res<()> {
    let class = vm.real_class_of(resource);
    let (mut own, mut common) = (Vec::new(), Vec::new());
    let (defaults, reveal) = (options(vm).defaults, options(vm).reveal);
    for (property, value) in set_properties(vm, class, resource, defaults) {
        if property.name == N.name {
            continue;
        }
        let is_common = instance::COMMON_NAMES.contains(&property.name.as_str());
        let shown = if (sensitive || property.sensitive)
            && !reveal
            && !is_common
            && !matches!(value, Value::Nil | Value::True | Value::False)
            && (property.sensitive || !matches!(value, Value::Int(_)))
        {
            hide(vm, &property, &value)?
        } else {
            value::encode(vm, &value, false)?
        };
        if is_common {
            common.push((property.name.as_str(), shown));
        } else {
            own.push((property.name.as_str(), shown));
        }
    }
    let accessors = resource_class::shipped(vm, class).map_or(&[][..], |shipped| shipped.accessors);
    for name in accessors {
        let value = vm.ivar_get(resource, Symbol::intern(&format!("@{name}"))).unwrap_or_default();
        let empty = matches!(&value, Value::Array(list) if list.get(vm).items.is_empty());
        if empty || value.is_nil() || own.iter().any(|(known, _)| known == name) {
            continue;
        }
        let shown = value::encode(vm, &value, false)?;
        own.push((*name, if sensitive && !reveal { mask::hidden(vm, &shown) } else { shown }));
    }
    if let provider @ Value::Class(_) = read(vm, resource, Slot::Provider) {
        common.push(("provider", value::encode(vm, &provider, false)?));
    }
    own.sort_by(|a, b| a.0.cmp(b.0));
    map.push("properties", Json::Object(own.into_iter().collect()));
    if !common.is_empty() {
        map.push("common", Json::Object(common.into_iter().collect()));
    }
    Ok(())
}

/// Masks a sensitive value, here and wherever it was copied to.
fn hide(vm: &mut Vm, property: &Property, value: &Value) -> Res<Json> {
    property::remember_sensitive(vm, property, value);
    if options(vm).digest.is_none() {
        return Ok(value::masked());
    }
    let shown = value::encode(vm, value, false)?;
    Ok(mask::hidden(vm, &shown))
}

/// The properties that are set, in declaration order; with `defaults` also those with a constant default.
fn set_properties(vm: &mut Vm, class: ClassId, resource: &Value, defaults: bool) -> Vec<(Rc<Property>, Value)> {
    let listing = resource_class::listing(vm, class);
    if defaults {
        let all = listing.properties.iter();
        return all
            .filter_map(|property| {
                let is_common = instance::COMMON_NAMES.contains(&property.name.as_str());
                let value = vm.ivar_get(resource, property.ivar);
                Some((property.clone(), value.or_else(|| default_of(property).filter(|_| !is_common))?))
            })
            .collect();
    }
    let Some(set) = vm.ivars(resource) else { return Vec::new() };
    let mut found: Vec<_> =
        set.iter().filter_map(|(ivar, value)| Some((*listing.by_ivar.get(&ivar)?, value))).collect();
    found.sort_unstable_by_key(|(at, _)| *at);
    found.into_iter().filter_map(|(at, value)| Some((listing.properties.get(at)?.clone(), value.clone()))).collect()
}

/// A constant default; computed defaults are not evaluated for a dump.
fn default_of(property: &Property) -> Option<Value> {
    match &property.default {
        PropertyDefault::Value(value) | PropertyDefault::Lazy(value) => Some(value.clone()),
        _ => None,
    }
}

/// The resource's class: the file of a custom resource, else the class name.
pub(super) fn class_of(vm: &mut Vm, resource: &Value) -> Res<Json> {
    let class = vm.real_class_of(resource);
    if let Some(file) = process_mut(vm).class_files.get(&class).cloned() {
        return Ok(json!(file));
    }
    let kind = instance::name_of_type(vm, resource)?;
    text_of(vm, kind)
}

/// A cache of native providers by the resource's class and type name, which determine them.
pub(super) type Natives = FxHashMap<(ClassId, Option<Symbol>), &'static str>;

/// The provider and how it was chosen; None if no provider supports the resource here.
pub(super) fn provider_of(vm: &mut Vm, known: &mut Natives, resource: &Value) -> Res<Option<Json>> {
    let class = vm.real_class_of(resource);
    let explicit = read(vm, resource, Slot::Provider);
    let named = match read(vm, resource, Slot::ResourceName) {
        Value::Sym(name) => Some(name),
        _ => None,
    };
    if explicit.is_nil()
        && let Some(name) = known.get(&(class, named))
    {
        return Ok(Some(json!({ "class": Json::word(name), "chosen_by": Json::word("priority") })));
    }
    let (id, by) = match explicit {
        Value::Class(id) => (id, "explicit"),
        _ => match resource_class::action_class_of(vm, class) {
            Some(id) => (id, "action_class"),
            None => {
                if let Some(name) = crate::provider::native::name_for(vm, resource)
                    && !crate::provider::has_mapped(vm, resource)?
                {
                    if explicit.is_nil() {
                        known.insert((class, named), name);
                    }
                    return Ok(Some(json!({ "class": Json::word(name), "chosen_by": Json::word("priority") })));
                }
                if !crate::provider::has_mapped(vm, resource)? {
                    return Ok(None);
                }
                let action = Symbol::intern_static("nothing");
                match crate::provider::class_for(vm, resource, action) {
                    Ok(Value::Class(id)) => (id, "map"),
                    _ => return Ok(None),
                }
            }
        },
    };
    let files = &process_mut(vm).class_files;
    let name = match files.get(&id).or_else(|| files.get(&class)).cloned() {
        Some(file) => file,
        None => vm.class_name(id),
    };
    Ok(Some(json!({ "class": name, "chosen_by": by })))
}

/// The content that a resource would write to its file: its digest, on request the content; or the error of rendering it. For a sensitive resource
/// the content is masked, and with `--sensitive-digest` the digest is an HMAC.
fn rendered(vm: &mut Vm, resource: &Value, sensitive: bool) -> Res<Option<Json>> {
    let (render, show, reveal) = match options(vm) {
        super::Options { render: Some((render, show)), reveal, .. } => (*render, *show, *reveal),
        _ => return Ok(None),
    };
    let mut map = Map::new();
    match render(vm, resource) {
        Ok(None) => return Ok(None),
        Ok(Some(content)) => {
            let masked = sensitive && !reveal;
            let keyed = masked && options(vm).digest.is_some();
            if !keyed {
                map.insert("sha256".into(), Json::from(rchef_change::file::checksum(&content)));
                map.insert("bytes".into(), json!(content.len()));
            }
            if masked {
                let text = Json::from(String::from_utf8_lossy(&content).into_owned());
                map.insert("text".into(), mask::hidden(vm, &text));
            } else if show {
                let text = String::from_utf8(content).map_or(Json::Null, Json::from);
                map.insert("text".into(), text);
            }
        }
        Err(error) if error.exception().is_none() => return Err(error),
        Err(error) => {
            map.insert("error".into(), super::error_record(vm, error)?);
        }
    }
    Ok(Some(Json::Object(map)))
}

fn guards(vm: &mut Vm, resource: &Value, sensitive: bool) -> Res<Vec<Json>> {
    let mut found = Vec::new();
    let interpreter = match read(vm, resource, Slot::GuardInterpreter) {
        Value::Nil => Value::Sym(N.default),
        name => name,
    };
    let lists = state::state(vm, resource)
        .map(|state| [(state.only_if.made().cloned(), "only_if"), (state.not_if.made().cloned(), "not_if")]);
    for (list, kind) in lists.into_iter().flatten() {
        let Some(Value::Array(list)) = list else { continue };
        for item in list.get(vm).items.clone() {
            let Some((source, command, block, given)) = vm
                .data::<guard::Guard>(&item)
                .map(|guard| (guard.source.clone(), guard.command.clone(), guard.block.clone(), guard.options.clone()))
            else {
                continue;
            };
            let place = short_place(vm, &source);
            let hidden = sensitive && !options(vm).reveal;
            if let Some(block) = block {
                let mut map = Map::new();
                map.insert("kind".into(), json!(kind));
                map.insert("block".into(), json!(place));
                // where texts are shown, that of the block is, too
                if options(vm).render.is_some_and(|(_, shown)| shown)
                    && let Some(lines) = guard::lines_of(vm, &block)
                {
                    let text = Json::from(lines.join("\n"));
                    map.insert("text".into(), if hidden { mask::hidden(vm, &text) } else { text });
                }
                found.push(Json::Object(map));
                continue;
            }
            let mut map = Map::new();
            map.insert("kind".into(), json!(kind));
            let command = value::encode(vm, &command, true)?;
            map.insert("command".into(), if hidden { mask::hidden(vm, &command) } else { command });
            if matches!(&given, Value::Hash(hash) if !hash.get(vm).is_empty()) {
                let given = value::encode(vm, &given, true)?;
                map.insert("options".into(), if hidden { mask::hidden(vm, &given) } else { given });
            }
            map.insert("interpreter".into(), text_of(vm, interpreter.clone())?);
            map.insert("source".into(), json!(place));
            found.push(Json::Object(map));
        }
    }
    Ok(found)
}

fn edges(vm: &mut Vm, context: &Value, resource: &Value) -> Res<Vec<Edge>> {
    let mut found = Vec::new();
    let data = context::data(vm, context)?;
    if Timing::ALL.iter().all(|timing| data.notifications.has_none(*timing)) {
        return Ok(found);
    }
    for timing in Timing::ALL {
        for notification in context::notifications(vm, context, resource, timing)? {
            let mut facets = Map::new();
            let to = match &notification.resource {
                Value::Hash(_) | Value::Str(_) => context::resolve_target(vm, context, &notification).unwrap_or(None),
                _ => None,
            };
            let to = vm.to_s_text(to.as_ref().unwrap_or(&notification.resource))?;
            facets.insert("to".into(), json!(crate::chef_class::without_cache(vm, to)));
            let action = vm.to_s_text(&notification.action)?;
            facets.insert("action".into(), json!(action));
            facets.insert("timing".into(), json!(timing.as_str()));
            let declared = match &notification.action {
                _ if notification.subscribed => "subscribes",
                Value::Nil => "shorthand",
                _ => "notifies",
            };
            facets.insert("declared_as".into(), json!(declared));
            let place = short_place(vm, &notification.source);
            facets.insert("source".into(), json!(place));
            found.push(Edge { notification, facets });
        }
    }
    Ok(found)
}
