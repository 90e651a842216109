//! Rational.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::coerce::mix;
use crate::core::integer::big;
use crate::core::natives::itself;
use crate::core::numeric::{coerce_bin, coerce_cmp, ordering_value, real_f64, round_args, zero_division};
use crate::core::{complex, conversions};
use crate::error::Res;
use crate::heap::FROZEN;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::{NativeData, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rchef_syntax::symbol::sym;
use rchef_text::number::{self, HalfMode};
use std::cmp::Ordering;

/// A Rational in lowest terms, with a positive denominator.
#[derive(Clone)]
pub struct RationalData {
    pub num: BigInt,
    pub den: BigInt,
}
impl NativeData for RationalData {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static METHODS: &[MethodDef] = &[
    def("+", plus, 1),
    def("-", minus, 1),
    def("*", times, 1),
    def("/", divide, 1),
    def("quo", divide, 1),
    def("fdiv", fdiv, 1),
    def("**", pow, 1),
    def("-@", negate, 0),
    def("<=>", compare, 1),
    def("==", equal, 1),
    def("coerce", coerce, 1),
    def("numerator", numerator, 0),
    def("denominator", denominator, 0),
    def("abs", abs, 0),
    def("magnitude", abs, 0),
    def("negative?", is_negative, 0),
    def("positive?", is_positive, 0),
    def("zero?", is_zero, 0),
    opt("ceil", ceil, 0, 1),
    opt("floor", floor, 0, 1),
    opt("round", round, 0, 2),
    opt("truncate", truncate, 0, 1),
    opt("rationalize", rationalize, 0, 1),
    def("hash", hash, 0),
    def("to_i", to_i, 0),
    def("to_f", to_f, 0),
    def("to_r", itself, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("marshal_dump", marshal_dump, 0).private(),
];

/// A Rational; the fraction must be in lowest terms, with a positive denominator.
pub fn new(num: BigInt, den: BigInt) -> Value {
    let made = Value::data(ClassId::RATIONAL, RationalData { num, den });
    made.set_flag(FROZEN, true);
    made
}
/// A Rational of any fraction with a denominator other than 0.
pub fn reduced(vm: &mut Vm, num: BigInt, den: BigInt) -> Res {
    big::check_bits(vm, num.bits().max(den.bits()))?;
    let gcd = big::gcd(vm, &num, &den)?;
    let (num, den) = if gcd.is_one() || gcd.is_zero() { (num, den) } else { (num / &gcd, den / gcd) };
    Ok(if den.is_negative() { new(-num, -den) } else { new(num, den) })
}
/// Converts an Integer to a Rational.
pub fn of_integer(vm: &Vm, value: &Value) -> Value {
    match value {
        Value::Int(number) => new(BigInt::from(*number), BigInt::one()),
        Value::Big(gc) => new(gc.get(vm).0.clone(), BigInt::one()),
        _ => Value::Nil,
    }
}
/// Numerator and denominator of a Rational or Integer; None for other values.
pub fn parts(vm: &Vm, value: &Value) -> Option<(BigInt, BigInt)> {
    match value {
        Value::Int(number) => Some((BigInt::from(*number), BigInt::one())),
        Value::Big(gc) => Some((gc.get(vm).0.clone(), BigInt::one())),
        Value::Object(_) => vm.data::<RationalData>(value).map(|data| (data.num.clone(), data.den.clone())),
        _ => None,
    }
}
pub fn is_rational(vm: &Vm, value: &Value) -> bool {
    matches!(value, Value::Object(_)) && vm.data::<RationalData>(value).is_some()
}
/// Converts a Rational with denominator 1 to an Integer; other values are unchanged.
pub fn canonical(vm: &Vm, value: Value) -> Value {
    match vm.data::<RationalData>(&value) {
        Some(data) if data.den.is_one() => Value::big(data.num.clone()),
        _ => value,
    }
}
fn this_parts(vm: &Vm, this: &Value) -> (BigInt, BigInt) {
    parts(vm, this).unwrap_or_else(|| (BigInt::zero(), BigInt::one()))
}
fn this_f64(vm: &Vm, this: &Value) -> f64 {
    let (num, den) = this_parts(vm, this);
    number::rational_to_f64(&num, &den)
}

fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if let Value::Float(number) = other {
        return Ok(Value::float(this_f64(vm, this) + number.get()));
    }
    let Some((c, d)) = parts(vm, other) else { return coerce_bin(vm, this, other, sym::PLUS) };
    let (a, b) = this_parts(vm, this);
    reduced(vm, a * &d + c * &b, b * d)
}
fn minus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if let Value::Float(number) = other {
        return Ok(Value::float(this_f64(vm, this) - number.get()));
    }
    let Some((c, d)) = parts(vm, other) else { return coerce_bin(vm, this, other, sym::MINUS) };
    let (a, b) = this_parts(vm, this);
    reduced(vm, a * &d - c * &b, b * d)
}
fn times(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if let Value::Float(number) = other {
        return Ok(Value::float(this_f64(vm, this) * number.get()));
    }
    let Some((c, d)) = parts(vm, other) else { return coerce_bin(vm, this, other, sym::STAR) };
    let (a, b) = this_parts(vm, this);
    reduced(vm, a * c, b * d)
}
fn divide(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if let Value::Float(number) = other {
        return Ok(Value::float(this_f64(vm, this) / number.get()));
    }
    let Some((c, d)) = parts(vm, other) else { return coerce_bin(vm, this, other, sym::SLASH) };
    if c.is_zero() {
        return Err(zero_division(vm));
    }
    let (a, b) = this_parts(vm, this);
    reduced(vm, a * d, b * c)
}
fn fdiv(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if super::complex::is_zero(vm, args.at(0))? {
        return Ok(Value::float(this_f64(vm, this) / 0.0));
    }
    let quotient = vm.call(this, sym::SLASH, args.pos)?;
    match quotient {
        Value::Float(_) => Ok(quotient),
        _ => vm.call(&quotient, sym::TO_F, &[]),
    }
}
fn pow(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut other = args.at(0).clone();
    if is_rational(vm, &other) {
        other = canonical(vm, other);
    }
    let (num, den) = this_parts(vm, this);
    if matches!(other, Value::Int(0)) {
        return Ok(new(BigInt::one(), BigInt::one()));
    }
    if is_rational(vm, &other) && den.is_one() {
        let negative = this_parts(vm, &other).0.is_negative();
        if num.is_one() || (num.is_zero() && !negative) {
            return Ok(new(num, den));
        }
    }
    if let (Value::Int(_) | Value::Big(_), true) = (&other, den.is_one()) {
        let exponent = vm.to_bigint(&other)?;
        if num.is_one() {
            return Ok(new(BigInt::one(), BigInt::one()));
        }
        if num == BigInt::from(-1) {
            return Ok(new(if exponent.is_even() { BigInt::one() } else { -BigInt::one() }, BigInt::one()));
        }
        if num.is_zero() {
            return if exponent.is_negative() {
                Err(zero_division(vm))
            } else {
                Ok(new(BigInt::zero(), BigInt::one()))
            };
        }
    }
    match &other {
        Value::Int(exponent) => {
            let magnitude = exponent.unsigned_abs();
            if (num.bits() + den.bits()).saturating_mul(magnitude) > 32 * 1024 * 1024 {
                vm.warn("in a**b, b may be too big")?;
                return Ok(Value::float(this_f64(vm, this).powf(*exponent as f64)));
            }
            let (n, d) = (num.pow(magnitude as u32), den.pow(magnitude as u32));
            if *exponent < 0 && n.is_zero() {
                return Err(zero_division(vm));
            }
            if *exponent < 0 { reduced(vm, d, n) } else { Ok(new(n, d)) }
        }
        Value::Big(_) => {
            vm.warn("in a**b, b may be too big")?;
            let exponent = real_f64(vm, &other).unwrap_or(f64::NAN);
            Ok(Value::float(this_f64(vm, this).powf(exponent)))
        }
        Value::Float(_) => vm.call(&Value::float(this_f64(vm, this)), sym::POW, &[other]),
        _ if is_rational(vm, &other) && num.is_zero() && this_parts(vm, &other).0.is_negative() => {
            Err(zero_division(vm))
        }
        _ if is_rational(vm, &other) => vm.call(&Value::float(this_f64(vm, this)), sym::POW, &[other]),
        _ => coerce_bin(vm, this, &other, sym::POW),
    }
}
fn negate(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (num, den) = this_parts(vm, this);
    Ok(new(-num, den))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if let Value::Float(number) = other {
        return Ok(this_f64(vm, this).partial_cmp(&number.get()).map(ordering_value).unwrap_or_default());
    }
    let Some((c, d)) = parts(vm, other) else { return coerce_cmp(vm, this, other) };
    let (a, b) = this_parts(vm, this);
    Ok(ordering_value((a * d).cmp(&(c * b))))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if let Value::Float(number) = other {
        return Ok(Value::bool(this_f64(vm, this) == number.get()));
    }
    match parts(vm, other) {
        Some(other) => Ok(Value::bool(this_parts(vm, this) == other)),
        None => Ok(Value::bool(vm.call(other, sym::EQ, std::slice::from_ref(this))?.truthy())),
    }
}
fn coerce(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    match other {
        Value::Int(_) | Value::Big(_) => Ok(Value::array(vec![of_integer(vm, other), this.clone()])),
        Value::Float(_) => Ok(Value::array(vec![other.clone(), Value::float(this_f64(vm, this))])),
        _ if is_rational(vm, other) => Ok(Value::array(vec![other.clone(), this.clone()])),
        _ => match complex::parts(vm, other) {
            Some((real, Value::Int(0))) => {
                let real = match real {
                    Value::Float(_) => real,
                    _ => match parts(vm, &real) {
                        Some((num, den)) => reduced(vm, num, den)?,
                        None => real,
                    },
                };
                Ok(Value::array(vec![real, this.clone()]))
            }
            Some(_) => Ok(Value::array(vec![other.clone(), complex::new(this.clone(), Value::Int(0))])),
            None => {
                let (class, own) = (vm.class_name_of(other), vm.class_name_of(this));
                Err(vm.type_error_of(other, format!("{class} can't be coerced into {own}")))
            }
        },
    }
}
fn numerator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::big(this_parts(vm, this).0))
}
fn denominator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::big(this_parts(vm, this).1))
}
fn abs(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (num, den) = this_parts(vm, this);
    Ok(new(num.abs(), den))
}
fn is_negative(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_parts(vm, this).0.is_negative()))
}
fn is_positive(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_parts(vm, this).0.is_positive()))
}
fn is_zero(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_parts(vm, this).0.is_zero()))
}

