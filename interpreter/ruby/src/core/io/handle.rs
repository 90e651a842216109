//! Converts between IO objects and streams.

use super::stream::{IoData, Stream};
use crate::Vm;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::rc::Rc;

/// The stream of an IO object; TypeError for other values.
pub fn stream_of(vm: &mut Vm, value: &Value) -> Res<Rc<Stream>> {
    if let Some(data) = vm.data::<IoData>(value) {
        let stream = data.0.clone();
        super::scheduled::note_io(vm, &stream, value);
        return Ok(stream);
    }
    if vm.is_a(value, ClassId::IO) {
        return Err(vm.error(ClassId::IO_ERROR, "uninitialized stream"));
    }
    let described = vm.describe(value);
    Err(vm.type_error(format!("wrong argument type {described} (expected File)")))
}

/// The stream of an IO object, or of the result of `to_io`.
pub fn to_stream(vm: &mut Vm, value: &Value) -> Res<Rc<Stream>> {
    let io = to_io(vm, value)?;
    stream_of(vm, &io)
}

/// An IO object, converted with `to_io`.
pub fn to_io(vm: &mut Vm, value: &Value) -> Res {
    if vm.is_a(value, ClassId::IO) {
        return Ok(value.clone());
    }
    match vm.try_convert(value, sym::TO_IO)? {
        Some(io) if vm.is_a(&io, ClassId::IO) => Ok(io),
        Some(other) => {
            let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&other));
            Err(vm.type_error(format!("can't convert {class} to IO ({class}#to_io gives {gave})")))
        }
        None => {
            let described = vm.describe(value);
            Err(vm.type_error_of(value, format!("no implicit conversion of {described} into IO")))
        }
    }
}

/// Creates an IO object for a stream.
pub fn object(class: ClassId, stream: Rc<Stream>) -> Value {
    Value::data(class, IoData(stream))
}

use crate::error::{Error, Unwind, empty};

/// `IO::EAGAINWaitReadable` or a related class.
pub fn would_block(vm: &mut Vm, class: &'static str, what: &str) -> Error {
    let id = vm.class_named(&format!("IO::{class}")).unwrap_or(ClassId::SYSTEM_CALL_ERROR);
    let message = Value::str(format!("Resource temporarily unavailable - {what}"));
    let data = crate::error::ExceptionData { message, detail: Value::Int(11), ..empty() };
    Unwind::Raise(vm.new_exception_with(id, data)).into()
}
