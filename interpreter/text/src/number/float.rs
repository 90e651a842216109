//! Float#to_s, and round, floor, ceil with digits, computed like MRI's numeric.c.
use super::Int;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};
use std::fmt;

/// Decimal digits that a double may need, plus two: MRI's `float_dig`.
const FLOAT_DIG: i64 = 17;

/// The `half:` of `round`.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum HalfMode {
    /// Away from zero.
    #[default]
    Up,
    /// To the even neighbour.
    Even,
    Down,
}

/// The mode with this name (`half: :even` or `"even"`).
///
/// # Errors
/// Any other name is an ArgumentError with MRI's message.
pub fn half_mode(name: &str) -> Result<HalfMode, RoundError> {
    match name {
        "up" => Ok(HalfMode::Up),
        "even" => Ok(HalfMode::Even),
        "down" => Ok(HalfMode::Down),
        _ => Err(RoundError::Mode(name.into())),
    }
}

/// Why a number cannot be rounded.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum RoundError {
    /// FloatDomainError: NaN and infinities have no integer value.
    Domain(&'static str),
    /// ArgumentError: unknown mode.
    Mode(String),
}

impl fmt::Display for RoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoundError::Domain(what) => f.write_str(what),
            RoundError::Mode(mode) => write!(f, "invalid rounding mode: {mode}"),
        }
    }
}
impl std::error::Error for RoundError {}

/// The shortest digits that read back as `x` (finite, not zero), and the exponent: `0.DIGITS * 10**point`.
pub fn shortest_digits(x: f64) -> (String, i32) {
    let text = format!("{:e}", x.abs());
    let (mantissa, exp) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits = mantissa.replace('.', "");
    if digits.len() >= 15 {
        to_even(x.abs(), &mut digits, exp);
    }
    (digits, exp.parse::<i32>().unwrap_or(0) + 1)
}

/// Where the exact value is halfway between two shortest forms, MRI (David Gay's dtoa) takes the even digit, Rust the upper one.
fn to_even(x: f64, digits: &mut String, exp: &str) {
    let odd = digits.as_bytes().last().is_some_and(|d| d % 2 == 1);
    let exact = format!("{x:.*e}", digits.len() + 25);
    let tail = exact.split_once('e').map_or("", |(m, _)| m.get(digits.len() + 1..).unwrap_or(""));
    if !odd || !tail.starts_with('5') || tail.bytes().skip(1).any(|b| b != b'0') {
        return;
    }
    let Some(d) = digits.pop() else { return };
    let lower = format!("{digits}{}", (d as u8 - 1) as char);
    let read: f64 = format!("{}.{}e{exp}", &lower[..1], &lower[1..]).parse().unwrap_or(f64::NAN);
    *digits = if read == x { lower } else { format!("{digits}{d}") };
}

pub fn float_to_s(x: f64) -> String {
    if x.is_nan() {
        return "NaN".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, point) = shortest_digits(x);
    let n = digits.len() as i32;
    if 0 < point && (point <= 15 || point < n) {
        if point >= n {
            format!("{sign}{digits}{}.0", "0".repeat((point - n) as usize))
        } else {
            format!("{sign}{}.{}", &digits[..point as usize], &digits[point as usize..])
        }
    } else if -4 < point && point <= 0 {
        format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let rest = if n > 1 { &digits[1..] } else { "0" };
        let exp = point - 1;
        let (esign, exp) = if exp < 0 { ('-', -exp) } else { ('+', exp) };
        format!("{sign}{}.{rest}e{esign}{exp:02}", &digits[..1])
    }
}

/// The integer part; None for NaN and infinities.
fn truncated(x: f64) -> Option<Int> {
    if (-9.0e18..=9.0e18).contains(&x) {
        return Some(Int::Small(x as i64));
    }
    BigInt::from_f64(x).map(Int::from)
}

/// `Float#to_i`.
///
/// # Errors
/// FloatDomainError for NaN and infinities.
pub fn float_to_int(x: f64) -> Result<Int, RoundError> {
    truncated(x).ok_or(RoundError::Domain(if x.is_nan() {
        "NaN"
    } else if x > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }))
}

/// The exponent e of C's frexp: |x| = m * 2**e with 0.5 <= m < 1.
fn binary_exponent(x: f64) -> i64 {
    if x == 0.0 || !x.is_finite() {
        return 0;
    }
    let bits = x.to_bits();
    match (bits >> 52) & 0x7FF {
        0 => -1073 + (63 - i64::from((bits << 12 >> 12).leading_zeros())),
        e => e as i64 - 1022,
    }
}

fn overflows(digits: i64, exp: i64) -> bool {
    digits >= FLOAT_DIG - if exp > 0 { exp / 4 } else { exp / 3 - 1 }
}

fn underflows(digits: i64, exp: i64) -> bool {
    digits < -(if exp > 0 { exp / 3 + 1 } else { exp / 4 })
}

fn half_up(x: f64, s: f64) -> f64 {
    let f = (x * s).round();
    if s == 1.0 {
        f
    } else if x > 0.0 {
        if (f + 0.5) / s <= x { f + 1.0 } else { f }
    } else if (f - 0.5) / s >= x {
        f - 1.0
    } else {
        f
    }
}

