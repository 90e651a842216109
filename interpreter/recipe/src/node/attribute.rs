//! `Chef::Node::Attribute`: the ten components of a node and their merged view. `Chef::Node` has the same methods.
//! Facts: chef 18, lib/chef/node/attribute.rb.

use super::classes::{Component, Kinds, kinds, resolve};
use super::provenance::Act;
use super::saved::{Look, Saved, Waiting};
use super::track::{Owner, Track};
use super::{chain, immutable, mash, merge, path, provenance, track, vivid};
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, Gc, MethodDef, NativeData, RHash, Res, Symbol, Value, Vm, any, at_least, def, opt, sym};
use std::rc::Rc;

struct AttrData {
    owner: Rc<Owner>,
    components: Vec<Value>,
    waiting: Option<Waiting>,
}
impl NativeData for AttrData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.components.iter().chain(self.waiting.iter().flat_map(Waiting::values)).for_each(visit);
    }
}

/// Methods of nodes and of their attributes.
static SHARED: &[MethodDef] = &[
    def("[]", aref, 1),
    def("default", reader::<0>, 0),
    def("env_default", reader::<1>, 0),
    def("role_default", reader::<2>, 0),
    def("force_default", reader::<3>, 0),
    def("normal", reader::<4>, 0),
    def("override", reader::<5>, 0),
    def("role_override", reader::<6>, 0),
    def("env_override", reader::<7>, 0),
    def("force_override", reader::<8>, 0),
    def("automatic", reader::<9>, 0),
    def("default=", writer::<0>, 1),
    def("env_default=", writer::<1>, 1),
    def("role_default=", writer::<2>, 1),
    def("force_default=", writer::<3>, 1),
    def("normal=", writer::<4>, 1),
    def("override=", writer::<5>, 1),
    def("role_override=", writer::<6>, 1),
    def("env_override=", writer::<7>, 1),
    def("force_override=", writer::<8>, 1),
    def("automatic=", writer::<9>, 1),
    def("set", set, 0),
    any("set_unless", set_unless),
    any("default!", default_bang),
    any("normal!", normal_bang),
    any("override!", override_bang),
    any("force_default!", force_default_bang),
    any("force_override!", force_override_bang),
    any("default_unless", default_unless),
    any("normal_unless", normal_unless),
    any("override_unless", override_unless),
    at_least("rm", rm, 1),
    at_least("rm_default", rm_default, 1),
    at_least("rm_normal", rm_normal, 1),
    at_least("rm_override", rm_override, 1),
    any("combined_default", combined_default),
    any("combined_override", combined_override),
    any("merged_attributes", merged_attributes),
    any("debug_value", debug_value),
    any("read", read),
    any("dig", read),
    any("read!", read_bang),
    any("exist?", exist),
    at_least("write", write, 1),
    at_least("write!", write_bang, 1),
    at_least("unlink", unlink, 1),
    at_least("unlink!", unlink_bang, 1),
    def("attribute?", has_key, 1),
    def("key?", has_key, 1),
    def("has_key?", has_key, 1),
    def("keys", keys, 0),
];
static OWN: &[MethodDef] = &[
    opt("initialize", initialize, 4, 5).private(),
    def("include?", has_key, 1),
    def("member?", has_key, 1),
    opt("reset_cache", reset_cache, 0, 1),
    opt("reset", reset_cache, 0, 1),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
];
/// Methods that are forwarded to the merged tree.
const HANDED_ON: &[&str] = &[
    "all?",
    "any?",
    "assoc",
    "chain",
    "chunk",
    "chunk_while",
    "collect",
    "collect_concat",
    "compact",
    "compare_by_identity",
    "compare_by_identity?",
    "count",
    "cycle",
    "detect",
    "drop",
    "drop_while",
    "each",
    "each_attribute",
    "each_cons",
    "each_entry",
    "each_key",
    "each_pair",
    "each_slice",
    "each_value",
    "each_with_index",
    "each_with_object",
    "empty?",
    "entries",
    "except",
    "fetch",
    "fetch_values",
    "filter",
    "filter_map",
    "find",
    "find_all",
    "find_index",
    "first",
    "flat_map",
    "flatten",
    "grep",
    "grep_v",
    "group_by",
    "has_value?",
    "inject",
    "invert",
    "key",
    "lazy",
    "length",
    "map",
    "max",
    "max_by",
    "merge",
    "min",
    "min_by",
    "minmax",
    "minmax_by",
    "none?",
    "one?",
    "partition",
    "rassoc",
    "reduce",
    "reject",
    "reverse_each",
    "select",
    "size",
    "slice",
    "slice_after",
    "slice_before",
    "slice_when",
    "sort",
    "sort_by",
    "store",
    "sum",
    "symbolize_keys",
    "take",
    "take_while",
    "tally",
    "to_a",
    "to_h",
    "to_hash",
    "to_json",
    "to_proc",
    "to_set",
    "to_yaml",
    "transform_keys",
    "transform_values",
    "uniq",
    "value?",
    "values",
    "values_at",
    "zip",
];
/// The forwarded methods that nodes have, too.
const OF_NODES: &[&str] = &["each", "each_attribute", "each_key", "each_value", "fetch"];

