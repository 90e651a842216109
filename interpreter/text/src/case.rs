//! `upcase`, `downcase`, `capitalize`, `swapcase` and folding.
use crate::encoding::{CharStep, Encoding, char_len_at, from_unicode, to_unicode};
use crate::tables::{fold::FOLD, swap::SWAP, titlecase::TITLECASE};

/// The options that Ruby's case methods take.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum CaseOption {
    #[default]
    Full,
    Ascii,
    /// `:turkic` (with or without `:lithuanian`): dotted and dotless i.
    Turkic,
    /// `:fold`, only for downcase.
    Fold,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum CaseMap {
    Up,
    Down,
    Capitalize,
    Swap,
}

/// Whether MRI maps the encoding's letters beyond ASCII.
fn maps_all(enc: Encoding) -> bool {
    enc.is_unicode() || enc.name().starts_with("ISO-8859-") || enc.name().starts_with("Windows-125")
}

fn special(table: &[(char, &'static str)], c: char) -> Option<&'static str> {
    table.binary_search_by_key(&c, |e| e.0).ok().map(|i| table[i].1)
}

fn push_full(c: char, map: CaseMap, option: CaseOption, first: bool, text: &mut String) {
    let map = match map {
        CaseMap::Capitalize if !first => CaseMap::Down,
        m => m,
    };
    if option == CaseOption::Turkic {
        let turned = match (c, map) {
            ('i', CaseMap::Up | CaseMap::Capitalize | CaseMap::Swap) => Some('\u{130}'),
            ('I', CaseMap::Down | CaseMap::Swap) => Some('\u{131}'),
            ('\u{130}', CaseMap::Down | CaseMap::Swap) => Some('i'),
            _ => None,
        };
        if let Some(t) = turned {
            text.push(t);
            return;
        }
    }
    match map {
        CaseMap::Up => text.extend(c.to_uppercase()),
        CaseMap::Down if option == CaseOption::Fold => match special(FOLD, c) {
            Some(s) => text.push_str(s),
            None => text.extend(c.to_lowercase()),
        },
        CaseMap::Down => text.extend(c.to_lowercase()),
        CaseMap::Capitalize => match special(TITLECASE, c) {
            Some(s) => text.push_str(s),
            None => text.extend(c.to_uppercase()),
        },
        CaseMap::Swap => match special(SWAP, c) {
            Some(s) => text.push_str(s),
            None if c.to_uppercase().next() != Some(c) => text.extend(c.to_uppercase()),
            None => text.extend(c.to_lowercase()),
        },
    }
}

#[inline]
fn ascii(b: u8, map: CaseMap, first: bool) -> u8 {
    match map {
        CaseMap::Up => b.to_ascii_uppercase(),
        CaseMap::Capitalize if first => b.to_ascii_uppercase(),
        CaseMap::Down | CaseMap::Capitalize => b.to_ascii_lowercase(),
        CaseMap::Swap if b.is_ascii_alphabetic() => b ^ 0x20,
        CaseMap::Swap => b,
    }
}

/// Maps the case of `bytes`. Invalid bytes of Unicode strings are copied (MRI raises ArgumentError: callers check validity first).
pub fn convert(bytes: &[u8], enc: Encoding, map: CaseMap, option: CaseOption) -> Vec<u8> {
    let compat = enc.is_ascii_compatible();
    let simple =
        compat && option != CaseOption::Turkic && (bytes.is_ascii() || option == CaseOption::Ascii || !maps_all(enc));
    if simple && (enc.is_single_byte() || enc == Encoding::Utf8 || bytes.is_ascii()) {
        return bytes.iter().enumerate().map(|(i, &b)| ascii(b, map, i == 0)).collect();
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut text = String::new();
    let mut pos = 0;
    while pos < bytes.len() {
        let step = char_len_at(bytes, pos, enc);
        let ch = &bytes[pos..pos + step.len()];
        let first = pos == 0;
        pos += step.len();
        let c = if matches!(step, CharStep::Valid(_)) { to_unicode(ch, enc) } else { None };
        match c {
            Some(c) if c.is_ascii() && option != CaseOption::Turkic => {
                from_unicode(ascii(c as u8, map, first) as char, enc, &mut out);
            }
            Some(c) if option != CaseOption::Ascii && maps_all(enc) => {
                text.clear();
                push_full(c, map, option, first, &mut text);
                let mark = out.len();
                // A character stays as it is if its mapping does not exist in a single-byte encoding.
                if !text.chars().all(|c| from_unicode(c, enc, &mut out)) {
                    out.truncate(mark);
                    out.extend_from_slice(ch);
                }
            }
            _ => out.extend_from_slice(ch),
        }
    }
    out
}

/// `String#casecmp`: compares bytes, ignoring the case of ASCII letters.
pub fn casecmp(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    match a.iter().zip(b).find(|(x, y)| !x.eq_ignore_ascii_case(y)) {
        Some((x, y)) => x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase()),
        None => a.len().cmp(&b.len()),
    }
}

/// `String#casecmp?`: compares with Unicode case folding.
pub fn casecmp_p(a: &[u8], ae: Encoding, b: &[u8], be: Encoding) -> bool {
    convert(a, ae, CaseMap::Down, CaseOption::Fold) == convert(b, be, CaseMap::Down, CaseOption::Fold)
}
