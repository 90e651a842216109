//! Float.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::coerce::mix;
use crate::core::natives::itself;
use crate::core::numeric::{
    coerce_bin, coerce_cmp, coerce_relop, compare_int_float, digits_arg, from_text_int, ordering_value, real_f64,
    round_args, zero_division,
};
use crate::core::{complex, rational};
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::Value;
use num_bigint::BigInt;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::number::{self, Int, RoundError};
use std::cmp::Ordering;

static METHODS: &[MethodDef] = &[
    def("+", plus, 1),
    def("-", minus, 1),
    def("*", times, 1),
    def("/", divide, 1),
    def("quo", divide, 1),
    def("fdiv", divide, 1),
    def("%", modulo, 1),
    def("modulo", modulo, 1),
    def("divmod", divmod, 1),
    def("**", pow, 1),
    def("-@", negate, 0),
    def("==", equal, 1),
    def("===", equal, 1),
    def("eql?", eql, 1),
    def("<=>", compare, 1),
    def("<", lt, 1),
    def("<=", le, 1),
    def(">", gt, 1),
    def(">=", ge, 1),
    def("hash", hash, 0),
    def("abs", abs, 0),
    def("magnitude", abs, 0),
    def("angle", arg, 0),
    def("arg", arg, 0),
    def("phase", arg, 0),
    opt("ceil", ceil, 0, 1),
    opt("floor", floor, 0, 1),
    opt("round", round, 0, 2),
    opt("truncate", truncate, 0, 1),
    def("coerce", coerce, 1),
    def("numerator", numerator, 0),
    def("denominator", denominator, 0),
    def("finite?", is_finite, 0),
    def("infinite?", is_infinite, 0),
    def("nan?", is_nan, 0),
    def("negative?", is_negative, 0),
    def("positive?", is_positive, 0),
    def("zero?", is_zero, 0),
    def("next_float", next_float, 0),
    def("prev_float", prev_float, 0),
    opt("rationalize", rationalize, 0, 1),
    def("to_f", itself, 0),
    def("to_i", to_i, 0),
    def("to_int", to_i, 0),
    def("to_r", to_r, 0),
    def("to_s", to_s, 0),
    def("inspect", to_s, 0),
];

fn this_f64(this: &Value) -> f64 {
    match this {
        Value::Float(number) => number.get(),
        _ => f64::NAN,
    }
}

/// `a / b` for Floats.
pub fn float_div(a: f64, b: f64) -> f64 {
    a / b
}
/// The remainder with the sign of `b`.
fn modulus(a: f64, b: f64) -> f64 {
    if b.is_nan() {
        return b;
    }
    let rest = if b.is_infinite() && a.is_finite() { a } else { a % b };
    if b * rest < 0.0 { rest + b } else { rest }
}
/// `a % b`; ZeroDivisionError if the divisor is zero.
pub fn float_mod(vm: &mut Vm, a: f64, b: f64) -> Res {
    if b == 0.0 {
        return Err(zero_division(vm));
    }
    Ok(Value::float(modulus(a, b)))
}
/// `a.divmod(b)`; ZeroDivisionError if the divisor is zero, FloatDomainError if the quotient is NaN or infinite.
pub fn float_divmod(vm: &mut Vm, a: f64, b: f64) -> Res {
    if b == 0.0 {
        return Err(zero_division(vm));
    }
    let rest = if b.is_nan() {
        b
    } else if b.is_infinite() && a.is_finite() {
        a
    } else {
        a % b
    };
    let mut quotient = if a.is_infinite() && b.is_finite() { a } else { ((a - rest) / b).round() };
    let mut rest = rest;
    if b * rest < 0.0 {
        rest += b;
        quotient -= 1.0;
    }
    let quotient = vm.float_to_integer(quotient)?;
    Ok(Value::array(vec![quotient, Value::float(rest)]))
}
/// `a ** b`; a Complex if the base is negative and the exponent not an integer.
pub fn float_pow(vm: &mut Vm, this: &Value, a: f64, b: f64) -> Res {
    if a < 0.0 && b.is_nan() {
        return Ok(complex::new(Value::float(f64::NAN), Value::float(f64::NAN)));
    }
    if a < 0.0 && b.is_finite() && b != b.round() {
        // for half-integer exponents the result is exactly on the imaginary axis
        if b.fract().abs() == 0.5 {
            let length = (-a).powf(b);
            let down = (b.floor() / 2.0).fract() != 0.0;
            return Ok(complex::new(Value::float(0.0), Value::float(if down { -length } else { length })));
        }
        let base = complex::new(this.clone(), Value::Int(0));
        return vm.call(&base, sym::POW, &[Value::float(b)]);
    }
    Ok(Value::float(a.powf(b)))
}

fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match real_f64(vm, args.at(0)) {
        Some(other) => Ok(Value::float(this_f64(this) + other)),
        None => coerce_bin(vm, this, args.at(0), sym::PLUS),
    }
}
fn minus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match real_f64(vm, args.at(0)) {
        Some(other) => Ok(Value::float(this_f64(this) - other)),
        None => coerce_bin(vm, this, args.at(0), sym::MINUS),
    }
}
fn times(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match real_f64(vm, args.at(0)) {
        Some(other) => Ok(Value::float(this_f64(this) * other)),
        None => coerce_bin(vm, this, args.at(0), sym::STAR),
    }
}
fn divide(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match real_f64(vm, args.at(0)) {
        Some(other) => Ok(Value::float(this_f64(this) / other)),
        None => coerce_bin(vm, this, args.at(0), sym::SLASH),
    }
}
fn modulo(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match real_f64(vm, args.at(0)) {
        Some(other) => float_mod(vm, this_f64(this), other),
        None => coerce_bin(vm, this, args.at(0), sym::PERCENT),
    }
}
fn divmod(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match real_f64(vm, args.at(0)) {
        Some(other) => float_divmod(vm, this_f64(this), other),
        None => coerce_bin(vm, this, args.at(0), Symbol::intern_static("divmod")),
    }
}
fn pow(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match real_f64(vm, args.at(0)) {
        Some(other) => float_pow(vm, this, this_f64(this), other),
        None => coerce_bin(vm, this, args.at(0), sym::POW),
    }
}
fn negate(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(-this_f64(this)))
}
fn order(vm: &Vm, this: &Value, other: &Value) -> Option<Option<Ordering>> {
    let number = this_f64(this);
    match other {
        Value::Float(other) => Some(number.partial_cmp(&other.get())),
        Value::Int(_) | Value::Big(_) => Some(compare_int_float(vm, other, number).map(Ordering::reverse)),
        _ => None,
    }
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    match order(vm, this, other) {
        Some(ordering) => Ok(Value::bool(ordering == Some(Ordering::Equal))),
        None if matches!(other, Value::Nil | Value::True | Value::False | Value::Sym(_)) => Ok(Value::False),
        None => {
            vm.check_stack()?;
            Ok(Value::bool(vm.call(other, sym::EQ, std::slice::from_ref(this))?.truthy()))
        }
    }
}
fn eql(_: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(matches!(args.at(0), Value::Float(other) if other.get() == this_f64(this))))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (number, other) = (this_f64(this), args.at(0));
    if let Some(ordering) = order(vm, this, other) {
        return Ok(ordering.map(ordering_value).unwrap_or_default());
    }
    let infinite = Symbol::intern_static("infinite?");
    if number.is_infinite() && vm.respond_to(other, infinite, false)? {
        let answer = vm.call(other, infinite, &[])?;
        if answer.truthy() {
            let sign = vm.ordering(&answer, other, this)?;
            let own = if number > 0.0 { Ordering::Greater } else { Ordering::Less };
            return Ok(ordering_value(if sign == own { Ordering::Equal } else { own }));
        }
        return Ok(Value::Int(if number > 0.0 { 1 } else { -1 }));
    }
    coerce_cmp(vm, this, other)
}
fn relation(vm: &mut Vm, this: &Value, other: &Value, name: Symbol, holds: impl Fn(Ordering) -> bool) -> Res {
    match order(vm, this, other) {
        Some(ordering) => Ok(Value::bool(ordering.is_some_and(holds))),
        None => coerce_relop(vm, this, other, name),
    }
}
fn lt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    relation(vm, this, args.at(0), sym::LT, Ordering::is_lt)
}
fn le(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    relation(vm, this, args.at(0), sym::LE, Ordering::is_le)
}
fn gt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    relation(vm, this, args.at(0), sym::GT, Ordering::is_gt)
}
fn ge(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    relation(vm, this, args.at(0), sym::GE, Ordering::is_ge)
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(vm.hash_core(this, crate::coerce::Hashed::Shown).unwrap_or_else(|| mix(5, 0)) as i64))
}
fn abs(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(this_f64(this).abs()))
}
fn arg(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let number = this_f64(this);
    Ok(if number.is_nan() {
        this.clone()
    } else if number.is_sign_negative() {
        Value::float(std::f64::consts::PI)
    } else {
        Value::Int(0)
    })
}
fn rounded(vm: &mut Vm, result: Result<Result<f64, Int>, RoundError>) -> Res {
    match result {
        Ok(Ok(number)) => Ok(Value::float(number)),
        Ok(Err(number)) => Ok(from_text_int(number)),
        Err(error @ RoundError::Domain(_)) => Err(vm.error(ClassId::FLOAT_DOMAIN_ERROR, error.to_string())),
        Err(error) => Err(vm.argument_error(error.to_string())),
    }
}
fn digits(vm: &mut Vm, args: Args<'_>) -> Res<i64> {
    args.get(0).map_or(Ok(0), |digits| digits_arg(vm, digits))
}
fn ceil(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let digits = digits(vm, args)?;
    rounded(vm, number::float_ceil(this_f64(this), digits))
}
fn floor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let digits = digits(vm, args)?;
    rounded(vm, number::float_floor(this_f64(this), digits))
}
fn truncate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if this_f64(this) > 0.0 { floor(vm, this, args) } else { ceil(vm, this, args) }
}
fn round(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (digits, mode) = round_args(vm, &args)?;
    rounded(vm, number::float_round(this_f64(this), digits.unwrap_or(0), mode))
}
fn coerce(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = super::conversions::to_float(vm, args.at(0))?;
    Ok(Value::array(vec![Value::float(other), this.clone()]))
}
/// A finite Float as an exact fraction.
pub fn exact(number: f64) -> (BigInt, BigInt) {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let mantissa = BigInt::from(if number < 0.0 { -(mantissa as i64) } else { mantissa as i64 });
    if exponent >= 0 { (mantissa << exponent, BigInt::from(1)) } else { (mantissa, BigInt::from(1) << -exponent) }
}
pub(super) fn to_rational(vm: &mut Vm, number: f64) -> Res {
    if !number.is_finite() {
        return vm.float_to_integer(number);
    }
    let (numerator, denominator) = exact(number);
    rational::reduced(vm, numerator, denominator)
}
fn numerator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if !this_f64(this).is_finite() {
        return Ok(this.clone());
    }
    let rational = to_rational(vm, this_f64(this))?;
    vm.call_name(&rational, "numerator", &[])
}
fn denominator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if !this_f64(this).is_finite() {
        return Ok(Value::Int(1));
    }
    let rational = to_rational(vm, this_f64(this))?;
    vm.call_name(&rational, "denominator", &[])
}
fn is_finite(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_f64(this).is_finite()))
}
fn is_infinite(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let number = this_f64(this);
    Ok(if number.is_infinite() { Value::Int(if number > 0.0 { 1 } else { -1 }) } else { Value::Nil })
}
fn is_nan(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_f64(this).is_nan()))
}
fn is_negative(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_f64(this) < 0.0))
}
fn is_positive(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_f64(this) > 0.0))
}
fn is_zero(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_f64(this) == 0.0))
}
fn next_float(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(this_f64(this).next_up()))
}
fn prev_float(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(this_f64(this).next_down()))
}
fn rationalize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let number = this_f64(this);
    if !number.is_finite() {
        return vm.float_to_integer(number.abs());
    }
    if let Some(within) = args.get(0) {
        let found = rational::rationalize_within(vm, &Value::float(number.abs()), within)?;
        return if number < 0.0 { vm.call(&found, sym::UMINUS, &[]) } else { Ok(found) };
    }
    let found = {
        let bits = number.abs().to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        // MRI's frexp returns 53 bits for subnormals too
        let (mut mantissa, mut exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        while mantissa != 0 && mantissa < 1 << 52 {
            mantissa <<= 1;
            exponent -= 1;
        }
        if mantissa == 0 || exponent >= 0 {
            to_rational(vm, number.abs())?
        } else {
            let twice = BigInt::from(mantissa) * 2;
            let den = BigInt::from(1) << (1 - exponent);
            rational::simplest_between(vm, (&twice - 1, den.clone()), (twice + 1, den))?
        }
    };
    if number < 0.0 { vm.call(&found, sym::UMINUS, &[]) } else { Ok(found) }
}
fn to_i(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.float_to_integer(this_f64(this))
}
fn to_r(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    to_rational(vm, this_f64(this))
}
fn to_s(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::string(RString::ascii(&number::float_to_s(this_f64(this)))))
}

pub(super) fn boot(vm: &mut Vm) {
    super::numeric::without_new(vm, ClassId::FLOAT);
    vm.define_methods(ClassId::FLOAT, METHODS);
    let constants = [
        ("RADIX", Value::Int(2)),
        ("MANT_DIG", Value::Int(53)),
        ("DIG", Value::Int(15)),
        ("MIN_EXP", Value::Int(-1021)),
        ("MAX_EXP", Value::Int(1024)),
        ("MIN_10_EXP", Value::Int(-307)),
        ("MAX_10_EXP", Value::Int(308)),
        ("MIN", Value::float(f64::MIN_POSITIVE)),
        ("MAX", Value::float(f64::MAX)),
        ("EPSILON", Value::float(f64::EPSILON)),
        ("INFINITY", Value::float(f64::INFINITY)),
        ("NAN", Value::float(f64::NAN)),
    ];
    for (name, value) in constants {
        vm.const_set(ClassId::FLOAT, Symbol::intern_static(name), value);
    }
}
