//! `String#succ`, after MRI's string.c.
use crate::encoding::{CharStep, Encoding, char_len_at, chars, decode, encode_codepoint};

#[derive(PartialEq)]
enum Next {
    NotAlnum,
    Found(Vec<u8>),
    /// The first character of its kind, and what to carry.
    Wrapped(Vec<u8>, Vec<u8>),
}

/// The next (or previous) character of the same length in bytes; None if there is none.
fn neighbour(ch: &[u8], enc: Encoding, forward: bool) -> Option<Vec<u8>> {
    let mut code = decode(ch, enc);
    for _ in 0..0x1_0000 {
        code = if forward { code.checked_add(1)? } else { code.checked_sub(1)? };
        let mut out = Vec::new();
        if encode_codepoint(u64::from(code), enc, &mut out).is_ok() {
            return (out.len() == ch.len()).then_some(out);
        }
    }
    None
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Digit,
    Alpha,
}

fn kind(ch: &[u8], enc: Encoding) -> Option<Kind> {
    let c = decode(ch, enc);
    if (0x30..=0x39).contains(&c) {
        return Some(Kind::Digit);
    }
    if c < 0x80 {
        return u8::try_from(c).ok().filter(u8::is_ascii_alphabetic).map(|_| Kind::Alpha);
    }
    if enc == Encoding::Binary || enc == Encoding::UsAscii {
        return None;
    }
    let c = crate::encoding::to_unicode(ch, enc)?;
    if c.is_alphabetic() { Some(Kind::Alpha) } else { None }
}

fn next_alnum(ch: &[u8], enc: Encoding) -> Next {
    let Some(k) = kind(ch, enc) else { return Next::NotAlnum };
    // A gap of one code point in a sequence of letters (or digits) is skipped.
    let mut at = ch.to_vec();
    for _ in 0..2 {
        match neighbour(&at, enc, true) {
            Some(n) if kind(&n, enc) == Some(k) => return Next::Found(n),
            Some(n) => at = n,
            None => break,
        }
    }
    let mut first = ch.to_vec();
    while let Some(before) = neighbour(&first, enc, false) {
        if kind(&before, enc) != Some(k) {
            break;
        }
        first = before;
    }
    let carry = match k {
        Kind::Digit => neighbour(&first, enc, true).unwrap_or_else(|| first.clone()),
        Kind::Alpha => first.clone(),
    };
    Next::Wrapped(first, carry)
}

/// The first character of `len` bytes, and what to carry when all characters have wrapped around.
fn lowest(len: usize, enc: Encoding) -> (Vec<u8>, Vec<u8>) {
    let mut zero = Vec::new();
    let code = match (enc, len) {
        (Encoding::Utf8, 2) => 0x80,
        (Encoding::Utf8, 3) => 0x800,
        (Encoding::Utf8, 4) => 0x10000,
        _ => 0,
    };
    let _ = encode_codepoint(code, enc, &mut zero);
    let mut one = Vec::new();
    let _ = encode_codepoint(1, enc, &mut one);
    (zero, one)
}

pub fn succ(bytes: &[u8], enc: Encoding) -> Vec<u8> {
    let ranges: Vec<_> = chars(bytes, enc).collect();
    let mut out: Vec<Vec<u8>> = ranges.iter().map(|r| bytes[r.clone()].to_vec()).collect();
    let mut last: Option<usize> = None;
    let mut carry: Option<(usize, Vec<u8>)> = None;
    let mut gap = false;
    let mut i = out.len();
    while i > 0 {
        i -= 1;
        if let (true, Some(l)) = (gap, last) {
            let (a, b) = (bytes[ranges[l].start], bytes[ranges[i].start]);
            if a.is_ascii_alphabetic() && b.is_ascii_digit() || a.is_ascii_digit() && b.is_ascii_alphabetic() {
                break;
            }
        }
        if !matches!(char_len_at(bytes, ranges[i].start, enc), CharStep::Valid(_)) {
            continue;
        }
        match next_alnum(&out[i], enc) {
            Next::NotAlnum => gap = true,
            Next::Found(c) => {
                out[i] = c;
                return out.concat();
            }
            Next::Wrapped(first, add) => {
                gap = false;
                out[i] = first;
                last = Some(i);
                carry = Some((i, add));
            }
        }
    }
    if last.is_none() {
        for i in (0..out.len()).rev() {
            if !matches!(char_len_at(bytes, ranges[i].start, enc), CharStep::Valid(_)) {
                continue;
            }
            if let Some(c) = neighbour(&out[i], enc, true) {
                out[i] = c;
                return out.concat();
            }
            let (zero, one) = lowest(out[i].len(), enc);
            out[i] = zero;
            carry = Some((i, one));
        }
    }
    // where no byte belongs to a character, there is nothing that could be raised
    let (at, add) = carry.unwrap_or((0, vec![1]));
    if !out.is_empty() {
        out.insert(at, add);
    }
    out.concat()
}
