//! `Array#pack`.
use super::{Count, PackError, Template, float_shape, integer_shape};
use crate::encoding::{Encoding, encode_codepoint};
use crate::number::Int;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// The values to pack, taken in order and converted as the directive requires; the VM implements it.
pub trait PackArgs {
    type Error: From<PackError>;
    /// Called before the result, which has `held` bytes, grows by up to `added` bytes.
    ///
    /// # Errors
    /// NoMemoryError when that is too much.
    fn grow(&mut self, held: usize, added: usize) -> Result<(), Self::Error>;
    /// The number of values not yet taken.
    fn remaining(&self) -> usize;
    /// Takes the next value, converted by `to_int`.
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn integer(&mut self) -> Result<Int, Self::Error>;
    /// Takes the next value, converted to a Float.
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn float(&mut self) -> Result<f64, Self::Error>;
    /// Takes the next value, converted by `to_str`; nil is the empty String.
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn string(&mut self) -> Result<Vec<u8>, Self::Error>;
    /// Takes the next value, converted by `to_str` (for `m` and `u`); nil is a TypeError.
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn encoded(&mut self) -> Result<Vec<u8>, Self::Error> {
        self.string()
    }
    /// Takes the next value, converted by `to_s` (for `M`).
    ///
    /// # Errors
    /// Whatever the conversion raises.
    fn text(&mut self) -> Result<Vec<u8>, Self::Error>;
    /// Takes the next value, converted by `to_str` (for `p` and `P`), and assigns a number to it; 0 for nil. The String must have `_least` bytes.
    ///
    /// # Errors
    /// Whatever the conversion raises; [`PackError::Pointer`] if values cannot have numbers.
    fn pointer(&mut self, _least: usize) -> Result<u64, Self::Error> {
        Err(PackError::Pointer.into())
    }
}

/// The packed bytes and their encoding.
#[derive(Clone, Debug)]
pub struct Packed {
    pub bytes: Vec<u8>,
    /// ASCII-8BIT, UTF-8 after a leading `U`, or US-ASCII for text forms alone.
    pub enc: Encoding,
}

/// Larger fills of `x` and `@` and larger padding are rejected (RangeError).
const MAX_FILL: usize = 1 << 32;

fn low64(n: &Int) -> u64 {
    match n {
        Int::Small(n) => *n as u64,
        Int::Big(b) => {
            let modulus: BigInt = BigInt::from(1) << 64;
            let low: BigInt = ((b % &modulus) + &modulus) % modulus;
            low.to_u64().unwrap_or(0)
        }
    }
}

/// `Array#pack`.
///
/// # Errors
/// Errors in the template, and whatever conversions raise.
pub fn pack<A: PackArgs>(template: &[u8], args: &mut A) -> Result<Packed, A::Error> {
    pack_onto(Vec::new(), template, args)
}