pub(super) fn boot(vm: &mut Vm, kinds: Kinds) {
    vm.define_methods(kinds.attribute, immutable::HASH_REFUSED);
    for name in HANDED_ON {
        let of_node = OF_NODES.contains(name);
        let symbol = Symbol::intern_static(name);
        let target = if *name == "each_attribute" { sym::EACH } else { symbol };
        let closure = move |vm: &mut Vm, this: &Value, args: Args<'_>| {
            let tree = whole(vm, this)?;
            vm.call_args(&tree, target, args)
        };
        let (arity, closure) = (Arity::ANY, Rc::new(closure));
        vm.define_closure(kinds.attribute, symbol, arity, closure.clone());
        if of_node {
            vm.define_closure(kinds.node, symbol, arity, closure);
        }
    }
    vm.define_methods(kinds.attribute, SHARED);
    vm.define_methods(kinds.attribute, OWN);
    vm.define_methods(kinds.node, SHARED);
}

/// New attributes with empty components.
pub(crate) fn new_attributes(vm: &mut Vm) -> (Value, Rc<Owner>) {
    let class = kinds(vm).attribute;
    let attributes = Value::Hash(Gc::new(class, RHash::default()));
    let owner = setup(vm, &attributes);
    (attributes, owner)
}
fn setup(vm: &mut Vm, attributes: &Value) -> Rc<Owner> {
    let owner = Owner::new(vm);
    let class = kinds(vm).vivid;
    let mut components = Vec::with_capacity(10);
    for component in Component::ALL {
        let made = Value::Hash(Gc::new(class, RHash::default()));
        vm.set_data(&made, Track { owner: Some(owner.clone()), component: Some(component), ..Track::default() });
        components.push(made);
    }
    vm.set_data(attributes, AttrData { owner: owner.clone(), components, waiting: None });
    owner
}
/// The attributes of a node; attributes are returned unchanged.
pub(crate) fn of(vm: &mut Vm, this: &Value) -> Value {
    track::attributes(vm, this).unwrap_or_else(|| this.clone())
}
/// The shared state of a node's containers, by the node or its attributes; None for any other object.
#[inline]
pub(crate) fn owner(vm: &Vm, this: &Value) -> Option<Rc<Owner>> {
    match this {
        Value::Hash(gc) => {
            gc.ext(vm)?;
            vm.data::<AttrData>(this).map(|data| data.owner.clone())
        }
        _ => track::owner(vm, this),
    }
}
/// Gives a new node the attributes of a saved one, which are only parsed when they are used.
pub(crate) fn wait(vm: &mut Vm, node: &Value, saved: Saved) {
    let attributes = of(vm, node);
    if let Some(data) = vm.data_mut::<AttrData>(&attributes) {
        data.waiting = Some(Waiting::new(saved));
    }
}
/// Converts a looked-up attribute of a component to its Ruby value; `track` is that of the component.
fn made(vm: &mut Vm, look: Look, key: &str, track: &Track) -> Res<Option<Value>> {
    match look {
        Look::Nothing => Ok(None),
        Look::Made(value) => Ok(Some(value)),
        Look::Json(of, json) => {
            let (kinds, value) = (kinds(vm), of.ruby(vm, &json)?);
            vivid::vivify(vm, &kinds, &value, &track.below(Value::str(key))).map(Some)
        }
    }
}
/// Parses the remaining saved attributes of a component.
fn settle(vm: &mut Vm, attributes: &Value, component: Component) -> Res<()> {
    let waiting = vm.data_mut::<AttrData>(attributes).and_then(|data| data.waiting.as_mut());
    let all = waiting.map(|waiting| waiting.take(component)).unwrap_or_default();
    let data = vm.data::<AttrData>(attributes);
    let Some(Value::Hash(gc)) = data.and_then(|data| data.components.get(component as usize)).cloned() else {
        return Ok(());
    };
    let track = track::track(vm, &Value::Hash(gc.clone()));
    for (key, look) in all {
        if let Some(value) = made(vm, look, &key, &track)? {
            vm.hash_set(&gc, Value::str(key), value)?;
        }
    }
    Ok(())
}
/// A saved attribute of a component that is not fully parsed yet; None if the component is.
fn waiting(vm: &mut Vm, attributes: &Value, component: Component, key: &Value) -> Res<Option<Option<Value>>> {
    let waits = |vm: &Vm| vm.data::<AttrData>(attributes)?.waiting.as_ref().map(|waiting| waiting.waits(component));
    if waits(vm) != Some(true) {
        return Ok(None);
    }
    let key = match key {
        Value::Sym(name) => name.to_string(),
        Value::Str(text) => text.get(vm).to_text().into_owned(),
        _ => return Ok(Some(None)),
    };
    let found = vm.data::<AttrData>(attributes).and_then(|data| data.waiting.as_ref());
    let look = found.map_or(Look::Nothing, |found| found.look(component, &key));
    let is_new = matches!(look, Look::Json(..));
    let holder = vm.data::<AttrData>(attributes).and_then(|data| data.components.get(component as usize)).cloned();
    let track = track::track(vm, &Value::or_nil(holder));
    let value = made(vm, look, &key, &track)?;
    if is_new
        && let Some(value) = &value
        && let Some(waiting) = vm.data_mut::<AttrData>(attributes).and_then(|data| data.waiting.as_mut())
    {
        waiting.keep(component, &key, value.clone());
    }
    Ok(Some(value))
}
/// A component of a node or of attributes.
pub(crate) fn component_of(vm: &mut Vm, this: &Value, component: Component) -> Res {
    let attributes = of(vm, this);
    settle(vm, &attributes, component)?;
    let data = vm.data::<AttrData>(&attributes);
    Ok(Value::or_nil(data.and_then(|data| data.components.get(component as usize)).cloned()))
}
/// Replaces a component by a deep copy of a Hash.
pub(crate) fn assign(vm: &mut Vm, this: &Value, component: Component, value: &Value) -> Res<()> {
    assign_as(vm, this, component, value, None)
}
/// Like [`assign`]; provenance records `noted` instead of the assignment, if given.
pub(crate) fn assign_as(
    vm: &mut Vm,
    this: &Value,
    component: Component,
    value: &Value,
    noted: Option<(Value, Act)>,
) -> Res<()> {
    let attributes = of(vm, this);
    let Some(owner) = owner(vm, &attributes) else { return Err(vm.type_error("a node is needed")) };
    let track = Track { owner: Some(owner.clone()), component: Some(component), ..Track::default() };
    let made = vivid::component(vm, value, track)?;
    if let Some(data) = vm.data_mut::<AttrData>(&attributes) {
        if let Some(waiting) = &mut data.waiting {
            waiting.forget(component);
        }
        if let Some(slot) = data.components.get_mut(component as usize) {
            *slot = made.clone();
        }
    }
    owner.reset(vm, None)?;
    let (value, act) = noted.unwrap_or((made, Act::Assign));
    provenance::note(vm, owner.id, component, None, value, act);
    Ok(())
}