/// Rounds a fraction to the nearest integer, with halves by `mode`.
fn nearest(num: &BigInt, den: &BigInt, mode: HalfMode) -> BigInt {
    let (floor, rest) = num.div_mod_floor(den);
    let twice: BigInt = rest * 2;
    match twice.cmp(den) {
        Ordering::Less => floor,
        Ordering::Greater => floor + 1,
        Ordering::Equal => match mode {
            HalfMode::Up => {
                if num.is_negative() {
                    floor
                } else {
                    floor + 1
                }
            }
            HalfMode::Down => {
                if num.is_negative() {
                    floor + 1
                } else {
                    floor
                }
            }
            HalfMode::Even => {
                if floor.is_even() {
                    floor
                } else {
                    floor + 1
                }
            }
        },
    }
}
fn by_digits(vm: &mut Vm, this: &Value, digits: Option<&Value>, how: impl Fn(&BigInt, &BigInt) -> BigInt) -> Res {
    let (num, den) = this_parts(vm, this);
    let digits = match digits {
        None => return Ok(Value::big(how(&num, &den))),
        Some(Value::Int(digits)) => *digits,
        Some(_) => return Err(vm.type_error("not an integer")),
    };
    if digits.unsigned_abs() > 1 << 20 {
        return Ok(if digits > 0 { this.clone() } else { Value::Int(0) });
    }
    let scale = BigInt::from(10).pow(digits.unsigned_abs() as u32);
    vm.tick_by((scale.bits() / 64) as usize)?;
    if digits > 0 {
        return reduced(vm, how(&(num * &scale), &den), scale);
    }
    Ok(Value::big(how(&num, &(den * &scale)) * scale))
}
fn floor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    by_digits(vm, this, args.get(0), |num, den| num.div_floor(den))
}
fn ceil(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    by_digits(vm, this, args.get(0), Integer::div_ceil)
}
fn truncate(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    by_digits(vm, this, args.get(0), |num, den| num / den)
}
fn round(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let digits = args.split().0.first();
    if let Some(digits) = digits
        && !matches!(digits, Value::Int(_))
    {
        return Err(vm.type_error("not an integer"));
    }
    let (_, mode) = round_args(vm, &args)?;
    by_digits(vm, this, digits, |num, den| nearest(num, den, mode))
}

