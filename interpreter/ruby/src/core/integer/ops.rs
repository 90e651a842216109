//! Arithmetic and comparison of Integers.

use super::big;
use crate::Vm;
use crate::args::Args;
use crate::core::float::{float_div, float_divmod, float_mod, float_pow};
use crate::core::numeric::{
    coerce_bin, coerce_cmp, coerce_relop, compare_int_float, ordering_value, real_f64, zero_division,
};
use crate::core::{complex, rational};
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use std::cmp::Ordering;

pub(super) static METHODS: &[MethodDef] = &[
    def("+", plus, 1),
    def("-", minus, 1),
    def("*", times, 1),
    def("/", divide, 1),
    def("div", div, 1),
    def("%", modulo, 1),
    def("modulo", modulo, 1),
    def("remainder", remainder, 1),
    def("divmod", divmod, 1),
    def("fdiv", fdiv, 1),
    def("**", pow_op, 1),
    opt("pow", pow, 1, 2),
    def("-@", negate, 0),
    def("==", equal, 1),
    def("===", equal, 1),
    def("<=>", compare, 1),
    def("<", lt, 1),
    def("<=", le, 1),
    def(">", gt, 1),
    def(">=", ge, 1),
];

/// Calls a function with two Integers as BigInts; None if one is not an Integer.
pub fn with_bigs<R>(vm: &Vm, a: &Value, b: &Value, f: impl FnOnce(&BigInt, &BigInt) -> R) -> Option<R> {
    let (held_a, held_b);
    let a = match a {
        Value::Big(gc) => &gc.get(vm).0,
        Value::Int(number) => {
            held_a = BigInt::from(*number);
            &held_a
        }
        _ => return None,
    };
    let b = match b {
        Value::Big(gc) => &gc.get(vm).0,
        Value::Int(number) => {
            held_b = BigInt::from(*number);
            &held_b
        }
        _ => return None,
    };
    Some(f(a, b))
}

pub fn add(vm: &Vm, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Value::i128(i128::from(*x) + i128::from(*y)),
        _ => with_bigs(vm, a, b, |a, b| a + b).map_or(Value::Nil, Value::big),
    }
}
pub fn sub(vm: &Vm, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Value::i128(i128::from(*x) - i128::from(*y)),
        _ => with_bigs(vm, a, b, |a, b| a - b).map_or(Value::Nil, Value::big),
    }
}
pub fn mul(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        return Ok(Value::i128(i128::from(*x) * i128::from(*y)));
    }
    let bits = with_bigs(vm, a, b, |a, b| a.bits() + b.bits()).unwrap_or(0);
    big::check_bits(vm, bits)?;
    vm.tick_by((bits >> 9) as usize)?;
    Ok(with_bigs(vm, a, b, |a, b| a * b).map_or(Value::Nil, Value::big))
}
/// The quotient, rounded down.
pub fn floor_div(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    match (a, b) {
        (_, Value::Int(0)) => Err(zero_division(vm)),
        (Value::Int(x), Value::Int(y)) => Ok(Value::i128(Integer::div_floor(&i128::from(*x), &i128::from(*y)))),
        _ => Ok(with_bigs(vm, a, b, |a, b| a.div_floor(b)).map_or(Value::Nil, Value::big)),
    }
}
/// The remainder of [`floor_div`].
pub fn floor_mod(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    match (a, b) {
        (_, Value::Int(0)) => Err(zero_division(vm)),
        (Value::Int(x), Value::Int(y)) => Ok(Value::Int(if *y == -1 { 0 } else { Integer::mod_floor(x, y) })),
        _ => Ok(with_bigs(vm, a, b, |a, b| a.mod_floor(b)).map_or(Value::Nil, Value::big)),
    }
}
/// Compares two Integers; None if one is not an Integer.
pub fn compare_ints(vm: &Vm, a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        _ => with_bigs(vm, a, b, |a, b| a.cmp(b)),
    }
}

fn f64_of(vm: &Vm, this: &Value) -> f64 {
    real_f64(vm, this).unwrap_or(f64::NAN)
}

fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => Ok(add(vm, this, other)),
        Value::Float(other) => Ok(Value::float(f64_of(vm, this) + other.get())),
        other => coerce_bin(vm, this, other, sym::PLUS),
    }
}
fn minus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => Ok(sub(vm, this, other)),
        Value::Float(other) => Ok(Value::float(f64_of(vm, this) - other.get())),
        other => coerce_bin(vm, this, other, sym::MINUS),
    }
}
fn times(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => mul(vm, this, other),
        Value::Float(other) => Ok(Value::float(f64_of(vm, this) * other.get())),
        // MRI multiplies a Complex by an Integer from either side, and other numbers only from the right
        other if matches!(this, Value::Int(_)) && complex::parts(vm, other).is_some() => {
            complex::times(vm, other, Args::new(std::slice::from_ref(this)))
        }
        other => coerce_bin(vm, this, other, sym::STAR),
    }
}
fn divide(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => floor_div(vm, this, other),
        Value::Float(other) => Ok(Value::float(float_div(f64_of(vm, this), other.get()))),
        other => coerce_bin(vm, this, other, sym::SLASH),
    }
}
fn div(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => floor_div(vm, this, other),
        Value::Float(other) => {
            if other.get() == 0.0 {
                return Err(zero_division(vm));
            }
            vm.float_to_integer((f64_of(vm, this) / other.get()).floor())
        }
        other => coerce_bin(vm, this, other, Symbol::intern_static("div")),
    }
}
fn modulo(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => floor_mod(vm, this, other),
        Value::Float(other) => float_mod(vm, f64_of(vm, this), other.get()),
        other => coerce_bin(vm, this, other, sym::PERCENT),
    }
}
fn remainder(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match (this, args.at(0)) {
        (_, Value::Int(0)) => Err(zero_division(vm)),
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(a.wrapping_rem(*b))),
        (_, other @ (Value::Int(_) | Value::Big(_))) => {
            Ok(with_bigs(vm, this, other, |a, b| a % b).map_or(Value::Nil, Value::big))
        }
        (Value::Big(_), other) => coerce_bin(vm, this, other, Symbol::intern_static("remainder")),
        _ => crate::core::numeric::remainder(vm, this, args),
    }
}
fn divmod(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => {
            let quotient = floor_div(vm, this, other)?;
            let rest = floor_mod(vm, this, other)?;
            Ok(Value::array(vec![quotient, rest]))
        }
        Value::Float(other) => float_divmod(vm, f64_of(vm, this), other.get()),
        other => coerce_bin(vm, this, other, Symbol::intern_static("divmod")),
    }
}
fn fdiv(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match (this, args.at(0)) {
        (Value::Int(a), Value::Int(b)) if a.unsigned_abs() < 1 << 53 && b.unsigned_abs() < 1 << 53 => {
            Ok(Value::float(*a as f64 / *b as f64))
        }
        (_, other @ (Value::Int(_) | Value::Big(_))) => {
            let result = with_bigs(vm, this, other, |a, b| {
                if b.is_zero() {
                    return if a.is_zero() {
                        f64::NAN
                    } else {
                        f64::INFINITY.copysign(if a.is_negative() { -1.0 } else { 1.0 })
                    };
                }
                if a.is_zero() && b.is_negative() {
                    -0.0
                } else if b.is_negative() {
                    rchef_text::number::rational_to_f64(&-a, &-b)
                } else {
                    rchef_text::number::rational_to_f64(a, b)
                }
            });
            Ok(Value::float(result.unwrap_or(f64::NAN)))
        }
        (_, Value::Float(other)) => Ok(Value::float(f64_of(vm, this) / other.get())),
        (_, other) => {
            let quotient = coerce_bin(vm, this, other, Symbol::intern_static("fdiv"))?;
            Ok(Value::float(vm.to_f64(&quotient)?))
        }
    }
}

