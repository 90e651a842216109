//! Enumerable: works with any `each`.
//!
//! [`drive`] runs the receiver's `each` with a step that gets every yield. For Array, Hash and Integer ranges with the core's own `each` it iterates
//! over the contents directly, so that the caller's block is never captured; otherwise it passes a native Proc to `each`.
//!
//! - `drive`: the driver; - here: conversion, counting and predicates; - `select`: selection and transformation; - `fold`: inject, sums, minimum and
//!   maximum, grouping;
//! - `slices`: each_slice, each_cons, chunks, zip, cycle.

pub(crate) mod drive;
mod fold;
mod select;
mod slices;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::no_block;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
pub(crate) use drive::{check_collected, collect, core_each, drive, packed, pass, take_first};
use rchef_syntax::symbol::sym;

static METHODS: &[MethodDef] = &[
    any("to_a", to_a),
    any("entries", to_a),
    any("to_h", to_h),
    any("each_entry", each_entry),
    any("each_with_index", each_with_index),
    def("each_with_object", each_with_object, 1),
    any("reverse_each", reverse_each),
    opt("first", first, 0, 1),
    opt("find", find, 0, 1),
    opt("detect", find, 0, 1),
    opt("find_index", find_index, 0, 1),
    def("include?", is_included, 1),
    def("member?", is_included, 1),
    opt("count", count, 0, 1),
    opt("all?", all, 0, 1),
    opt("any?", any_, 0, 1),
    opt("none?", none, 0, 1),
    opt("one?", one, 0, 1),
];

