//! Engine-free text work: encodings, sprintf, pack, strftime, inspect forms, number parsing.
//!
//! Everything is a pure function of bytes and numbers. Offsets are bytes unless a name says chars.
pub mod encoding;
pub mod inspect;
pub mod number;
pub mod sprintf;
mod tables;
pub use num_bigint::BigInt;
