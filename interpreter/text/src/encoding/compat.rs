//! `Encoding.compatible?`.
use super::{CodeRange, Encoding, scan};

/// One side of a compatibility check.
#[derive(Copy, Clone, Debug)]
pub struct Operand {
    pub enc: Encoding,
    /// For a String, whether it is empty; None for Symbols and Regexps.
    pub string: Option<bool>,
    /// Whether it is only ASCII, in an ASCII-compatible encoding.
    pub ascii_only: bool,
}

impl Operand {
    /// A String whose code range is known.
    #[inline]
    pub fn string(enc: Encoding, empty: bool, range: CodeRange) -> Operand {
        Operand { enc, string: Some(empty), ascii_only: range == CodeRange::Ascii && enc.is_ascii_compatible() }
    }

    pub fn bytes(bytes: &[u8], enc: Encoding) -> Operand {
        Operand::string(enc, bytes.is_empty(), scan(bytes, enc))
    }
}

/// The encoding of a concatenation of the two, by MRI's `enc_compatible_latter`.
pub fn compatible(a: Operand, b: Operand) -> Option<Encoding> {
    if a.enc == b.enc {
        return Some(a.enc);
    }
    if b.string == Some(true) {
        return Some(a.enc);
    }
    if a.string == Some(true) {
        return Some(if a.enc.is_ascii_compatible() && b.string.is_some() && b.ascii_only { a.enc } else { b.enc });
    }
    if !a.enc.is_ascii_compatible() || !b.enc.is_ascii_compatible() {
        return None;
    }
    // A US-ASCII Symbol or Regexp is compatible with any encoding.
    if b.string.is_none() && b.enc == Encoding::UsAscii {
        return Some(a.enc);
    }
    if a.string.is_none() && a.enc == Encoding::UsAscii {
        return Some(b.enc);
    }
    let (a, b) = if a.string.is_none() { (b, a) } else { (a, b) };
    if a.string.is_some() {
        if b.string.is_some() && a.ascii_only != b.ascii_only {
            return Some(if a.ascii_only { b.enc } else { a.enc });
        }
        if b.string.is_some() && b.ascii_only {
            return Some(a.enc);
        }
        if a.ascii_only {
            return Some(b.enc);
        }
    }
    None
}
