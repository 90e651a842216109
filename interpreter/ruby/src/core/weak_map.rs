//! ObjectSpace::WeakMap: keys are compared by identity; a pair is removed when nothing else refers to its key or to its value. Objects are reference
//! counted, so that can be seen from the counts of the map's own references. They are checked after a garbage collection, which breaks cycles that
//! only the map refers to, and when the size has doubled since the last check.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::hash::RHash;
use crate::heap::{BY_IDENTITY, Gc, WEAK, holders};
use crate::method::{MethodDef, def};
use crate::value::{NativeData, Value};

/// Maximum number of pairs before the first check.
const FIRST_LOOK: usize = 64;

struct WeakMap {
    pairs: Gc<RHash>,
    /// The number of garbage collections at the last check.
    looked: i64,
    /// The number of pairs that triggers the next check.
    limit: usize,
}
impl NativeData for WeakMap {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Hash(self.pairs.clone()));
    }
}

static METHODS: &[MethodDef] = &[
    def("[]", get, 1),
    def("[]=", set, 2),
    def("include?", has, 1),
    def("member?", has, 1),
    def("key?", has, 1),
    def("inspect", inspect, 0),
    def("each", each, 0),
    def("each_pair", each, 0),
    def("each_key", each_key, 0),
    def("each_value", each_value, 0),
    def("keys", keys, 0),
    def("values", values, 0),
    def("size", size, 0),
    def("length", size, 0),
];

/// Whether nothing but the map refers to the key or to the value.
fn is_let_go(key: &Value, value: &Value) -> bool {
    // if both are the same object the map has two references
    let own = if key.same(value) { 2 } else { 1 };
    [key, value].into_iter().any(|one| holders(one).is_some_and(|count| count <= own))
}
/// The remaining pairs.
fn pairs(vm: &mut Vm, this: &Value) -> Res<Gc<RHash>> {
    let runs = super::gc::runs(vm);
    let Some(map) = vm.data::<WeakMap>(this) else { return Err(vm.type_error("uninitialized ObjectSpace::WeakMap")) };
    let hash = map.pairs.clone();
    let count = hash.get(vm).len();
    if map.looked == runs && count < map.limit {
        return Ok(hash);
    }
    // first find the slots to remove, and copy their keys only then: a copy would be counted
    let slots: Vec<usize> = (0..hash.get(vm).slots())
        .filter(|slot| hash.get(vm).slot(*slot).is_some_and(|entry| is_let_go(&entry.key, &entry.value)))
        .collect();
    for slot in slots {
        if let Some(key) = hash.get(vm).slot(slot).map(|entry| entry.key.clone()) {
            vm.hash_delete(&hash, &key)?;
        }
    }
    let left = hash.get(vm).len();
    if let Some(map) = vm.data_mut::<WeakMap>(this) {
        (map.looked, map.limit) = (runs, (left * 2).max(FIRST_LOOK));
    }
    Ok(hash)
}
/// All pairs, kept alive by the returned list.
fn listed(vm: &mut Vm, this: &Value) -> Res<Vec<(Value, Value)>> {
    let pairs = pairs(vm, this)?;
    Ok(pairs.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect())
}

fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let pairs = pairs(vm, this)?;
    Ok(vm.hash_get(&pairs, args.at(0))?.unwrap_or_default())
}
fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let pairs = pairs(vm, this)?;
    vm.hash_set(&pairs, args.at(0).clone(), args.at(1).clone())?;
    Ok(args.at(1).clone())
}
fn has(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let pairs = pairs(vm, this)?;
    Ok(Value::bool(vm.hash_get(&pairs, args.at(0))?.is_some()))
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let pairs = pairs(vm, this)?;
    Ok(Value::len(pairs.get(vm).len()))
}
fn keys(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(listed(vm, this)?.into_iter().map(|(key, _)| key).collect()))
}
fn values(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(listed(vm, this)?.into_iter().map(|(_, value)| value).collect()))
}
/// Yields the values that `pick` returns for each pair; an empty map needs no block.
fn walk(vm: &mut Vm, this: &Value, args: Args<'_>, pick: fn(Value, Value) -> Vec<Value>) -> Res {
    for (key, value) in listed(vm, this)? {
        let Some(block) = args.block else { return Err(vm.error(ClassId::LOCAL_JUMP_ERROR, "no block given")) };
        vm.yield_block(block, Args::new(&pick(key, value)))?;
    }
    Ok(this.clone())
}
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    walk(vm, this, args, |key, value| vec![key, value])
}
fn each_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    walk(vm, this, args, |key, _| vec![key])
}
fn each_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    walk(vm, this, args, |_, value| vec![value])
}
/// `#<ObjectSpace::WeakMap:0x…: key => value, …>`; reference-counted objects are shown by their number.
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    fn shown(vm: &mut Vm, value: &Value) -> Res<String> {
        if holders(value).is_some() { Ok(vm.default_to_s(value)) } else { vm.inspect(value) }
    }
    let head = vm.default_to_s(this);
    let mut text = head.trim_end_matches('>').to_string();
    for (index, (key, value)) in listed(vm, this)?.iter().enumerate() {
        text.push_str(if index == 0 { ": " } else { ", " });
        text.push_str(&shown(vm, key)?);
        text.push_str(" => ");
        text.push_str(&shown(vm, value)?);
    }
    text.push('>');
    Ok(Value::str(text))
}

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::OBJECT_SPACE, "WeakMap", ClassId::OBJECT);
    vm.include_module(class, ClassId::ENUMERABLE);
    vm.class_mut(class).allocator = Some(|_, class| {
        let pairs = Gc::new(ClassId::HASH, RHash::default());
        pairs.set_flag(BY_IDENTITY | WEAK, true);
        Ok(Value::data(class, WeakMap { pairs, looked: 0, limit: FIRST_LOOK }))
    });
    vm.define_methods(class, METHODS);
}
