//! `%f %e %g %a`.
use super::near::{Wanted, near_half};
use super::{FormatArgs, Number, Spec};
use crate::number::rational_to_f64;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

pub(super) fn push<A: FormatArgs>(
    out: &mut Vec<u8>,
    args: &mut A,
    spec: &Spec,
    c: u8,
    n: &Number,
) -> Result<(), A::Error> {
    args.grow(out.len(), spec.width + spec.precision.unwrap_or(0))?;
    if c == b'f' {
        let one = BigInt::from(1);
        let body = match n {
            Number::Int(n) => Some((n.is_negative(), exact(args, spec, &n.to_big(), &one)?)),
            Number::Rational(num, den) => Some((num.is_negative(), exact(args, spec, num, den)?)),
            Number::Float(_) => None,
        };
        if let Some((negative, body)) = body {
            layout(out, spec, negative, "", &body);
            return Ok(());
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
        layout(out, &Spec { zero: false, ..*spec }, negative, "", body);
        return Ok(());
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
    Ok(())
}

/// Puts sign, prefix and padding around the digits.
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

/// `%f` of an exact number, halves away from zero. Long division, a few digits at a time: the time is linear in the precision, and the caller may
/// interrupt it.
fn exact<A: FormatArgs>(args: &mut A, spec: &Spec, num: &BigInt, den: &BigInt) -> Result<String, A::Error> {
    const DIGITS: usize = 18;
    let precision = spec.precision.unwrap_or(6);
    let (mut whole, mut rest) = num.abs().div_rem(den);
    let mut fraction = String::with_capacity(precision + 1);
    while fraction.len() < precision && !rest.is_zero() {
        args.tick()?;
        let count = DIGITS.min(precision - fraction.len());
        let (next, left) = (rest * 10u64.pow(count as u32)).div_rem(den);
        fraction.push_str(&padded(&next.to_string(), count));
        rest = left;
    }
    fraction.extend(std::iter::repeat_n('0', precision - fraction.len()));
    if rest * 2 >= *den {
        // round up the digit before the trailing nines
        let nines = fraction.len() - fraction.trim_end_matches('9').len();
        let kept = fraction.len() - nines;
        fraction.truncate(kept);
        match fraction.pop() {
            Some(last) => fraction.push(char::from(last as u8 + 1)),
            None => whole += 1,
        }
        fraction.extend(std::iter::repeat_n('0', nines));
    }
    let whole = args.digits(&whole, 10)?;
    Ok(if precision > 0 { whole + "." + &fraction } else { whole })
}

/// Digits with leading zeros up to a width (Rust's formatter allows widths up to 65,535).
fn padded(digits: &str, width: usize) -> String {
    "0".repeat(width.saturating_sub(digits.len())) + digits
}

/// A double has fewer digits than this; the rest are zeros, which Rust's formatter need not print.
const MAX_DIGITS: usize = 1100;

fn fixed(x: f64, precision: usize, sharp: bool) -> String {
    let mut s = match near_half(x, Wanted::Places(precision)) {
        Some(half) => {
            let mut s = padded(&half.digits.to_string(), precision + 1);
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

pub(super) fn general(x: f64, precision: usize, sharp: bool) -> String {
    let (m, e) = parts(x, precision - 1);
    // MRI keeps trailing zeros if a half, as its approximation sees it, was rounded down.
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
            // MRI shows subnormals with a leading one.
            let shift = low.leading_zeros() - 11;
            (1, low << shift & ((1 << 52) - 1), -1022 - shift as i32)
        }
        (e, low) => (1, low, e as i32 - 1023),
    };
    let mut digits = 13;
    match precision {
        Some(p) if p < 13 => {
            // Round to even by the bits that are cut off.
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
