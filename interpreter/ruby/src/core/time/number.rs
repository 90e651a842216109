//! Exact seconds: nanoseconds, and an optional fraction of a nanosecond.

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

const BILLION: i128 = 1_000_000_000;
/// Nanoseconds from which on a value is out of range: some 10**21 years. MRI has no bound.
const LIMIT: i128 = i128::MAX / 4;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rounding {
    Half,
    Up,
    Down,
}

/// Exact seconds: whole nanoseconds, and the numerator and denominator of the fraction of a nanosecond (0 <= fraction < 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    ns: i128,
    rest: Option<Box<(BigInt, BigInt)>>,
}

impl Exact {
    pub fn ns(ns: i128) -> Exact {
        Exact { ns, rest: None }
    }
    /// `num / den` seconds, at most the limit that `checked` refuses; `den` above 0.
    pub fn fraction(num: BigInt, den: BigInt) -> Exact {
        let scaled = num * BigInt::from(BILLION);
        let (whole, rest) = scaled.div_mod_floor(&den);
        let ns = whole.to_i128().unwrap_or(if whole.is_negative() { -LIMIT } else { LIMIT }).clamp(-LIMIT, LIMIT);
        if rest.is_zero() {
            return Exact::ns(ns);
        }
        let common = rest.gcd(&den);
        Exact { ns, rest: Some(Box::new((rest / &common, den / common))) }
    }
    /// The value, or a RangeError where it has reached the limit.
    pub(super) fn checked(self, vm: &mut Vm) -> Res<Exact> {
        if self.ns.abs() < LIMIT { Ok(self) } else { Err(vm.error(ClassId::RANGE_ERROR, "out of Time range")) }
    }
    /// The exact value of a Float.
    pub fn float(number: f64) -> Exact {
        let bits = number.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i64;
        let mantissa = if exponent == 0 { (bits & ((1 << 52) - 1)) << 1 } else { (bits & ((1 << 52) - 1)) | (1 << 52) };
        let mut num = BigInt::from(mantissa);
        if number < 0.0 {
            num = -num;
        }
        let power = exponent - 1075;
        if power >= 0 {
            Exact::fraction(num << power as usize, BigInt::from(1))
        } else {
            Exact::fraction(num, BigInt::from(1) << (-power) as usize)
        }
    }
    /// Whole seconds, rounded down.
    pub fn seconds(&self) -> i128 {
        self.ns.div_euclid(BILLION)
    }
    /// Whole nanoseconds within the second.
    pub fn nanos(&self) -> u32 {
        self.ns.rem_euclid(BILLION) as u32
    }
    /// The fraction of a nanosecond, if there is one.
    pub fn sub_nanos(&self) -> Option<&(BigInt, BigInt)> {
        self.rest.as_deref()
    }
    /// The value in nanoseconds as a fraction.
    fn parts(&self) -> (BigInt, BigInt) {
        match &self.rest {
            None => (BigInt::from(self.ns), BigInt::from(1)),
            Some(rest) => (BigInt::from(self.ns) * &rest.1 + &rest.0, rest.1.clone()),
        }
    }
    pub fn plus(&self, other: &Exact) -> Exact {
        if self.rest.is_none() && other.rest.is_none() {
            return Exact::ns((self.ns + other.ns).clamp(-LIMIT, LIMIT));
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Exact::fraction(a * &d + c * &b, b * d * BigInt::from(BILLION))
    }
    pub fn negated(&self) -> Exact {
        match &self.rest {
            None => Exact::ns(-self.ns),
            Some(rest) => Exact { ns: -self.ns - 1, rest: Some(Box::new((&rest.1 - &rest.0, rest.1.clone()))) },
        }
    }
    pub fn to_f64(&self) -> f64 {
        let (num, den) = self.parts();
        let den = den * BigInt::from(BILLION);
        divide(&num, &den)
    }
    pub fn to_rational(&self, vm: &mut Vm) -> Res {
        let (num, den) = self.parts();
        rational(vm, num, den * BigInt::from(BILLION))
    }
    /// The fraction of a second: 0 or a Rational.
    pub fn subsec(&self, vm: &mut Vm) -> Res {
        let below = Exact { ns: self.ns.rem_euclid(BILLION), rest: self.rest.clone() };
        if below.ns == 0 && below.rest.is_none() {
            return Ok(Value::Int(0));
        }
        below.to_rational(vm)
    }
    pub(super) fn rounded(&self, digits: i64, how: Rounding) -> Exact {
        if digits >= 9 && self.rest.is_none() {
            return self.clone();
        }
        let (num, den) = self.parts();
        let scale = BigInt::from(10).pow(digits.min(100) as u32);
        let den = den * BigInt::from(BILLION);
        let scaled = num * &scale;
        let (mut whole, rest) = scaled.div_mod_floor(&den);
        let up = match how {
            Rounding::Down => false,
            Rounding::Up => !rest.is_zero(),
            Rounding::Half => rest * 2 >= den,
        };
        if up {
            whole += 1;
        }
        Exact::fraction(whole, scale)
    }
    /// A hash that is equal for equal times.
    pub fn hash(&self) -> u64 {
        let low = crate::coerce::mix(self.ns as u64, (self.ns >> 64) as u64);
        match &self.rest {
            None => low,
            Some(rest) => rest.0.iter_u64_digits().chain(rest.1.iter_u64_digits()).fold(low, crate::coerce::mix),
        }
    }
    /// The value multiplied by `num / den`.
    pub(super) fn scaled(&self, num: i64, den: i64) -> Exact {
        let (a, b) = self.parts();
        Exact::fraction(a * num, b * den * BigInt::from(BILLION))
    }
}
impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        self.ns.cmp(&other.ns).then_with(|| match (&self.rest, &other.rest) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => (&a.0 * &b.1).cmp(&(&b.0 * &a.1)),
        })
    }
}
impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The quotient, rounded once.
fn divide(num: &BigInt, den: &BigInt) -> f64 {
    let negative = num.is_negative();
    let num = num.abs();
    if num.is_zero() {
        return 0.0;
    }
    // 64 bits of quotient and a sticky bit make the rounding of the conversion correct
    let shift = 66 - (num.bits() as i64 - den.bits() as i64);
    let (quotient, rest) =
        if shift >= 0 { (num << shift as usize).div_rem(den) } else { num.div_rem(&(den << (-shift) as usize)) };
    let mut quotient: BigInt = quotient << 1usize;
    if !rest.is_zero() {
        quotient += 1;
    }
    let bits = quotient.bits() as i64;
    let drop = bits - 64;
    let mut top = (&quotient >> drop as usize).to_u64().unwrap_or(0);
    if (&quotient & ((BigInt::from(1) << drop as usize) - 1u32)) != BigInt::zero() {
        top |= 1;
    }
    let value = (top as f64) * 2f64.powi((drop - shift - 1) as i32);
    if negative { -value } else { value }
}
/// `Rational(num, den)`
pub(super) fn rational(vm: &mut Vm, num: BigInt, den: BigInt) -> Res {
    vm.call(&Value::Class(ClassId::KERNEL), Symbol::intern_static("Rational"), &[Value::big(num), Value::big(den)])
}

