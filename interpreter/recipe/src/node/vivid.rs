//! The writable containers: `Chef::Node::VividMash`, which creates missing maps when it is read, and `Chef::Node::AttrArray`. Stored values are
//! converted recursively; every write invalidates the merged view and is recorded. Facts: chef 18, lib/chef/node/attribute_collections.rb.

use super::classes::{Kinds, kinds, up};
use super::provenance::Act;
use super::track::{Track, track};
use super::{immutable, mash, path};
use rchef_ruby::embed::method::Arity;
use rchef_ruby::embed::value::RArray;
use rchef_ruby::{Args, ClassId, Gc, MethodDef, RHash, Res, Symbol, Value, Vm, any, at_least, def, opt, sym};
use std::rc::Rc;

static MASH: &[MethodDef] = &[
    opt("initialize", initialize, 0, 4).private(),
    def("[]", aref, 1),
    def("[]=", aset, 2),
    def("store", aset, 2),
    def("internal_set", aset, 2),
    def("update", update, 1),
    def("merge!", update, 1),
    def("replace", replace, 1),
    def("delete", delete, 1),
    def("attribute?", mash::has_key, 1),
    def("dup", dup, 0),
    def("convert_value", convert_value, 1),
    def("convert_key", convert_key, 1),
    any("to_yaml", to_yaml),
    def("__path__", dunder_path, 0),
    def("__precedence__", dunder_precedence, 0),
];
static ARRAY: &[MethodDef] = &[
    opt("initialize", array_initialize, 0, 4).private(),
    any("[]", array_aref),
    def("<<", push, 1),
    any("push", push),
    any("append", push),
    any("unshift", unshift),
    any("prepend", unshift),
    at_least("[]=", array_aset, 2),
    def("dup", array_dup, 0),
    any("to_yaml", immutable::array_to_yaml),
    def("__path__", dunder_path, 0),
    def("__precedence__", dunder_precedence, 0),
];
/// Methods of Ruby's Hash that modify it in place; their results are converted afterwards.
const HASH_MUTATORS: &[&str] = &[
    "clear",
    "compact!",
    "compare_by_identity",
    "default=",
    "default_proc=",
    "delete_if",
    "filter!",
    "keep_if",
    "rehash",
    "reject!",
    "select!",
    "shift",
    "transform_keys!",
    "transform_values!",
];
const ARRAY_MUTATORS: &[&str] = &[
    "clear",
    "collect!",
    "compact!",
    "concat",
    "delete",
    "delete_at",
    "delete_if",
    "fill",
    "filter!",
    "flatten!",
    "insert",
    "keep_if",
    "map!",
    "pop",
    "reject!",
    "replace",
    "reverse!",
    "rotate!",
    "select!",
    "shift",
    "shuffle!",
    "slice!",
    "sort!",
    "sort_by!",
    "uniq!",
];

pub(super) fn boot(vm: &mut Vm, kinds: Kinds) {
    mutators(vm, kinds.vivid, HASH_MUTATORS);
    mutators(vm, kinds.attr_array, ARRAY_MUTATORS);
    vm.define_methods(kinds.vivid, path::METHODS);
    vm.define_methods(kinds.vivid, MASH);
    vm.define_methods(kinds.attr_array, ARRAY);
}

