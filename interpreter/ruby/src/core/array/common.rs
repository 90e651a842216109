//! Helpers for the methods of Array.

use crate::Vm;
use crate::error::Res;
use crate::heap::Gc;
use crate::value::{RArray, Value};

/// The receiver.
pub(crate) fn ary<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RArray>> {
    match this {
        Value::Array(gc) => Ok(gc),
        _ => Err(vm.type_error("wrong argument type (expected Array)")),
    }
}

/// The receiver; FrozenError if it is frozen.
pub(crate) fn modify<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RArray>> {
    vm.check_frozen(this)?;
    ary(vm, this)
}

/// A copy of the elements.
pub(crate) fn items(vm: &mut Vm, this: &Value) -> Res<Vec<Value>> {
    Ok(ary(vm, this)?.get(vm).items.clone())
}

/// Converts an index that may be negative; None if it is before the start.
pub(crate) fn position(index: i64, len: usize) -> Option<usize> {
    if index >= 0 { Some(index as usize) } else { usize::try_from(index + len as i64).ok() }
}