/// The value of each component at a path, as (group, value) in ascending precedence.
pub(crate) fn contributions(vm: &mut Vm, this: &Value, path: &[Value]) -> Res<Vec<(u8, Value)>> {
    let attributes = of(vm, this);
    let components = vm.data::<AttrData>(&attributes).map(|data| data.components.clone()).unwrap_or_default();
    let mut found = Vec::new();
    'components: for (index, component) in components.into_iter().enumerate() {
        let (mut at, mut path) = (component, path);
        match path.split_first() {
            Some((first, rest)) => match waiting(vm, &attributes, Component::ALL[index], first)? {
                Some(Some(value)) => (at, path) = (value, rest),
                Some(None) => continue,
                None => {}
            },
            None => settle(vm, &attributes, Component::ALL[index])?,
        }
        for key in path {
            at = match &at {
                Value::Hash(gc) => match mash::get(vm, gc, key)? {
                    Some(value) => value,
                    None => continue 'components,
                },
                _ if vm.respond_to(&at, sym::AREF, false)? => vm.call(&at, sym::AREF, std::slice::from_ref(key))?,
                _ => continue 'components,
            };
        }
        found.push((Component::ALL[index].group(), at));
    }
    Ok(found)
}
/// Top-level keys of a node that code has read since their last write.
pub fn asked_for(vm: &mut Vm, node: &Value) -> Res<Vec<String>> {
    let keys = owner(vm, node).map(|owner| owner.asked_for(vm)).unwrap_or_default();
    keys.iter().map(|key| vm.to_s_text(key)).collect()
}
/// The merged value of a top-level key, cached until something below it is written.
pub(crate) fn top(vm: &mut Vm, this: &Value, key: &Value) -> Res {
    let Some(owner) = owner(vm, this) else { return Ok(Value::Nil) };
    let value = match owner.cached(vm, key)? {
        Some(value) => value,
        None => {
            let parts = contributions(vm, this, std::slice::from_ref(key))?;
            let value = merge::merge(vm, &parts)?.unwrap_or_default();
            owner.keep(vm, mash::key(key), value.clone())?;
            value
        }
    };
    resolve(vm, value)
}
/// The whole merged tree.
pub(crate) fn whole(vm: &mut Vm, this: &Value) -> Res {
    let Some(owner) = owner(vm, this) else { return Ok(Value::Nil) };
    if let Some(tree) = owner.full() {
        return Ok(tree);
    }
    let parts = contributions(vm, this, &[])?;
    let tree = merge::merge(vm, &parts)?.unwrap_or_default();
    owner.keep_full(tree.clone());
    Ok(tree)
}
fn find(vm: &mut Vm, this: &Value, path: &[Value]) -> Res<Option<Value>> {
    match path.split_first() {
        None | Some((Value::Nil, _)) => {
            let tree = whole(vm, this)?;
            path::find(vm, &tree, path)
        }
        Some((first, rest)) => {
            let value = top(vm, this, first)?;
            if rest.is_empty() && value.is_nil() {
                let parts = contributions(vm, this, std::slice::from_ref(first))?;
                return Ok(if parts.is_empty() { None } else { Some(value) });
            }
            path::find(vm, &value, rest)
        }
    }
}
/// The merged value at a path; nil if there is none.
pub(crate) fn read_path(vm: &mut Vm, this: &Value, path: &[Value]) -> Res {
    Ok(Value::or_nil(find(vm, this, path)?))
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    setup(vm, this);
    for (index, component) in
        [(0, Component::Normal), (1, Component::Default), (2, Component::Override), (3, Component::Automatic)]
    {
        assign(vm, this, component, args.at(index))?;
    }
    Ok(Value::Nil)
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    top(vm, this, args.at(0))
}
fn reader<const C: usize>(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    component_of(vm, this, Component::ALL[C])
}
fn writer<const C: usize>(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    assign(vm, this, Component::ALL[C], args.at(0))?;
    Ok(args.at(0).clone())
}
fn set(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.deprecated("node.set");
    component_of(vm, this, Component::Normal)
}
fn set_unless(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.deprecated("node.set_unless");
    unless(vm, this, args, Component::Normal, "normal_unless")
}

