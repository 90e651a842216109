//! String's methods where the pattern is a Regexp.

use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::method::MethodDef;
use crate::value::Value;

/// `=~`, `match`, `match?`, `scan`, `gsub`, `gsub!`, `sub`, `sub!`.
pub(super) static METHODS: &[MethodDef] = &[];

fn missing(vm: &mut Vm, method: &str) -> Res {
    Err(vm.not_implemented(format!("String#{method} with a Regexp is not built")))
}
/// `index(regexp, from = 0)`
pub(super) fn index(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "index")
}
/// `rindex(regexp, from = length)`
pub(super) fn rindex(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "rindex")
}
/// `[regexp]`, `[regexp, capture]`
pub(super) fn aref(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "[]")
}
/// `[regexp] = text`, `[regexp, capture] = text`; frozen is checked by the caller.
pub(super) fn aset(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "[]=")
}
/// `slice!(regexp)`, `slice!(regexp, capture)`; frozen is checked by the caller.
pub(super) fn slice_bang(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "slice!")
}
/// `start_with?` of one Regexp: true or false.
pub(super) fn start_with(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "start_with?")
}
/// `split(regexp, limit = 0)`, with or without a block
pub(super) fn split(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "split")
}
/// `partition(regexp)`
pub(super) fn partition(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "partition")
}
/// `rpartition(regexp)`
pub(super) fn rpartition(vm: &mut Vm, _this: &Value, _args: Args<'_>) -> Res {
    missing(vm, "rpartition")
}