/// `a ** b`; a Rational if the exponent is negative.
pub fn power(vm: &mut Vm, a: &Value, b: &Value) -> Res {
    if let (Value::Int(base), Value::Int(exponent)) = (a, b)
        && let Ok(exponent) = u32::try_from(*exponent)
        && let Some(result) = base.checked_pow(exponent)
    {
        return Ok(Value::Int(result));
    }
    let negative = match b {
        Value::Int(number) => *number < 0,
        Value::Big(gc) => gc.get(vm).0.is_negative(),
        _ => false,
    };
    if negative && !matches!(a, Value::Int(-1 | 1)) {
        let rational = rational::of_integer(vm, a);
        return vm.call(&rational, sym::POW, std::slice::from_ref(b));
    }
    match a {
        Value::Int(0 | 1) => return Ok(a.clone()),
        Value::Int(-1) => {
            let even = match b {
                Value::Int(number) => number % 2 == 0,
                Value::Big(gc) => gc.get(vm).0.is_even(),
                _ => true,
            };
            return Ok(Value::Int(if even { 1 } else { -1 }));
        }
        _ => {}
    }
    let base = vm.to_bigint(a)?;
    match b {
        Value::Int(exponent) if base.bits().saturating_mul(exponent.unsigned_abs()) <= big::MAX_BITS => {
            Ok(Value::big(base.pow(*exponent as u32)))
        }
        _ => {
            vm.warn("in a**b, b may be too big")?;
            let odd = matches!(b, Value::Int(number) if number % 2 != 0);
            Ok(Value::float(if base.is_negative() && odd { f64::NEG_INFINITY } else { f64::INFINITY }))
        }
    }
}
fn pow_op(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => power(vm, this, other),
        Value::Float(other) if matches!(this, Value::Int(0)) && other.get().is_nan() => Ok(Value::float(0.0)),
        Value::Float(other) => {
            let base = f64_of(vm, this);
            float_pow(vm, this, base, other.get())
        }
        other => coerce_bin(vm, this, other, sym::POW),
    }
}
/// Integer#pow, with an optional modulus.
fn pow(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(modulus) = args.get(1) else { return vm.call(this, sym::POW, args.pos) };
    let exponent = args.at(0);
    if !matches!(exponent, Value::Int(_) | Value::Big(_)) {
        return Err(vm.type_error("Integer#pow() 2nd argument not allowed unless a 1st argument is integer"));
    }
    let exponent = vm.to_bigint(exponent)?;
    if exponent.is_negative() {
        return Err(vm.range_error("Integer#pow() 1st argument cannot be negative when 2nd argument specified"));
    }
    if !matches!(modulus, Value::Int(_) | Value::Big(_)) {
        return Err(vm.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers"));
    }
    let modulus = vm.to_bigint(modulus)?;
    if modulus.is_zero() {
        return Err(zero_division(vm));
    }
    let base = vm.to_bigint(this)?;
    let magnitude = modulus.abs();
    let result = if magnitude.is_one() { BigInt::zero() } else { big::modpow(vm, &base, &exponent, &magnitude)? };
    Ok(Value::big(if modulus.sign() == Sign::Minus && !result.is_zero() { result + modulus } else { result }))
}
fn negate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(match this {
        Value::Int(number) => Value::i128(-i128::from(*number)),
        Value::Big(gc) => Value::big(-&gc.get(vm).0),
        _ => Value::Nil,
    })
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(match (this, args.at(0)) {
        (Value::Int(a), Value::Int(b)) => Value::bool(a == b),
        (Value::Big(a), Value::Big(b)) => Value::bool(a.get(vm).0 == b.get(vm).0),
        (_, Value::Int(_) | Value::Big(_) | Value::Nil | Value::True | Value::False | Value::Sym(_)) => Value::False,
        (_, Value::Float(b)) => Value::bool(compare_int_float(vm, this, b.get()) == Some(Ordering::Equal)),
        (_, other) => {
            vm.check_stack()?;
            Value::bool(vm.call(other, sym::EQ, std::slice::from_ref(this))?.truthy())
        }
    })
}
fn order(vm: &Vm, this: &Value, other: &Value) -> Option<Option<Ordering>> {
    match other {
        Value::Int(_) | Value::Big(_) => Some(compare_ints(vm, this, other)),
        Value::Float(number) => Some(compare_int_float(vm, this, number.get())),
        _ => None,
    }
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match order(vm, this, args.at(0)) {
        Some(ordering) => Ok(ordering.map(ordering_value).unwrap_or_default()),
        None => coerce_cmp(vm, this, args.at(0)),
    }
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
