//! String, a file for each kind of method.

mod regexp;

use crate::Vm;
use crate::class::ClassId;

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::STRING, regexp::METHODS);
}
