//! `%f %e %g %a`.
use super::near::{Wanted, near_half};
use super::{Number, Spec};
use crate::number::rational_to_f64;
use num_bigint::BigInt;
use num_traits::Signed;

pub(super) fn push(out: &mut Vec<u8>, spec: &Spec, c: u8, n: &Number) {
    if c == b'f' {
        match n {
            Number::Int(n) => return exact(out, spec, &n.to_big(), &BigInt::from(1)),
            Number::Rational(num, den) => return exact(out, spec, num, den),
            Number::Float(_) => {}
        }
    }
    let x = match n {
        Number::Int(n) => n.to_f64(),
        Number::Rational(num, den) => rational_to_f64(num, den),
        Number::Float(x) => *x,
    };
    let negative = x.is_sign_negative() && !x.is_nan();
    if !x.is_finite() {
        let body = if x.is_nan() { "NaN" } else { "Inf" };
        return layout(out, &Spec { zero: false, ..*spec }, negative, "", body);
    }
    let x = x.abs();
    let mut body = match c {
        b'f' => fixed(x, spec.precision.unwrap_or(6), spec.sharp),
        b'e' | b'E' => scientific(x, spec.precision.unwrap_or(6), spec.sharp),
        b'g' | b'G' => general(x, spec.precision.unwrap_or(6).max(1), spec.sharp),
        _ => hexadecimal(x, spec.precision, spec.sharp),
    };
    let upper = c.is_ascii_uppercase();
    if upper {
        body.make_ascii_uppercase();
    }
    let prefix = match c {
        b'a' => "0x",
        b'A' => "0X",
        _ => "",
    };
    layout(out, spec, negative, prefix, &body);
}

/// Sign, prefix, padding.
fn layout(out: &mut Vec<u8>, spec: &Spec, negative: bool, prefix: &str, body: &str) {
    let sign = if negative {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    };
    let fill = spec.width.saturating_sub(sign.len() + prefix.len() + body.len());
    let pad = |out: &mut Vec<u8>, byte| out.resize(out.len() + fill, byte);
    if !spec.minus && !spec.zero {
        pad(out, b' ');
    }
    out.extend_from_slice(sign.as_bytes());
    out.extend_from_slice(prefix.as_bytes());
    if spec.zero && !spec.minus {
        pad(out, b'0');
    }
    out.extend_from_slice(body.as_bytes());
    if spec.minus {
        pad(out, b' ');
    }
}

/// `%f` of an exact number, halves away from zero.
fn exact(out: &mut Vec<u8>, spec: &Spec, num: &BigInt, den: &BigInt) {
    let precision = spec.precision.unwrap_or(6);
    let scaled: BigInt = num.abs() * BigInt::from(10).pow(precision as u32);
    let doubled: BigInt = scaled * 2 + den;
    let digits = (doubled / (BigInt::from(2) * den)).to_string();
    let digits = format!("{digits:0>width$}", width = precision + 1);
    let (whole, fraction) = digits.split_at(digits.len() - precision);
    let body = if precision > 0 { format!("{whole}.{fraction}") } else { whole.to_string() };
    layout(out, spec, num.is_negative(), "", &body);
}

/// Digits that a double cannot have are zeros; do not let Rust's formatter limit them.
const MAX_DIGITS: usize = 1100;

fn fixed(x: f64, precision: usize, sharp: bool) -> String {
    let mut s = match near_half(x, Wanted::Places(precision)) {
        Some(half) => {
            let digits = half.digits;
            let mut s = format!("{digits:0>width$}", width = precision + 1);
            if precision > 0 {
                s.insert(s.len() - precision, '.');
            }
            s
        }
        None => format!("{x:.*}", precision.min(MAX_DIGITS)),
    };
    s.extend(std::iter::repeat_n('0', precision.saturating_sub(MAX_DIGITS)));
    if sharp && precision == 0 {
        s.push('.');
    }
    s
}

/// Mantissa digits with their point, and the exponent.
fn parts(x: f64, precision: usize) -> (String, i32) {
    if let Some(half) = near_half(x, Wanted::Digits(precision + 1)) {
        let mut m = half.digits.to_string();
        if precision > 0 {
            m.insert(1, '.');
        }
        return (m, half.power);
    }
    let s = format!("{x:.*e}", precision.min(MAX_DIGITS));
    let (m, e) = s.split_once('e').unwrap_or((&s, "0"));
    let mut m = m.to_string();
    m.extend(std::iter::repeat_n('0', precision.saturating_sub(MAX_DIGITS)));
    (m, e.parse().unwrap_or(0))
}

fn exponent(e: i32) -> String {
    format!("e{}{:02}", if e < 0 { '-' } else { '+' }, e.unsigned_abs())
}

fn scientific(x: f64, precision: usize, sharp: bool) -> String {
    let (mut m, e) = parts(x, precision);
    if sharp && precision == 0 {
        m.push('.');
    }
    m + &exponent(e)
}

fn general(x: f64, precision: usize, sharp: bool) -> String {
    let (m, e) = parts(x, precision - 1);
    // What is more than a half and was left out nevertheless keeps the zeros before it, as does the half of a whole number.
    let kept = near_half(x, Wanted::Digits(precision)).is_some_and(|half| !half.up)
        && (x.fract() == 0.0 && e <= 14 || !format!("{x:.*e}", precision - 1).starts_with(&m));
    let trim = |s: String| {
        if sharp || kept || !s.contains('.') { s } else { s.trim_end_matches('0').trim_end_matches('.').to_string() }
    };
    let with_point = |s: String| if sharp && !s.contains('.') { s + "." } else { s };
    if e < -4 || i64::from(e) >= precision as i64 {
        return with_point(trim(m)) + &exponent(e);
    }
    with_point(trim(fixed(x, (precision as i64 - 1 - i64::from(e)).max(0) as usize, false)))
}

fn hexadecimal(x: f64, precision: Option<usize>, sharp: bool) -> String {
    let bits = x.to_bits();
    let low = bits & ((1 << 52) - 1);
    let (mut whole, mut fraction, mut exp) = match (bits >> 52, low) {
        (0, 0) => (0, 0, 0),
        (0, low) => {
            // Subnormals are shown with a leading one.
            let shift = low.leading_zeros() - 11;
            (1, low << shift & ((1 << 52) - 1), -1022 - shift as i32)
        }
        (e, low) => (1, low, e as i32 - 1023),
    };
    let mut digits = 13;
    match precision {
        Some(p) if p < 13 => {
            // Round to even, by the bits that fall off.
            let drop = 4 * (13 - p);
            let all: u64 = whole << 52 | fraction;
            let rest = all & ((1 << drop) - 1);
            let half = 1 << (drop - 1);
            let mut kept = all >> drop;
            if rest > half || rest == half && kept & 1 == 1 {
                kept += 1;
            }
            let all = kept << drop;
            whole = all >> 52;
            fraction = all & ((1 << 52) - 1);
            if whole > 1 {
                (whole, exp) = (1, exp + 1);
            }
            digits = p;
        }
        Some(_) => {}
        None => {
            let zeros = if fraction == 0 { 13 } else { fraction.trailing_zeros() as usize / 4 };
            digits = 13 - zeros;
        }
    }
    let mut text = format!("{fraction:013x}");
    text.truncate(digits);
    text.extend(std::iter::repeat_n('0', precision.unwrap_or(0).saturating_sub(13)));
    let point = if text.is_empty() && !sharp { "" } else { "." };
    format!("{whole}{point}{text}p{exp:+}")
}
