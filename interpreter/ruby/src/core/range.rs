//! Range.

use crate::Vm;
use crate::error::Res;
use crate::value::Value;
use rchef_syntax::symbol::sym;

/// A Range whose ends compare; ArgumentError otherwise.
pub fn new_range(vm: &mut Vm, begin: Value, end: Value, exclusive: bool) -> Res {
    let fine = matches!((&begin, &end), (Value::Int(_), Value::Int(_)) | (Value::Nil, _) | (_, Value::Nil))
        || vm.rescue(crate::class::ClassId::STANDARD_ERROR, |vm| Ok(!vm.call(&begin, sym::CMP, std::slice::from_ref(&end))?.is_nil()), |_, _| Ok(false))?;
    if !fine {
        return Err(vm.argument_error("bad value for range"));
    }
    Ok(Value::range(begin, end, exclusive))
}

pub(super) fn boot(_vm: &mut Vm) {}