/// The simplest fraction between two others (in the Stern-Brocot tree).
pub fn simplest_between(vm: &mut Vm, mut a: (BigInt, BigInt), mut b: (BigInt, BigInt)) -> Res {
    let (mut p0, mut p1, mut q0, mut q1) = (BigInt::zero(), BigInt::one(), BigInt::one(), BigInt::zero());
    loop {
        let c = Integer::div_ceil(&a.0, &a.1);
        let below = &c * &b.1 < b.0;
        if below || &a.1 * &c == a.0 {
            return reduced(vm, &c * p1 + p0, c * q1 + q0);
        }
        vm.tick_by((a.0.bits() / 512) as usize + 1)?;
        let k: BigInt = c - 1;
        let p2 = &k * &p1 + &p0;
        let q2 = &k * &q1 + &q0;
        let next_a = (b.1.clone(), &b.0 - &k * &b.1);
        let next_b = (a.1.clone(), &a.0 - &k * &a.1);
        (a, b) = (next_a, next_b);
        (p0, p1, q0, q1) = (p1, p2, q1, q2);
    }
}
/// The same of Floats, with what they lose at each step, as in MRI.
fn simplest_between_floats(vm: &mut Vm, mut a: f64, mut b: f64) -> Res {
    let (mut p0, mut p1, mut q0, mut q1) = (BigInt::zero(), BigInt::one(), BigInt::one(), BigInt::zero());
    loop {
        let c = a.ceil();
        let whole = vm.float_to_integer(c)?;
        let whole = vm.to_bigint(&whole)?;
        if c < b {
            return reduced(vm, &whole * p1 + p0, whole * q1 + q0);
        }
        let k = whole - 1;
        let (p2, q2) = (&k * &p1 + &p0, &k * &q1 + &q0);
        (a, b) = (1.0 / (b - (c - 1.0)), 1.0 / (a - (c - 1.0)));
        (p0, p1, q0, q1) = (p1, p2, q1, q2);
    }
}
/// The simplest fraction within a distance of a Rational or Float.
pub fn rationalize_within(vm: &mut Vm, this: &Value, within: &Value) -> Res {
    let within = vm.call_name(within, "abs", &[])?;
    let low = vm.call(this, sym::MINUS, std::slice::from_ref(&within))?;
    let high = vm.call(this, sym::PLUS, &[within])?;
    if vm.eq(&low, &high)? {
        return vm.call(this, sym::TO_R, &[]);
    }
    if let (Value::Float(low), Value::Float(high)) = (&low, &high) {
        return simplest_between_floats(vm, low.get(), high.get());
    }
    let low = vm.call(&low, sym::TO_R, &[])?;
    let high = vm.call(&high, sym::TO_R, &[])?;
    let (low, high) = (this_parts(vm, &low), this_parts(vm, &high));
    simplest_between(vm, low, high)
}
fn rationalize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(within) = args.get(0) else { return Ok(this.clone()) };
    let (num, den) = this_parts(vm, this);
    if num.is_negative() {
        let found = rationalize_within(vm, &new(-num, den), within)?;
        return vm.call(&found, sym::UMINUS, &[]);
    }
    rationalize_within(vm, this, within)
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (num, den) = this_parts(vm, this);
    let sign = u64::from(num.is_negative());
    let hash = num.iter_u64_digits().chain([sign]).chain(den.iter_u64_digits()).fold(0x7261, mix);
    Ok(Value::Int(hash as i64 >> 2))
}
fn to_i(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (num, den) = this_parts(vm, this);
    Ok(Value::big(num / den))
}
fn to_f(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::float(this_f64(vm, this)))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (num, den) = this_parts(vm, this);
    Ok(Value::string(RString::ascii(&format!("{num}/{den}"))))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (num, den) = this_parts(vm, this);
    Ok(Value::string(RString::ascii(&format!("({num}/{den})"))))
}

