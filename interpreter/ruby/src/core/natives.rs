//! Helpers for natives of several classes: natives with one answer, guards against recursion, the Enumerator for a call without a block.

use crate::args::Args;
use crate::error::Res;
use crate::heap::{BUSY, Gc};
use crate::value::{RArray, Value};
use crate::vm::Vm;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;

/// A native that answers true.
pub(crate) fn yes(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::True)
}
/// A native that answers false.
pub(crate) fn no(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::False)
}
/// A native that answers nil.
pub(crate) fn nothing(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}
/// A native that answers its receiver.
pub(crate) fn itself(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}

/// An element, unless the index is out of range.
#[inline]
pub(crate) fn item(vm: &Vm, array: &Gc<RArray>, index: usize) -> Option<Value> {
    array.get(vm).items.get(index).cloned()
}

/// The Enumerator of the running native iterator, for a call without a block.
pub(crate) fn no_block(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.current_native_name().unwrap_or(sym::EACH);
    Ok(vm.enumerator_for(this, name, args))
}

pub(crate) fn name(text: &'static str) -> Symbol {
    Symbol::intern_static(text)
}

/// Checks the number of elements to be allocated.
pub(crate) fn check_room(vm: &mut Vm, count: i64) -> Res<usize> {
    if count > i64::MAX / 8 {
        return Err(vm.argument_error("array size too big"));
    }
    let count = count.max(0) as usize;
    vm.check_size(count.saturating_mul(16))?;
    Ok(count)
}

/// Flag of objects being compared.
const COMPARED: u32 = 1 << 8;

/// Pairs of objects being compared.
#[derive(Default)]
struct Pairs(Vec<(usize, usize)>);

/// Runs `body`, unless the same pair is already being compared: then None.
pub(crate) fn paired<R>(vm: &mut Vm, a: &Value, b: &Value, body: impl FnOnce(&mut Vm) -> Res<R>) -> Res<Option<R>> {
    vm.check_stack()?;
    vm.tick_by(1)?;
    let pair = (a.address(), b.address());
    let before = a.flag(COMPARED);
    if before && vm.extension::<Pairs>().0.contains(&pair) {
        return Ok(None);
    }
    a.set_flag(COMPARED, true);
    vm.extension::<Pairs>().0.push(pair);
    let result = body(vm);
    vm.extension::<Pairs>().0.pop();
    a.set_flag(COMPARED, before);
    result.map(Some)
}

/// Runs `body`, unless the object is already being processed: then None.
pub(crate) fn once<R>(vm: &mut Vm, this: &Value, body: impl FnOnce(&mut Vm) -> Res<R>) -> Res<Option<R>> {
    vm.check_stack()?;
    vm.tick_by(1)?;
    if this.flag(BUSY) {
        return Ok(None);
    }
    this.set_flag(BUSY, true);
    let result = body(vm);
    this.set_flag(BUSY, false);
    result.map(Some)
}
