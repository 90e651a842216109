//! Text functions that need no VM: encodings, sprintf, pack, strftime, inspect, number parsing.
//!
//! Everything is a pure function of bytes and numbers. Offsets are in bytes unless a name says chars.
pub mod base64;
pub mod case;
pub mod crypt;
pub mod digest;
pub mod distance;
pub mod encoding;
pub mod escape;
pub mod fnmatch;
pub mod inspect;
pub mod normalize;
pub mod number;
pub mod pack;
pub mod shell;
pub mod sprintf;
pub mod strftime;
pub mod strptime;
pub mod succ;
mod tables;
pub mod tr;
pub mod tr_ascii;
pub use num_bigint::BigInt;
