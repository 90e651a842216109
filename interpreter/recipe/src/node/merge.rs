//! The two merges of attributes, and `Chef::Mixin::DeepMerge`.
//!
//! Within a group (the default components, the override components) hashes are merged by key, arrays are united (the lower elements first, without
//! duplicates), and any other value is replaced by the higher one. Between groups, arrays are replaced, too. nil is a value and wins.

use super::classes::{Kinds, kinds};
use super::immutable::immutable;
use super::mash;
use rchef_ruby::{Args, ClassId, Gc, MethodDef, RHash, Res, Symbol, Value, Vm, def, sym};

/// Merges contributions (group, value), in ascending precedence, into a new immutable value; None if there are none.
pub(crate) fn merge(vm: &mut Vm, parts: &[(u8, Value)]) -> Res<Option<Value>> {
    let kinds = kinds(vm);
    match parts {
        [] => Ok(None),
        [(_, only)] => immutable(vm, &kinds, only).map(Some),
        _ => several(vm, &kinds, parts).map(Some),
    }
}

fn several(vm: &mut Vm, kinds: &Kinds, parts: &[(u8, Value)]) -> Res {
    vm.check_stack()?;
    vm.check_memory()?;
    let Some(((group, last), lower)) = parts.split_last() else { return Ok(Value::Nil) };
    match last {
        Value::Hash(gc) => {
            let mut hashes = vec![(*group, gc.clone())];
            let mut at = *group;
            let mut open = true; // whether values of the group `at` that are further down still count
            for (group, value) in lower.iter().rev() {
                if *group == at && !open {
                    continue;
                }
                match value {
                    Value::Hash(gc) => {
                        open = true;
                        hashes.push((*group, gc.clone()));
                    }
                    _ if *group != at => break,
                    _ => open = false,
                }
                at = *group;
            }
            hashes.reverse();
            let (first, rest) = (&hashes[0].1, &hashes[1..]);
            if rest.is_empty() {
                immutable(vm, kinds, &Value::Hash(first.clone()))
            } else {
                hashes_of(vm, kinds, &hashes)
            }
        }
        Value::Array(gc) => {
            let mut arrays = vec![gc.clone()];
            for (other, value) in lower.iter().rev() {
                match value {
                    Value::Array(gc) if other == group => arrays.push(gc.clone()),
                    _ => break,
                }
            }
            if arrays.len() == 1 {
                return immutable(vm, kinds, last);
            }
            let mut united = Vec::new();
            for array in arrays.iter().rev() {
                united.extend(array.get(vm).items.iter().cloned());
            }
            let united = unique(vm, united)?;
            immutable(vm, kinds, &Value::array(united))
        }
        _ => immutable(vm, kinds, last),
    }
}

fn hashes_of(vm: &mut Vm, kinds: &Kinds, hashes: &[(u8, Gc<RHash>)]) -> Res {
    let result = Gc::new(kinds.immutable_mash, RHash::with_capacity(hashes[0].1.get(vm).len()));
    let mut parts: Vec<(u8, Value)> = Vec::with_capacity(hashes.len());
    for (index, (group, hash)) in hashes.iter().enumerate() {
        let entries: Vec<_> = hash.get(vm).entries().cloned().collect();
        'keys: for entry in entries {
            for (_, lower) in &hashes[..index] {
                if vm.hash_find(lower, &entry.key)?.is_some() {
                    continue 'keys;
                }
            }
            parts.clear();
            parts.push((*group, entry.value));
            for (group, higher) in &hashes[index + 1..] {
                if let Some(value) = vm.hash_get(higher, &entry.key)? {
                    parts.push((*group, value));
                }
            }
            let value = match &parts[..] {
                [(_, only)] => immutable(vm, kinds, only)?,
                _ => several(vm, kinds, &parts)?,
            };
            result.get_mut(vm).push(entry.hash, entry.key, value);
        }
    }
    Ok(Value::Hash(result))
}

/// The elements without later duplicates (by `hash` and `eql?`).
fn unique(vm: &mut Vm, items: Vec<Value>) -> Res<Vec<Value>> {
    let seen = Gc::new(ClassId::HASH, RHash::with_capacity(items.len()));
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        if vm.hash_find(&seen, &item)?.is_none() {
            vm.hash_set(&seen, item.clone(), Value::True)?;
            kept.push(item);
        }
    }
    Ok(kept)
}

