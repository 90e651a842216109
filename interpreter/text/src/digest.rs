//! `String#sum`, the hash of Strings, and hexadecimal digests.
use crate::number::Int;

/// `String#sum(bits)`; with 0 or fewer bits the sum is not truncated.
pub fn sum(bytes: &[u8], bits: i64) -> Int {
    let total: u64 = bytes.iter().map(|b| u64::from(*b)).sum();
    Int::Small(if (1..63).contains(&bits) { total & ((1 << bits) - 1) } else { total } as i64)
}

const K: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let m = u128::from(a) * u128::from(b);
    m as u64 ^ (m >> 64) as u64
}

/// A fast 64-bit hash of bytes, equal in every run so that output cannot depend on a seed. Not for large amounts of untrusted input.
#[inline]
pub fn hash64(bytes: &[u8]) -> u64 {
    let mut h = K ^ bytes.len() as u64;
    let (words, tail) = bytes.as_chunks::<8>();
    for w in words {
        h = mix(h ^ u64::from_le_bytes(*w), K);
    }
    let mut last = [0; 8];
    last[..tail.len()].copy_from_slice(tail);
    mix(h ^ u64::from_le_bytes(last), 0xD6E8_FEB8_6659_FD93)
}

/// Bytes as lower-case hexadecimal, two digits per byte.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_bytes() {
        assert_eq!(hex(&[0, 9, 10, 0x5f, 0xff]), "00090a5fff");
        assert_eq!(hex(b""), "");
    }
}
