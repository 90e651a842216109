//! `Encoding.compatible?`.
use super::{CodeRange, Encoding, scan};

/// One side of a compatibility question.
#[derive(Copy, Clone, Debug)]
pub struct Operand {
    pub enc: Encoding,
    /// Whether a String (Symbols and Regexps are not) and, if so, whether it is empty.
    pub string: Option<bool>,
    /// Whether only ASCII, in an ASCII-compatible encoding.
    pub ascii_only: bool,
}

impl Operand {
    /// A String of known code range.
    #[inline]
    pub fn string(enc: Encoding, empty: bool, range: CodeRange) -> Operand {
        Operand { enc, string: Some(empty), ascii_only: range == CodeRange::Ascii && enc.is_ascii_compatible() }
    }

    pub fn bytes(bytes: &[u8], enc: Encoding) -> Operand {
        Operand::string(enc, bytes.is_empty(), scan(bytes, enc))
    }
}

/// The encoding that both can be joined in, by MRI's `enc_compatible_latter`.
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
    // Symbols and Regexps of US-ASCII give way to anything.
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
