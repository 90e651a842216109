//! Regexp options with Ruby's numeric values.

/// The options of a Regexp, with the bits of `Regexp#options`.
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

    /// The options of Ruby's Integer; unknown bits are dropped.
    pub const fn from_bits(bits: u32) -> Options {
        Options(bits & (1 | 2 | 4 | 16 | 32))
    }

    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The union of both sets.
    pub const fn with(self, other: Options) -> Options {
        Options(self.0 | other.0)
    }

    /// The options that are not in `other`.
    pub const fn without(self, other: Options) -> Options {
        Options(self.0 & !other.0)
    }

    pub const fn has(self, other: Options) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn ignore_case(self) -> bool {
        self.has(Self::IGNORE_CASE)
    }

    pub const fn extended(self) -> bool {
        self.has(Self::EXTENDED)
    }

    pub const fn multi_line(self) -> bool {
        self.has(Self::MULTI_LINE)
    }

    pub const fn fixed_encoding(self) -> bool {
        self.has(Self::FIXED_ENCODING)
    }

    pub const fn no_encoding(self) -> bool {
        self.has(Self::NO_ENCODING)
    }

    /// The letters `m`, `i`, `x` of the set options, in Ruby's order.
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
