//! Parsing and printing numbers, and rounding Floats.
mod float;
mod parse;

pub use float::{
    HalfMode, RoundError, float_ceil, float_floor, float_round, float_to_int, float_to_s, half_mode, int_ceil,
    int_floor, int_round, int_truncate, rational_to_f64, shortest_digits,
};
pub use parse::{
    ComplexParts, NumberError, Part, parse_complex, parse_complex_strict, parse_float, parse_float_strict, parse_int,
    parse_int_strict, parse_rational, parse_rational_strict,
};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// An integer of any size; `Big` only if it does not fit in i64.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Int {
    Small(i64),
    Big(BigInt),
}

impl Int {
    pub fn to_big(&self) -> BigInt {
        match self {
            Int::Small(n) => BigInt::from(*n),
            Int::Big(n) => n.clone(),
        }
    }

    pub fn to_f64(&self) -> f64 {
        match self {
            Int::Small(n) => *n as f64,
            Int::Big(n) => big_to_f64(n),
        }
    }

    pub fn is_zero(&self) -> bool {
        *self == Int::Small(0)
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Int::Small(n) => *n < 0,
            Int::Big(n) => n.sign() == num_bigint::Sign::Minus,
        }
    }
}

impl From<BigInt> for Int {
    fn from(n: BigInt) -> Int {
        match n.to_i64() {
            Some(i) => Int::Small(i),
            None => Int::Big(n),
        }
    }
}

impl From<i64> for Int {
    fn from(n: i64) -> Int {
        Int::Small(n)
    }
}

impl std::fmt::Display for Int {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Int::Small(n) => write!(f, "{n}"),
            Int::Big(n) => write!(f, "{n}"),
        }
    }
}

/// The Float nearest to a big integer, halves to even; infinite if out of range.
pub fn big_to_f64(n: &BigInt) -> f64 {
    n.to_f64().unwrap_or(f64::INFINITY)
}

/// `Integer#to_s(radix)` for a machine integer; the radix must be in 2..=36 (callers check, see `NumberError::Radix`).
pub fn int_to_s(n: i64, radix: u32) -> String {
    if radix == 10 {
        return n.to_string();
    }
    let radix = u64::from(radix.clamp(2, 36));
    let mut rest = n.unsigned_abs();
    let mut buf = [0u8; 65];
    let mut at = buf.len();
    loop {
        at -= 1;
        buf[at] = b"0123456789abcdefghijklmnopqrstuvwxyz"[(rest % radix) as usize];
        rest /= radix;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        buf[at] = b'-';
    }
    buf[at..].iter().map(|b| *b as char).collect()
}

/// `Integer#to_s(radix)`.
pub fn big_to_s(n: &BigInt, radix: u32) -> String {
    n.to_str_radix(radix.clamp(2, 36))
}