/// `Array#pack` with `buffer:`: appends to `out`; `@` counts from its beginning.
///
/// # Errors
/// Errors in the template, and whatever conversions raise.
pub fn pack_onto<A: PackArgs>(mut out: Vec<u8>, template: &[u8], args: &mut A) -> Result<Packed, A::Error> {
    // The result so far, 0: ASCII, 1: binary, 2: UTF-8.
    let mut level = 0u8;
    for d in (Template { s: template, pos: 0 }) {
        let d = d?;
        match d.kind {
            b'U' if level == 0 => level = 2,
            b'U' | b'm' | b'M' | b'u' => {}
            _ => level = 1,
        }
        if let Some((size, _, big)) = integer_shape(&d) {
            for _ in 0..d.count.times(args.remaining()) {
                let bytes = low64(&take(args, A::integer)?).to_le_bytes();
                if big { out.extend(bytes[..size].iter().rev()) } else { out.extend_from_slice(&bytes[..size]) }
            }
            continue;
        }
        if let Some((size, big)) = float_shape(d.kind) {
            for _ in 0..d.count.times(args.remaining()) {
                let x = take(args, A::float)?;
                let mut bytes = if size == 8 { x.to_le_bytes().to_vec() } else { (x as f32).to_le_bytes().to_vec() };
                if big {
                    bytes.reverse();
                }
                out.extend_from_slice(&bytes);
            }
            continue;
        }
        match d.kind {
            b'A' | b'a' | b'Z' => {
                let s = take(args, A::string)?;
                let star = s.len() + usize::from(d.kind == b'Z');
                let n = d.count.times(star);
                if n > MAX_FILL {
                    return Err(PackError::TooBig.into());
                }
                args.grow(out.len(), n)?;
                out.extend_from_slice(&s[..n.min(s.len())]);
                out.resize(out.len() + n.saturating_sub(s.len()), if d.kind == b'A' { b' ' } else { 0 });
            }
            b'B' | b'b' | b'H' | b'h' => {
                let per_byte = if matches!(d.kind, b'B' | b'b') { 8 } else { 2 };
                let s = take(args, A::string)?;
                args.grow(out.len(), d.count.times(s.len()).div_ceil(2))?;
                bits(&mut out, &s, d.count, per_byte, d.kind.is_ascii_uppercase())?;
            }
            b'U' => {
                for _ in 0..d.count.times(args.remaining()) {
                    unicode(&mut out, &take(args, A::integer)?)?;
                }
            }
            b'w' => {
                for _ in 0..d.count.times(args.remaining()) {
                    ber(&mut out, &take(args, A::integer)?)?;
                }
            }
            // the first character of a line tells its length in six bits
            b'u' => uuencode(&mut out, &take(args, A::encoded)?, line(d.count).min(63)),
            b'm' => {
                let s = take(args, A::encoded)?;
                out.extend(if d.count == Count::N(0) {
                    crate::base64::strict_encode(&s)
                } else {
                    crate::base64::encode_lines(&s, line(d.count))
                });
            }
            b'M' => {
                let s = take(args, A::text)?;
                let width = match d.count {
                    Count::N(n) if n > 1 => n,
                    _ => 72,
                };
                quoted_printable(&mut out, &s, width);
            }
            b'x' | b'@' => {
                let n = d.count.times(0);
                let to = if d.kind == b'x' { out.len() + n } else { n };
                if to > MAX_FILL {
                    return Err(PackError::TooBig.into());
                }
                args.grow(out.len(), to.saturating_sub(out.len()))?;
                out.resize(to, 0);
            }
            b'X' => {
                let n = d.count.times(0);
                if n > out.len() {
                    return Err(PackError::Outside('X').into());
                }
                out.truncate(out.len() - n);
            }
            b'p' => {
                for _ in 0..d.count.times(args.remaining()) {
                    out.extend(take(args, |args| A::pointer(args, 0))?.to_le_bytes());
                }
            }
            b'P' => {
                if args.remaining() == 0 {
                    return Err(PackError::TooFew.into());
                }
                out.extend(args.pointer(d.count.times(1))?.to_le_bytes());
            }
            b'%' => return Err(PackError::Percent.into()),
            // MRI 3.1 ignores unknown letters.
            _ => {}
        }
    }
    let enc = match level {
        0 => Encoding::UsAscii,
        2 => Encoding::Utf8,
        _ => Encoding::Binary,
    };
    Ok(Packed { bytes: out, enc })
}

fn take<A: PackArgs, T>(args: &mut A, f: fn(&mut A) -> Result<T, A::Error>) -> Result<T, A::Error> {
    if args.remaining() == 0 {
        return Err(PackError::TooFew.into());
    }
    f(args)
}

/// Source bytes per line of `u` and `m`.
fn line(count: Count) -> usize {
    match count {
        Count::N(n) if n > 2 => n / 3 * 3,
        _ => 45,
    }
}

