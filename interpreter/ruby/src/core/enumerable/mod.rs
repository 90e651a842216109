//! Enumerable: works on any `each`.
//!
//! [`drive`] runs the receiver's `each` with a step that sees every yield. For Array, Hash and Integer ranges whose `each` is the core's own it walks
//! the contents itself, so that the caller's block is never captured; for anything else it passes a native Proc to `each`.
//!
//! - here: the driver, conversion, counting and asking; - `select`: choosing and transforming; - `fold`: inject, sums, extremes, grouping;
//! - `slices`: each_slice, each_cons, chunks, zip, cycle.

mod fold;
mod select;
mod slices;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::array::no_block;
use crate::error::{Res, Unwind};
use crate::frame::Block;
use crate::heap::Gc;
use crate::method::{MethodBody, MethodDef, any, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::cell::RefCell;
use std::rc::Rc;

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

/// What a step sees: the values of one yield.
pub(crate) fn packed(args: Args<'_>) -> Value {
    match args.pos {
        [one] => one.clone(),
        [] => Value::Nil,
        many => Value::array(many.to_vec()),
    }
}
/// Yields what one yield gave, several values as one Array that a lambda takes apart (MRI's enum_yield).
pub(crate) fn pass(vm: &mut Vm, block: Block<'_>, count: usize, value: &Value) -> Res {
    if count > 1
        && let (Block::Proc(proc), Value::Array(array)) = (block, value)
        && proc.get(vm).lambda
    {
        let items = array.get(vm).items.clone();
        return vm.yield_values(block, &items);
    }
    vm.yield_block(block, Args::new(std::slice::from_ref(value)))
}

/// Whether a value's `each` is the one that the core class defines.
fn core_each(vm: &mut Vm, this: &Value, class: ClassId) -> bool {
    let of = vm.class_of(this);
    match vm.find_method(of, sym::EACH) {
        Some(id) => {
            let method = vm.method(id);
            method.owner == class && matches!(method.body, MethodBody::Native(..))
        }
        None => false,
    }
}

/// Runs `each` with `args` (but not their block): `step` gets the state, the block of `args` and what was yielded, and answers whether to go on.
/// Gives the state at the end.
pub(crate) fn drive<S: 'static>(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    state: S,
    step: impl Fn(&mut Vm, &mut S, Option<Block<'_>>, Args<'_>) -> Res<bool> + 'static,
) -> Res<S> {
    let mut state = state;
    match this {
        Value::Array(array) if args.is_empty() && core_each(vm, this, ClassId::ARRAY) => {
            let mut index = 0;
            while let Some(element) = crate::core::array::item(vm, array, index) {
                vm.tick_by(1)?;
                if !step(vm, &mut state, args.block, Args::new(&[element]))? {
                    break;
                }
                index += 1;
            }
            return Ok(state);
        }
        Value::Hash(hash) if args.is_empty() && core_each(vm, this, ClassId::HASH) => {
            hash.get_mut(vm).iterating += 1;
            let result = drive_hash(vm, hash, args.block, &mut state, &step);
            let data = hash.get_mut(vm);
            data.iterating = data.iterating.saturating_sub(1);
            return result.map(|()| state);
        }
        Value::Range(range) if args.is_empty() => {
            let data = range.get(vm);
            let (begin, end, exclusive) = (data.begin.clone(), data.end.clone(), data.exclusive);
            if let (Value::Int(from), Value::Int(to)) = (begin, end)
                && core_each(vm, this, ClassId::RANGE)
            {
                let mut at = from;
                while at < to || (at == to && !exclusive) {
                    vm.tick_by(1)?;
                    if !step(vm, &mut state, args.block, Args::new(&[Value::Int(at)]))? {
                        break;
                    }
                    let Some(next) = at.checked_add(1) else { break };
                    at = next;
                }
                return Ok(state);
            }
        }
        _ => {}
    }
    drive_any(vm, this, args, state, step)
}
fn drive_hash<S>(
    vm: &mut Vm,
    hash: &Gc<crate::hash::RHash>,
    block: Option<Block<'_>>,
    state: &mut S,
    step: &impl Fn(&mut Vm, &mut S, Option<Block<'_>>, Args<'_>) -> Res<bool>,
) -> Res<()> {
    let mut slot = 0;
    while slot < hash.get(vm).slots() {
        vm.tick_by(1)?;
        if let Some(entry) = hash.get(vm).slot(slot) {
            let pair = Value::array(vec![entry.key.clone(), entry.value.clone()]);
            if !step(vm, state, block, Args::new(&[pair]))? {
                break;
            }
        }
        slot += 1;
    }
    Ok(())
}
fn drive_any<S: 'static>(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    state: S,
    step: impl Fn(&mut Vm, &mut S, Option<Block<'_>>, Args<'_>) -> Res<bool> + 'static,
) -> Res<S> {
    let shared = Rc::new(RefCell::new(Some(state)));
    let inner = shared.clone();
    let block = args.block.map(|block| vm.block_to_proc(block));
    let tag = vm.fresh_id();
    let proc = vm.native_proc(crate::method::Arity { min: 0, max: None }, false, move |vm, _, args| {
        vm.tick_by(1)?;
        let Some(mut state) = inner.borrow_mut().take() else {
            return Err(vm.runtime_error("Enumerable's block was called again before it was done"));
        };
        let result = step(vm, &mut state, block.as_ref().map(Block::Proc), args);
        *inner.borrow_mut() = Some(state);
        if result? { Ok(Value::Nil) } else { Err(Unwind::Break(tag, Value::Nil).into()) }
    });
    vm.stacks.tags.push(tag);
    let result = vm.call_args(this, sym::EACH, args.with_block(Some(Block::Proc(&proc))));
    vm.stacks.tags.pop();
    match result {
        Err(error) if !matches!(*error.0, Unwind::Break(at, _) if at == tag) => return Err(error),
        _ => {}
    }
    let state = shared.borrow_mut().take();
    state.ok_or_else(|| vm.runtime_error("Enumerable's block was called again before it was done"))
}

