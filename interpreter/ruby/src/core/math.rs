//! Math.

use crate::Vm;
use crate::class::ClassId;
use crate::error::Error;

/// Math::DomainError
#[cold]
pub fn domain_error(vm: &mut Vm, message: &str) -> Error {
    let class = vm.class_named("Math::DomainError").unwrap_or(ClassId::ARGUMENT_ERROR);
    vm.error(class, message)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_class(ClassId::MATH, "DomainError", ClassId::ARGUMENT_ERROR);
}
