//! Numbers from text: the lenient `to_i`, `to_f`, `to_r`, `to_c` and the strict `Integer()`, `Float()`, `Rational()`, `Complex()`.
use super::Int;
use super::float::quotient;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::Zero;
use std::fmt;

/// Why text is not a number.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum NumberError {
    /// ArgumentError: `invalid value for Integer(): "x"`; the function and the inspected text.
    Invalid(&'static str, String),
    Radix(i64),
    /// ArgumentError: `string for Float contains null byte`.
    NullByte(&'static str),
    ZeroDivision,
    /// An exponent that would need too much memory (MRI returns infinity or fails).
    ExponentTooLarge,
    /// NoMemoryError: an Integer with too many digits.
    TooLarge,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberError::Invalid(what, text) => write!(f, "invalid value for {what}: {text}"),
            NumberError::Radix(n) => write!(f, "invalid radix {n}"),
            NumberError::NullByte(what) => write!(f, "{what} contains null byte"),
            NumberError::ZeroDivision => f.write_str("divided by 0"),
            NumberError::ExponentTooLarge => f.write_str("exponent too large"),
            NumberError::TooLarge => f.write_str("failed to allocate memory: the number has too many digits"),
        }
    }
}
impl std::error::Error for NumberError {}

fn invalid(what: &'static str, text: &[u8]) -> NumberError {
    // MRI's `Float()` inspects the text as bytes, whatever its encoding
    let encoding = if what == "Float()" { crate::encoding::Encoding::Binary } else { crate::encoding::Encoding::Utf8 };
    let shown = crate::inspect::inspect(text, encoding);
    NumberError::Invalid(what, String::from_utf8_lossy(&shown).into_owned())
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t'..=b'\r')
}

fn skip_space(mut s: &[u8]) -> &[u8] {
    while let [b, rest @ ..] = s {
        if !is_space(*b) {
            break;
        }
        s = rest;
    }
    s
}

fn digit(b: u8) -> u32 {
    match b {
        b'0'..=b'9' => u32::from(b - b'0'),
        b'a'..=b'z' => u32::from(b - b'a') + 10,
        b'A'..=b'Z' => u32::from(b - b'A') + 10,
        _ => 99,
    }
}

/// The length in bytes of digits with single underscores between them.
fn digits_len(s: &[u8], base: u32) -> usize {
    let mut n = 0;
    loop {
        match s.get(n) {
            Some(&b) if digit(b) < base => n += 1,
            Some(b'_') if n > 0 && s.get(n + 1).is_some_and(|&b| digit(b) < base) => n += 2,
            _ => return n,
        }
    }
}

fn to_int(digits: &[u8], base: u32, negative: bool) -> Int {
    let mut small: i64 = 0;
    let fits = digits.iter().filter(|b| **b != b'_').try_for_each(|&b| {
        small = small.checked_mul(i64::from(base))?.checked_sub(i64::from(digit(b)))?;
        Some(())
    });
    if fits.is_some() {
        if negative {
            return Int::Small(small);
        }
        if let Some(n) = small.checked_neg() {
            return Int::Small(n);
        }
    }
    let values: Vec<u8> = digits.iter().filter(|b| **b != b'_').map(|&b| digit(b) as u8).collect();
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    Int::from(BigInt::from_biguint(sign, big(&values, base)))
}

/// The value of digits. Halves are joined by a multiplication, because reading digit by digit takes quadratic time.
fn big(values: &[u8], base: u32) -> BigUint {
    const SHORT: usize = 4096;
    if values.len() <= SHORT || base.is_power_of_two() {
        return BigUint::from_radix_be(values, base).unwrap_or_default();
    }
    let low = values.len() / 2;
    let (head, tail) = values.split_at(values.len() - low);
    big(head, base) * BigUint::from(base).pow(low as u32) + big(tail, base)
}

/// The limit is the number of decimal digits that 32 Mibit hold. More take minutes.
fn check_digits(count: usize) -> Result<(), NumberError> {
    if count > 10_100_000 { Err(NumberError::TooLarge) } else { Ok(()) }
}

