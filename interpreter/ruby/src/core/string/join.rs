//! Compatibility of encodings for concatenation and comparison.

use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::string::RString;
use crate::vm::Vm;
use rchef_text::encoding::{self as enc, Encoding, Operand};

/// A String for the compatibility check.
pub(crate) fn operand(string: &RString) -> Operand {
    Operand::string(string.encoding(), string.bytes().is_empty(), string.range())
}

/// The encoding of a concatenation of two Strings; Encoding::CompatibilityError if they are not compatible.
pub fn compatible(vm: &mut Vm, a: &Gc<RString>, b: &Gc<RString>) -> Res<Encoding> {
    let (x, y) = (a.get(vm), b.get(vm));
    if x.encoding() == y.encoding() {
        return Ok(x.encoding());
    }
    match enc::compatible(operand(x), operand(y)) {
        Some(found) => Ok(found),
        None => {
            let (x, y) = (x.encoding(), y.encoding());
            Err(incompatible(vm, x, y))
        }
    }
}

/// Encoding::CompatibilityError
#[cold]
pub fn incompatible(vm: &mut Vm, a: Encoding, b: Encoding) -> Error {
    vm.error(ClassId::COMPATIBILITY_ERROR, format!("incompatible character encodings: {} and {}", a.name(), b.name()))
}
