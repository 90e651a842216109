//! `%d %u %o %x %b`.
use super::{FormatArgs, Spec};
use crate::number::{Int, big_to_s, int_to_s};
use num_bigint::BigInt;

fn fill(out: &mut Vec<u8>, byte: u8, n: usize) {
    out.resize(out.len() + n, byte);
}

fn digits<A: FormatArgs>(args: &mut A, n: &Int, radix: u32) -> Result<String, A::Error> {
    match n {
        Int::Small(n) => Ok(int_to_s(*n, radix)),
        Int::Big(n) => args.digits(n, radix),
    }
}

/// The digits of a negative number in infinite two's complement: one sign digit, then the others. The radix is a power of two.
fn complement(n: &Int, radix: u32, sign: char) -> String {
    let magnitude = -n.to_big();
    let len = big_to_s(&magnitude, radix).len();
    let rest = (BigInt::from(1) << (len * radix.trailing_zeros() as usize)) - magnitude;
    let digits = big_to_s(&rest, radix);
    let zeros = "0".repeat(len.saturating_sub(digits.len()));
    let text = zeros + &digits;
    format!("{sign}{}", text.trim_start_matches(sign))
}

pub(super) fn push<A: FormatArgs>(
    out: &mut Vec<u8>,
    args: &mut A,
    spec: &Spec,
    c: u8,
    n: &Int,
) -> Result<(), A::Error> {
    let (radix, mut prefix, sign_digit) = match c {
        b'o' => (8, "0", '7'),
        b'x' => (16, "0x", 'f'),
        b'X' => (16, "0X", 'f'),
        b'b' => (2, "0b", '1'),
        b'B' => (2, "0B", '1'),
        _ => (10, "", ' '),
    };
    if !spec.sharp {
        prefix = "";
    }
    let negative = n.is_negative();
    let signed = radix == 10 || spec.plus || spec.space;
    let dots = negative && !signed;
    let mut text = if dots { complement(n, radix, sign_digit) } else { digits(args, n, radix)? };
    args.grow(out.len(), text.len() + spec.width + spec.precision.unwrap_or(0))?;
    let mut sign = None;
    if signed {
        if negative {
            text.remove(0);
            sign = Some(b'-');
        } else if spec.plus {
            sign = Some(b'+');
        } else if spec.space {
            sign = Some(b' ');
        }
    }
    if c == b'X' {
        text.make_ascii_uppercase();
    }
    let mut width = spec.width as i64 - i64::from(sign.is_some()) - if dots { 2 } else { 0 };
    let mut precision = spec.precision.map_or(-1, |p| p as i64) - if dots { 2 } else { 0 };
    let mut len = text.len() as i64;
    if prefix == "0" {
        if dots {
            prefix = "";
        } else if text == "0" {
            len = 0;
            if spec.precision.is_some() {
                precision -= 1;
            }
        } else if precision > len {
            prefix = "";
        }
    } else if text == "0" {
        prefix = "";
    }
    width -= prefix.len() as i64;
    if spec.zero && !spec.minus && spec.precision.is_none() {
        precision = width;
        width = 0;
    } else {
        if precision < len {
            if prefix.is_empty() && precision == 0 && text == "0" {
                len = 0;
            }
            precision = len;
        }
        width -= precision;
    }
    let width = width.max(0) as usize;
    if !spec.minus {
        fill(out, b' ', width);
    }
    out.extend(sign);
    out.extend_from_slice(prefix.as_bytes());
    if dots {
        out.extend_from_slice(b"..");
    }
    if precision > len {
        let n = (precision - len) as usize;
        if dots {
            fill(out, if c == b'X' { b'F' } else { sign_digit as u8 }, n);
        } else if !spec.minus || spec.precision.is_some() {
            fill(out, b'0', n);
        }
    }
    out.extend_from_slice(&text.as_bytes()[..len as usize]);
    if spec.minus {
        fill(out, b' ', width);
    }
    Ok(())
}
