//! External iteration: next, peek, rewind, feed, on a coroutine.

use crate::Vm;
use crate::error::Res;
use crate::value::Value;

/// State of external iteration.
#[derive(Default)]
pub(crate) struct External {
    running: bool,
}
impl External {
    /// Whether `next` has been called.
    pub(crate) fn started(&self) -> bool {
        self.running
    }
}
/// Forgets where `next` was.
pub(super) fn reset(_: &mut Vm, _: &Value) {}

/// The next element of an Enumerator, or nil at its end.
pub fn next_or_nil(vm: &mut Vm, _: &Value) -> Res {
    Err(vm.not_implemented("Enumerator#next"))
}
pub(super) fn boot(_: &mut Vm) {}