/// NoMemoryError when so many elements are too many, or leave no memory; looks every 65,536 elements.
pub(crate) fn check_collected(vm: &mut Vm, count: usize) -> Res<()> {
    const STEP: usize = 1 << 16;
    if count % STEP == STEP - 1 { vm.check_growth(count.saturating_mul(16), STEP * 16) } else { Ok(()) }
}
/// Everything that `each` yields, as Array elements.
pub(crate) fn collect(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<Vec<Value>> {
    drive(vm, this, args.with_block(None), Vec::new(), |vm, out: &mut Vec<Value>, _, args| {
        check_collected(vm, out.len())?;
        out.push(packed(args));
        Ok(true)
    })
}
/// The first so many that `each` yields.
pub(crate) fn take_first(vm: &mut Vm, this: &Value, count: usize) -> Res<Vec<Value>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    drive(vm, this, Args::none(), Vec::new(), move |_, out: &mut Vec<Value>, _, args| {
        out.push(packed(args));
        Ok(out.len() < count)
    })
}

/// Enumerable#to_a
fn to_a(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(collect(vm, this, args)?))
}
/// Enumerable#to_h
fn to_h(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = Gc::new(ClassId::HASH, crate::hash::RHash::default());
    let out = hash.clone();
    drive(vm, this, args, (), move |vm, _, block, args| {
        let element = match block {
            Some(block) => vm.yield_block(block, args)?,
            None => packed(args),
        };
        let Some(pair) = vm.check_ary(&element)? else {
            let class = vm.class_name_of(&element);
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
            vm.yield1(block, packed(args))?;
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
/// Counts elements that match (pattern, block or truth) until `enough` says so.
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
