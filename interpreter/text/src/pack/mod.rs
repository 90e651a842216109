//! `Array#pack` and `String#unpack`, after MRI's pack.c. Pointers (`p`, `P`) are numbers that the caller assigns to values.
mod read;
mod write;

pub use read::{UnpackMode, unpack};
pub use write::{PackArgs, Packed, pack, pack_onto};

use crate::encoding::Encoding;
use crate::number::Int;
use std::fmt;

/// A value returned by unpack.
#[derive(Clone, PartialEq, Debug)]
pub enum PackItem {
    /// nil: the data is too short.
    Nil,
    Int(Int),
    Float(f64),
    Str(Vec<u8>, Encoding),
    /// The value to which `pack` assigned this number.
    Pointer {
        number: u64,
        /// For `P`: the count, the maximum number of bytes.
        most: Option<usize>,
    },
}

/// An error in a template or the data (ArgumentError unless stated otherwise).
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum PackError {
    /// Fewer values than directives.
    TooFew,
    /// `<`, `>`, `_` or `!` after a directive that does not accept it.
    Modifier(char),
    /// `<` and `>` together (RangeError).
    BothEndians,
    /// A count that is too large (RangeError).
    TooBig,
    /// `X` before the beginning, `@` or `x` beyond the end.
    Outside(char),
    /// `pack(U): value out of range` (RangeError).
    UnicodeRange,
    /// A number of more than 64 bits for `U` (RangeError).
    Bignum,
    /// A negative number for `w`.
    NegativeBer,
    /// Invalid UTF-8 for `U`.
    MalformedUtf8(String),
    /// Data for `m0` that is not strict Base64.
    Base64,
    /// `offset:` outside of the string.
    Offset,
    /// `p` and `P` where the caller does not assign numbers to values.
    Pointer,
    /// `P` with a count larger than the String: the String's bytes and the count.
    Short(usize, usize),
    Percent,
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::TooFew => f.write_str("too few arguments"),
            PackError::Modifier(c) => write!(f, "'{c}' allowed only after types sSiIlLqQjJ"),
            PackError::BothEndians => f.write_str("Can't use both '<' and '>'"),
            PackError::TooBig => f.write_str("pack length too big"),
            PackError::Outside(c) => write!(f, "{c} outside of string"),
            PackError::UnicodeRange => f.write_str("pack(U): value out of range"),
            PackError::Bignum => f.write_str("bignum too big to convert into `long'"),
            PackError::NegativeBer => f.write_str("can't compress negative numbers"),
            PackError::MalformedUtf8(m) => f.write_str(m),
            PackError::Base64 => f.write_str("invalid base64"),
            PackError::Offset => f.write_str("offset outside of string"),
            PackError::Percent => f.write_str("% is not supported"),
            PackError::Short(size, count) => write!(f, "too short buffer for P({size} for {count})"),
            PackError::Pointer => f.write_str("pointers cannot be packed or unpacked here"),
        }
    }
}
impl std::error::Error for PackError {}

impl PackError {
    /// Whether it is a RangeError instead of an ArgumentError.
    pub fn is_range_error(&self) -> bool {
        matches!(self, PackError::BothEndians | PackError::TooBig | PackError::UnicodeRange | PackError::Bignum)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Count {
    One,
    Star,
    N(usize),
}

impl Count {
    fn times(self, star: usize) -> usize {
        match self {
            Count::One => 1,
            Count::Star => star,
            Count::N(n) => n,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Directive {
    kind: u8,
    native: bool,
    big: bool,
    count: Count,
}

struct Template<'a> {
    s: &'a [u8],
    pos: usize,
}

impl Iterator for Template<'_> {
    type Item = Result<Directive, PackError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let kind = *self.s.get(self.pos)?;
            self.pos += 1;
            match kind {
                b' ' | b'\t'..=b'\r' => continue,
                b'#' => {
                    while self.s.get(self.pos).is_some_and(|c| *c != b'\n') {
                        self.pos += 1;
                    }
                    continue;
                }
                _ => return Some(self.rest(kind)),
            }
        }
    }
}

impl Template<'_> {
    fn rest(&mut self, kind: u8) -> Result<Directive, PackError> {
        let mut d = Directive { kind, native: false, big: false, count: Count::One };
        let mut little = false;
        while let Some(&c) = self.s.get(self.pos) {
            match c {
                b'_' | b'!' if b"sSiIlLqQjJ".contains(&kind) => d.native = true,
                b'<' | b'>' if b"sSiIlLqQjJ".contains(&kind) => {
                    if if c == b'<' { d.big } else { little } {
                        return Err(PackError::BothEndians);
                    }
                    if c == b'<' { little = true } else { d.big = true }
                }
                b'_' | b'!' | b'<' | b'>' => return Err(PackError::Modifier(c as char)),
                _ => break,
            }
            self.pos += 1;
        }
        match self.s.get(self.pos) {
            Some(b'*') => {
                self.pos += 1;
                d.count = Count::Star;
            }
            Some(b'0'..=b'9') => {
                let mut n = 0usize;
                while let Some(c @ b'0'..=b'9') = self.s.get(self.pos) {
                    n = n
                        .checked_mul(10)
                        .and_then(|n| n.checked_add(usize::from(c - b'0')))
                        .ok_or(PackError::TooBig)?;
                    self.pos += 1;
                }
                if n > isize::MAX as usize {
                    return Err(PackError::TooBig);
                }
                d.count = Count::N(n);
            }
            _ => {}
        }
        Ok(d)
    }
}

/// The letters of a template that are no directives, which are ignored.
pub fn unknown(template: &[u8]) -> Vec<u8> {
    const KNOWN: &[u8] = b"aAbBcCdDeEfFgGhHiIjJlLmMnNpPqQsSuUvVwxXZ@";
    let directives = Template { s: template, pos: 0 }.map_while(Result::ok);
    directives.map(|directive| directive.kind).filter(|kind| !KNOWN.contains(kind)).collect()
}

/// Size in bytes, whether signed, and whether big-endian, of an integer directive.
fn integer_shape(d: &Directive) -> Option<(usize, bool, bool)> {
    Some(match d.kind {
        b'c' => (1, true, false),
        b'C' => (1, false, false),
        b's' => (2, true, d.big),
        b'S' => (2, false, d.big),
        b'i' => (4, true, d.big),
        b'I' => (4, false, d.big),
        b'l' => (if d.native { 8 } else { 4 }, true, d.big),
        b'L' => (if d.native { 8 } else { 4 }, false, d.big),
        b'q' | b'j' => (8, true, d.big),
        b'Q' | b'J' => (8, false, d.big),
        b'n' => (2, false, true),
        b'N' => (4, false, true),
        b'v' => (2, false, false),
        b'V' => (4, false, false),
        _ => return None,
    })
}

/// Size in bytes, and whether big-endian, of a float directive.
fn float_shape(kind: u8) -> Option<(usize, bool)> {
    Some(match kind {
        b'D' | b'd' | b'E' => (8, false),
        b'F' | b'f' | b'e' => (4, false),
        b'G' => (8, true),
        b'g' => (4, true),
        _ => return None,
    })
}
