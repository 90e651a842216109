//! Code points of characters, in the encoding's own numbering and in Unicode.
use super::{CharStep, Encoding, Kind, char_len_at};
use crate::tables::single_byte::SINGLE_BYTE;
use std::fmt;

/// Why a number or bytes are not a character.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum CodepointError {
    /// Too large for the encoding (RangeError).
    OutOfRange(u64),
    /// In range, but not a character (RangeError).
    Invalid(u64, Encoding),
    /// The bytes are not a character (ArgumentError).
    Sequence(Encoding),
}

impl fmt::Display for CodepointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodepointError::OutOfRange(n) => write!(f, "{n} out of char range"),
            CodepointError::Invalid(n, enc) => write!(f, "invalid codepoint 0x{n:X} in {}", enc.name()),
            CodepointError::Sequence(enc) => write!(f, "invalid byte sequence in {}", enc.name()),
        }
    }
}
impl std::error::Error for CodepointError {}

/// The code point of one valid character in the numbering of `enc`, as `String#ord` returns it.
pub fn decode(ch: &[u8], enc: Encoding) -> u32 {
    let big = |b: &[u8]| b.iter().fold(0u32, |n, &c| (n << 8) | u32::from(c));
    let cont = |b: u8| u32::from(b & 0x3F);
    match (enc.kind(), ch) {
        (_, []) => 0,
        (Kind::Utf8 | Kind::Cesu8, &[a]) => u32::from(a),
        (Kind::Utf8 | Kind::Cesu8, &[a, b]) => u32::from(a & 0x1F) << 6 | cont(b),
        (Kind::Utf8 | Kind::Cesu8, &[a, b, c]) => u32::from(a & 0x0F) << 12 | cont(b) << 6 | cont(c),
        (Kind::Utf8, &[a, b, c, d, ..]) => u32::from(a & 0x07) << 18 | cont(b) << 12 | cont(c) << 6 | cont(d),
        (Kind::Cesu8, &[_, b, c, _, e, f]) => {
            0x10000 + ((cont(b) & 0x0F) << 16 | cont(c) << 10 | (cont(e) & 0x0F) << 6 | cont(f))
        }
        (Kind::Utf16Be | Kind::Utf16Le | Kind::Utf16, _) => {
            let unit = |i: usize| match (ch.get(i), ch.get(i + 1)) {
                (Some(&x), Some(&y)) if enc.kind() != Kind::Utf16Le => u32::from(x) << 8 | u32::from(y),
                (Some(&x), Some(&y)) => u32::from(y) << 8 | u32::from(x),
                (Some(&x), None) => u32::from(x),
                _ => 0,
            };
            if ch.len() >= 4 { 0x10000 + ((unit(0) & 0x3FF) << 10 | unit(2) & 0x3FF) } else { unit(0) }
        }
        (Kind::Utf32Le, _) => ch.iter().rev().fold(0u32, |n, &c| (n << 8) | u32::from(c)),
        _ => big(ch),
    }
}

/// The code point at `pos` and its length in bytes.
///
/// # Errors
/// Bytes that are not a character.
pub fn codepoint_at(bytes: &[u8], pos: usize, enc: Encoding) -> Result<(u32, usize), CodepointError> {
    match char_len_at(bytes, pos, enc) {
        CharStep::Valid(n) => Ok((decode(&bytes[pos..pos + n], enc), n)),
        CharStep::Invalid(_) => Err(CodepointError::Sequence(enc)),
    }
}

