//! Ranges as arguments that select a part of something with a length.

use crate::error::Res;
use crate::value::Value;
use crate::vm::Vm;

/// What happens if a Range is out of bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// The result is None; the end is limited to the length.
    Nil,
    /// RangeError; the end is not limited.
    Raise,
}

/// The start and count selected by a Range (converted with `to_int`) from `len` elements. None for other values.
pub fn bounds_of(vm: &mut Vm, range: &Value, len: i64, mode: Bounds) -> Res<Option<(i64, i64)>> {
    let Value::Range(gc) = range else { return Ok(None) };
    let data = gc.get(vm);
    let (first, last, mut exclusive) = (data.begin.clone(), data.end.clone(), data.exclusive);
    let begin = if first.is_nil() { 0 } else { vm.to_int(&first)? };
    let mut end = if last.is_nil() { -1 } else { vm.to_int(&last)? };
    if last.is_nil() {
        exclusive = false;
    }
    let start = if begin < 0 { begin + len } else { begin };
    let outside = start < 0 || (mode == Bounds::Nil && start > len);
    if outside {
        if mode == Bounds::Raise {
            let shown = vm.inspect(range)?;
            return Err(vm.range_error(format!("{shown} out of range")));
        }
        return Ok(None);
    }
    if end < 0 {
        end += len;
    }
    if !exclusive {
        end = end.saturating_add(1);
    }
    if mode == Bounds::Nil {
        end = end.min(len);
    }
    Ok(Some((start, (end - start).max(0))))
}
