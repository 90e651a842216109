//! Access by path for all containers: `read('a', 'b')`, `write('a', 'b', 1)`, `exist?`, `unlink`. Facts: chef 18, lib/chef/node/common_api.rb.

use super::classes::resolve;
use super::mash;
use crate::run::chef_error;
use rchef_ruby::{Args, Error, MethodDef, Res, Value, Vm, any, at_least, sym};

/// The methods of VividMash and ImmutableMash.
pub(super) static METHODS: &[MethodDef] = &[
    any("read", read),
    any("dig", read),
    any("read!", read_bang),
    any("exist?", exist),
    at_least("write", write, 1),
    at_least("write!", write_bang, 1),
    at_least("unlink", unlink, 1),
    at_least("unlink!", unlink_bang, 1),
];

fn holds(object: &Value, key: &Value) -> bool {
    matches!((object, key), (Value::Hash(_), _) | (Value::Array(_), Value::Int(_)))
}
/// The value of a key, without creating it; None if it is absent or `object` is not a container for such a key.
pub(crate) fn look(vm: &mut Vm, object: &Value, key: &Value) -> Res<Option<Value>> {
    let found = match (object, key) {
        (Value::Hash(gc), _) => mash::get(vm, gc, key)?,
        (Value::Array(gc), Value::Int(index)) => {
            let items = &gc.get(vm).items;
            let length = items.len() as i64;
            let at = if *index < 0 { *index + length } else { *index };
            if *index < length {
                Some(usize::try_from(at).ok().and_then(|at| items.get(at)).cloned().unwrap_or_default())
            } else {
                None
            }
        }
        _ => None,
    };
    match found {
        Some(value) => resolve(vm, value).map(Some),
        None => Ok(None),
    }
}
/// The value at a path; None if it is absent.
pub(crate) fn find(vm: &mut Vm, object: &Value, path: &[Value]) -> Res<Option<Value>> {
    let mut at = object.clone();
    for key in path {
        match look(vm, &at, key)? {
            Some(next) => at = next,
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}
/// The NoSuchAttribute error with the path.
#[cold]
pub(crate) fn no_such_attribute(vm: &mut Vm, path: &[Value]) -> Error {
    let mut parts = Vec::with_capacity(path.len());
    for key in path {
        match vm.to_s_text(key) {
            Ok(text) => parts.push(text),
            Err(error) => return error,
        }
    }
    chef_error(vm, "NoSuchAttribute", parts.join("."))
}
#[cold]
fn mismatch(vm: &mut Vm) -> Error {
    chef_error(vm, "AttributeTypeMismatch", "Chef::Exceptions::AttributeTypeMismatch")
}
/// Stores a value at a path: creates missing maps, and replaces values that cannot hold the next key by a map.
pub(crate) fn store(vm: &mut Vm, object: &Value, path: &[Value], value: Value) -> Res {
    let Some((last, inner)) = path.split_last() else {
        return Err(vm.argument_error("wrong number of arguments (given 0, expected 1+)"));
    };
    let mut before: Option<(Value, &Value)> = None;
    let mut at = object.clone();
    for key in inner.iter().chain(std::iter::once(last)) {
        if !holds(&at, key)
            && let Some((holder, under)) = &before
        {
            let empty = vm.new_hash(Vec::new())?;
            vm.call(holder, sym::ASET, &[(*under).clone(), empty])?;
            at = vm.call(holder, sym::AREF, &[(*under).clone()])?;
        }
        if std::ptr::eq(key, last) {
            break;
        }
        let next = vm.call(&at, sym::AREF, std::slice::from_ref(key))?;
        before = Some((at, key));
        at = next;
    }
    vm.call(&at, sym::ASET, &[last.clone(), value])
}
/// Stores a value at a path: creates missing maps, and raises AttributeTypeMismatch if another value is in the way.
pub(crate) fn store_strictly(vm: &mut Vm, object: &Value, path: &[Value], value: Value) -> Res {
    let Some((last, inner)) = path.split_last() else {
        return Err(vm.argument_error("wrong number of arguments (given 0, expected 1+)"));
    };
    let mut at = object.clone();
    for key in inner {
        if !holds(&at, key) {
            return Err(mismatch(vm));
        }
        at = vm.call(&at, sym::AREF, std::slice::from_ref(key))?;
    }
    if !holds(&at, last) {
        return Err(mismatch(vm));
    }
    vm.call(&at, sym::ASET, &[last.clone(), value])
}
/// Removes and returns the value at a path; nil if its container is absent. In an Array, the last argument is the element to remove.
pub(crate) fn remove(vm: &mut Vm, object: &Value, path: &[Value]) -> Res {
    let Some((last, inner)) = path.split_last() else { return Err(vm.arity_error(0, "1+")) };
    match find(vm, object, inner)? {
        Some(holder @ (Value::Hash(_) | Value::Array(_))) => vm.call(&holder, sym::DELETE, std::slice::from_ref(last)),
        _ => Ok(Value::Nil),
    }
}
/// The arguments of `write`: the path and the value, which is the block's result if there is a block.
pub(crate) fn split_value(vm: &mut Vm, args: Args<'_>) -> Res<(Vec<Value>, Value)> {
    if let Some(block) = args.block {
        return Ok((args.pos.to_vec(), vm.yield_values(block, &[])?));
    }
    let mut path = args.pos.to_vec();
    let value = path.pop().unwrap_or_default();
    Ok((path, value))
}

fn read(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::or_nil(find(vm, this, args.pos)?))
}
fn read_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match find(vm, this, args.pos)? {
        Some(value) => Ok(value),
        None => Err(no_such_attribute(vm, args.pos)),
    }
}
fn exist(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(find(vm, this, args.pos)?.is_some()))
}
fn write(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (path, value) = split_value(vm, args)?;
    store(vm, this, &path, value)
}
fn write_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (path, value) = split_value(vm, args)?;
    store_strictly(vm, this, &path, value)
}
fn unlink(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    remove(vm, this, args.pos)
}
fn unlink_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if find(vm, this, args.pos)?.is_none() {
        return Err(chef_error(vm, "NoSuchAttribute", "Chef::Exceptions::NoSuchAttribute"));
    }
    remove(vm, this, args.pos)
}