fn to_a(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(collect(vm, this, args)?))
}
fn to_h(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = Gc::new(ClassId::HASH, crate::hash::RHash::default());
    let out = hash.clone();
    drive(vm, this, args, (), move |vm, _, block, args| {
        let element = match block {
            Some(block) => vm.yield_block(block, args)?,
            None => packed(args),
        };
        let Some(pair) = vm.check_ary(&element)? else {
            let class = vm.describe(&element);
            return Err(vm.type_error(format!("wrong element type {class} (expected array)")));
        };
        let (key, value) = match pair.get(vm).items.as_slice() {
            [key, value] => (key.clone(), value.clone()),
            other => {
                let count = other.len();
                return Err(vm.argument_error(format!("element has wrong array length (expected 2, was {count})")));
            }
        };
        vm.hash_set(&out, key, value)?;
        Ok(true)
    })?;
    Ok(Value::Hash(hash))
}
fn each_entry(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    drive(vm, this, args, (), |vm, _, block, args| {
        if let Some(block) = block {
            pass(vm, block, args.len(), &packed(args))?;
        }
        Ok(true)
    })?;
    Ok(this.clone())
}
fn each_with_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    drive(vm, this, args, 0_i64, |vm, index, block, args| {
        if let Some(block) = block {
            vm.yield2(block, packed(args), Value::Int(*index))?;
        }
        *index += 1;
        Ok(true)
    })?;
    Ok(this.clone())
}
fn each_with_object(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let memo = args.at(0).clone();
    let given = memo.clone();
    drive(vm, this, args.from(1), (), move |vm, _, block, args| {
        if let Some(block) = block {
            vm.yield2(block, packed(args), given.clone())?;
        }
        Ok(true)
    })?;
    Ok(memo)
}
fn reverse_each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    if let Value::Range(range) = this
        && range.get(vm).end.is_nil()
    {
        return Err(vm.type_error("can't iterate from NilClass"));
    }
    let mut list = collect(vm, this, args)?;
    while let Some(element) = list.pop() {
        vm.yield1(block, element)?;
    }
    Ok(this.clone())
}
fn first(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.get(0) {
        None => Ok(take_first(vm, this, 1)?.pop().unwrap_or_default()),
        Some(count) => {
            let count = vm.to_int(count)?;
            let Ok(count) = usize::try_from(count) else {
                return Err(vm.argument_error("attempt to take negative size"));
            };
            if count > i64::MAX as usize / size_of::<usize>() {
                return Err(vm.argument_error("array size too big"));
            }
            Ok(Value::array(take_first(vm, this, count)?))
        }
    }
}
fn find(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let found = drive(vm, this, Args::none().with_block(args.block), None, |vm, found, block, args| {
        let value = packed(args);
        if let Some(block) = block
            && pass(vm, block, args.len(), &value)?.truthy()
        {
            *found = Some(value);
            return Ok(false);
        }
        Ok(true)
    })?;
    match (found, args.get(0)) {
        (Some(found), _) => Ok(found),
        (None, Some(otherwise)) if !otherwise.is_nil() => vm.call(otherwise, sym::CALL, &[]),
        _ => Ok(Value::Nil),
    }
}
fn find_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() && args.is_empty() {
        return no_block(vm, this, args);
    }
    if args.block.is_some() && !args.is_empty() {
        vm.warn("given block not used")?;
    }
    let wanted = args.get(0).cloned();
    let (_, found) =
        drive(vm, this, Args::none().with_block(args.block), (0_i64, false), move |vm, state, block, args| {
            let hit = match (&wanted, block) {
                (Some(wanted), _) => vm.equal(&packed(args), wanted)?,
                (None, Some(block)) => vm.yield_block(block, args)?.truthy(),
                (None, None) => false,
            };
            if hit {
                state.1 = true;
                return Ok(false);
            }
            state.0 += 1;
            Ok(true)
        })
        .map(|(index, hit)| (index, hit.then_some(index)))?;
    Ok(found.map_or(Value::Nil, Value::Int))
}
fn is_included(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let wanted = args.at(0).clone();
    let found = drive(vm, this, Args::none(), false, move |vm, found, _, args| {
        *found = vm.equal(&packed(args), &wanted)?;
        Ok(!*found)
    })?;
    Ok(Value::bool(found))
}
fn count(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_some() && !args.is_empty() {
        vm.warn("given block not used")?;
    }
    let wanted = args.get(0).cloned();
    let hits = drive(vm, this, Args::none().with_block(args.block), 0_i64, move |vm, hits, block, args| {
        let hit = match (&wanted, block) {
            (Some(wanted), _) => vm.equal(&packed(args), wanted)?,
            (None, Some(block)) => vm.yield_block(block, args)?.truthy(),
            (None, None) => true,
        };
        *hits += i64::from(hit);
        Ok(true)
    })?;
    Ok(Value::Int(hits))
}
/// Counts matching elements (by pattern, block or truthiness) until `enough` is true.
fn matching(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    enough: fn(hit: bool, hits: usize) -> bool,
) -> Res<(usize, bool)> {
    if args.block.is_some() && !args.is_empty() {
        vm.warn("given block not used")?;
    }
    let pattern = args.get(0).cloned();
    drive(vm, this, Args::none().with_block(args.block), (0, false), move |vm, state, block, args| {
        let hit = match (&pattern, block) {
            (Some(pattern), _) => vm.call(pattern, sym::EQQ, &[packed(args)])?.truthy(),
            (None, Some(block)) => vm.yield_block(block, args)?.truthy(),
            (None, None) => packed(args).truthy(),
        };
        state.0 += usize::from(hit);
        state.1 = enough(hit, state.0);
        Ok(!state.1)
    })
}
fn all(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!matching(vm, this, args, |hit, _| !hit)?.1))
}
fn any_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(matching(vm, this, args, |hit, _| hit)?.1))
}
fn none(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!matching(vm, this, args, |hit, _| hit)?.1))
}
fn one(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(matching(vm, this, args, |_, hits| hits > 1)?.0 == 1))
}

pub(super) fn boot(vm: &mut Vm) {
    for table in [METHODS, select::METHODS, fold::METHODS, slices::METHODS] {
        vm.define_methods(ClassId::ENUMERABLE, table);
    }
}
