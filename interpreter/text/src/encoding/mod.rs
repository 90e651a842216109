//! Encodings, code ranges, and conversion between encodings.
//!
//! Ruby strings are bytes with an encoding; nothing here owns a string.
mod chars;
mod codepoint;
mod compat;
mod euc_jp;
mod mac;
mod scrub;
mod stateful;
mod transcode;

pub use chars::{
    CharStep, Chars, CodeRange, byte_index, byte_index_from_end, char_count, char_index, char_len_at, chars,
    is_char_start, last_char_start, scan, valid,
};
pub use codepoint::{CodepointError, codepoint_at, decode, encode_codepoint, from_unicode, to_unicode};
pub use compat::{Operand, compatible};
pub use scrub::{Piece, pieces, scrub};
pub use stateful::{Shift, from_shifted_char, is_shifted, shifted_char};
pub use transcode::{Decorators, ErrorInfo, Fallback, Options, Replace, TranscodeError, can_transcode, transcode};

use crate::tables::names::for_each_encoding;

/// The rule by which an encoding splits bytes into characters.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Kind {
    Single,
    /// Only bytes below 0x80 are valid.
    Ascii,
    /// UTF-8 without surrogates.
    Utf8,
    /// UTF-8 with supplementary characters as two surrogates of three bytes each.
    Cesu8,
    /// EUC-JP and variants: two bytes, or three after 0x8F.
    EucJp,
    /// Shift_JIS and variants.
    Sjis,
    /// Big5 and variants.
    Big5,
    /// Code page 949.
    Cp949,
    /// EUC-KR: two bytes.
    EucKr,
    /// EUC-TW: two bytes, or four after 0x8E.
    EucTw,
    Gbk,
    /// GB18030: two or four bytes.
    Gb18030,
    /// Emacs' internal encoding.
    EmacsMule,
    /// UTF-16, big-endian.
    Utf16Be,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-32, big-endian.
    Utf32Be,
    /// UTF-32, little-endian.
    Utf32Le,
    /// UTF-16 with the byte order told by a byte order mark.
    Utf16,
    /// UTF-32 with the byte order told by a byte order mark.
    Utf32,
    /// A stateful encoding: MRI treats each byte as a character.
    Dummy,
}

macro_rules! define {
    ($($variant:ident [$($name:literal),+] $kind:ident $dummy:literal $compat:literal;)+) => {
        /// An encoding that MRI knows, in the order of `Encoding.list`.
        #[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
        #[repr(u8)]
        pub enum Encoding { Binary, #[default] Utf8, $($variant),+ }
    };
}
// The macro writes the first two variants out to put `#[default]` on one, so the list is split here.
macro_rules! split {
    (Binary $b:tt $bk:ident $bd:literal $bc:literal; Utf8 $u:tt $uk:ident $ud:literal $uc:literal; $($rest:tt)+) => {
        define! { $($rest)+ }
    };
}
for_each_encoding!(split);

struct Entry {
    names: &'static [&'static str],
    kind: Kind,
    dummy: bool,
    compat: bool,
}

macro_rules! entries {
    ($($variant:ident [$($name:literal),+] $kind:ident $dummy:literal $compat:literal;)+) => {
        /// All encodings, in the order of `Encoding.list`.
        pub static ALL: &[Encoding] = &[$(Encoding::$variant),+];
        static ENTRIES: &[Entry] = &[$(Entry { names: &[$($name),+], kind: Kind::$kind, dummy: $dummy, compat: $compat }),+];
    };
}
for_each_encoding!(entries);

impl Encoding {
    #[inline]
    fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.entry().names[0]
    }

    /// `Encoding#names` without the aliases set at run time (locale, external, filesystem, internal).
    pub fn names(self) -> &'static [&'static str] {
        self.entry().names
    }

    #[inline]
    pub fn kind(self) -> Kind {
        self.entry().kind
    }

    pub fn is_dummy(self) -> bool {
        self.entry().dummy
    }

    #[inline]
    pub fn is_ascii_compatible(self) -> bool {
        match self {
            Encoding::Utf8 | Encoding::Binary | Encoding::UsAscii => true,
            _ => self.entry().compat,
        }
    }

    /// Whether its code points are those of Unicode.
    pub fn is_unicode(self) -> bool {
        matches!(
            self.kind(),
            Kind::Utf8
                | Kind::Cesu8
                | Kind::Utf16Be
                | Kind::Utf16Le
                | Kind::Utf32Be
                | Kind::Utf32Le
                | Kind::Utf16
                | Kind::Utf32
        )
    }

    /// Whether every character, valid or not, is one byte.
    #[inline]
    pub fn is_single_byte(self) -> bool {
        matches!(self.kind(), Kind::Single | Kind::Ascii | Kind::Dummy)
    }

    /// Bytes of the shortest characters.
    #[inline]
    pub fn min_len(self) -> usize {
        match self.kind() {
            Kind::Utf16Be | Kind::Utf16Le | Kind::Utf16 => 2,
            Kind::Utf32Be | Kind::Utf32Le | Kind::Utf32 => 4,
            _ => 1,
        }
    }

    /// Bytes of the longest characters.
    pub fn max_len(self) -> usize {
        match self.kind() {
            Kind::Single | Kind::Ascii | Kind::Dummy => 1,
            Kind::Sjis | Kind::Big5 | Kind::Cp949 | Kind::EucKr | Kind::Gbk => 2,
            Kind::EucJp => 3,
            Kind::Cesu8 => 6,
            _ => 4,
        }
    }

    /// For UTF-16 and UTF-32 the byte order of the byte order mark, if there is one; else the encoding itself.
    pub fn actual(self, bytes: &[u8]) -> Encoding {
        match self {
            Encoding::Utf16 => match bytes {
                [0xFE, 0xFF, ..] => Encoding::Utf16Be,
                [0xFF, 0xFE, ..] => Encoding::Utf16Le,
                _ => self,
            },
            Encoding::Utf32 => match bytes {
                [0, 0, 0xFE, 0xFF, ..] => Encoding::Utf32Be,
                [0xFF, 0xFE, 0, 0, ..] => Encoding::Utf32Le,
                _ => self,
            },
            other => other,
        }
    }

    /// The encoding with this name or alias, ignoring case. The caller handles the run-time names (locale, external, …).
    pub fn find(name: &str) -> Option<Encoding> {
        let at = ENTRIES.iter().position(|e| e.names.iter().any(|n| n.eq_ignore_ascii_case(name)))?;
        ALL.get(at).copied()
    }

    /// The encoding at an index of `Encoding.list`; None if it is out of range.
    pub fn from_index(index: usize) -> Option<Encoding> {
        ALL.get(index).copied()
    }
}
