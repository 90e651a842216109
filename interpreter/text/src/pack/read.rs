//! `String#unpack`.
use super::{Count, Directive, PackError, PackItem, Template, float_shape, integer_shape};
use crate::encoding::Encoding;
use crate::number::Int;
use num_bigint::BigInt;

#[derive(Clone, Copy, Eq, PartialEq, Debug)]
pub enum UnpackMode {
    All,
    /// With a block: missing values are left out.
    Each,
    /// `unpack1`: stops after the first value.
    First,
}

/// `String#unpack(template, offset:)`.
///
/// # Errors
/// Errors in the template or the data.
pub fn unpack(bytes: &[u8], template: &[u8], offset: usize, mode: UnpackMode) -> Result<Vec<PackItem>, PackError> {
    if offset > bytes.len() {
        return Err(PackError::Offset);
    }
    let mut r = Reader { s: bytes, pos: offset, out: Vec::new(), mode };
    for d in (Template { s: template, pos: 0 }) {
        r.directive(&d?)?;
        if mode == UnpackMode::First && !r.out.is_empty() {
            r.out.truncate(1);
            break;
        }
    }
    Ok(r.out)
}

/// Size of a pointer in bytes.
const POINTER: usize = 8;

struct Reader<'a> {
    s: &'a [u8],
    pos: usize,
    out: Vec<PackItem>,
    mode: UnpackMode,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.s[self.pos..]
    }

    fn push_bytes(&mut self, b: &[u8], enc: Encoding) {
        self.out.push(PackItem::Str(b.to_vec(), enc));
    }

    /// Values of a fixed size; in an Array, nil for missing ones, unless the count is `*`.
    fn fixed(&mut self, d: &Directive, size: usize, mut f: impl FnMut(&[u8]) -> PackItem) {
        let have = self.rest().len() / size;
        let wanted = d.count.times(have);
        let wanted = if self.mode == UnpackMode::First { wanted.min(1) } else { wanted };
        for _ in 0..wanted.min(have) {
            let item = f(&self.rest()[..size]);
            self.out.push(item);
            self.pos += size;
        }
        if self.mode != UnpackMode::All {
            return;
        }
        // The number of nils is limited, so that a huge count does not exhaust memory.
        for _ in have..wanted.min(have + (1 << 24)) {
            self.out.push(PackItem::Nil);
        }
    }

    fn directive(&mut self, d: &Directive) -> Result<(), PackError> {
        if let Some((size, signed, big)) = integer_shape(d) {
            self.fixed(d, size, |b| PackItem::Int(integer(b, signed, big)));
            return Ok(());
        }
        if let Some((size, big)) = float_shape(d.kind) {
            self.fixed(d, size, |b| {
                let mut le = b.to_vec();
                if big {
                    le.reverse();
                }
                PackItem::Float(match <[u8; 8]>::try_from(&le[..]) {
                    Ok(b) => f64::from_le_bytes(b),
                    Err(_) => f64::from(f32::from_le_bytes([le[0], le[1], le[2], le[3]])),
                })
            });
            return Ok(());
        }
        let left = self.rest().len();
        match d.kind {
            b'A' => {
                let n = d.count.times(left).min(left);
                let b = &self.rest()[..n];
                let end = b.iter().rposition(|c| !matches!(c, b' ' | 0)).map_or(0, |i| i + 1);
                self.push_bytes(&b[..end], Encoding::Binary);
                self.pos += n;
            }
            b'a' => {
                let n = d.count.times(left).min(left);
                self.push_bytes(&self.rest()[..n], Encoding::Binary);
                self.pos += n;
            }
            b'Z' => {
                let n = d.count.times(left).min(left);
                let b = &self.rest()[..n];
                let end = memchr::memchr(0, b).unwrap_or(n);
                self.push_bytes(&b[..end], Encoding::Binary);
                self.pos += if d.count == Count::Star { (end + 1).min(n) } else { n };
            }
            b'B' | b'b' => self.bits(d, 8, d.kind == b'B'),
            b'H' | b'h' => self.bits(d, 2, d.kind == b'H'),
            b'U' => {
                let mut n = d.count.times(left);
                while n > 0 && self.pos < self.s.len() && (self.mode != UnpackMode::First || self.out.is_empty()) {
                    let (code, len) = utf8(self.rest())?;
                    self.out.push(PackItem::Int(Int::Small(i64::from(code))));
                    self.pos += len;
                    n -= 1;
                }
            }
            b'w' => self.ber(d),
            b'u' => {
                let b = self.uudecode();
                self.push_bytes(&b, Encoding::Binary);
            }
            b'm' => {
                let b = if d.count == Count::N(0) {
                    crate::base64::strict_decode(self.rest()).ok_or(PackError::Base64)?
                } else {
                    crate::base64::decode(self.rest())
                };
                self.pos = self.s.len();
                self.push_bytes(&b, Encoding::Binary);
            }
            b'M' => {
                let b = quoted_printable(self.rest());
                self.pos = self.s.len();
                self.push_bytes(&b, Encoding::Binary);
            }
            b'x' => {
                let n = d.count.times(left);
                if n > left {
                    return Err(PackError::Outside('x'));
                }
                self.pos += n;
            }
            b'X' => {
                let n = d.count.times(left);
                self.pos = self.pos.checked_sub(n).ok_or(PackError::Outside('X'))?;
            }
            b'@' => {
                let n = match d.count {
                    Count::N(n) => n,
                    Count::One => 0,
                    Count::Star => left,
                };
                // MRI rejects a bare `@` on an empty string
                if n > self.s.len() || (self.s.is_empty() && matches!(d.count, Count::One)) {
                    return Err(PackError::Outside('@'));
                }
                self.pos = n;
            }
            b'p' => {
                let have = self.rest().len() / POINTER;
                let wanted = d.count.times(have).min(have);
                let wanted = if self.mode == UnpackMode::First { wanted.min(1) } else { wanted };
                for _ in 0..wanted {
                    self.pointer(None);
                }
            }
            b'P' if left < POINTER => {}
            b'P' => self.pointer(Some(match d.count {
                Count::One => 1,
                Count::Star => usize::MAX,
                Count::N(n) => n,
            })),
            b'%' => return Err(PackError::Percent),
            _ => {}
        }
        Ok(())
    }

    /// The value to which `pack` assigned the number read here.
    fn pointer(&mut self, most: Option<usize>) {
        let (bytes, _) = self.rest().split_at(POINTER);
        let number = bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        self.out.push(if number == 0 { PackItem::Nil } else { PackItem::Pointer { number, most } });
        self.pos += POINTER;
    }

    fn bits(&mut self, d: &Directive, per_byte: usize, high: bool) {
        let left = self.rest().len() * per_byte;
        let n = d.count.times(left).min(left);
        let width = 8 / per_byte;
        let mut text = Vec::with_capacity(n);
        for i in 0..n {
            let byte = self.rest()[i / per_byte];
            let at = if high { per_byte - 1 - i % per_byte } else { i % per_byte };
            let v = byte >> (at * width) & (if per_byte == 8 { 1 } else { 15 });
            text.push(b"0123456789abcdef"[usize::from(v)]);
        }
        self.pos += n.div_ceil(per_byte);
        self.out.push(PackItem::Str(text, Encoding::UsAscii));
    }

    fn ber(&mut self, d: &Directive) {
        let mut n = d.count.times(self.rest().len());
        let mut value = BigInt::default();
        while n > 0 {
            let Some(&b) = self.rest().first() else { break };
            self.pos += 1;
            value = value << 7 | BigInt::from(b & 0x7F);
            if b & 0x80 == 0 {
                self.out.push(PackItem::Int(Int::from(std::mem::take(&mut value))));
                n -= 1;
                if self.mode == UnpackMode::First {
                    break;
                }
            }
        }
    }

    fn uudecode(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let most = self.rest().len() * 3 / 4;
        while let Some(&head @ 0x21..=0x60) = self.rest().first() {
            let mut len = usize::from(head.wrapping_sub(b' ') & 63);
            self.pos += 1;
            let mut group = [0u32; 4];
            while len > 0 {
                for slot in &mut group {
                    *slot = 0;
                    if let Some(&c) = self.rest().first()
                        && (b' '..b'a').contains(&c)
                    {
                        *slot = u32::from(c.wrapping_sub(b' ') & 63);
                        self.pos += 1;
                    }
                }
                let n = group[0] << 18 | group[1] << 12 | group[2] << 6 | group[3];
                let take = len.min(3);
                out.extend_from_slice(&n.to_be_bytes()[1..1 + take]);
                len -= take;
            }
            // a line may end with a byte for a sum
            let sum = usize::from(self.rest().first().is_some_and(|c| !matches!(c, b'\r' | b'\n')));
            self.pos += sum;
            for end in [b'\r', b'\n'] {
                self.pos += usize::from(self.rest().first() == Some(&end));
            }
        }
        // MRI's buffer ends here.
        out.truncate(most);
        out
    }
}

