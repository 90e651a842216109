//! Splitting bytes into characters, by MRI's rules.
use super::{Encoding, Kind};
use std::ops::Range;

/// MRI's code range of a string.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum CodeRange {
    /// Only bytes below 0x80, in an ASCII-compatible encoding.
    Ascii,
    /// Valid, with other characters too.
    Valid,
    /// Some bytes are not characters.
    Broken,
}

/// One step of an iteration over a string's characters.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum CharStep {
    /// A character of this many bytes.
    Valid(usize),
    /// This many bytes that are not a character (the encoding's unit, or the rest of the string).
    Invalid(usize),
}

impl CharStep {
    /// The length in bytes.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "a step is not a collection")]
    pub fn len(self) -> usize {
        match self {
            CharStep::Valid(n) | CharStep::Invalid(n) => n,
        }
    }

    #[inline]
    pub fn is_valid(self) -> bool {
        matches!(self, CharStep::Valid(_))
    }
}

/// The result of MRI's `rb_enc_precise_mbclen`.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Precise {
    /// A character of this many bytes.
    Found(usize),
    /// The bytes cannot begin a character.
    Invalid,
    /// The bytes are incomplete; at least this many more are needed.
    NeedMore(usize),
}

#[inline]
fn utf8(b: &[u8]) -> Precise {
    let first = b[0];
    if first < 0x80 {
        return Precise::Found(1);
    }
    let (len, low, high) = match first {
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xED => (3, 0x80, 0x9F),
        0xE1..=0xEF => (3, 0x80, 0xBF),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => return Precise::Invalid,
    };
    match b.get(1) {
        None => return Precise::NeedMore(len - 1),
        Some(c) if !(low..=high).contains(c) => return Precise::Invalid,
        _ => {}
    }
    for i in 2..len {
        match b.get(i) {
            None => return Precise::NeedMore(len - i),
            Some(c) if c & 0xC0 != 0x80 => return Precise::Invalid,
            _ => {}
        }
    }
    Precise::Found(len)
}