/// Overrides those of the methods that the VM has.
fn mutators(vm: &mut Vm, class: ClassId, names: &[&'static str]) {
    for name in names {
        let name = Symbol::intern_static(name);
        let act = if name.as_str().starts_with("delete") { Act::Delete } else { Act::Mutate };
        let closure = move |vm: &mut Vm, this: &Value, args: Args<'_>| {
            let track = track(vm, this);
            // converted only afterwards, since a block may read the merged view during the change
            let result = up(vm, this, class, name, args);
            settle(vm, this, &track)?;
            track.changed(vm, None, this, act)?;
            result
        };
        vm.define_closure(class, name, Arity::ANY, Rc::new(closure));
    }
}
/// Converts the containers that a core method has stored. Converted ones get their position when they are next reached.
fn settle(vm: &mut Vm, this: &Value, track: &Track) -> Res<()> {
    let kinds = kinds(vm);
    let new = |vm: &Vm, value: &Value| {
        matches!(value, Value::Hash(_) | Value::Array(_))
            && !vm.data::<Track>(value).is_some_and(|known| known.owner.is_some() || track.owner.is_none())
    };
    match this {
        Value::Array(gc) => {
            for index in 0..gc.get(vm).items.len() {
                if let Some(item) = gc.get(vm).items.get(index).cloned()
                    && new(vm, &item)
                {
                    let item = vivify(vm, &kinds, &item, &track.below(Value::len(index)))?;
                    if let Some(slot) = gc.get_mut(vm).items.get_mut(index) {
                        *slot = item;
                    }
                }
            }
        }
        Value::Hash(gc) => {
            for slot in 0..gc.get(vm).slots() {
                let Some(entry) = gc.get(vm).slot(slot).cloned() else { continue };
                if new(vm, &entry.value) {
                    let value = vivify(vm, &kinds, &entry.value, &track.below(entry.key))?;
                    gc.get_mut(vm).set_value_at(slot, value);
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// The stored form of a value: containers become VividMash and AttrArray, unless they are already.
pub(crate) fn vivify(vm: &mut Vm, kinds: &Kinds, value: &Value, at: &Track) -> Res {
    match value {
        Value::Hash(_) | Value::Array(_) if vm.data::<Track>(value).is_some() => {
            vm.set_data(value, at.clone());
            Ok(value.clone())
        }
        Value::Hash(_) => {
            vm.check_stack()?;
            vm.check_memory()?;
            let pairs = mash::pairs(vm, value)?;
            let gc = Gc::new(kinds.vivid, RHash::with_capacity(pairs.len()));
            for (key, value) in pairs {
                let key = mash::key(&key);
                let value = match &value {
                    Value::Hash(_) | Value::Array(_) => vivify(vm, kinds, &value, &at.below(key.clone()))?,
                    _ => value,
                };
                vm.hash_set(&gc, key, value)?;
            }
            let made = Value::Hash(gc);
            vm.set_data(&made, at.clone());
            Ok(made)
        }
        Value::Array(gc) => {
            vm.check_stack()?;
            vm.check_memory()?;
            let mut items = gc.get(vm).items.clone();
            for (index, item) in items.iter_mut().enumerate() {
                if let Value::Hash(_) | Value::Array(_) = item {
                    *item = vivify(vm, kinds, item, &at.below(Value::len(index)))?;
                }
            }
            let made = Value::Array(Gc::new(kinds.attr_array, RArray { items: items.into() }));
            vm.set_data(&made, at.clone());
            Ok(made)
        }
        other => Ok(other.clone()),
    }
}
/// Updates the position of a container on access, since it may have been moved or be stored in two places.
fn reached(vm: &mut Vm, value: &Value, from: &Track, key: &Value) {
    if let Value::Hash(_) | Value::Array(_) = value
        && let Some(known) = vm.data::<Track>(value)
    {
        if let Some(step) = &known.path
            && step.key.same(key)
            && match (&step.parent, &from.path) {
                (None, None) => true,
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                _ => false,
            }
        {
            return;
        }
        let below = from.below(key.clone());
        vm.set_data(value, below);
    }
}
/// A new component, from a Hash.
pub(crate) fn component(vm: &mut Vm, data: &Value, at: Track) -> Res {
    let kinds = kinds(vm);
    let made = Gc::new(kinds.vivid, RHash::default());
    let made = Value::Hash(made);
    vm.set_data(&made, at.clone());
    fill(vm, &made, data, &at)?;
    Ok(made)
}
fn fill(vm: &mut Vm, this: &Value, data: &Value, at: &Track) -> Res<()> {
    let (kinds, gc) = (kinds(vm), mash::contents(vm, this)?);
    if data.is_nil() {
        return Ok(());
    }
    for (key, value) in mash::pairs(vm, data)? {
        let key = mash::key(&key);
        let value = vivify(vm, &kinds, &value, &at.below(key.clone()))?;
        vm.hash_set(&gc, key, value)?;
    }
    Ok(())
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.data::<Track>(this).is_none() {
        let root = args.at(1).clone();
        vm.set_data(this, Track { root, ..Track::default() });
    }
    match args.at(0) {
        Value::Nil => {}
        data @ Value::Hash(_) => {
            let at = track(vm, this);
            fill(vm, this, data, &at)?;
        }
        other => mash::contents(vm, this)?.get_mut(vm).default = other.clone(),
    }
    Ok(Value::Nil)
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let gc = mash::contents(vm, this)?;
    let found = mash::get(vm, &gc, args.at(0))?;
    if let Some(value) = &found
        && !matches!(value, Value::Hash(_) | Value::Array(_))
    {
        return Ok(value.clone());
    }
    let (own, key) = (track(vm, this), mash::key(args.at(0)));
    if let Some(value) = found {
        reached(vm, &value, &own, &key);
        return Ok(value);
    }
    vm.check_frozen(this)?;
    let kinds = kinds(vm);
    let made = Value::Hash(Gc::new(kinds.vivid, RHash::default()));
    vm.set_data(&made, own.below(key.clone()));
    vm.hash_set(&gc, key.clone(), made.clone())?;
    own.changed(vm, Some(&key), &made, Act::Vivify)?;
    Ok(made)
}
fn put(vm: &mut Vm, this: &Value, key: &Value, value: &Value) -> Res {
    vm.check_frozen(this)?;
    let (kinds, gc, own, key) = (kinds(vm), mash::contents(vm, this)?, track(vm, this), mash::key(key));
    let value = match value {
        Value::Hash(_) | Value::Array(_) => vivify(vm, &kinds, value, &own.below(key.clone()))?,
        _ => value.clone(),
    };
    vm.hash_set(&gc, key.clone(), value.clone())?;
    own.changed(vm, Some(&key), &value, Act::Write)?;
    Ok(value)
}
fn aset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    put(vm, this, args.at(0), args.at(1))
}
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for (key, value) in mash::pairs(vm, args.at(0))? {
        put(vm, this, &key, &value)?;
    }
    Ok(this.clone())
}
fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let (own, gc) = (track(vm, this), mash::contents(vm, this)?);
    let pairs = mash::pairs(vm, args.at(0))?;
    gc.get_mut(vm).clear();
    own.changed(vm, None, this, Act::Mutate)?;
    for (key, value) in pairs {
        put(vm, this, &key, &value)?;
    }
    Ok(this.clone())
}
fn delete(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let (gc, key) = (mash::contents(vm, this)?, mash::key(args.at(0)));
    match (vm.hash_delete(&gc, &key)?, args.block) {
        (Some(value), _) => {
            let own = track(vm, this);
            own.changed(vm, Some(&key), &Value::Nil, Act::Delete)?;
            Ok(value)
        }
        (None, Some(block)) => vm.yield1(block, key),
        (None, None) => Ok(Value::Nil),
    }
}
fn dup(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let pairs = mash::pairs(vm, this)?;
    mash::new(vm, pairs)
}
fn convert_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (kinds, own) = (kinds(vm), track(vm, this));
    vivify(vm, &kinds, args.at(0), &own)
}
fn convert_key(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(mash::key(args.at(0)))
}
fn to_yaml(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let plain = immutable::plain(vm, this)?;
    vm.call_args(&plain, Symbol::intern_static("to_yaml"), args)
}
fn dunder_path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let track = track(vm, this);
    let (mut keys, mut at) = (Vec::new(), &track.path);
    while let Some(step) = at {
        keys.push(step.key.clone());
        at = &step.parent;
    }
    keys.reverse();
    Ok(Value::array(keys))
}
fn dunder_precedence(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(track(vm, this).component.map_or(Value::Nil, |component| Value::sym(component.name())))
}

