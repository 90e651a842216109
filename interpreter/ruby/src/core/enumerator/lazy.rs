//! Enumerator::Lazy.

use super::Size;
use crate::Symbol;
use crate::Vm;
use crate::error::Res;
use crate::value::Value;

/// Enumerable#lazy
pub fn new_lazy_of(vm: &mut Vm, _: &Value) -> Res {
    Err(vm.not_implemented("Enumerator::Lazy"))
}
/// The Lazy of an iterator of a Lazy.
pub(super) fn new_lazy_method(_: &mut Vm, receiver: &Value, _: Symbol, _: &[Value], _: Size) -> Value {
    receiver.clone()
}
pub(super) fn boot(_: &mut Vm) {}