/// `default!` and similar methods: writes to one component; without arguments, starts the chain that collects the path.
fn bang(vm: &mut Vm, this: &Value, args: Args<'_>, component: Component, method: &'static str) -> Res {
    match args.pos.split_last() {
        None => Ok(chain::start(vm, this, method)),
        Some((value, path)) => {
            let container = component_of(vm, this, component)?;
            path::store(vm, &container, path, value.clone())
        }
    }
}
fn default_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    bang(vm, this, args, Component::Default, "default!")
}
fn normal_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    bang(vm, this, args, Component::Normal, "normal!")
}
fn override_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    bang(vm, this, args, Component::Override, "override!")
}
fn force_default_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some((_, path)) = args.pos.split_last() {
        remove_group(vm, this, 0, path)?;
    }
    bang(vm, this, args, Component::ForceDefault, "force_default!")
}
fn force_override_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some((_, path)) = args.pos.split_last() {
        remove_group(vm, this, 2, path)?;
    }
    bang(vm, this, args, Component::ForceOverride, "force_override!")
}
/// `default_unless` and similar methods: writes if the value in this component is nil.
fn unless(vm: &mut Vm, this: &Value, args: Args<'_>, component: Component, method: &'static str) -> Res {
    let Some((value, path)) = args.pos.split_last() else { return Ok(chain::start(vm, this, method)) };
    let container = component_of(vm, this, component)?;
    match path::find(vm, &container, path)? {
        None | Some(Value::Nil) => {
            if component == Component::Normal {
                note_generated(vm, path, value)?;
            }
            path::store(vm, &container, path, value.clone())
        }
        Some(_) => Ok(Value::Nil),
    }
}