/// `B b H h`: digits of one or four bits, the high or low ones first.
fn bits(out: &mut Vec<u8>, s: &[u8], count: Count, per_byte: usize, high: bool) -> Result<(), PackError> {
    let n = count.times(s.len());
    if n > MAX_FILL {
        return Err(PackError::TooBig);
    }
    let width = 8 / per_byte;
    let value = |c: u8| match per_byte {
        8 => c & 1,
        _ if c.is_ascii_alphabetic() => c.wrapping_add(9) & 15,
        _ => c & 15,
    };
    for chunk in s[..n.min(s.len())].chunks(per_byte) {
        let mut byte = 0;
        for (i, &c) in chunk.iter().enumerate() {
            let at = if high { per_byte - 1 - i } else { i };
            byte |= value(c) << (at * width);
        }
        out.push(byte);
    }
    // The padding of a longer count as MRI computes it: a byte for every two missing digits, even for bits.
    let extra = if n <= s.len() {
        0
    } else if per_byte == 8 {
        (n - s.len()).div_ceil(2)
    } else {
        n.div_ceil(2) - s.len().div_ceil(2)
    };
    out.resize(out.len() + extra, 0);
    Ok(())
}

fn unicode(out: &mut Vec<u8>, n: &Int) -> Result<(), PackError> {
    let n = match n {
        Int::Small(n @ 0..=0x7FFF_FFFF) => n,
        Int::Small(_) => return Err(PackError::UnicodeRange),
        Int::Big(_) => return Err(PackError::Bignum),
    };
    let n = *n as u32;
    if encode_codepoint(u64::from(n), Encoding::Utf8, out).is_ok() {
        return Ok(());
    }
    // Surrogates and numbers beyond Unicode, in UTF-8's original form of up to six bytes.
    let len = match n {
        0..=0xFFFF => 3,
        0x1_0000..=0x1F_FFFF => 4,
        0x20_0000..=0x3FF_FFFF => 5,
        _ => 6,
    };
    let lead = (0xFF00u32 >> len) as u8;
    out.push(lead | (n >> (6 * (len - 1))) as u8);
    for i in (0..len - 1).rev() {
        out.push(0x80 | (n >> (6 * i)) as u8 & 0x3F);
    }
    Ok(())
}

fn ber(out: &mut Vec<u8>, n: &Int) -> Result<(), PackError> {
    let mut n = n.to_big();
    if n.is_negative() {
        return Err(PackError::NegativeBer);
    }
    let start = out.len();
    loop {
        let low = (&n % 128u32).to_u8().unwrap_or(0);
        n /= 128u32;
        out.push(if out.len() == start { low } else { low | 0x80 });
        if n.is_zero() {
            break;
        }
    }
    out[start..].reverse();
    Ok(())
}

fn uuencode(out: &mut Vec<u8>, s: &[u8], per_line: usize) {
    let c = |v: u32| if v & 63 == 0 { b'`' } else { (v & 63) as u8 + b' ' };
    for l in s.chunks(per_line) {
        out.push((l.len() as u8).wrapping_add(b' '));
        for chunk in l.chunks(3) {
            let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
            let n = byte(0) << 16 | byte(1) << 8 | byte(2);
            out.extend_from_slice(&[c(n >> 18), c(n >> 12), c(n >> 6), c(n)]);
        }
        out.push(b'\n');
    }
}

fn quoted_printable(out: &mut Vec<u8>, s: &[u8], width: usize) {
    let mut column = 0;
    let mut previous = None;
    for (i, &b) in s.iter().enumerate() {
        match b {
            b'\n' => {
                if matches!(previous, Some(b' ' | b'\t')) {
                    out.extend_from_slice(b"=\n");
                }
                out.push(b'\n');
                column = 0;
                previous = Some(b);
                continue;
            }
            b'=' | 0x7F.. | 0..=8 | 11..=31 => {
                out.extend_from_slice(format!("={b:02X}").as_bytes());
                column += 3;
            }
            _ => {
                out.push(b);
                column += 1;
            }
        }
        previous = Some(b);
        if column > width {
            out.extend_from_slice(b"=\n");
            column = 0;
            previous = Some(b'\n');
        }
        if i + 1 == s.len() && column > 0 {
            out.extend_from_slice(b"=\n");
        }
    }
}