fn cesu8(b: &[u8]) -> Precise {
    match b[0] {
        0..=0x7F => Precise::Found(1),
        0xED => match (b.get(1), b.get(2)) {
            (None, _) => Precise::NeedMore(2),
            (Some(0x80..=0x9F), None) | (Some(0xA0..=0xAF), None) => Precise::NeedMore(1),
            (Some(0x80..=0x9F), Some(0x80..=0xBF)) => Precise::Found(3),
            (Some(0xA0..=0xAF), Some(0x80..=0xBF)) => match &b[3..] {
                [] => Precise::NeedMore(3),
                [0xED] => Precise::NeedMore(2),
                [0xED, 0xB0..=0xBF] => Precise::NeedMore(1),
                [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => Precise::Found(6),
                _ => Precise::Invalid,
            },
            _ => Precise::Invalid,
        },
        0xF0.. => Precise::Invalid,
        _ => utf8(b),
    }
}

/// A lead byte followed by trail bytes that each satisfy `ok`.
#[inline]
fn trailed(b: &[u8], len: usize, ok: impl Fn(usize, u8) -> bool) -> Precise {
    for i in 1..len {
        match b.get(i) {
            None => return Precise::NeedMore(len - i),
            Some(&c) if !ok(i, c) => return Precise::Invalid,
            _ => {}
        }
    }
    Precise::Found(len)
}

fn high(_: usize, c: u8) -> bool {
    (0xA1..=0xFE).contains(&c)
}

fn gb18030(b: &[u8]) -> Precise {
    match b[0] {
        0..=0x7F => Precise::Found(1),
        0x81..=0xFE => match b.get(1) {
            None => Precise::NeedMore(1),
            Some(0x40..=0x7E | 0x80..=0xFE) => Precise::Found(2),
            Some(0x30..=0x39) => trailed(b, 4, |i, c| match i {
                2 => (0x81..=0xFE).contains(&c),
                _ => c.is_ascii_digit(),
            }),
            _ => Precise::Invalid,
        },
        _ => Precise::Invalid,
    }
}

fn unit16(b: &[u8], big: bool) -> u16 {
    if big { u16::from_be_bytes([b[0], b[1]]) } else { u16::from_le_bytes([b[0], b[1]]) }
}

fn utf16(b: &[u8], big: bool) -> Precise {
    if b.len() < 2 {
        return Precise::NeedMore(1);
    }
    match unit16(b, big) {
        0xD800..=0xDBFF => match b.len() {
            2 => Precise::NeedMore(2),
            3 if big && b[2] & 0xFC != 0xDC => Precise::Invalid,
            3 => Precise::NeedMore(1),
            _ if (0xDC00..=0xDFFF).contains(&unit16(&b[2..], big)) => Precise::Found(4),
            _ => Precise::Invalid,
        },
        0xDC00..=0xDFFF => Precise::Invalid,
        _ => Precise::Found(2),
    }
}

/// Invalid UTF-32 units that MRI accepts because its check is a signed comparison.
pub(super) fn wide_garbage(c: u32) -> bool {
    c >= 0x8000_0000 && (c >> 8) & 0xF8 != 0xD8
}

fn utf32(b: &[u8], big: bool) -> Precise {
    if b.len() < 4 {
        return Precise::NeedMore(4 - b.len());
    }
    let c =
        if big { u32::from_be_bytes([b[0], b[1], b[2], b[3]]) } else { u32::from_le_bytes([b[0], b[1], b[2], b[3]]) };
    if wide_garbage(c) || char::from_u32(c).is_some() { Precise::Found(4) } else { Precise::Invalid }
}

/// `rb_enc_precise_mbclen`; the bytes must not be empty.
#[inline]
pub(crate) fn precise(b: &[u8], enc: Encoding) -> Precise {
    let kind = enc.kind();
    let first = b[0];
    match kind {
        Kind::Utf8 => utf8(b),
        Kind::Single | Kind::Dummy => Precise::Found(1),
        Kind::Ascii => {
            if first < 0x80 {
                Precise::Found(1)
            } else {
                Precise::Invalid
            }
        }
        // A byte order mark is not considered: MRI treats the two dummy encodings as big-endian.
        Kind::Utf16Be | Kind::Utf16 => utf16(b, true),
        Kind::Utf16Le => utf16(b, false),
        Kind::Utf32Be | Kind::Utf32 => utf32(b, true),
        Kind::Utf32Le => utf32(b, false),
        _ if first < 0x80 => Precise::Found(1),
        Kind::Cesu8 => cesu8(b),
        Kind::EucJp => match first {
            0x8E | 0xA1..=0xFE => trailed(b, 2, high),
            0x8F => trailed(b, 3, high),
            _ => Precise::Invalid,
        },
        Kind::Sjis => match first {
            0xA1..=0xDF => Precise::Found(1),
            0x81..=0x9F | 0xE0..=0xFC => trailed(b, 2, |_, c| matches!(c, 0x40..=0x7E | 0x80..=0xFC)),
            _ => Precise::Invalid,
        },
        Kind::Big5 => match first {
            // MRI 3.1 splits the larger sets (HKSCS, UAO, CP950) by the same rule.
            0xA1..=0xFE => trailed(b, 2, |_, c| matches!(c, 0x40..=0x7E | 0xA1..=0xFE)),
            _ => Precise::Invalid,
        },
        Kind::Cp949 => match first {
            0x80 => Precise::Found(1),
            0x81..=0xFE => trailed(b, 2, |_, c| matches!(c, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE)),
            _ => Precise::Invalid,
        },
        Kind::EucKr => match first {
            0xA1..=0xFE => trailed(b, 2, high),
            _ => Precise::Invalid,
        },
        Kind::EucTw => match first {
            0xA1..=0xFE => trailed(b, 2, high),
            0x8E => trailed(b, 4, |i, c| if i == 1 { (0xA1..=0xB0).contains(&c) } else { high(i, c) }),
            _ => Precise::Invalid,
        },
        Kind::Gbk => match first {
            0x80 => Precise::Found(1),
            0x81..=0xFE => trailed(b, 2, |_, c| matches!(c, 0x40..=0x7E | 0x80..=0xFE)),
            _ => Precise::Invalid,
        },
        Kind::Gb18030 => gb18030(b),
        Kind::EmacsMule => match first {
            0x81..=0x8F => trailed(b, 2, |_, c| c >= 0xA0),
            0x90..=0x99 => trailed(b, 3, |_, c| c >= 0xA0),
            0x9A..=0x9B => trailed(b, 3, |i, c| if i == 1 { (0xE0..=0xEF).contains(&c) } else { c >= 0xA0 }),
            0x9C => trailed(b, 4, |i, c| if i == 1 { (0xF0..=0xF4).contains(&c) } else { c >= 0xA0 }),
            0x9D => trailed(b, 4, |i, c| if i == 1 { (0xF5..=0xFE).contains(&c) } else { c >= 0xA0 }),
            _ => Precise::Invalid,
        },
    }
}

/// The character (or invalid unit) at `pos`; `Invalid(0)` at the end.
#[inline]
pub fn char_len_at(bytes: &[u8], pos: usize, enc: Encoding) -> CharStep {
    let Some(rest) = bytes.get(pos..).filter(|r| !r.is_empty()) else { return CharStep::Invalid(0) };
    match precise(rest, enc) {
        Precise::Found(n) => CharStep::Valid(n),
        _ => CharStep::Invalid(enc.min_len().min(rest.len())),
    }
}

/// The code range of the bytes in `enc`; never `Ascii` if the encoding is not ASCII-compatible.
pub fn scan(bytes: &[u8], enc: Encoding) -> CodeRange {
    if enc.is_ascii_compatible() {
        if bytes.is_ascii() {
            return CodeRange::Ascii;
        }
        match enc.kind() {
            Kind::Single => return CodeRange::Valid,
            Kind::Ascii => return CodeRange::Broken,
            Kind::Utf8 => return if std::str::from_utf8(bytes).is_ok() { CodeRange::Valid } else { CodeRange::Broken },
            _ => {}
        }
    }
    let mut pos = 0;
    while pos < bytes.len() {
        match precise(&bytes[pos..], enc) {
            Precise::Found(n) => pos += n,
            _ => return CodeRange::Broken,
        }
    }
    CodeRange::Valid
}

pub fn valid(bytes: &[u8], enc: Encoding) -> bool {
    scan(bytes, enc) != CodeRange::Broken
}

/// Iterates over the byte ranges of the characters, as `each_char` splits them.
#[derive(Clone, Debug)]
pub struct Chars<'a> {
    bytes: &'a [u8],
    pos: usize,
    enc: Encoding,
}

