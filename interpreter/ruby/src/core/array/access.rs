//! Array: reading and writing by index.

use super::common::{ary, modify, position};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{check_room, item};
use crate::core::range::bounds::{Bounds, bounds_of};
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, any, at_least, def, opt};
use crate::value::{RArray, Value};

pub(super) static METHODS: &[MethodDef] = &[
    opt("[]", slice, 1, 2),
    opt("slice", slice, 1, 2),
    opt("[]=", store, 2, 3),
    opt("slice!", slice_bang, 1, 2),
    def("at", at, 1),
    opt("fetch", fetch, 1, 2),
    opt("first", first, 0, 1),
    opt("last", last, 0, 1),
    def("take", take, 1),
    def("drop", drop_, 1),
    any("values_at", values_at),
    at_least("dig", dig, 1),
    any("fill", fill),
];

/// The elements from `begin` on, limited to the existing ones; None if `begin` is out of range.
pub(crate) fn sub(vm: &Vm, array: &Gc<RArray>, begin: i64, len: i64) -> Option<Vec<Value>> {
    let items = &array.get(vm).items;
    let begin = position(begin, items.len()).filter(|begin| *begin <= items.len())?;
    let len = usize::try_from(len).ok()?;
    let end = begin.saturating_add(len).min(items.len());
    Some(items[begin..end].to_vec())
}