/// Appends the character with number `code` in `enc`, like `Integer#chr` and `String#<<`.
///
/// # Errors
/// Numbers that are not a character of `enc`.
pub fn encode_codepoint(code: u64, enc: Encoding, out: &mut Vec<u8>) -> Result<(), CodepointError> {
    let Ok(c) = u32::try_from(code) else { return Err(CodepointError::OutOfRange(code)) };
    let unicode = |c: u32| match char::from_u32(c) {
        Some(c) => Ok(c),
        None if c > 0x10FFFF && c != u32::MAX && enc.is_ascii_compatible() => Err(CodepointError::OutOfRange(code)),
        None => Err(CodepointError::Invalid(code, enc)),
    };
    match enc.kind() {
        Kind::Utf8 => {
            if c < 0x80 {
                out.push(c as u8);
            } else {
                out.extend_from_slice(unicode(c)?.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        Kind::Single | Kind::Dummy => out.push(u8::try_from(c).map_err(|_| CodepointError::OutOfRange(code))?),
        Kind::Ascii => match c {
            0..=0x7F => out.push(c as u8),
            0x80..=0xFF => return Err(CodepointError::Invalid(code, enc)),
            _ => return Err(CodepointError::OutOfRange(code)),
        },
        Kind::Utf32Be | Kind::Utf32 if super::chars::wide_garbage(c) => out.extend_from_slice(&c.to_be_bytes()),
        Kind::Utf32Le if super::chars::wide_garbage(c) => out.extend_from_slice(&c.to_le_bytes()),
        Kind::Cesu8 | Kind::Utf16Be | Kind::Utf16Le | Kind::Utf16 | Kind::Utf32Be | Kind::Utf32Le | Kind::Utf32 => {
            push_unicode(unicode(c)?, enc.kind(), out);
        }
        _ => {
            let all = c.to_be_bytes();
            let skip = all.iter().take(3).take_while(|&&b| b == 0).count();
            if 4 - skip > enc.max_len() {
                return Err(CodepointError::OutOfRange(code));
            }
            if char_len_at(&all[skip..], 0, enc) != CharStep::Valid(4 - skip) {
                return Err(CodepointError::Invalid(code, enc));
            }
            out.extend_from_slice(&all[skip..]);
        }
    }
    Ok(())
}

fn push_unicode(c: char, kind: Kind, out: &mut Vec<u8>) {
    let mut units = [0u16; 2];
    match kind {
        Kind::Utf16Le => c.encode_utf16(&mut units).iter().for_each(|u| out.extend_from_slice(&u.to_le_bytes())),
        Kind::Utf16Be | Kind::Utf16 => {
            c.encode_utf16(&mut units).iter().for_each(|u| out.extend_from_slice(&u.to_be_bytes()));
        }
        Kind::Utf32Le => out.extend_from_slice(&u32::from(c).to_le_bytes()),
        Kind::Utf32Be | Kind::Utf32 => out.extend_from_slice(&u32::from(c).to_be_bytes()),
        Kind::Cesu8 if c > '\u{FFFF}' => {
            for u in c.encode_utf16(&mut units) {
                let u = *u;
                out.extend_from_slice(&[
                    0xE0 | (u >> 12) as u8,
                    0x80 | ((u >> 6) & 0x3F) as u8,
                    0x80 | (u & 0x3F) as u8,
                ]);
            }
        }
        _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// The upper half of a single-byte encoding, and whether MRI's converter uses another name.
pub(super) fn single_table(enc: Encoding) -> Option<(bool, &'static [u16; 128])> {
    SINGLE_BYTE.iter().find(|(e, _, _)| *e == enc).map(|(_, alias, t)| (*alias, t))
}

/// The encoding_rs converter for a multi-byte encoding.
pub(super) fn foreign(enc: Encoding) -> Option<&'static encoding_rs::Encoding> {
    Some(match enc {
        Encoding::ShiftJis | Encoding::Windows31J => encoding_rs::SHIFT_JIS,
        Encoding::Big5 | Encoding::Big5Hkscs | Encoding::Cp950 => encoding_rs::BIG5,
        Encoding::EucKr | Encoding::Cp949 => encoding_rs::EUC_KR,
        Encoding::Gbk | Encoding::Gb2312 => encoding_rs::GBK,
        Encoding::Gb18030 => encoding_rs::GB18030,
        Encoding::Iso2022Jp => encoding_rs::ISO_2022_JP,
        _ => return None,
    })
}

pub(super) fn is_euc_jp(enc: Encoding) -> bool {
    matches!(enc, Encoding::EucJp | Encoding::EucJpMs | Encoding::Cp51932)
}

/// The Unicode character of one valid character of `enc`; None if it is undefined or there is no converter.
pub fn to_unicode(ch: &[u8], enc: Encoding) -> Option<char> {
    let first = *ch.first()?;
    if first < 0x80 && enc.is_ascii_compatible() {
        return Some(first as char);
    }
    if enc.is_unicode() {
        return char::from_u32(decode(ch, enc));
    }
    if let Some((_, table)) = single_table(enc) {
        return match table[usize::from(first & 0x7F)] {
            0 => None,
            c => char::from_u32(u32::from(c)),
        };
    }
    if is_euc_jp(enc) {
        return super::euc_jp::to_unicode(ch, enc);
    }
    read_by(foreign(enc)?, ch)
}

/// The character by a table of encoding_rs.
pub(super) fn read_by(table: &'static encoding_rs::Encoding, ch: &[u8]) -> Option<char> {
    let text = table.decode_without_bom_handling_and_without_replacement(ch)?;
    let mut it = text.chars();
    it.next().filter(|_| it.next().is_none())
}

/// The bytes of a character by a table of encoding_rs.
pub(super) fn written_by(table: &'static encoding_rs::Encoding, c: char) -> Option<Vec<u8>> {
    // The WHATWG tables map these two to ASCII bytes, MRI does not convert them.
    if matches!(c, '\u{A5}' | '\u{203E}') {
        return None;
    }
    let mut buf = [0; 4];
    let (bytes, _, unmappable) = table.encode(c.encode_utf8(&mut buf));
    (!unmappable).then(|| bytes.into_owned())
}

/// Appends `c` in `enc`; false if the encoding does not have it.
pub fn from_unicode(c: char, enc: Encoding, out: &mut Vec<u8>) -> bool {
    if enc.is_unicode() {
        push_unicode(c, enc.kind(), out);
        return true;
    }
    if c.is_ascii() && enc.is_ascii_compatible() {
        out.push(c as u8);
        return true;
    }
    if let Some((_, table)) = single_table(enc) {
        let at = u16::try_from(u32::from(c)).ok().and_then(|u| table.iter().position(|&t| t == u && t != 0));
        if let Some(i) = at {
            out.push(0x80 | i as u8);
        }
        return at.is_some();
    }
    let bytes = match foreign(enc) {
        _ if is_euc_jp(enc) => super::euc_jp::from_unicode(c, enc),
        Some(table) => written_by(table, c),
        None => None,
    };
    out.extend(bytes.iter().flatten());
    bytes.is_some()
}