fn items(vm: &mut Vm, this: &Value) -> Res<Gc<RArray>> {
    match this {
        Value::Array(gc) => Ok(gc.clone()),
        _ => Err(vm.type_error("an Array is needed")),
    }
}
fn array_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.data::<Track>(this).is_none() {
        let root = args.at(1).clone();
        vm.set_data(this, Track { root, ..Track::default() });
    }
    if let Some(data) = args.get(0) {
        let from = vm.to_array(data)?;
        items(vm, this)?.get_mut(vm).items = from.into();
    }
    let own = track(vm, this);
    settle(vm, this, &own)?;
    Ok(Value::Nil)
}
fn array_aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = kinds(vm).attr_array;
    let value = up(vm, this, class, sym::AREF, args)?;
    if let (Value::Hash(_) | Value::Array(_), [key @ Value::Int(_)]) = (&value, args.pos) {
        let own = track(vm, this);
        reached(vm, &value, &own, key);
    }
    Ok(value)
}
fn converted(vm: &mut Vm, own: &Track, first: usize, values: &[Value]) -> Res<Vec<Value>> {
    let kinds = kinds(vm);
    values
        .iter()
        .enumerate()
        .map(|(index, value)| vivify(vm, &kinds, value, &own.below(Value::len(first + index))))
        .collect()
}
fn push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let (gc, own) = (items(vm, this)?, track(vm, this));
    let new = converted(vm, &own, gc.get(vm).items.len(), args.pos)?;
    gc.get_mut(vm).items.extend(new);
    own.changed(vm, None, this, Act::Mutate)?;
    Ok(this.clone())
}
fn unshift(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let (gc, own) = (items(vm, this)?, track(vm, this));
    let new = converted(vm, &own, 0, args.pos)?;
    gc.get_mut(vm).items.splice(0..0, new);
    own.changed(vm, None, this, Act::Mutate)?;
    Ok(this.clone())
}
fn array_aset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (class, own) = (kinds(vm).attr_array, track(vm, this));
    let result = up(vm, this, class, sym::ASET, args)?;
    settle(vm, this, &own)?;
    match args.pos {
        [key @ Value::Int(_), value] => own.changed(vm, Some(key), value, Act::Write)?,
        _ => own.changed(vm, None, this, Act::Mutate)?,
    }
    Ok(result)
}
fn array_dup(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    immutable::array_copy(vm, this)
}
