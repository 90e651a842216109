//! Regexp options with Ruby's integer values.

/// The options of a Regexp, as `Regexp#options` counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options(u32);

impl Options {
    /// `Regexp::IGNORECASE`, `i`.
    pub const IGNORE_CASE: Options = Options(1);
    /// `Regexp::EXTENDED`, `x`.
    pub const EXTENDED: Options = Options(2);
    /// `Regexp::MULTILINE`, `m`: the dot also matches a newline.
    pub const MULTI_LINE: Options = Options(4);
    /// `Regexp::FIXEDENCODING`.
    pub const FIXED_ENCODING: Options = Options(16);
    /// `Regexp::NOENCODING`, `n`.
    pub const NO_ENCODING: Options = Options(32);

    pub const fn none() -> Options {
        Options(0)
    }

    /// The options that Ruby's integer stands for; bits without a meaning are dropped.
    pub const fn from_bits(bits: u32) -> Options {
        Options(bits & (1 | 2 | 4 | 16 | 32))
    }

    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Both sets together.
    pub const fn with(self, other: Options) -> Options {
        Options(self.0 | other.0)
    }

    /// This set without the other.
    pub const fn without(self, other: Options) -> Options {
        Options(self.0 & !other.0)
    }

    /// Whether every option of `other` is set.
    pub const fn has(self, other: Options) -> bool {
        self.0 & other.0 == other.0
    }

    /// `i` is set.
    pub const fn ignore_case(self) -> bool {
        self.has(Self::IGNORE_CASE)
    }

    /// `x` is set.
    pub const fn extended(self) -> bool {
        self.has(Self::EXTENDED)
    }

    /// `m` is set.
    pub const fn multi_line(self) -> bool {
        self.has(Self::MULTI_LINE)
    }

    /// The encoding is fixed.
    pub const fn fixed_encoding(self) -> bool {
        self.has(Self::FIXED_ENCODING)
    }

    /// `n` is set.
    pub const fn no_encoding(self) -> bool {
        self.has(Self::NO_ENCODING)
    }

    /// The letters of the set options among `m`, `i`, `x`, in the order in which Ruby prints them.
    pub fn letters(self) -> String {
        let mut s = String::new();
        for (o, c) in [(Self::MULTI_LINE, 'm'), (Self::IGNORE_CASE, 'i'), (Self::EXTENDED, 'x')] {
            if self.has(o) {
                s.push(c);
            }
        }
        s
    }
}
