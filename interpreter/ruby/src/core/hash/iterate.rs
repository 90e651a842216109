//! Hash: iteration.

use super::{empty, modify, plain_copy, this_hash};
use crate::Vm;
use crate::args::Args;
use crate::core::natives::no_block;
use crate::error::Res;
use crate::frame::Block;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;

pub(super) static METHODS: &[MethodDef] = &[
    def("each", each, 0),
    def("each_pair", each, 0),
    def("each_key", each_key, 0),
    def("each_value", each_value, 0),
    opt("any?", is_any, 0, 1),
    def("select", select, 0),
    def("filter", select, 0),
    def("reject", reject, 0),
    def("select!", select_bang, 0),
    def("filter!", select_bang, 0),
    def("keep_if", keep_if, 0),
    def("reject!", reject_bang, 0),
    def("delete_if", delete_if, 0),
    def("transform_values", transform_values, 0),
    def("transform_values!", transform_values_bang, 0),
    opt("transform_keys", transform_keys, 0, 1),
    opt("transform_keys!", transform_keys_bang, 0, 1),
];

/// Visits the slots. Meanwhile pairs may be removed and values changed, but no keys added; the closure returns false to stop.
pub(crate) fn each_slot(
    vm: &mut Vm,
    hash: &Gc<RHash>,
    mut body: impl FnMut(&mut Vm, usize, Value, Value) -> Res<bool>,
) -> Res<()> {
    hash.get_mut(vm).iterating += 1;
    let mut slot = hash.get(vm).first_slot().unwrap_or(0);
    let result = loop {
        let contents = hash.get(vm);
        if slot >= contents.slots() {
            break Ok(());
        }
        let pair = contents.slot(slot).map(|entry| (entry.key.clone(), entry.value.clone()));
        if let Some((key, value)) = pair {
            match body(vm, slot, key, value) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        }
        slot += 1;
    };
    hash.get_mut(vm).iterating -= 1;
    result
}
/// Visits the pairs, like [`each_slot`].
pub(crate) fn each_entry(
    vm: &mut Vm,
    hash: &Gc<RHash>,
    mut body: impl FnMut(&mut Vm, Value, Value) -> Res<bool>,
) -> Res<()> {
    each_slot(vm, hash, |vm, _, key, value| body(vm, key, value))
}

/// Yields a pair as one Array, which is not created for a block that destructures it.
#[inline]
fn yield_pair(vm: &mut Vm, block: Block<'_>, key: Value, value: Value) -> Res {
    if let Block::Ruby { code, .. } = block
        && code.params.simple
        && code.params.required == 2
    {
        return vm.yield2(block, key, value);
    }
    vm.yield1(block, Value::array(vec![key, value]))
}

fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let hash = this_hash(vm, this)?;
    each_entry(vm, hash, |vm, key, value| yield_pair(vm, block, key, value).map(|_| true))?;
    Ok(this.clone())
}
fn each_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let hash = this_hash(vm, this)?;
    each_entry(vm, hash, |vm, key, _| vm.yield1(block, key).map(|_| true))?;
    Ok(this.clone())
}
fn each_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let hash = this_hash(vm, this)?;
    each_entry(vm, hash, |vm, _, value| vm.yield1(block, value).map(|_| true))?;
    Ok(this.clone())
}
fn is_any(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    let mut found = false;
    if let Some(pattern) = args.get(0) {
        if args.block.is_some() {
            vm.warn("given block not used")?;
        }
        each_entry(vm, hash, |vm, key, value| {
            found = vm.call(pattern, sym::EQQ, &[Value::array(vec![key, value])])?.truthy();
            Ok(!found)
        })?;
    } else if let Some(block) = args.block {
        each_entry(vm, hash, |vm, key, value| {
            found = yield_pair(vm, block, key, value)?.truthy();
            Ok(!found)
        })?;
    } else {
        found = !hash.get(vm).is_empty();
    }
    Ok(Value::bool(found))
}
/// A copy with the pairs for which the block's result is `wanted`.
fn filtered(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: bool) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let hash = this_hash(vm, this)?;
    let copy = plain_copy(vm, hash);
    each_slot(vm, &copy, |vm, slot, key, value| {
        if vm.yield2(block, key, value)?.truthy() != wanted {
            copy.get_mut(vm).remove_at(slot);
        }
        Ok(true)
    })?;
    Ok(Value::Hash(copy))
}
fn select(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    filtered(vm, this, args, true)
}
fn reject(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    filtered(vm, this, args, false)
}
/// Removes the pairs for which the block's result is not `wanted`; returns whether there were any.
fn filter_here(vm: &mut Vm, this: &Value, block: Block<'_>, wanted: bool) -> Res<bool> {
    let hash = modify(vm, this)?;
    let before = hash.get(vm).len();
    each_slot(vm, hash, |vm, slot, key, value| {
        if vm.yield2(block, key, value)?.truthy() != wanted {
            vm.check_frozen(this)?;
            hash.get_mut(vm).remove_at(slot);
        }
        Ok(true)
    })?;
    Ok(hash.get(vm).len() != before)
}
fn filter_method(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: bool, nil_unchanged: bool) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let changed = filter_here(vm, this, block, wanted)?;
    Ok(if nil_unchanged && !changed { Value::Nil } else { this.clone() })
}
fn select_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    filter_method(vm, this, args, true, true)
}
fn keep_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    filter_method(vm, this, args, true, false)
}
fn reject_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    filter_method(vm, this, args, false, true)
}
fn delete_if(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    filter_method(vm, this, args, false, false)
}
fn transform(vm: &mut Vm, hash: &Gc<RHash>, block: Block<'_>) -> Res<()> {
    each_slot(vm, hash, |vm, slot, _, value| {
        let value = vm.yield1(block, value)?;
        vm.check_frozen(&Value::Hash(hash.clone()))?;
        if hash.get(vm).slot(slot).is_some() {
            hash.get_mut(vm).set_value_at(slot, value);
        }
        Ok(true)
    })
}
fn transform_values(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let hash = this_hash(vm, this)?;
    let copy = plain_copy(vm, hash);
    transform(vm, &copy, block)?;
    Ok(Value::Hash(copy))
}
fn transform_values_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let hash = modify(vm, this)?;
    transform(vm, hash, block)?;
    Ok(this.clone())
}
/// The new name of a key: from the Hash of names, else from the block, else unchanged.
fn new_key(vm: &mut Vm, names: Option<&Gc<RHash>>, block: Option<Block<'_>>, key: &Value) -> Res {
    if let Some(names) = names
        && let Some(found) = vm.hash_get(names, key)?
    {
        return Ok(found);
    }
    match block {
        Some(block) => vm.yield1(block, key.clone()),
        None => Ok(key.clone()),
    }
}
fn transform_keys(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() && args.is_empty() {
        return no_block(vm, this, args);
    }
    let names = args.get(0).map(|names| vm.to_hash(names)).transpose()?;
    let hash = this_hash(vm, this)?;
    let made = empty();
    each_entry(vm, hash, |vm, key, value| {
        let key = new_key(vm, names.as_ref(), args.block, &key)?;
        vm.hash_set(&made, key, value)?;
        Ok(true)
    })?;
    Ok(Value::Hash(made))
}
fn transform_keys_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() && args.is_empty() {
        return no_block(vm, this, args);
    }
    let names = args.get(0).map(|names| vm.to_hash(names)).transpose()?;
    let hash = modify(vm, this)?;
    let pairs: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let made = empty();
    for (key, value) in pairs {
        let renamed = new_key(vm, names.as_ref(), args.block, &key)?;
        vm.check_frozen(this)?;
        if vm.hash_find(&made, &key)?.is_none() {
            vm.hash_delete(hash, &key)?;
        }
        vm.hash_set(hash, renamed.clone(), value)?;
        vm.hash_set(&made, renamed, Value::Nil)?;
    }
    Ok(this.clone())
}
