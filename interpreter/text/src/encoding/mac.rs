//! UTF8-MAC, the decomposed UTF-8 of file names on HFS+: as MRI converts it from and to UTF-8.

use unicode_normalization::char::{compose, decompose_canonical};

/// Greek letters that MRI's table lacks: most are in Unicode twice, and the other one of each pair is what a sequence stands for.
const DOUBLES: &[char] = &[
    '\u{390}', '\u{3b0}', '\u{1f71}', '\u{1f73}', '\u{1f75}', '\u{1f77}', '\u{1f79}', '\u{1f7b}', '\u{1f7d}',
    '\u{1fbb}', '\u{1fc9}', '\u{1fcb}', '\u{1fdb}', '\u{1feb}', '\u{1fee}', '\u{1ff9}', '\u{1ffb}',
];

/// Whether the character stays as it is, in both directions: HFS+ leaves some blocks alone, and characters that came after Unicode 3.2.
fn stays(c: char) -> bool {
    matches!(c, '\u{1b00}'..='\u{1b4f}' | '\u{2000}'..='\u{2fff}' | '\u{f900}'..='\u{faff}' | '\u{10000}'..)
        || DOUBLES.contains(&c)
}

fn composed(first: char, second: char) -> Option<char> {
    compose(first, second).filter(|c| !stays(*c))
}

/// UTF-8 from UTF8-MAC: each character is composed with those that follow. Invalid bytes are copied.
pub(super) fn to_utf8(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut before = None;
        for c in chunk.valid().chars() {
            before = match before {
                Some(first) => Some(composed(first, c).unwrap_or_else(|| {
                    push(&mut out, first);
                    c
                })),
                None => Some(c),
            };
        }
        if let Some(last) = before {
            push(&mut out, last);
        }
        out.extend_from_slice(chunk.invalid());
    }
    out
}

/// UTF8-MAC from UTF-8. Invalid bytes are copied.
pub(super) fn from_utf8(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_ascii() || stays(c) {
                push(&mut out, c);
            } else {
                decompose_canonical(c, |part| push(&mut out, part));
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
    out
}

fn push(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}
