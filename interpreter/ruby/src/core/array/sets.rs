//! Array: set operations, by `hash` and `eql?`.

use super::common::{ary, items, modify};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{check_room, item};
use crate::error::Res;
use crate::frame::Block;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def};
use crate::value::{RArray, Value};

pub(super) static METHODS: &[MethodDef] = &[
    def("+", plus, 1),
    def("*", times, 1),
    def("-", minus, 1),
    def("&", and, 1),
    def("|", or, 1),
    any("difference", difference),
    any("intersection", intersection),
    any("union", union),
    def("intersect?", is_intersecting, 1),
    def("uniq", uniq, 0),
    def("uniq!", uniq_bang, 0),
];

/// Arrays with at most this many elements are compared without a Hash.
const SMALL: usize = 16;

fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_ary(args.at(0))?;
    let mut out = items(vm, this)?;
    check_room(vm, (out.len() + other.get(vm).items.len()) as i64)?;
    out.extend_from_slice(&other.get(vm).items);
    Ok(Value::array(out))
}
/// Array#*: repetition, or join with a String.
fn times(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(separator) = vm.check_str(args.at(0))? {
        let separator = Value::Str(separator);
        return super::join(vm, this, &separator);
    }
    let count = vm.to_int(args.at(0))?;
    if count < 0 {
        return Err(vm.argument_error("negative argument"));
    }
    let out = items(vm, this)?;
    if out.is_empty() || count == 0 {
        return Ok(Value::array(Vec::new()));
    }
    let total = out.len() as i128 * i128::from(count);
    if total > i128::from(i64::MAX / 16) {
        return Err(vm.argument_error("argument too big"));
    }
    check_room(vm, total as i64)?;
    let len = out.len() * count as usize;
    Ok(Value::array(out.into_iter().cycle().take(len).collect()))
}
/// A Hash with these elements as keys; each value is the first equal element.
pub(crate) fn index_of(vm: &mut Vm, elements: &[Value]) -> Res<Gc<RHash>> {
    let hash = Gc::new(ClassId::HASH, RHash::with_capacity(elements.len()));
    for element in elements {
        add(vm, &hash, element, element.clone())?;
    }
    Ok(hash)
}
/// Adds a key without copying it (a String stays the same object); false if it exists.
fn add(vm: &mut Vm, hash: &Gc<RHash>, key: &Value, value: Value) -> Res<bool> {
    let number = vm.hash_value(key)?;
    if !hash.get(vm).is_empty() && vm.hash_find(hash, key)?.is_some() {
        return Ok(false);
    }
    hash.get_mut(vm).push(number, key.clone(), value);
    Ok(true)
}
fn is_key(vm: &mut Vm, hash: &Gc<RHash>, key: &Value) -> Res<bool> {
    Ok(vm.hash_find(hash, key)?.is_some())
}
fn contains(vm: &mut Vm, list: &[Value], wanted: &Value) -> Res<bool> {
    for element in list {
        if vm.eql(wanted, element)? {
            return Ok(true);
        }
    }
    Ok(false)
}
fn without(vm: &mut Vm, from: Vec<Value>, other: &[Value]) -> Res<Vec<Value>> {
    let mut out = Vec::new();
    if other.len() <= SMALL {
        for element in from {
            if !contains(vm, other, &element)? {
                out.push(element);
            }
        }
        return Ok(out);
    }
    let hash = index_of(vm, other)?;
    for element in from {
        if !is_key(vm, &hash, &element)? {
            out.push(element);
        }
    }
    Ok(out)
}
fn minus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_ary(args.at(0))?.get(vm).items.clone();
    let from = items(vm, this)?;
    Ok(Value::array(without(vm, from, &other)?))
}
fn difference(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut out = items(vm, this)?;
    for other in args.pos {
        let other = vm.to_ary(other)?.get(vm).items.clone();
        out = without(vm, out, &other)?;
    }
    Ok(Value::array(out))
}
fn common(vm: &mut Vm, from: Vec<Value>, other: &[Value]) -> Res<Vec<Value>> {
    if other.is_empty() {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    if from.len() <= SMALL && other.len() <= SMALL {
        for element in from {
            if contains(vm, other, &element)? && !contains(vm, &out, &element)? {
                out.push(element);
            }
        }
        return Ok(out);
    }
    let hash = index_of(vm, other)?;
    for element in from {
        if vm.hash_delete(&hash, &element)?.is_some() {
            out.push(element);
        }
    }
    Ok(out)
}
fn and(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_ary(args.at(0))?.get(vm).items.clone();
    let from = items(vm, this)?;
    Ok(Value::array(common(vm, from, &other)?))
}
fn intersection(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut out = items(vm, this)?;
    for other in args.pos {
        let other = vm.to_ary(other)?.get(vm).items.clone();
        out = common(vm, out, &other)?;
    }
    Ok(Value::array(out))
}
fn or(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_ary(args.at(0))?;
    let mut all = items(vm, this)?;
    all.extend_from_slice(&other.get(vm).items);
    Ok(Value::array(distinct(vm, all, None)?))
}
fn union(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut all = items(vm, this)?;
    for other in args.pos {
        let other = vm.to_ary(other)?;
        all.extend_from_slice(&other.get(vm).items);
    }
    Ok(Value::array(distinct(vm, all, None)?))
}
fn is_intersecting(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_ary(args.at(0))?.get(vm).items.clone();
    let from = items(vm, this)?;
    let (short, long) = if from.len() < other.len() { (from, other) } else { (other, from) };
    let hash = index_of(vm, &short)?;
    for element in &long {
        if is_key(vm, &hash, element)? {
            return Ok(Value::True);
        }
    }
    Ok(Value::False)
}
/// The first of each group of equal elements (compared by the block's results).
pub(crate) fn distinct(vm: &mut Vm, from: Vec<Value>, block: Option<Block<'_>>) -> Res<Vec<Value>> {
    let seen = Gc::new(ClassId::HASH, RHash::with_capacity(from.len()));
    let mut out = Vec::new();
    for element in from {
        let key = match block {
            Some(block) => vm.yield1(block, element.clone())?,
            None => element.clone(),
        };
        if add(vm, &seen, &key, Value::Nil)? {
            out.push(element);
        }
    }
    Ok(out)
}
fn uniq(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    Ok(Value::array(live_distinct(vm, array, args.block)?))
}
/// Like `distinct`, for an Array that the block may change.
fn live_distinct(vm: &mut Vm, array: &Gc<RArray>, block: Option<Block<'_>>) -> Res<Vec<Value>> {
    let seen = Gc::new(ClassId::HASH, RHash::default());
    let mut out = Vec::new();
    let mut index = 0;
    while let Some(element) = item(vm, array, index) {
        let key = match block {
            Some(block) => vm.yield1(block, element.clone())?,
            None => element.clone(),
        };
        if add(vm, &seen, &key, Value::Nil)? {
            out.push(element);
        }
        index += 1;
    }
    Ok(out)
}
fn uniq_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let out = live_distinct(vm, array, args.block)?;
    if out.len() == array.get(vm).items.len() {
        return Ok(Value::Nil);
    }
    vm.check_frozen(this)?;
    array.get_mut(vm).items = out.into();
    Ok(this.clone())
}