/// The integer at the start of `s` and the text after it; None if there is none.
fn int_head(s: &[u8], base: i64) -> Result<Option<(Int, &[u8])>, NumberError> {
    let whole = s;
    let mut s = skip_space(s);
    if s.is_empty() && !whole.is_empty() {
        return Ok(None);
    }
    let negative = s.first() == Some(&b'-');
    if let [b'+' | b'-', rest @ ..] = s {
        s = rest;
    }
    let prefix = match s {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'd' | b'D', ..] => 10,
        _ => 0,
    };
    let wanted = match base {
        1 | 37.. | ..-36 => return Err(NumberError::Radix(base)),
        _ if base <= 0 && prefix != 0 => prefix,
        _ if base <= 0 && s.len() > 1 && s[0] == b'0' => 8,
        0 | -1 => 10,
        _ => base.abs(),
    };
    let base = wanted as u32;
    if prefix == wanted {
        let body = &s[2..];
        let n = digits_len(body, base);
        if n > 0 {
            check_digits(n)?;
            return Ok(Some((to_int(&body[..n], base, negative), &body[n..])));
        }
    }
    let count = digits_len(s, base);
    check_digits(count)?;
    match count {
        0 => Ok(None),
        n => Ok(Some((to_int(&s[..n], base, negative), &s[n..]))),
    }
}

/// `String#to_i(base)`: the start of the text, 0 if it is not a number. Base 0 means that the prefix decides.
///
/// # Errors
/// Only an invalid radix; the caller rejects negative ones.
pub fn parse_int(s: &[u8], base: i64) -> Result<Int, NumberError> {
    Ok(int_head(s, base)?.map_or(Int::Small(0), |(n, _)| n))
}

/// `Integer(text, base)`; base 0 if the caller gives none.
///
/// # Errors
/// Anything but a number with optional whitespace around it.
pub fn parse_int_strict(s: &[u8], base: i64) -> Result<Int, NumberError> {
    match int_head(s, base)? {
        Some((n, rest)) if skip_space(rest).is_empty() => Ok(n),
        _ => Err(invalid("Integer()", s)),
    }
}