fn half_down(x: f64, s: f64) -> f64 {
    let f = (x * s).round();
    if x > 0.0 {
        if (f - 0.5) / s >= x { f - 1.0 } else { f }
    } else if (f + 0.5) / s <= x {
        f + 1.0
    } else {
        f
    }
}

fn half_even(x: f64, s: f64) -> f64 {
    let xs = x * s;
    let (f, d, towards) = if x > 0.0 { (xs.floor(), xs - xs.floor(), 0.5) } else { (xs.ceil(), xs.ceil() - xs, -0.5) };
    let on_half = if x > 0.0 { (f + towards) / s <= x } else { (f + towards) / s >= x };
    let d = if d > 0.5 {
        1.0
    } else if d == 0.5 || on_half {
        f.abs() % 2.0
    } else {
        0.0
    };
    if x > 0.0 { f + d } else { f - d }
}

fn round_to(x: f64, s: f64, mode: HalfMode) -> f64 {
    match mode {
        HalfMode::Up => half_up(x, s),
        HalfMode::Down => half_down(x, s),
        HalfMode::Even => half_even(x, s),
    }
}

/// C's pow(10, digits), which is exact to the last bit; `powi` is not.
fn power_of_ten(digits: i64) -> f64 {
    if digits <= 22 { 10f64.powi(digits as i32) } else { format!("1e{digits}").parse().unwrap_or(f64::INFINITY) }
}

/// The exact value as numerator and denominator (a power of two).
fn fraction(x: f64) -> (BigInt, BigInt) {
    let bits = x.to_bits();
    let exp = ((bits >> 52) & 0x7FF) as i64;
    let low = bits & ((1 << 52) - 1);
    let (m, e) = if exp == 0 { (low, -1074) } else { (low | 1 << 52, exp - 1075) };
    let m = if x < 0.0 { -BigInt::from(m) } else { BigInt::from(m) };
    if e >= 0 { (m << e as usize, BigInt::from(1)) } else { (m, BigInt::from(1) << (-e) as usize) }
}

/// Rounds num / den to an integer, halves by the mode.
fn divide_round(num: &BigInt, den: &BigInt, mode: HalfMode) -> BigInt {
    let (q, r) = num.abs().div_rem(den);
    let twice: BigInt = r * 2;
    let up = match twice.cmp(den) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => match mode {
            HalfMode::Up => true,
            HalfMode::Down => false,
            HalfMode::Even => q.is_odd(),
        },
    };
    let q = if up { q + 1 } else { q };
    if num.is_negative() { -q } else { q }
}

/// `Float#round` for digits above 0.
fn round_digits(x: f64, digits: i64, mode: HalfMode) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let exp = binary_exponent(x);
    if overflows(digits, exp) {
        return x;
    }
    if underflows(digits, exp) {
        return 0.0;
    }
    if digits > 14 {
        // 10**digits may be inexact as a Float: compute with fractions, as MRI does.
        let (num, den) = fraction(x);
        let scaled = num * BigInt::from(10).pow(digits as u32);
        let q = divide_round(&scaled, &den, mode);
        return rational_to_f64(&q, &BigInt::from(10).pow(digits as u32));
    }
    let s = power_of_ten(digits);
    round_to(x, s, mode) / s
}

/// `Float#round(digits, half:)`: a Float for digits above 0, else an integer.
///
/// # Errors
/// FloatDomainError if the result would be the integer of NaN or an infinity.
pub fn float_round(x: f64, digits: i64, mode: HalfMode) -> Result<Result<f64, Int>, RoundError> {
    if digits > 0 {
        return Ok(Ok(round_digits(x, digits, mode)));
    }
    if digits == 0 {
        return float_to_int(if x.is_finite() { round_to(x, 1.0, mode) } else { x }).map(Err);
    }
    Ok(Err(int_round(&float_to_int(x)?, digits, mode)))
}

/// `Float#floor(digits)`, with the results of `float_round`.
///
/// # Errors
/// See `float_round`.
pub fn float_floor(x: f64, digits: i64) -> Result<Result<f64, Int>, RoundError> {
    if digits <= 0 {
        return Ok(Err(int_floor(&float_to_int(x.floor())?, digits)));
    }
    let exp = binary_exponent(x);
    if x == 0.0 || !x.is_finite() || overflows(digits, exp) {
        return Ok(Ok(x));
    }
    if x > 0.0 && underflows(digits, exp) {
        return Ok(Ok(0.0));
    }
    let f = power_of_ten(digits);
    let mul = (x * f).floor();
    let res = (mul + 1.0) / f;
    Ok(Ok(if res > x { mul / f } else { res }))
}

/// `Float#ceil(digits)`, with the results of `float_round`.
///
/// # Errors
/// See `float_round`.
pub fn float_ceil(x: f64, digits: i64) -> Result<Result<f64, Int>, RoundError> {
    if digits <= 0 {
        return Ok(Err(int_ceil(&float_to_int(x.ceil())?, digits)));
    }
    let exp = binary_exponent(x);
    if x == 0.0 || !x.is_finite() || overflows(digits, exp) {
        return Ok(Ok(x));
    }
    if x < 0.0 && underflows(digits, exp) {
        return Ok(Ok(0.0));
    }
    let f = power_of_ten(digits);
    Ok(Ok((x * f).ceil() / f))
}