impl Iterator for Chars<'_> {
    type Item = Range<usize>;
    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let first = *self.bytes.get(self.pos)?;
        let start = self.pos;
        let len =
            if first < 0x80 && self.enc == Encoding::Utf8 { 1 } else { char_len_at(self.bytes, start, self.enc).len() };
        self.pos = start + len;
        Some(start..self.pos)
    }
}

pub fn chars(bytes: &[u8], enc: Encoding) -> Chars<'_> {
    Chars { bytes, pos: 0, enc }
}

/// The number of characters of valid UTF-8: bytes that are not continuation bytes.
#[inline]
fn count_leads(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut continued = 0;
    // each byte of a sum counts those at its place: 255 words fill it at most
    for group in words.chunks(255) {
        let mut sums = 0;
        for word in group {
            let word = u64::from_le_bytes(*word);
            sums += (word >> 7) & !(word >> 6) & ONES;
        }
        continued += sums.to_le_bytes().iter().map(|&sum| usize::from(sum)).sum::<usize>();
    }
    bytes.len() - rest.len() - continued + rest.iter().filter(|&&b| (b as i8) >= -0x40).count()
}

/// The number of characters. `range` is the result of `scan`, if the caller has it.
pub fn char_count(bytes: &[u8], enc: Encoding, range: Option<CodeRange>) -> usize {
    if range == Some(CodeRange::Ascii) || enc.is_single_byte() {
        return bytes.len();
    }
    if enc.kind() == Kind::Utf8 {
        if range == Some(CodeRange::Valid) || std::str::from_utf8(bytes).is_ok() {
            return count_leads(bytes);
        }
    } else if range == Some(CodeRange::Valid) && matches!(enc.kind(), Kind::Utf32Be | Kind::Utf32Le) {
        return bytes.len() / 4;
    }
    chars(bytes, enc).count()
}