fn marshal_dump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (num, den) = this_parts(vm, this);
    Ok(Value::array(vec![Value::big(num), Value::big(den)]))
}

pub(super) fn convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, raises) = conversions::exception_option(vm, &args)?;
    if !(1..=2).contains(&pos.len()) {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    conversions::quietly(vm, raises, |vm| convert_parts(vm, &pos[0], pos.get(1)))
}
/// Converts an argument of Rational() to an exact fraction if it has one.
fn convert_arg(vm: &mut Vm, value: &Value) -> Res {
    match value {
        Value::Nil => Err(vm.type_error_of(value, "can't convert nil into Rational")),
        Value::Float(number) => super::float::to_rational(vm, number.get()),
        Value::Str(text) => {
            let parsed = number::parse_rational_strict(text.get(vm).bytes());
            let (num, den) = parsed.map_err(|error| conversions::number_error(vm, &error))?;
            reduced(vm, num.to_big(), den.to_big())
        }
        Value::Object(_) => {
            if let Some((real, Value::Int(0))) = complex::parts(vm, value) {
                return convert_arg(vm, &real);
            }
            if !vm.is_a(value, ClassId::NUMERIC) && vm.respond_to(value, sym::TO_R, true)? {
                return to_r(vm, value);
            }
            Ok(value.clone())
        }
        _ => Ok(value.clone()),
    }
}
/// What `to_r` makes of an object; an error if there is no such method, or no Rational comes of it.
pub(super) fn to_r(vm: &mut Vm, value: &Value) -> Res {
    let found = match vm.try_convert(value, sym::TO_R)? {
        Some(found) => found,
        None => {
            let described = vm.describe(value);
            return Err(vm.type_error(format!("can't convert {described} into Rational")));
        }
    };
    if is_rational(vm, &found) {
        return Ok(found);
    }
    let (class, gave) = (vm.class_name_of(value), vm.class_name_of(&found));
    Err(vm.type_error(format!("can't convert {class} to Rational ({class}#to_r gives {gave})")))
}
fn convert_parts(vm: &mut Vm, a: &Value, b: Option<&Value>) -> Res {
    let a = convert_arg(vm, a)?;
    let Some(b) = b else {
        return match parts(vm, &a) {
            Some(_) if is_rational(vm, &a) => Ok(a),
            Some((num, den)) => Ok(new(num, den)),
            None => to_r(vm, &a),
        };
    };
    let b = convert_arg(vm, b)?;
    match (parts(vm, &a), parts(vm, &b)) {
        (Some((an, ad)), Some((bn, bd))) => {
            if bn.is_zero() {
                return Err(zero_division(vm));
            }
            reduced(vm, an * bd, ad * bn)
        }
        _ => {
            for value in [&a, &b] {
                if !vm.is_a(value, ClassId::NUMERIC) {
                    let described = vm.describe(value);
                    return Err(vm.type_error(format!("can't convert {described} into Rational")));
                }
            }
            vm.call(&a, sym::SLASH, &[b])
        }
    }
}

pub(super) fn boot(vm: &mut Vm) {
    super::numeric::without_new(vm, ClassId::RATIONAL);
    let meta = vm.meta(ClassId::RATIONAL);
    vm.undefine(meta, sym::ALLOCATE);
    vm.class_mut(ClassId::RATIONAL).allocator = Some(super::construct::prohibited);
    vm.define_methods(ClassId::RATIONAL, METHODS);
}