fn integer(b: &[u8], signed: bool, big: bool) -> Int {
    let mut n = 0u64;
    for i in 0..b.len() {
        let byte = if big { b[i] } else { b[b.len() - 1 - i] };
        n = n << 8 | u64::from(byte);
    }
    if signed {
        let shift = 64 - 8 * b.len() as u32;
        return Int::Small(((n << shift) as i64) >> shift);
    }
    i64::try_from(n).map_or_else(|_| Int::Big(BigInt::from(n)), Int::Small)
}

/// One character of UTF-8's original definition (up to six bytes), as `U` reads it.
fn utf8(s: &[u8]) -> Result<(u32, usize), PackError> {
    let bad = |m: String| Err(PackError::MalformedUtf8(m));
    let first = s[0];
    if first < 0x80 {
        return Ok((u32::from(first), 1));
    }
    let (len, low) = match first {
        0xC0..=0xDF => (2, 0x80),
        0xE0..=0xEF => (3, 0x800),
        0xF0..=0xF7 => (4, 0x1_0000),
        0xF8..=0xFB => (5, 0x20_0000),
        0xFC..=0xFD => (6, 0x400_0000),
        _ => return bad("malformed UTF-8 character".into()),
    };
    if s.len() < len {
        return bad(format!("malformed UTF-8 character (expected {len} bytes, given {} bytes)", s.len()));
    }
    let mut code = u32::from(first) & (0x7F >> len);
    for &b in &s[1..len] {
        if b & 0xC0 != 0x80 {
            return bad("malformed UTF-8 character".into());
        }
        code = code << 6 | u32::from(b & 0x3F);
    }
    if code < low { bad("redundant UTF-8 sequence".into()) } else { Ok((code, len)) }
}

fn quoted_printable(s: &[u8]) -> Vec<u8> {
    let hex = |b: Option<&u8>| b.and_then(|b| (*b as char).to_digit(16));
    let mut out = Vec::with_capacity(s.len());
    let mut i = 0;
    while i < s.len() {
        if s[i] != b'=' {
            out.push(s[i]);
            i += 1;
            continue;
        }
        match (s.get(i + 1), s.get(i + 2)) {
            (None, _) => {
                out.push(b'=');
                break;
            }
            (Some(b'\n'), _) => i += 2,
            (Some(b'\r'), Some(b'\n')) => i += 3,
            (a, b) => match (hex(a), hex(b)) {
                (Some(a), Some(b)) => {
                    out.push((a * 16 + b) as u8);
                    i += 3;
                }
                // After the first error the rest is copied.
                _ => {
                    out.extend_from_slice(&s[i..]);
                    break;
                }
            },
        }
    }
    out
}