fn slice(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    if let [index, len] = args.pos {
        let (begin, len) = (vm.to_int(index)?, vm.to_int(len)?);
        return Ok(sub(vm, array, begin, len).map_or(Value::Nil, Value::array));
    }
    let index = args.at(0);
    if let Value::Int(index) = index {
        return Ok(nth(vm, array, *index));
    }
    if let Some(range) = vm.as_range(index)? {
        let len = array.get(vm).items.len();
        let Some(bounds) = bounds_of(vm, &range, len as i64, Bounds::Nil)? else { return Ok(Value::Nil) };
        return Ok(sub(vm, array, bounds.0, bounds.1).map_or(Value::Nil, Value::array));
    }
    if vm.is_a(index, ClassId::ARITHMETIC_SEQUENCE) {
        return slice_by_sequence(vm, array, index);
    }
    let index = vm.to_int(index)?;
    Ok(nth(vm, array, index))
}
/// Every nth element of a range: `array[(1..).step(2)]`.
fn slice_by_sequence(vm: &mut Vm, array: &Gc<RArray>, sequence: &Value) -> Res {
    let Some(parts) = crate::core::enumerator::sequence_parts(vm, sequence) else { return Ok(Value::Nil) };
    let len = array.get(vm).items.len() as i64;
    let step = vm.to_int(&parts.step)?;
    let (mut begin, mut end, mut exclusive) = (parts.begin, parts.end, parts.exclusive);
    if step < 0 {
        if exclusive && !end.is_nil() {
            end = Value::Int(vm.to_int(&end)?.saturating_add(1));
            exclusive = false;
        }
        std::mem::swap(&mut begin, &mut end);
    }
    let range = Value::range(begin, end, exclusive);
    let wide = !(-1..=1).contains(&step);
    let bounds = vm.rescue(
        ClassId::RANGE_ERROR,
        |vm| bounds_of(vm, &range, len, if wide { Bounds::Raise } else { Bounds::Nil }),
        |_, _| Ok(None),
    )?;
    let (begin, count) = match bounds {
        Some((begin, count)) if !wide || (begin <= len && count <= len) => (begin, count),
        None if !wide => return Ok(Value::Nil),
        _ => {
            let shown = vm.inspect(sequence)?;
            return Err(vm.range_error(format!("{shown} out of range")));
        }
    };
    let Some(mut part) = sub(vm, array, begin, count) else { return Ok(Value::Nil) };
    if step < 0 {
        part.reverse();
    }
    let stride = step.unsigned_abs().max(1) as usize;
    Ok(Value::array(part.into_iter().step_by(stride).collect()))
}
pub(super) fn nth(vm: &Vm, array: &Gc<RArray>, index: i64) -> Value {
    let items = &array.get(vm).items;
    position(index, items.len()).and_then(|at| items.get(at)).cloned().unwrap_or_default()
}
fn at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let index = vm.to_int(args.at(0))?;
    Ok(nth(vm, array, index))
}
/// Array#[]=
fn store(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let [Value::Int(index), _] = args.pos {
        let len = ary(vm, this)?.get(vm).items.len();
        if position(*index, len).is_none() {
            return Err(too_small(vm, *index, len));
        }
    }
    let array = modify(vm, this)?;
    if let [index, len, value] = args.pos {
        let (begin, len) = (vm.to_int(index)?, vm.to_int(len)?);
        let with = replacement(vm, value)?;
        splice(vm, array, begin, len, with)?;
        return Ok(value.clone());
    }
    let (index, value) = (args.at(0), args.at(1));
    if let Some(range) = vm.as_range(index)? {
        let len = array.get(vm).items.len() as i64;
        if let Some((begin, count)) = bounds_of(vm, &range, len, Bounds::Raise)? {
            let with = replacement(vm, value)?;
            splice(vm, array, begin, count, with)?;
        }
        return Ok(value.clone());
    }
    let index = vm.to_int(index)?;
    put(vm, array, index, value.clone())?;
    Ok(value.clone())
}
fn replacement(vm: &mut Vm, value: &Value) -> Res<Vec<Value>> {
    Ok(match vm.check_ary(value)? {
        Some(gc) => gc.get(vm).items.clone(),
        None => vec![value.clone()],
    })
}
/// Stores an element; the Array grows as necessary.
pub(super) fn put(vm: &mut Vm, array: &Gc<RArray>, index: i64, value: Value) -> Res<()> {
    let len = array.get(vm).items.len();
    let Some(at) = position(index, len) else {
        return Err(too_small(vm, index, len));
    };
    if at < len {
        array.get_mut(vm).items[at] = value;
        return Ok(());
    }
    if index >= i64::MAX / 8 {
        return Err(vm.index_error(format!("index {index} too big")));
    }
    check_room(vm, index + 1)?;
    let items = &mut array.get_mut(vm).items;
    items.resize(at, Value::Nil);
    items.push(value);
    Ok(())
}
#[cold]
fn too_small(vm: &mut Vm, index: i64, len: usize) -> crate::error::Error {
    let least = -(len as i64);
    vm.index_error(format!("index {index} too small for array; minimum: {least}"))
}
/// Replaces `len` elements from `begin` on.
pub(super) fn splice(vm: &mut Vm, array: &Gc<RArray>, begin: i64, len: i64, with: Vec<Value>) -> Res<()> {
    if len < 0 {
        return Err(vm.index_error(format!("negative length ({len})")));
    }
    let old = array.get(vm).items.len();
    let Some(begin) = position(begin, old) else {
        return Err(too_small(vm, begin, old));
    };
    if begin as i64 >= i64::MAX / 8 - with.len() as i64 {
        return Err(vm.index_error(format!("index {begin} too big")));
    }
    if begin >= old {
        check_room(vm, (begin + with.len()) as i64)?;
        let items = &mut array.get_mut(vm).items;
        items.resize(begin, Value::Nil);
        items.extend(with);
        return Ok(());
    }
    let end = begin.saturating_add(len as usize).min(old);
    check_room(vm, (old + with.len()) as i64)?;
    let removed: Vec<Value> = array.get_mut(vm).items.splice(begin..end, with).collect();
    drop(removed);
    Ok(())
}
fn slice_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = modify(vm, this)?;
    let len = array.get(vm).items.len();
    let (begin, count) = if let [index, count] = args.pos {
        (vm.to_int(index)?, vm.to_int(count)?)
    } else if let Some(range) = vm.as_range(args.at(0))? {
        match bounds_of(vm, &range, len as i64, Bounds::Nil)? {
            Some(bounds) => bounds,
            None => return Ok(Value::Nil),
        }
    } else {
        let index = vm.to_int(args.at(0))?;
        let len = array.get(vm).items.len();
        return match position(index, len).filter(|at| *at < len) {
            Some(at) => Ok(array.get_mut(vm).items.remove(at)),
            None => Ok(Value::Nil),
        };
    };
    let len = array.get(vm).items.len();
    let (Some(begin), Ok(count)) = (position(begin, len).filter(|at| *at <= len), usize::try_from(count)) else {
        return Ok(Value::Nil);
    };
    let end = begin.saturating_add(count).min(len);
    let removed = array.get_mut(vm).items.drain(begin..end).collect();
    Ok(Value::array(removed))
}
fn fetch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    if args.block.is_some() && args.len() == 2 {
        vm.warn("block supersedes default value argument")?;
    }
    let index = vm.to_int(args.at(0))?;
    let len = array.get(vm).items.len();
    if let Some(value) = position(index, len).and_then(|at| item(vm, array, at)) {
        return Ok(value);
    }
    if let Some(block) = args.block {
        return vm.yield1(block, args.at(0).clone());
    }
    match args.get(1) {
        Some(default) => Ok(default.clone()),
        None => Err(vm.index_error(format!("index {index} outside of array bounds: {}...{len}", -(len as i64)))),
    }
}
fn count_arg(vm: &mut Vm, value: &Value) -> Res<usize> {
    let count = vm.to_int(value)?;
    usize::try_from(count).map_err(|_| vm.argument_error("negative array size"))
}
fn first(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    match args.get(0) {
        None => Ok(item(vm, array, 0).unwrap_or_default()),
        Some(count) => {
            let count = count_arg(vm, count)?;
            Ok(Value::array(array.get(vm).items.iter().take(count).cloned().collect()))
        }
    }
}
fn last(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    match args.get(0) {
        None => Ok(array.get(vm).items.last().cloned().unwrap_or_default()),
        Some(count) => {
            let count = count_arg(vm, count)?;
            let items = &array.get(vm).items;
            Ok(Value::array(items[items.len().saturating_sub(count)..].to_vec()))
        }
    }
}
fn take(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let Ok(count) = usize::try_from(count) else { return Err(vm.argument_error("attempt to take negative size")) };
    Ok(Value::array(ary(vm, this)?.get(vm).items.iter().take(count).cloned().collect()))
}
fn drop_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let Ok(count) = usize::try_from(count) else { return Err(vm.argument_error("attempt to drop negative size")) };
    Ok(Value::array(ary(vm, this)?.get(vm).items.iter().skip(count).cloned().collect()))
}
fn values_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let mut out = Vec::new();
    for index in args.pos {
        if let Some(range) = vm.as_range(index)? {
            let len = array.get(vm).items.len() as i64;
            let Some((begin, count)) = bounds_of(vm, &range, len, Bounds::Raise)? else { continue };
            check_room(vm, out.len() as i64 + count)?;
            let (begin, count) = (begin as usize, count as usize);
            let items = &array.get(vm).items;
            let there = items.get(begin..(begin + count).min(items.len())).unwrap_or_default();
            out.extend_from_slice(there);
            out.resize(out.len() + count - there.len(), Value::Nil);
        } else {
            let index = vm.to_int(index)?;
            out.push(nth(vm, array, index));
        }
    }
    Ok(Value::array(out))
}
fn dig(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let index = vm.to_int(args.at(0))?;
    let found = nth(vm, array, index);
    crate::core::hash::dig_further(vm, found, args.from(1).pos)
}
fn fill(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let array = ary(vm, this)?;
    let (value, rest) = match args.block {
        Some(_) if args.len() > 2 => return Err(vm.arity_error(args.len(), "0..2")),
        Some(_) => (Value::Nil, args.pos),
        None if !(1..=3).contains(&args.len()) => return Err(vm.arity_error(args.len(), "1..3")),
        None => (args.at(0).clone(), &args.pos[1..]),
    };
    let len = array.get(vm).items.len() as i64;
    let range = if let [index] = rest { vm.as_range(index)? } else { None };
    let rest = range.as_ref().map_or(rest, std::slice::from_ref);
    let (begin, end) = match rest {
        [] => (0, len),
        [range @ Value::Range(_)] => match bounds_of(vm, range, len, Bounds::Raise)? {
            Some((begin, count)) => (begin, begin + count),
            None => (0, 0),
        },
        [start, rest @ ..] => {
            let mut begin = if start.is_nil() { 0 } else { vm.to_int(start)? };
            if begin < 0 {
                begin = (begin + len).max(0);
            }
            match rest.first() {
                Some(count) if !count.is_nil() => {
                    let count = vm.to_int(count)?;
                    if count <= 0 {
                        modify(vm, this)?;
                        return Ok(this.clone());
                    }
                    if begin >= i64::MAX / 8 || count > i64::MAX / 8 - begin {
                        return Err(vm.argument_error("argument too big"));
                    }
                    (begin, begin + count)
                }
                _ => (begin, len),
            }
        }
    };
    modify(vm, this)?;
    if begin >= end {
        return Ok(this.clone());
    }
    check_room(vm, end)?;
    if end > len {
        array.get_mut(vm).items.resize(end as usize, Value::Nil);
    }
    for index in begin..end {
        let value = match args.block {
            Some(block) => vm.yield1(block, Value::Int(index))?,
            None => value.clone(),
        };
        match array.get_mut(vm).items.get_mut(index as usize) {
            Some(slot) => *slot = value,
            None => break,
        }
    }
    Ok(this.clone())
}
