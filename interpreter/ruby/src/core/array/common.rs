//! What the methods of Array share: the receiver, positions in it.

use crate::Vm;
use crate::error::Res;
use crate::heap::Gc;
use crate::value::{RArray, Value};

/// The receiver as Array.
pub(crate) fn ary<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RArray>> {
    match this {
        Value::Array(gc) => Ok(gc),
        _ => Err(vm.type_error("wrong argument type (expected Array)")),
    }
}

/// The receiver as Array that may be changed.
pub(crate) fn modify<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RArray>> {
    vm.check_frozen(this)?;
    ary(vm, this)
}

/// A copy of the elements.
pub(crate) fn items(vm: &mut Vm, this: &Value) -> Res<Vec<Value>> {
    Ok(ary(vm, this)?.get(vm).items.clone())
}

/// A position that may count from the end; None before the start.
pub(crate) fn position(index: i64, len: usize) -> Option<usize> {
    if index >= 0 { Some(index as usize) } else { usize::try_from(index + len as i64).ok() }
}