/// Whether `10**-digits` is certainly more than twice the number, in which case MRI returns 0 (`int_round_zero_p`).
fn vanishes(n: &Int, digits: i64) -> bool {
    let bytes = match n {
        Int::Small(_) => 8,
        Int::Big(b) => b.bits().div_ceil(8) as i64,
    };
    -0.415241 * digits as f64 - 0.125 > bytes as f64
}

fn power(digits: i64) -> BigInt {
    BigInt::from(10).pow(digits.unsigned_abs().min(u64::from(u32::MAX)) as u32)
}

/// `Integer#round(digits, half:)`; the number itself for digits of 0 or more.
pub fn int_round(n: &Int, digits: i64, mode: HalfMode) -> Int {
    if digits >= 0 {
        return n.clone();
    }
    if vanishes(n, digits) {
        return Int::Small(0);
    }
    let f = power(digits);
    Int::from(divide_round(&n.to_big(), &f, mode) * f)
}

/// `Integer#floor(digits)`.
pub fn int_floor(n: &Int, digits: i64) -> Int {
    if digits >= 0 {
        return n.clone();
    }
    if vanishes(n, digits) {
        return Int::Small(0);
    }
    let f = power(digits);
    Int::from(n.to_big().div_floor(&f) * f)
}

/// `Integer#ceil(digits)`.
pub fn int_ceil(n: &Int, digits: i64) -> Int {
    if digits >= 0 {
        return n.clone();
    }
    if vanishes(n, digits) {
        return Int::Small(0);
    }
    let f = power(digits);
    let big = n.to_big();
    let rest = big.mod_floor(&f);
    // With Bignums MRI 3.1 adds a step even if the number is already a multiple.
    let fixnums = f.bits() <= 62 && big.bits() <= 62;
    Int::from(if rest.is_zero() && fixnums { big } else { big + (f - rest) })
}

/// `Integer#truncate(digits)`.
pub fn int_truncate(n: &Int, digits: i64) -> Int {
    if n.is_negative() { int_ceil(n, digits) } else { int_floor(n, digits) }
}

/// The Float nearest to a quotient.
pub(super) fn quotient(num: &BigInt, den: &BigInt) -> f64 {
    if let (Some(a), Some(b)) = (num.to_i64(), den.to_i64())
        && a.unsigned_abs() < 1 << 53
        && b.unsigned_abs() < 1 << 53
    {
        return a as f64 / b as f64;
    }
    if num.is_zero() {
        return 0.0;
    }
    // Scale so that the quotient has 66 bits; a sticky bit makes the final rounding correct.
    let shift = 66 - (num.bits() as i64 - den.bits() as i64);
    let (n, d) =
        if shift >= 0 { (num.abs() << shift as usize, den.clone()) } else { (num.abs(), den << (-shift) as usize) };
    let (q, r) = n.div_rem(&d);
    let q = if r.is_zero() { q } else { q | BigInt::from(1) };
    let value = ldexp(&q, -shift);
    if num.is_negative() { -value } else { value }
}

/// q * 2**exp, rounded once (q must have at least 64 bits).
fn ldexp(q: &BigInt, exp: i64) -> f64 {
    let bits = q.bits() as i64;
    let top = bits + exp;
    if top > 1024 {
        return f64::INFINITY;
    }
    // The number of bits below the lowest bit of the result.
    let drop = if top > -1021 { bits - 53 } else { bits - 53 + (-1021 - top) };
    if drop > bits + 1 {
        return 0.0;
    }
    let den = BigInt::from(1) << drop.max(0) as usize;
    let m = divide_round(q, &den, HalfMode::Even).to_u64().unwrap_or(0);
    let e = exp + drop;
    // m has at most 54 bits and m * 2**e is representable: two exact multiplications reach the subnormals.
    let half = e / 2;
    m as f64 * 2f64.powi(half as i32) * 2f64.powi((e - half) as i32)
}

/// By Euclid's steps while a number is large: the binary algorithm of the library takes a step for each bit.
fn common_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    const QUICK_BITS: u64 = 2048;
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() && a.bits().max(b.bits()) > QUICK_BITS {
        let rest = &a % &b;
        (a, b) = (b, rest);
    }
    a.gcd(&b)
}

/// `Rational#to_f` and `Integer#fdiv` (den above 0): MRI reduces, then divides the nearest Floats if the divisor is a Fixnum.
pub fn rational_to_f64(num: &BigInt, den: &BigInt) -> f64 {
    if den.is_zero() {
        return f64::NAN;
    }
    let gcd = common_divisor(num, den);
    let (num, den) = (num / &gcd, den / gcd);
    let (a, b) = (super::big_to_f64(&num), super::big_to_f64(&den));
    if a.is_finite() && den.bits() <= 62 {
        return a / b;
    }
    quotient(&num, &den)
}