/// The byte offset of the character at `index` (from 0); the length in bytes for the index just past the last character, None beyond it.
pub fn byte_index(bytes: &[u8], enc: Encoding, range: CodeRange, index: usize) -> Option<usize> {
    if range == CodeRange::Ascii || enc.is_single_byte() {
        return (index <= bytes.len()).then_some(index);
    }
    if index == 0 {
        return Some(0);
    }
    if range == CodeRange::Valid && enc.kind() == Kind::Utf8 {
        return utf8_byte_index(bytes, index);
    }
    let mut left = index;
    let mut walk = chars(bytes, enc);
    while left > 0 {
        walk.next()?;
        left -= 1;
    }
    Some(walk.pos)
}

/// The byte offset of the character that is `back` characters before the end; None if there are not so many.
pub fn byte_index_from_end(bytes: &[u8], enc: Encoding, range: CodeRange, back: usize) -> Option<usize> {
    if range == CodeRange::Valid && enc.kind() == Kind::Utf8 {
        let (mut end, mut left) = (bytes.len(), back);
        for block in bytes.rchunks_exact(64) {
            let n = count_leads(block);
            if n >= left {
                break;
            }
            (end, left) = (end - 64, left - n);
        }
        while left > 0 {
            end = bytes[..end].iter().rposition(|&b| (b as i8) >= -0x40)?;
            left -= 1;
        }
        return Some(end);
    }
    let count = char_count(bytes, enc, Some(range));
    byte_index(bytes, enc, range, count.checked_sub(back)?)
}

fn utf8_byte_index(bytes: &[u8], index: usize) -> Option<usize> {
    let mut left = index;
    let mut pos = 0;
    // Whole blocks first: the counting loop is vectorised.
    for block in bytes.chunks_exact(64) {
        let n = count_leads(block);
        if n > left {
            break;
        }
        left -= n;
        pos += 64;
    }
    for &b in &bytes[pos..] {
        if (b as i8) >= -0x40 {
            if left == 0 {
                return Some(pos);
            }
            left -= 1;
        }
        pos += 1;
    }
    (left == 0).then_some(bytes.len())
}

/// The index of the character that contains byte `offset`.
pub fn char_index(bytes: &[u8], enc: Encoding, range: CodeRange, offset: usize) -> usize {
    let offset = offset.min(bytes.len());
    if range == CodeRange::Ascii || enc.is_single_byte() {
        return offset;
    }
    if range == CodeRange::Valid && enc.kind() == Kind::Utf8 {
        return count_leads(&bytes[..offset]);
    }
    let mut n = 0;
    for c in chars(bytes, enc) {
        if c.end > offset {
            break;
        }
        n += 1;
    }
    n
}

/// Whether a character begins at `offset`: a byte search may match in the middle of one.
pub fn is_char_start(bytes: &[u8], enc: Encoding, range: CodeRange, offset: usize) -> bool {
    if offset == 0 || offset >= bytes.len() || range == CodeRange::Ascii || enc.is_single_byte() {
        return true;
    }
    if enc.kind() == Kind::Utf8 && range == CodeRange::Valid {
        return (bytes[offset] as i8) >= -0x40;
    }
    if enc.kind() == Kind::Utf8 {
        // A character that contains this byte begins at most three bytes before it.
        return !(1..=3.min(offset)).any(|back| char_len_at(bytes, offset - back, enc).len() > back);
    }
    let mut at = 0;
    for c in chars(bytes, enc) {
        at = c.start;
        if at >= offset {
            break;
        }
    }
    at == offset
}

/// The offset of the last character of `bytes[..end]`; None if `end` is 0.
pub fn last_char_start(bytes: &[u8], enc: Encoding, range: CodeRange, end: usize) -> Option<usize> {
    let end = end.min(bytes.len());
    if end == 0 {
        return None;
    }
    if range == CodeRange::Ascii || enc.is_single_byte() {
        return Some(end - 1);
    }
    if enc.kind() == Kind::Utf8 {
        for back in (1..=4.min(end)).rev() {
            if char_len_at(&bytes[..end], end - back, enc) == CharStep::Valid(back) {
                return Some(end - back);
            }
        }
        return Some(end - 1);
    }
    chars(&bytes[..end], enc).last().map(|c| c.start)
}