/// Merges `high` into a copy of `low` by the rules of a group: roles, JSON and normal attributes, facts.
pub fn group_pair(vm: &mut Vm, low: &Value, high: &Value) -> Res {
    Ok(merge(vm, &[(0, low.clone()), (0, high.clone())])?.unwrap_or_default())
}

static MODULE: &[MethodDef] = &[
    def("merge", module_merge, 2),
    def("deep_merge", deep_merge, 2),
    def("deep_merge!", deep_merge_bang, 2),
    def("hash_only_merge", hash_only_merge, 2),
    def("hash_only_merge!", hash_only_merge_bang, 2),
    def("safe_dup", safe_dup, 1),
];

pub(super) fn boot(vm: &mut Vm, chef: ClassId) {
    let mixin = vm.define_module(chef, "Mixin");
    let module = vm.define_module(mixin, "DeepMerge");
    vm.define_class(module, "InvalidParameter", ClassId::STANDARD_ERROR);
    vm.define_methods(module, MODULE);
    vm.define_singleton_methods(module, MODULE);
}

pub(crate) fn dup_of(vm: &mut Vm, value: &Value) -> Res {
    match value {
        Value::Hash(_) | Value::Array(_) | Value::Str(_) | Value::Object(_) => {
            vm.rescue(ClassId::TYPE_ERROR, |vm| vm.call(value, sym::DUP, &[]), |_, _| Ok(value.clone()))
        }
        _ => Ok(value.clone()),
    }
}
fn safe_dup(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    dup_of(vm, args.at(0))
}
fn module_merge(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let class = kinds(vm).mash;
    let mut both = Vec::new();
    for value in args.pos {
        both.push(if vm.is_a(value, class) { dup_of(vm, value)? } else { as_mash(vm, value)? });
    }
    union_merge(vm, &both[1], both[0].clone())
}
fn as_mash(vm: &mut Vm, value: &Value) -> Res {
    let pairs = if matches!(value, Value::Hash(_)) { mash::pairs(vm, value)? } else { Vec::new() };
    mash::new(vm, pairs)
}
fn deep_merge(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (source, dest) = (dup_of(vm, args.at(0))?, dup_of(vm, args.at(1))?);
    union_merge(vm, &source, dest)
}
fn deep_merge_bang(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    union_merge(vm, args.at(0), args.at(1).clone())
}
/// Merges with `source` winning and arrays united; `dest` is modified if both are hashes.
fn union_merge(vm: &mut Vm, source: &Value, dest: Value) -> Res {
    vm.check_stack()?;
    match (source, &dest) {
        (Value::Hash(_), Value::Hash(_)) => {
            for (key, value) in mash::pairs(vm, source)? {
                let value = if vm.call(&dest, sym::KEY_P, std::slice::from_ref(&key))?.truthy() {
                    let old = vm.call(&dest, sym::AREF, std::slice::from_ref(&key))?;
                    union_merge(vm, &value, old)?
                } else {
                    value
                };
                vm.call(&dest, sym::ASET, &[key, value])?;
            }
            Ok(dest)
        }
        (Value::Array(from), Value::Array(to)) => {
            let mut items = to.get(vm).items.clone();
            items.extend(from.get(vm).items.iter().cloned());
            Ok(Value::array(unique(vm, items)?))
        }
        _ => Ok(source.clone()),
    }
}
fn hash_only_merge(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (onto, with) = (dup_of(vm, args.at(0))?, dup_of(vm, args.at(1))?);
    replace_merge(vm, onto, &with)
}
fn hash_only_merge_bang(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    replace_merge(vm, args.at(0).clone(), args.at(1))
}
fn replace_merge(vm: &mut Vm, onto: Value, with: &Value) -> Res {
    vm.check_stack()?;
    let (Value::Hash(_), Value::Hash(_)) = (&onto, with) else { return Ok(with.clone()) };
    let own = Symbol::intern_static("public_method_that_only_deep_merge_should_use");
    let special = vm.respond_to(&onto, own, false)?;
    for (key, value) in mash::pairs(vm, with)? {
        let value = if vm.call(&onto, sym::KEY_P, std::slice::from_ref(&key))?.truthy() {
            let old = vm.call(&onto, sym::AREF, std::slice::from_ref(&key))?;
            let (old, value) = (dup_of(vm, &old)?, dup_of(vm, &value)?);
            replace_merge(vm, old, &value)?
        } else {
            value
        };
        vm.call(&onto, if special { own } else { sym::ASET }, &[key, value])?;
    }
    Ok(onto)
}