/// A String that a cookbook has stored in the node because the attribute was nil.
pub struct Generated {
    /// File and line.
    pub place: (Rc<str>, u32),
    /// The attribute as `node['a']['b']`.
    pub attribute: String,
    pub value: Value,
}

/// The Strings written by `normal_unless` and `set_unless`, in order.
#[derive(Default)]
struct Noted(Vec<Generated>);

pub fn generated(vm: &mut Vm) -> &[Generated] {
    &vm.extension::<Noted>().0
}

fn note_generated(vm: &mut Vm, path: &[Value], value: &Value) -> Res<()> {
    let (Value::Str(_), Some(place)) = (value, vm.current_location()) else { return Ok(()) };
    let mut attribute = "node".to_string();
    for key in path {
        attribute.push_str(&format!("['{}']", vm.to_s_text(key)?));
    }
    vm.extension::<Noted>().0.push(Generated { place, attribute, value: value.clone() });
    Ok(())
}
fn default_unless(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    unless(vm, this, args, Component::Default, "default_unless")
}
fn normal_unless(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    unless(vm, this, args, Component::Normal, "normal_unless")
}
fn override_unless(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    unless(vm, this, args, Component::Override, "override_unless")
}

/// The merged value of a group at a path; None if no component of the group has one.
fn combined(vm: &mut Vm, this: &Value, group: u8, path: &[Value]) -> Res<Option<Value>> {
    let mut parts = contributions(vm, this, path)?;
    parts.retain(|(of, _)| *of == group);
    merge::merge(vm, &parts)
}
fn combined_default(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::or_nil(combined(vm, this, 0, args.pos)?))
}
fn combined_override(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::or_nil(combined(vm, this, 2, args.pos)?))
}
fn merged_attributes(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return whole(vm, this);
    }
    let parts = contributions(vm, this, args.pos)?;
    Ok(merge::merge(vm, &parts)?.unwrap_or_default())
}
/// The value of the last key in the Hash at the rest of the path; None if that is not a Hash or lacks the key.
fn below(vm: &mut Vm, holder: Option<Value>, last: &Value) -> Res<Option<Value>> {
    match holder {
        Some(Value::Hash(gc)) => {
            let value = mash::get(vm, &gc, last)?;
            resolve(vm, Value::or_nil(value)).map(Some)
        }
        _ => Ok(None),
    }
}
fn remove_group(vm: &mut Vm, this: &Value, group: u8, path: &[Value]) -> Res {
    let Some((last, inner)) = path.split_last() else { return Ok(Value::Nil) };
    let holder = match inner.split_first() {
        None => combined(vm, this, group, &[])?,
        Some((first, rest)) => match combined(vm, this, group, std::slice::from_ref(first))? {
            Some(value) => path::find(vm, &value, rest)?,
            None => None,
        },
    };
    let Some(value) = below(vm, holder, last)? else { return Ok(Value::Nil) };
    for component in Component::ALL {
        if component.group() == group {
            let container = component_of(vm, this, component)?;
            path::remove(vm, &container, path)?;
        }
    }
    Ok(value)
}
fn rm(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some((last, inner)) = args.pos.split_last() else { return Ok(Value::Nil) };
    let value = match inner {
        [] => Some(top(vm, this, last)?),
        _ => {
            let holder = find(vm, this, inner)?;
            below(vm, holder, last)?
        }
    };
    let Some(value) = value else { return Ok(Value::Nil) };
    for group in [0, 1, 2] {
        remove_group(vm, this, group, args.pos)?;
    }
    Ok(value)
}
fn rm_default(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    remove_group(vm, this, 0, args.pos)
}
fn rm_normal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let container = component_of(vm, this, Component::Normal)?;
    path::remove(vm, &container, args.pos)
}
fn rm_override(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    remove_group(vm, this, 2, args.pos)
}

