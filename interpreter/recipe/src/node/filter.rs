//! `Chef::AttributeAllowlist` and `Chef::AttributeBlocklist`: the attributes that are saved. Facts: chef 18, lib/chef/attribute_allowlist.rb.

use super::mash;
use rchef_ruby::{Args, ClassId, Gc, MethodDef, RHash, Res, Value, Vm, opt};

static ALLOW: &[MethodDef] = &[opt("filter", allow_filter, 1, 2)];
static BLOCK: &[MethodDef] = &[opt("filter", block_filter, 1, 2)];

pub(super) fn boot(vm: &mut Vm, chef: ClassId) {
    let allow = vm.define_class(chef, "AttributeAllowlist", ClassId::OBJECT);
    let block = vm.define_class(chef, "AttributeBlocklist", ClassId::OBJECT);
    vm.define_singleton_methods(allow, ALLOW);
    vm.define_singleton_methods(block, BLOCK);
}

fn allow_filter(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    allow(vm, args.at(0), args.at(1))
}
fn block_filter(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    block(vm, args.at(0), args.at(1))
}

/// The path of an entry: an Array as it is, a String split at slashes, ignoring a leading one.
fn keys(vm: &mut Vm, entry: &Value) -> Res<Vec<Value>> {
    match entry {
        Value::Array(gc) => Ok(gc.get(vm).items.clone()),
        _ => {
            let text = vm.to_text(entry)?;
            let text = text.trim_end_matches('/');
            let text = text.strip_prefix('/').unwrap_or(text);
            Ok(if text.is_empty() { Vec::new() } else { text.split('/').map(Value::str).collect() })
        }
    }
}
fn warn(vm: &mut Vm, list: &str, entry: &Value) -> Res<()> {
    let shown = vm.to_s_text(entry)?;
    if let Some(log) = vm.class_named("Chef::Log") {
        vm.call_name(&Value::Class(log), "warn", &[Value::str(format!("Could not find {list} attribute {shown}."))])?;
    }
    Ok(())
}

/// Keeps only the attributes in the list; all of them if it is nil.
pub fn allow(vm: &mut Vm, data: &Value, list: &Value) -> Res {
    if list.is_nil() {
        return Ok(data.clone());
    }
    let result = Gc::new(ClassId::HASH, RHash::default());
    'entries: for entry in vm.to_array(list)? {
        let keys = keys(vm, &entry)?;
        let Some((last, inner)) = keys.split_last() else { continue };
        let (mut from, mut to) = (data.clone(), result.clone());
        for key in inner {
            let Value::Hash(gc) = &from else {
                warn(vm, "allowlist", &entry)?;
                continue 'entries;
            };
            let Some(next) = mash::get(vm, gc, key)? else {
                warn(vm, "allowlist", &entry)?;
                continue 'entries;
            };
            let made = match vm.hash_get(&to, key)? {
                Some(Value::Hash(made)) => made,
                _ => {
                    let made = Gc::new(ClassId::HASH, RHash::default());
                    vm.hash_set(&to, key.clone(), Value::Hash(made.clone()))?;
                    made
                }
            };
            (from, to) = (next, made);
        }
        let value = match &from {
            Value::Hash(gc) => mash::get(vm, gc, last)?,
            _ => None,
        };
        match value {
            Some(value) => vm.hash_set(&to, last.clone(), value)?,
            None => warn(vm, "allowlist", &entry)?,
        }
    }
    Ok(Value::Hash(result))
}
/// Removes the attributes in the list from `data`.
pub fn block(vm: &mut Vm, data: &Value, list: &Value) -> Res {
    if list.is_nil() {
        return Ok(data.clone());
    }
    for entry in vm.to_array(list)? {
        let keys = keys(vm, &entry)?;
        let Some((last, inner)) = keys.split_last() else { continue };
        let holder = super::path::find(vm, data, inner)?;
        let removed = match &holder {
            Some(Value::Hash(gc)) => vm.hash_delete(gc, last)?,
            _ => None,
        };
        if removed.is_none() {
            warn(vm, "blocklist", &entry)?;
        }
    }
    Ok(data.clone())
}
