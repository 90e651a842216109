//! Numbers in an IO::Buffer, by the names of their types: small letters are little-endian, capitals big-endian.

use super::{check_readable, check_writable, part, put, size_arg};
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::string::RString;
use crate::value::Value;
use rchef_text::encoding::Encoding;

/// The size of a type in bytes, and the directive of `String#unpack1` for it.
fn kind(vm: &mut Vm, name: &Value) -> Res<(usize, &'static str)> {
    let Value::Sym(name) = name else {
        let described = vm.describe(name);
        return Err(vm.type_error(format!("wrong argument type {described} (expected Symbol)")));
    };
    Ok(match name.as_str() {
        "U8" => (1, "C"),
        "S8" => (1, "c"),
        "u16" => (2, "S<"),
        "U16" => (2, "S>"),
        "s16" => (2, "s<"),
        "S16" => (2, "s>"),
        "u32" => (4, "L<"),
        "U32" => (4, "L>"),
        "s32" => (4, "l<"),
        "S32" => (4, "l>"),
        "u64" => (8, "Q<"),
        "U64" => (8, "Q>"),
        "s64" => (8, "q<"),
        "S64" => (8, "q>"),
        "f32" => (4, "e"),
        "F32" => (4, "g"),
        "f64" => (8, "E"),
        "F64" => (8, "G"),
        _ => return Err(vm.argument_error("Invalid type name!")),
    })
}
fn check_room(vm: &mut Vm, all: usize, offset: usize, size: usize) -> Res<()> {
    match offset.checked_add(size) {
        Some(end) if end <= all => Ok(()),
        _ => Err(vm.argument_error("Type extends beyond end of buffer!")),
    }
}
/// The number to be set, converted as MRI converts it to the C type that it takes for the type.
fn to_number(vm: &mut Vm, value: &Value, directive: &str) -> Res {
    Ok(match directive.as_bytes()[0] {
        b'C' | b'S' | b'L' => Value::Int(i64::from(vm.to_c_unsigned(value)?)),
        b'c' | b's' | b'l' => Value::Int(i64::from(vm.to_c_int(value)?)),
        b'Q' => Value::Int(vm.to_c_wide(value, true)? as i64),
        b'q' => Value::Int(vm.to_c_wide(value, false)? as i64),
        _ => Value::float(vm.to_c_double(value)?),
    })
}
pub(super) fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let offset = size_arg(vm, args.at(1))?;
    let all = check_readable(vm, this)?;
    let (size, directive) = kind(vm, args.at(0))?;
    check_room(vm, all, offset, size)?;
    let bytes = part(vm, this, offset, size)?;
    vm.call_name(&Value::string(RString::new(bytes, Encoding::Binary)), "unpack1", &[Value::str(directive)])
}
pub(super) fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let offset = size_arg(vm, args.at(1))?;
    let all = check_writable(vm, this)?;
    let (size, directive) = kind(vm, args.at(0))?;
    check_room(vm, all, offset, size)?;
    let number = to_number(vm, args.at(2), directive)?;
    let packed = vm.call_name(&Value::array(vec![number]), "pack", &[Value::str(directive)])?;
    if let Value::Str(packed) = packed {
        let new = packed.get(vm).bytes().to_vec();
        put(vm, this, offset, &new)?;
    }
    Ok(Value::len(offset))
}
