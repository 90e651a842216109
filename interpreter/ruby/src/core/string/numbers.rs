//! Converting text to numbers.

use super::common::me;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_text::number::{self, ComplexParts, Int, NumberError, Part};

pub(super) static METHODS: &[MethodDef] = &[
    opt("to_i", to_i, 0, 1),
    def("to_f", to_f, 0),
    def("to_r", to_r, 0),
    def("to_c", to_c, 0),
    def("hex", hex, 0),
    def("oct", oct, 0),
];

pub fn int(number: Int) -> Value {
    match number {
        Int::Small(number) => Value::Int(number),
        Int::Big(number) => Value::big(number),
    }
}
/// The exception for text that is not a number.
pub fn number_error(vm: &mut Vm, error: &NumberError) -> Error {
    let class = match error {
        NumberError::ZeroDivision => ClassId::ZERO_DIVISION_ERROR,
        NumberError::TooLarge => ClassId::NO_MEMORY_ERROR,
        _ => ClassId::ARGUMENT_ERROR,
    };
    vm.error(class, error.to_string())
}
/// The bytes of a String; an error if its encoding is not ASCII-compatible.
fn ascii<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a [u8]> {
    let me = me(vm, this)?;
    crate::core::conversions::check_ascii(vm, me)?;
    Ok(me.get(vm).bytes())
}
fn parse(vm: &mut Vm, this: &Value, base: i64) -> Res {
    let parsed = number::parse_int(ascii(vm, this)?, base);
    parsed.map(int).map_err(|error| number_error(vm, &error))
}
fn to_i(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let base = match args.get(0) {
        None => 10,
        Some(base) => vm.to_int(base)?,
    };
    if base < 0 {
        return Err(vm.argument_error(format!("invalid radix {base}")));
    }
    parse(vm, this, base)
}
fn hex(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    parse(vm, this, 16)
}
fn oct(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    parse(vm, this, -8)
}
fn to_f(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(number::parse_float(me(vm, this)?.get(vm).bytes())))
}
fn to_r(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match number::parse_rational(ascii(vm, this)?) {
        Ok((num, den)) => rational(vm, num, den),
        Err(error) => Err(number_error(vm, &error)),
    }
}
fn rational(vm: &mut Vm, num: Int, den: Int) -> Res {
    let main = vm.main.clone();
    vm.call(&main, Symbol::intern_static("Rational"), &[int(num), int(den)])
}
fn complex_part(vm: &mut Vm, part: Part) -> Res {
    match part {
        Part::Int(number) => Ok(int(number)),
        Part::Float(number) => Ok(Value::float(number)),
        Part::Rational(num, den) => rational(vm, num, den),
    }
}
fn to_c(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let parsed = number::parse_complex(ascii(vm, this)?);
    let (name, a, b) = match parsed {
        Ok(ComplexParts::Rect(a, b)) => ("rect", a, b),
        Ok(ComplexParts::Polar(a, b)) => ("polar", a, b),
        Err(error) => return Err(number_error(vm, &error)),
    };
    let (a, b) = (complex_part(vm, a)?, complex_part(vm, b)?);
    vm.call_name(&Value::Class(ClassId::COMPLEX), name, &[a, b])
}
