//! Contents of a String: bytes, encoding, and the cached code range.

mod packed;

pub use packed::Edit;

use packed::Packed;
use rchef_syntax::Symbol;
use rchef_text::encoding::{self, CodeRange, Encoding};
use std::borrow::Cow;

#[derive(Clone)]
pub struct RString(Packed);

impl Default for RString {
    fn default() -> RString {
        RString(Packed::empty(Encoding::Utf8))
    }
}

impl RString {
    /// The name of a Symbol: US-ASCII, UTF-8, or binary.
    pub fn of_symbol(symbol: Symbol) -> RString {
        let name = symbol.as_bytes();
        let (encoding, range) = match encoding::scan(name, Encoding::Utf8) {
            CodeRange::Ascii => (Encoding::UsAscii, CodeRange::Ascii),
            CodeRange::Valid => (Encoding::Utf8, CodeRange::Valid),
            CodeRange::Broken => (Encoding::Binary, CodeRange::Valid),
        };
        RString::with_range(name, encoding, Some(range))
    }
    /// Number of characters.
    pub fn char_count(&self) -> usize {
        encoding::char_count(self.bytes(), self.encoding(), Some(self.range()))
    }
    /// Bytes in an encoding: a slice, or a vector that becomes the String's own if it is long.
    pub fn new<'a>(bytes: impl Into<Cow<'a, [u8]>>, encoding: Encoding) -> RString {
        RString(Packed::new(bytes, encoding))
    }
    /// With the code range, if it is known.
    pub fn with_range<'a>(bytes: impl Into<Cow<'a, [u8]>>, encoding: Encoding, range: Option<CodeRange>) -> RString {
        let made = RString::new(bytes, encoding);
        made.0.set_range(range);
        made
    }
    /// With the encoding UTF-8; the bytes may be invalid.
    pub fn utf8<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> RString {
        RString::new(bytes, Encoding::Utf8)
    }
    /// UTF-8 text.
    pub fn from_text(text: &str) -> RString {
        RString::new(text.as_bytes(), Encoding::Utf8)
    }
    /// With the encoding ASCII-8BIT.
    pub fn binary<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> RString {
        RString::new(bytes, Encoding::Binary)
    }
    /// Text about an object: in the given encoding if it is ASCII, otherwise in UTF-8.
    pub fn about(text: &str, ascii: Encoding) -> RString {
        RString::new(text.as_bytes(), if text.is_ascii() { ascii } else { Encoding::Utf8 })
    }
    pub fn ascii(text: &str) -> RString {
        RString::new(text.as_bytes(), Encoding::UsAscii)
    }
    /// An Integer in decimal.
    pub fn of_int(number: i64) -> RString {
        let mut digits = [0; 20];
        RString::with_range(decimal(number, &mut digits), Encoding::UsAscii, Some(CodeRange::Ascii))
    }
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }
    /// Number of bytes.
    #[inline(always)]
    pub fn bytesize(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    pub fn encoding(&self) -> Encoding {
        self.0.encoding
    }
    pub fn set_encoding(&mut self, encoding: Encoding) {
        if self.0.encoding != encoding {
            self.0.encoding = encoding;
            self.0.set_range(None);
        }
    }
    /// The bytes, mutable; clears the cached code range.
    pub fn bytes_mut(&mut self) -> Edit<'_> {
        self.0.set_range(None);
        self.0.edit()
    }
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_vec()
    }
    pub fn replace(&mut self, other: RString) {
        *self = other;
    }
    /// The code range: ASCII only, valid or broken; cached until the bytes change.
    #[inline]
    pub fn range(&self) -> CodeRange {
        match self.0.range() {
            Some(range) => range,
            None => {
                let range = encoding::scan(self.bytes(), self.encoding());
                self.0.set_range(Some(range));
                range
            }
        }
    }
    /// Whether there is only ASCII, in an ASCII-compatible encoding.
    pub fn is_ascii(&self) -> bool {
        self.range() == CodeRange::Ascii
    }
    pub fn is_valid(&self) -> bool {
        self.range() != CodeRange::Broken
    }
    /// Text in UTF-8; invalid bytes become replacement characters.
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes())
    }
    /// Appends bytes of the same encoding; the code range stays known if possible.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8], range: Option<CodeRange>) {
        let Some(known) = self.known_range() else { return self.0.extend(bytes) };
        // keep the code range up to date: otherwise a growing String would be scanned again and again
        let range = range.unwrap_or_else(|| encoding::scan(bytes, self.encoding()));
        let joined = match (known, range) {
            (CodeRange::Ascii, CodeRange::Ascii) => Some(CodeRange::Ascii),
            (CodeRange::Broken, _) | (_, CodeRange::Broken) => None,
            _ => Some(CodeRange::Valid),
        };
        self.0.extend(bytes);
        self.0.set_range(joined);
    }
    /// The code range, if it is cached.
    pub fn known_range(&self) -> Option<CodeRange> {
        self.0.range()
    }
}

/// The decimal digits of a number, written to a buffer.
pub(crate) fn decimal(number: i64, buffer: &mut [u8; 20]) -> &[u8] {
    let (mut rest, mut at) = (number.unsigned_abs(), buffer.len());
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}