/// The length of the decimal number at the start of the text, and its text without underscores.
fn float_head(s: &[u8]) -> (usize, String) {
    let mut text = String::new();
    let mut push = |part: &[u8]| text.extend(part.iter().filter(|b| **b != b'_').map(|b| *b as char));
    let mut n = usize::from(matches!(s.first(), Some(b'+' | b'-')));
    push(&s[..n]);
    let whole = digits_len(&s[n..], 10);
    push(&s[n..n + whole]);
    n += whole;
    let mut fraction = 0;
    if s.get(n) == Some(&b'.') {
        fraction = digits_len(&s[n + 1..], 10);
        if fraction > 0 {
            push(&s[n..n + 1 + fraction]);
            n += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return (0, String::new());
    }
    if let Some(b'e' | b'E') = s.get(n) {
        let sign = usize::from(matches!(s.get(n + 1), Some(b'+' | b'-')));
        let exp = digits_len(&s[n + 1 + sign..], 10);
        if exp > 0 {
            push(&s[n..n + 1 + sign + exp]);
            n += 1 + sign + exp;
        }
    }
    (n, text)
}

/// `String#to_f`: the start of the text, 0.0 if it is not a number.
pub fn parse_float(s: &[u8]) -> f64 {
    let s = skip_space(s);
    // MRI does not accept hexadecimal here, but checks for it only if there is no sign.
    if let ([b'+' | b'-', ..], Some((_, x))) = (s, hex_float(s)) {
        return x;
    }
    let (n, text) = float_head(s);
    if n == 0 { 0.0 } else { text.parse().unwrap_or(0.0) }
}

/// Hexadecimal floats (`0x1.8p3`) as C's strtod reads them: the length and the value.
fn hex_float(s: &[u8]) -> Option<(usize, f64)> {
    let sign = usize::from(matches!(s.first(), Some(b'+' | b'-')));
    let [b'0', b'x' | b'X', ..] = s[sign..] else { return None };
    let mut n = sign + 2;
    let whole = digits_len(&s[n..], 16);
    if whole == 0 {
        return None;
    }
    let mut digits: Vec<u8> = s[n..n + whole].to_vec();
    n += whole;
    let mut exp = 0i64;
    if s.get(n) == Some(&b'.') {
        let fraction = digits_len(&s[n + 1..], 16);
        if fraction == 0 {
            return None;
        }
        digits.extend_from_slice(&s[n + 1..n + 1 + fraction]);
        exp -= 4 * s[n + 1..n + 1 + fraction].iter().filter(|b| **b != b'_').count() as i64;
        n += 1 + fraction;
    }
    if let Some(b'p' | b'P') = s.get(n) {
        let esign = usize::from(matches!(s.get(n + 1), Some(b'+' | b'-')));
        let len = digits_len(&s[n + 1 + esign..], 10);
        if len == 0 {
            return None;
        }
        let Int::Small(e) = to_int(&s[n + 1 + esign..n + 1 + esign + len], 10, s[n + 1] == b'-') else { return None };
        exp += e.clamp(-100_000, 100_000);
        n += 1 + esign + len;
    }
    let m = to_int(&digits, 16, false).to_big();
    let one = BigInt::from(1);
    let value = if exp >= 0 { quotient(&(m << exp as usize), &one) } else { quotient(&m, &(one << (-exp) as usize)) };
    Some((n, if s[0] == b'-' { -value } else { value }))
}

/// `Float(text)`.
///
/// # Errors
/// Anything but a number with optional whitespace around it.
pub fn parse_float_strict(s: &[u8]) -> Result<f64, NumberError> {
    if s.contains(&0) {
        return Err(NumberError::NullByte("string for Float"));
    }
    let body = skip_space(s);
    let (n, value) = match hex_float(body) {
        Some(hex) => hex,
        None => {
            let (n, text) = float_head(body);
            (n, text.parse().unwrap_or(0.0))
        }
    };
    if n == 0 || !skip_space(&body[n..]).is_empty() {
        return Err(invalid("Float()", s));
    }
    Ok(value)
}

/// Larger exponents are rejected: 10**exponent has as many digits.
const MAX_EXPONENT: i64 = 1_000_000;

/// A decimal number without a sign as an exact fraction: its length, numerator and denominator.
fn decimal(s: &[u8]) -> Result<Option<(usize, BigInt, BigInt)>, NumberError> {
    let whole = digits_len(s, 10);
    let mut n = whole;
    let mut digits = s[..whole].to_vec();
    let mut scale = 0i64;
    if s.get(n) == Some(&b'.') {
        let fraction = digits_len(&s[n + 1..], 10);
        digits.extend_from_slice(&s[n + 1..n + 1 + fraction]);
        scale -= s[n + 1..n + 1 + fraction].iter().filter(|b| **b != b'_').count() as i64;
        n += 1 + fraction;
    } else if whole == 0 {
        return Ok(None);
    }
    if let (Some(b'e' | b'E'), true) = (s.get(n), s[n - 1] != b'.') {
        let sign = usize::from(matches!(s.get(n + 1), Some(b'+' | b'-')));
        let len = digits_len(&s[n + 1 + sign..], 10);
        if len > 0 {
            match to_int(&s[n + 1 + sign..n + 1 + sign + len], 10, s[n + 1] == b'-') {
                Int::Small(e) if e.abs() <= MAX_EXPONENT => scale += e,
                _ => return Err(NumberError::ExponentTooLarge),
            }
            n += 1 + sign + len;
        }
    }
    let m = to_int(&digits, 10, false).to_big();
    let ten = BigInt::from(10).pow(scale.unsigned_abs() as u32);
    Ok(Some(if scale >= 0 { (n, m * ten, BigInt::from(1)) } else { (n, m, ten) }))
}

/// A fraction without a sign: its length and the reduced numerator and denominator.
fn fraction(s: &[u8]) -> Result<Option<(usize, BigInt, BigInt)>, NumberError> {
    let Some((mut n, mut num, mut den)) = decimal(s)? else { return Ok(None) };
    if s.get(n) == Some(&b'/')
        && let Some((len, a, b)) = decimal(&s[n + 1..])?
    {
        if a.is_zero() {
            return Err(NumberError::ZeroDivision);
        }
        num *= b;
        den *= a;
        n += 1 + len;
    }
    let gcd = num.gcd(&den);
    Ok(Some((n, num / &gcd, den / gcd)))
}

type Head<'a> = ((Int, Int), &'a [u8], bool);

fn rational_head(s: &[u8]) -> Result<Head<'_>, NumberError> {
    let body = skip_space(s);
    let sign = usize::from(matches!(body.first(), Some(b'+' | b'-')));
    match fraction(&body[sign..])? {
        None => Ok(((Int::Small(0), Int::Small(1)), body, false)),
        Some((n, num, den)) => {
            let num = if body[0] == b'-' { -num } else { num };
            Ok(((num.into(), den.into()), &body[sign + n..], true))
        }
    }
}

/// `String#to_r`: numerator and denominator, reduced.
///
/// # Errors
/// A zero denominator, or an exponent that is too large.
pub fn parse_rational(s: &[u8]) -> Result<(Int, Int), NumberError> {
    Ok(rational_head(s)?.0)
}

/// `Rational(text)`.
///
/// # Errors
/// Anything but a number with optional whitespace around it.
pub fn parse_rational_strict(s: &[u8]) -> Result<(Int, Int), NumberError> {
    match rational_head(s)? {
        (value, rest, true) if skip_space(rest).is_empty() => Ok(value),
        _ => Err(invalid("convert()", s)),
    }
}

/// A part of a Complex.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    Int(Int),
    /// A Float (written with a point or an exponent).
    Float(f64),
    /// A Rational (written with a slash): numerator, denominator.
    Rational(Int, Int),
}

