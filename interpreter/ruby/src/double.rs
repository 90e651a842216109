//! The content of a Float.

/// The content of a Float: the bits of an `f64`. All contents of a [`crate::Value`] are whole numbers or pointers of one word, because only then does
/// Rust pass and return a value in two registers.
#[derive(Clone, Copy)]
pub struct Double(u64);

impl Double {
    #[inline(always)]
    pub const fn new(number: f64) -> Double {
        Double(number.to_bits())
    }
    #[inline(always)]
    pub const fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}
