//! Process::Tms, the Struct that `Process.times` returns.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::core::structs::make_class;
use crate::value::Value;

pub(super) fn boot(vm: &mut Vm) {
    let members = ["utime", "stime", "cutime", "cstime"].map(Symbol::intern_static);
    let class = make_class(vm, ClassId::STRUCT, &members, None);
    vm.const_set(ClassId::PROCESS, Symbol::intern_static("Tms"), Value::Class(class));
}
