//! Contents of a String: bytes, encoding, and the cached code range.

use rchef_syntax::Symbol;
use rchef_text::encoding::{self, CodeRange, Encoding};
use std::borrow::Cow;
use std::cell::Cell;

pub struct RString {
    bytes: Vec<u8>,
    encoding: Encoding,
    range: Cell<Option<CodeRange>>,
}

impl Default for RString {
    fn default() -> RString {
        RString::utf8(Vec::new())
    }
}

impl Clone for RString {
    fn clone(&self) -> RString {
        RString { bytes: self.bytes.clone(), encoding: self.encoding, range: self.range.clone() }
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
        RString::with_range(name.to_vec(), encoding, Some(range))
    }
    /// Number of characters.
    pub fn char_count(&self) -> usize {
        encoding::char_count(self.bytes(), self.encoding(), Some(self.range()))
    }
    /// Bytes in an encoding.
    pub fn new(bytes: Vec<u8>, encoding: Encoding) -> RString {
        RString { bytes, encoding, range: Cell::new(None) }
    }
    /// With the code range, if it is known.
    pub fn with_range(bytes: Vec<u8>, encoding: Encoding, range: Option<CodeRange>) -> RString {
        RString { bytes, encoding, range: Cell::new(range) }
    }
    /// With the encoding UTF-8; the bytes may be invalid.
    pub fn utf8(bytes: Vec<u8>) -> RString {
        RString::new(bytes, Encoding::Utf8)
    }
    /// UTF-8 text.
    pub fn from_text(text: &str) -> RString {
        RString::new(text.as_bytes().to_vec(), Encoding::Utf8)
    }
    /// With the encoding ASCII-8BIT.
    pub fn binary(bytes: Vec<u8>) -> RString {
        RString::new(bytes, Encoding::Binary)
    }
    pub fn ascii(text: &str) -> RString {
        RString::new(text.as_bytes().to_vec(), Encoding::UsAscii)
    }
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
    /// Number of bytes.
    pub fn bytesize(&self) -> usize {
        self.bytes.len()
    }
    #[inline(always)]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }
    pub fn set_encoding(&mut self, encoding: Encoding) {
        if self.encoding != encoding {
            self.encoding = encoding;
            self.range.set(None);
        }
    }
    /// The bytes, mutable; clears the cached code range.
    pub fn bytes_mut(&mut self) -> &mut Vec<u8> {
        self.range.set(None);
        &mut self.bytes
    }
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
    pub fn replace(&mut self, other: RString) {
        *self = other;
    }
    /// The code range: ASCII only, valid or broken; cached until the bytes change.
    #[inline]
    pub fn range(&self) -> CodeRange {
        match self.range.get() {
            Some(range) => range,
            None => {
                let range = encoding::scan(&self.bytes, self.encoding);
                self.range.set(Some(range));
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
        String::from_utf8_lossy(&self.bytes)
    }
    /// Appends bytes of the same encoding; the code range stays known if possible.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8], range: Option<CodeRange>) {
        // keep the code range up to date: otherwise a growing String would be scanned again and again
        let known = self.range.get();
        let range = match (known, range) {
            (Some(_), None) => Some(encoding::scan(bytes, self.encoding)),
            (_, range) => range,
        };
        let joined = match (known, range) {
            (Some(CodeRange::Ascii), Some(CodeRange::Ascii)) => Some(CodeRange::Ascii),
            (Some(CodeRange::Ascii | CodeRange::Valid), Some(CodeRange::Ascii | CodeRange::Valid)) => {
                Some(CodeRange::Valid)
            }
            _ => None,
        };
        self.bytes.extend_from_slice(bytes);
        self.range.set(joined);
    }
    /// The code range, if it is cached.
    pub fn known_range(&self) -> Option<CodeRange> {
        self.range.get()
    }
}
