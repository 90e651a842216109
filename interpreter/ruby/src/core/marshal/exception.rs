//! What Marshal keeps of an exception beside its instance variables: the names are those that MRI's format has.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::ExceptionData;
use crate::value::Value;

#[derive(Clone, Copy)]
enum Field {
    Receiver,
    Detail,
    Extra,
    PrivateCall,
    Cause,
}

/// Names of fields by class.
const FIELDS: &[(ClassId, &[(&str, Field)])] = &[
    (ClassId::NAME_ERROR, &[("name", Field::Detail)]),
    (ClassId::NO_METHOD_ERROR, &[("args", Field::Extra), ("private_call?", Field::PrivateCall)]),
    (ClassId::NO_MATCHING_PATTERN_KEY_ERROR, &[("key", Field::Detail), ("matchee", Field::Receiver)]),
    (ClassId::KEY_ERROR, &[("key", Field::Detail), ("receiver", Field::Receiver)]),
    (ClassId::SYSTEM_EXIT, &[("status", Field::Detail)]),
    (ClassId::UNCAUGHT_THROW_ERROR, &[("tag", Field::Detail), ("value", Field::Extra)]),
    (ClassId::STOP_ITERATION, &[("result", Field::Detail)]),
    (ClassId::SYSTEM_CALL_ERROR, &[("errno", Field::Detail)]),
    (ClassId::SIGNAL_EXCEPTION, &[("signo", Field::Detail)]),
    (ClassId::LOCAL_JUMP_ERROR, &[("@exit_value", Field::Extra), ("@reason", Field::Detail)]),
    (ClassId::EXCEPTION, &[("cause", Field::Cause)]),
];

fn fields_of(vm: &Vm, exception: &Value) -> Vec<(&'static str, Field)> {
    (FIELDS.iter()).filter(|(class, _)| vm.is_a(exception, *class)).flat_map(|(_, fields)| *fields).copied().collect()
}

/// The fields that an exception has, with their values.
pub(super) fn fields(vm: &Vm, exception: &Value) -> Vec<(Symbol, Value)> {
    let Some(data) = vm.data::<ExceptionData>(exception) else { return Vec::new() };
    let value = |field| match field {
        Field::Receiver => data.receiver.clone(),
        Field::Detail => data.detail.clone(),
        Field::Extra => data.extra.clone(),
        Field::PrivateCall => Value::bool(data.private_call),
        Field::Cause => data.cause.clone(),
    };
    let named = fields_of(vm, exception).into_iter().map(|(name, field)| (name, field, value(field)));
    named
        .filter(|(_, field, value)| !(value.is_undef() || matches!(field, Field::Cause) && value.is_nil()))
        .map(|(name, _, value)| (Symbol::intern_static(name), value))
        .collect()
}

/// Sets a field by its name; false if an exception of this class has none of that name.
pub(super) fn set_field(vm: &mut Vm, exception: &Value, name: &str, value: &Value) -> bool {
    let Some((_, field)) = fields_of(vm, exception).into_iter().find(|(known, _)| *known == name) else { return false };
    let Some(data) = vm.data_mut::<ExceptionData>(exception) else { return false };
    let slot = match field {
        Field::Receiver => &mut data.receiver,
        Field::Detail => &mut data.detail,
        Field::Extra => &mut data.extra,
        Field::Cause => &mut data.cause,
        Field::PrivateCall => {
            data.private_call = value.truthy();
            return true;
        }
    };
    *slot = value.clone();
    true
}
