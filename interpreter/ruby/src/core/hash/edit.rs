//! Hash: methods that change it or return a changed copy.

use super::{default_value, each_entry, empty, full_copy, modify, plain_copy, this_hash};
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::hash::RHash;
use crate::heap::{BY_IDENTITY, Gc};
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_syntax::Symbol;

pub(super) static METHODS: &[MethodDef] = &[
    def("initialize_copy", replace, 1).private(),
    def("replace", replace, 1),
    any("merge", merge),
    any("merge!", update),
    any("update", update),
    def("delete", delete, 1),
    def("shift", shift, 0),
    def("clear", clear, 0),
    def("compact", compact, 0),
    def("compact!", compact_bang, 0),
    any("slice", slice),
    any("except", except),
    def("invert", invert, 0),
    opt("flatten", flatten, 0, 1),
    def("rehash", rehash, 0),
];

/// Rehashes all keys, after they have changed.
pub(super) fn refile(vm: &mut Vm, hash: &Gc<RHash>) -> Res<()> {
    let entries = hash.get_mut(vm).take_entries();
    for entry in entries {
        vm.hash_set(hash, entry.key, entry.value)?;
    }
    Ok(())
}
fn rehash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    if hash.get(vm).iterating > 0 {
        return Err(vm.runtime_error("rehash during iteration"));
    }
    vm.check_frozen(this)?;
    refile(vm, hash)?;
    Ok(this.clone())
}
fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = modify(vm, this)?;
    if this.same(args.at(0)) {
        return Ok(this.clone());
    }
    let other = vm.to_hash(args.at(0))?;
    let contents = other.get(vm).clone();
    let iterating = hash.get(vm).iterating;
    *hash.get_mut(vm) = contents;
    hash.get_mut(vm).iterating = iterating;
    hash.set_flag(BY_IDENTITY, other.flag(BY_IDENTITY));
    Ok(this.clone())
}
fn merge_into(vm: &mut Vm, hash: &Gc<RHash>, args: Args<'_>) -> Res<()> {
    for other in args.pos {
        let other = vm.to_hash(other)?;
        each_entry(vm, &other, |vm, key, value| {
            let value = match args.block {
                Some(block) => match vm.hash_get(hash, &key)? {
                    Some(old) => {
                        let value = vm.yield_values(block, &[key.clone(), old, value])?;
                        vm.check_frozen(&Value::Hash(hash.clone()))?;
                        value
                    }
                    None => value,
                },
                None => value,
            };
            vm.hash_set(hash, key, value)?;
            Ok(true)
        })?;
    }
    Ok(())
}
fn merge(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let copy = full_copy(vm, this)?;
    merge_into(vm, &copy, args)?;
    Ok(Value::Hash(copy))
}
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = modify(vm, this)?;
    merge_into(vm, hash, args)?;
    Ok(this.clone())
}
fn delete(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = modify(vm, this)?;
    match (vm.hash_delete(hash, args.at(0))?, args.block) {
        (Some(value), _) => Ok(value),
        (None, Some(block)) => vm.yield1(block, args.at(0).clone()),
        (None, None) => Ok(Value::Nil),
    }
}
fn shift(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = modify(vm, this)?;
    let contents = hash.get_mut(vm);
    match contents.first_slot().and_then(|slot| contents.remove_at(slot)) {
        Some((key, value)) => Ok(Value::array(vec![key, value])),
        None => default_value(vm, this, hash, &Value::Nil),
    }
}
fn clear(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    modify(vm, this)?.get_mut(vm).clear();
    Ok(this.clone())
}
fn drop_nils(contents: &mut RHash) -> bool {
    let before = contents.len();
    for slot in (0..contents.slots()).rev() {
        if contents.slot(slot).is_some_and(|entry| entry.value.is_nil()) {
            contents.remove_at(slot);
        }
    }
    contents.len() != before
}
fn compact(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    let copy = plain_copy(vm, hash);
    let contents = copy.get_mut(vm);
    contents.iterating += 1;
    drop_nils(contents);
    contents.iterating -= 1;
    Ok(Value::Hash(copy))
}
fn compact_bang(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let contents = modify(vm, this)?.get_mut(vm);
    contents.iterating += 1;
    let changed = drop_nils(contents);
    contents.iterating -= 1;
    Ok(if changed { this.clone() } else { Value::Nil })
}
fn slice(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    let made = empty();
    made.set_flag(BY_IDENTITY, hash.flag(BY_IDENTITY));
    for key in args.pos {
        if let Some(value) = vm.hash_get(hash, key)? {
            vm.hash_set(&made, key.clone(), value)?;
        }
    }
    Ok(Value::Hash(made))
}
fn except(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    let copy = plain_copy(vm, hash);
    for key in args.pos {
        vm.hash_delete(&copy, key)?;
    }
    Ok(Value::Hash(copy))
}
fn invert(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = this_hash(vm, this)?;
    let made = empty();
    each_entry(vm, hash, |vm, key, value| {
        vm.hash_set(&made, value, key)?;
        Ok(true)
    })?;
    Ok(Value::Hash(made))
}
fn flatten(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let level = args.get(0).map_or(Ok(1), |level| vm.to_int(level))?;
    let hash = this_hash(vm, this)?;
    if level == 0 {
        return Ok(Value::array(
            hash.get(vm).iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect(),
        ));
    }
    let flat = Value::array(hash.get(vm).iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect());
    match level.saturating_sub(1) {
        0 => Ok(flat),
        more if more > 0 => vm.call(&flat, Symbol::intern_static("flatten"), &[Value::Int(more)]),
        _ => vm.call(&flat, Symbol::intern_static("flatten"), &[]),
    }
}
