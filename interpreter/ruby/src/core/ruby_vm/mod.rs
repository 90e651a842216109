//! RubyVM: what programs ask of MRI itself. `tree` has the trees of sources, `find` the nodes of code and places.

mod find;
mod tree;

pub(crate) use find::{definitions, read};

use crate::Vm;
use crate::class::ClassId;

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::OBJECT, "RubyVM", ClassId::OBJECT);
    vm.undefine_new(class);
    tree::boot(vm, class);
}