/// A Complex in the form in which it was written.
#[derive(Clone, PartialEq, Debug)]
pub enum ComplexParts {
    /// Real and imaginary.
    Rect(Part, Part),
    /// Magnitude and angle.
    Polar(Part, Part),
}

/// A part of a Complex without its sign, and its length.
fn part(s: &[u8], negative: bool) -> Result<Option<(usize, Part)>, NumberError> {
    let number = |s: &[u8]| {
        let whole = digits_len(s, 10);
        let mut n = whole;
        if s.get(n) == Some(&b'.') {
            let fraction = digits_len(&s[n + 1..], 10);
            if fraction > 0 {
                n += 1 + fraction;
            }
        }
        if n == 0 {
            return 0;
        }
        if let Some(b'e' | b'E') = s.get(n) {
            let sign = usize::from(matches!(s.get(n + 1), Some(b'+' | b'-')));
            let len = digits_len(&s[n + 1 + sign..], 10);
            if len > 0 {
                n += 1 + sign + len;
            }
        }
        n
    };
    let mut n = number(s);
    if n == 0 {
        return Ok(None);
    }
    if s.get(n) == Some(&b'/') {
        let den = digits_len(&s[n + 1..], 10);
        if den > 0 {
            n += 1 + den;
            let Some((_, num, den)) = fraction(&s[..n])? else { return Ok(None) };
            let num = if negative { -num } else { num };
            return Ok(Some((n, Part::Rational(num.into(), den.into()))));
        }
    }
    if s[..n].iter().any(|b| matches!(b, b'.' | b'e' | b'E')) {
        let x = parse_float(&s[..n]);
        return Ok(Some((n, Part::Float(if negative { -x } else { x }))));
    }
    Ok(Some((n, Part::Int(to_int(&s[..n], 10, negative)))))
}

fn is_unit(b: Option<&u8>) -> bool {
    matches!(b, Some(b'i' | b'I' | b'j' | b'J'))
}

fn is_sign(b: Option<&u8>) -> bool {
    matches!(b, Some(b'+' | b'-'))
}

/// The Complex at the start of the text, the text after it, and whether it was complete.
fn complex_head(s: &[u8]) -> Result<(ComplexParts, &[u8], bool), NumberError> {
    let zero = || Part::Int(Int::Small(0));
    let one = |negative| Part::Int(Int::Small(if negative { -1 } else { 1 }));
    let mut s = skip_space(s);
    let negative = s.first() == Some(&b'-');
    if is_sign(s.first()) {
        s = &s[1..];
    }
    if is_unit(s.first()) {
        return Ok((ComplexParts::Rect(zero(), one(negative)), &s[1..], true));
    }
    let Some((n, first)) = part(s, negative)? else { return Ok((ComplexParts::Rect(zero(), zero()), s, false)) };
    s = &s[n..];
    if is_unit(s.first()) {
        return Ok((ComplexParts::Rect(zero(), first), &s[1..], true));
    }
    if s.first() == Some(&b'@') {
        s = &s[1..];
        let sign = usize::from(is_sign(s.first()));
        return Ok(match part(&s[sign..], s.first() == Some(&b'-'))? {
            Some((n, angle)) => (ComplexParts::Polar(first, angle), &s[sign + n..], true),
            None => (ComplexParts::Rect(first, zero()), s, false),
        });
    }
    if is_sign(s.first()) {
        let negative = s[0] == b'-';
        let (n, second) = if is_unit(s.get(1)) {
            (0, one(negative))
        } else {
            match part(&s[1..], negative)? {
                Some(p) => p,
                None => return Ok((ComplexParts::Rect(first, zero()), s, false)),
            }
        };
        if !is_unit(s.get(1 + n)) {
            return Ok((ComplexParts::Rect(first, zero()), s, false));
        }
        return Ok((ComplexParts::Rect(first, second), &s[2 + n..], true));
    }
    Ok((ComplexParts::Rect(first, zero()), s, true))
}

/// `String#to_c`.
///
/// # Errors
/// A zero denominator.
pub fn parse_complex(s: &[u8]) -> Result<ComplexParts, NumberError> {
    Ok(complex_head(s)?.0)
}

/// `Complex(text)`.
///
/// # Errors
/// Anything but a number with optional whitespace around it.
pub fn parse_complex_strict(s: &[u8]) -> Result<ComplexParts, NumberError> {
    if s.contains(&0) {
        return Err(NumberError::NullByte("string"));
    }
    match complex_head(s)? {
        (value, rest, true) if skip_space(rest).is_empty() => Ok(value),
        _ => Err(invalid("convert()", s)),
    }
}