/// Converts a number to seconds; TypeError for other values, RangeError for numbers beyond the limit.
pub fn to_exact(vm: &mut Vm, value: &Value) -> Res<Exact> {
    unchecked(vm, value)?.checked(vm)
}
fn unchecked(vm: &mut Vm, value: &Value) -> Res<Exact> {
    match value {
        Value::Int(number) => return Ok(Exact::ns(i128::from(*number) * BILLION)),
        Value::Float(number) => {
            if !number.get().is_finite() {
                let text = if number.get().is_nan() {
                    "NaN"
                } else if number.get() > 0.0 {
                    "Infinity"
                } else {
                    "-Infinity"
                };
                return Err(vm.error(ClassId::FLOAT_DOMAIN_ERROR, text));
            }
            return Ok(Exact::float(number.get()));
        }
        Value::Big(_) => {
            let number = vm.to_bigint(value)?;
            return Ok(Exact::fraction(number, BigInt::from(1)));
        }
        _ => {}
    }
    let refuse = |vm: &mut Vm| {
        let class = vm.class_name_of(value);
        vm.type_error(format!("can't convert {class} into an exact number"))
    };
    if matches!(value, Value::Nil | Value::Str(_)) || vm.is_a(value, ClassId::TIME) {
        return Err(refuse(vm));
    }
    let to_r = rchef_syntax::symbol::sym::TO_R;
    let number = if vm.is_a(value, ClassId::RATIONAL) {
        value.clone()
    } else if vm.respond_to(value, to_r, true)? {
        // an object that also converts to an Integer counts as a number
        if !vm.respond_to(value, rchef_syntax::symbol::sym::TO_INT, true)? && !vm.is_a(value, ClassId::NUMERIC) {
            return Err(refuse(vm));
        }
        vm.call(value, to_r, &[])?
    } else if vm.respond_to(value, rchef_syntax::symbol::sym::TO_INT, true)? {
        vm.call(value, rchef_syntax::symbol::sym::TO_INT, &[])?
    } else {
        return Err(refuse(vm));
    };
    match number {
        Value::Int(_) | Value::Big(_) => {
            let number = vm.to_bigint(&number)?;
            Ok(Exact::fraction(number, BigInt::from(1)))
        }
        number if vm.is_a(&number, ClassId::RATIONAL) => {
            let num = vm.call_name(&number, "numerator", &[])?;
            let den = vm.call_name(&number, "denominator", &[])?;
            let (num, den) = (vm.to_bigint(&num)?, vm.to_bigint(&den)?);
            Ok(Exact::fraction(num, den))
        }
        _ => Err(refuse(vm)),
    }
}
