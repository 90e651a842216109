//! Kernel#Integer, Float, Rational, Complex, Array, Hash, String.

use crate::Gc;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::numeric::from_text_int;
use crate::error::{Error, Res};
use crate::hash::RHash;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_text::number::{self, NumberError};

static FUNCTIONS: &[MethodDef] = &[
    opt("Integer", integer, 1, 3),
    opt("Float", float, 1, 2),
    opt("Rational", super::rational::convert, 1, 3),
    opt("Complex", super::complex::convert, 1, 3),
    def("Array", array, 1),
    def("Hash", hash, 1),
    def("String", string, 1),
];

/// The exception for text that is not a number.
pub(super) fn number_error(vm: &mut Vm, error: &NumberError) -> Error {
    match error {
        NumberError::ZeroDivision => super::numeric::zero_division(vm),
        NumberError::TooLarge => vm.error(ClassId::NO_MEMORY_ERROR, error.to_string()),
        other => vm.argument_error(other.to_string()),
    }
}

/// Reads `exception:`; returns the positional arguments and whether failures raise.
pub(super) fn exception_option<'a>(vm: &mut Vm, args: &Args<'a>) -> Res<(&'a [Value], bool)> {
    let (pos, [exception]) = args.take_keywords(vm, [sym::EXCEPTION])?;
    match exception {
        None | Some(Value::True) => Ok((pos, true)),
        Some(Value::False) => Ok((pos, false)),
        Some(other) => {
            let shown = vm.inspect(&other)?;
            Err(vm.argument_error(format!("expected true or false as exception: {shown}")))
        }
    }
}
/// Runs a conversion; if `raises` is false, the result of a failure is nil.
pub(super) fn quietly(vm: &mut Vm, raises: bool, convert: impl FnOnce(&mut Vm) -> Res) -> Res {
    if raises { convert(vm) } else { vm.rescue(ClassId::STANDARD_ERROR, convert, |_, _| Ok(Value::Nil)) }
}

fn integer(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, raises) = exception_option(vm, &args)?;
    if !(1..=2).contains(&pos.len()) {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    quietly(vm, raises, |vm| {
        to_integer(vm, &pos[0], pos.get(1).filter(|base| !matches!(base, Value::Nil | Value::Int(0))))
    })
}

/// `Integer(value, base)`
pub fn to_integer(vm: &mut Vm, value: &Value, base: Option<&Value>) -> Res {
    if let Some(base) = base {
        let base = vm.to_int(base)?;
        return match vm.check_str(value)? {
            Some(text) => parse_integer(vm, &Value::Str(text), base),
            None => Err(vm.argument_error("base specified for non string value")),
        };
    }
    match value {
        Value::Int(_) | Value::Big(_) => return Ok(value.clone()),
        Value::Float(number) => return vm.float_to_integer(number.get()),
        Value::Str(_) => return parse_integer(vm, value, 0),
        Value::Nil => return Err(vm.type_error_of(value, "can't convert nil into Integer")),
        _ => {}
    }
    if let Some(found @ (Value::Int(_) | Value::Big(_))) = vm.try_convert(value, sym::TO_INT)? {
        return Ok(found);
    }
    match vm.try_convert(value, sym::TO_I)? {
        Some(found @ (Value::Int(_) | Value::Big(_))) => Ok(found),
        Some(other) => {
            let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&other));
            Err(vm.type_error(format!("can't convert {class} to Integer ({class}#to_i gives {gave})")))
        }
        None => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("can't convert {described} into Integer")))
        }
    }
}
fn parse_integer(vm: &mut Vm, value: &Value, base: i64) -> Res {
    let text = vm.to_str(value)?;
    check_ascii(vm, &text)?;
    let parsed = number::parse_int_strict(text.get(vm).bytes(), base);
    parsed.map(from_text_int).map_err(|error| number_error(vm, &error))
}

/// An error if the encoding of a String is not ASCII-compatible.
pub(crate) fn check_ascii(vm: &mut Vm, text: &Gc<RString>) -> Res<()> {
    let encoding = text.get(vm).encoding();
    if encoding.is_ascii_compatible() {
        return Ok(());
    }
    Err(vm.error(ClassId::COMPATIBILITY_ERROR, format!("ASCII incompatible encoding: {}", encoding.name())))
}

fn float(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, raises) = exception_option(vm, &args)?;
    if pos.len() != 1 {
        return Err(vm.arity_error(pos.len(), "1"));
    }
    quietly(vm, raises, |vm| to_float(vm, &pos[0]).map(Value::float))
}
/// `Float(value)`
pub fn to_float(vm: &mut Vm, value: &Value) -> Res<f64> {
    match value {
        Value::Str(text) => {
            let parsed = number::parse_float_strict(text.get(vm).bytes());
            parsed.map_err(|error| number_error(vm, &error))
        }
        Value::Float(_) | Value::Int(_) | Value::Big(_) => vm.to_f64(value),
        _ if vm.is_a(value, ClassId::NUMERIC) && !vm.respond_to(value, sym::TO_F, true)? => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("can't convert {described} into Float")))
        }
        Value::Object(_) if !vm.is_a(value, ClassId::NUMERIC) && vm.respond_to(value, sym::TO_F, true)? => {
            match vm.call(value, sym::TO_F, &[])? {
                Value::Float(number) => Ok(number.get()),
                other => {
                    let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&other));
                    Err(vm.type_error(format!("can't convert {class} to Float ({class}#to_f gives {gave})")))
                }
            }
        }
        _ => vm.to_f64(value),
    }
}
fn array(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        value @ Value::Array(_) => Ok(value.clone()),
        value => match vm.check_ary(value)? {
            Some(found) => Ok(Value::Array(found)),
            None => Ok(Value::array(vm.splat(value)?)),
        },
    }
}
fn hash(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let value = args.at(0);
    match value {
        Value::Nil => return Ok(Value::hash(RHash::default())),
        Value::Array(gc) if gc.get(vm).items.is_empty() => return Ok(Value::hash(RHash::default())),
        _ => {}
    }
    match vm.check_hash(value)? {
        Some(found) => Ok(Value::Hash(found)),
        None => {
            let class = vm.class_name_of(value);
            Err(vm.type_error(format!("can't convert {class} into Hash")))
        }
    }
}
fn string(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let value = args.at(0);
    if let Some(found) = vm.check_str(value)? {
        return Ok(Value::Str(found));
    }
    match vm.try_convert(value, sym::TO_S)? {
        Some(found @ Value::Str(_)) => Ok(found),
        Some(other) => {
            let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&other));
            Err(vm.type_error(format!("can't convert {class} to String ({class}#to_s gives {gave})")))
        }
        None => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("can't convert {described} into String")))
        }
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
}
