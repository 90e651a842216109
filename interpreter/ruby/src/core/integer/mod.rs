//! Integer: `big`: slow operations on big numbers; `ops`: arithmetic and comparison; `bits`: bitwise operators; `misc`: everything else.

pub mod big;
mod bits;
mod misc;
mod ops;

pub use ops::{add, sub};

use crate::Vm;
use crate::class::ClassId;
use crate::value::Value;

pub(super) fn boot(vm: &mut Vm) {
    super::numeric::without_new(vm, ClassId::INTEGER);
    vm.define_methods(ClassId::INTEGER, ops::METHODS);
    vm.define_methods(ClassId::INTEGER, bits::METHODS);
    vm.define_methods(ClassId::INTEGER, misc::METHODS);
    vm.define_singleton_methods(ClassId::INTEGER, misc::SINGLETON);
    // code written for Ruby before 3.2 uses these constants
    for name in ["Fixnum", "Bignum"] {
        vm.const_set_deprecated(ClassId::OBJECT, crate::Symbol::intern_static(name), Value::Class(ClassId::INTEGER));
    }
}