fn debug_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut rows = Vec::with_capacity(10);
    for component in Component::ALL {
        let container = component_of(vm, this, component)?;
        let value = path::find(vm, &container, args.pos)?.unwrap_or_else(|| Value::sym("not_present"));
        rows.push(Value::array(vec![Value::str(component.name()), value]));
    }
    Ok(Value::array(rows))
}
fn read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    read_path(vm, this, args.pos)
}
fn read_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match find(vm, this, args.pos)? {
        Some(value) => Ok(value),
        None => Err(path::no_such_attribute(vm, args.pos)),
    }
}
fn exist(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        return Ok(Value::True);
    }
    Ok(Value::bool(find(vm, this, args.pos)?.is_some()))
}
/// The component that is named in `write(:default, …)`.
fn level(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    match Component::named(name.as_str()) {
        Some(component) => component_of(vm, this, component),
        None => {
            let attributes = of(vm, this);
            vm.call_public(&attributes, name, Args::none())
        }
    }
}
fn write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let container = level(vm, this, args)?;
    let (path, value) = path::split_value(vm, args.from(1))?;
    path::store(vm, &container, &path, value)
}
fn write_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let container = level(vm, this, args)?;
    let (path, value) = path::split_value(vm, args.from(1))?;
    path::store_strictly(vm, &container, &path, value)
}
fn unlink(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let container = level(vm, this, args)?;
    path::remove(vm, &container, &args.pos[1..])
}
fn unlink_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let container = level(vm, this, args)?;
    if path::find(vm, &container, &args.pos[1..])?.is_none() {
        return Err(crate::run::chef_error(vm, "NoSuchAttribute", "Chef::Exceptions::NoSuchAttribute"));
    }
    path::remove(vm, &container, &args.pos[1..])
}
fn has_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!contributions(vm, this, &args.pos[..1])?.is_empty()))
}
fn keys(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let seen = Gc::new(rchef_ruby::ClassId::HASH, RHash::default());
    for (_, component) in contributions(vm, this, &[])? {
        for (key, _) in mash::pairs(vm, &component)? {
            vm.hash_set(&seen, key, Value::True)?;
        }
    }
    Ok(Value::array(seen.get(vm).iter().map(|(key, _)| key.clone()).collect()))
}
fn reset_cache(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(owner) = owner(vm, this) {
        let key = args.get(0).filter(|key| !key.is_nil()).map(mash::key);
        owner.reset(vm, key.as_ref())?;
    }
    Ok(Value::Nil)
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let tree = whole(vm, this)?;
    Ok(Value::Str(vm.to_s(&tree)?))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut parts = Vec::with_capacity(10);
    for component in Component::ALL {
        let container = component_of(vm, this, component)?;
        parts.push(format!("@{}={}", component.name(), vm.inspect(&container)?));
    }
    let class = vm.class_name_of(this);
    Ok(Value::str(format!("#<{class} {}>", parts.join(", "))))
}
