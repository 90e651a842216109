//! Character sets of `tr`, `tr_s`, `delete`, `squeeze`, `count`.
use crate::encoding::{CharStep, Encoding, char_len_at, decode, encode_codepoint};
use std::fmt;

/// An error in a set or a string (ArgumentError).
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum TrError {
    /// A range whose end is before its beginning.
    Range(u32, u32),
    /// Bytes that are not a character.
    Sequence(Encoding),
}

impl fmt::Display for TrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrError::Range(a, b) if *a < 0x80 && *b < 0x80 => {
                write!(f, "invalid range \"{}-{}\" in string transliteration", *a as u8 as char, *b as u8 as char)
            }
            TrError::Range(..) => f.write_str("invalid range in string transliteration"),
            TrError::Sequence(enc) => write!(f, "invalid byte sequence in {}", enc.name()),
        }
    }
}
impl std::error::Error for TrError {}

/// The code point at `pos`, and the position after it.
#[inline]
fn code_at(bytes: &[u8], pos: usize, enc: Encoding) -> Result<(u32, usize), TrError> {
    let first = bytes[pos];
    if first < 0x80 && enc.is_ascii_compatible() {
        return Ok((u32::from(first), pos + 1));
    }
    match char_len_at(bytes, pos, enc) {
        CharStep::Valid(n) => Ok((decode(&bytes[pos..pos + n], enc), pos + n)),
        // In a binary string any byte is a character.
        CharStep::Invalid(_) => Err(TrError::Sequence(enc)),
    }
}

/// The ranges of a set, in the order written; the flag says whether it begins with `^`.
fn parse(spec: &[u8], enc: Encoding) -> Result<(bool, Vec<(u32, u32)>), TrError> {
    let mut ranges = Vec::new();
    let mut codes = Vec::with_capacity(spec.len());
    let mut pos = 0;
    while pos < spec.len() {
        let (c, next) = code_at(spec, pos, enc)?;
        codes.push(c);
        pos = next;
    }
    let negated = codes.len() > 1 && codes[0] == u32::from(b'^');
    let mut i = usize::from(negated);
    while i < codes.len() {
        if codes[i] == u32::from(b'\\') && i + 1 < codes.len() {
            i += 1;
        }
        let from = codes[i];
        i += 1;
        if i + 1 < codes.len() && codes[i] == u32::from(b'-') {
            let to = codes[i + 1];
            i += 2;
            if from > to {
                return Err(TrError::Range(from, to));
            }
            ranges.push((from, to));
        } else {
            ranges.push((from, from));
        }
    }
    Ok((negated, ranges))
}

/// The characters that all of several specifications select.
#[derive(Clone, Debug)]
pub struct CharSet {
    low: [bool; 256],
    sets: Vec<(bool, Vec<(u32, u32)>)>,
}

impl CharSet {
    /// The intersection of the specifications; without specifications all characters.
    ///
    /// # Errors
    /// A range whose end is before its beginning, or invalid bytes.
    pub fn new(specs: &[&[u8]], enc: Encoding) -> Result<CharSet, TrError> {
        let sets = specs.iter().map(|s| parse(s, enc)).collect::<Result<Vec<_>, _>>()?;
        let mut set = CharSet { low: [false; 256], sets };
        for c in 0..256u32 {
            set.low[c as usize] = set.search(c);
        }
        Ok(set)
    }

    fn search(&self, c: u32) -> bool {
        self.sets.iter().all(|(negated, ranges)| ranges.iter().any(|&(a, b)| a <= c && c <= b) != *negated)
    }

    /// Whether the set contains a code point (in the encoding's numbering).
    #[inline]
    pub fn contains(&self, c: u32) -> bool {
        if c < 256 { self.low[c as usize] } else { self.search(c) }
    }
}

/// `String#count`.
///
/// # Errors
/// Invalid bytes.
pub fn count(bytes: &[u8], enc: Encoding, set: &CharSet) -> Result<usize, TrError> {
    let (mut n, mut pos) = (0, 0);
    while pos < bytes.len() {
        let (c, next) = code_at(bytes, pos, enc)?;
        n += usize::from(set.contains(c));
        pos = next;
    }
    Ok(n)
}

/// `String#delete`.
///
/// # Errors
/// Invalid bytes.
pub fn delete(bytes: &[u8], enc: Encoding, set: &CharSet) -> Result<Vec<u8>, TrError> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut pos = 0;
    while pos < bytes.len() {
        let (c, next) = code_at(bytes, pos, enc)?;
        if !set.contains(c) {
            out.extend_from_slice(&bytes[pos..next]);
        }
        pos = next;
    }
    Ok(out)
}

/// `String#squeeze`; without a set for all characters.
///
/// # Errors
/// Invalid bytes.
pub fn squeeze(bytes: &[u8], enc: Encoding, set: Option<&CharSet>) -> Result<Vec<u8>, TrError> {
    let mut out = Vec::with_capacity(bytes.len());
    let (mut pos, mut last) = (0, None);
    while pos < bytes.len() {
        let (c, next) = code_at(bytes, pos, enc)?;
        if last != Some(c) || !set.is_none_or(|s| s.contains(c)) {
            out.extend_from_slice(&bytes[pos..next]);
        }
        last = Some(c);
        pos = next;
    }
    Ok(out)
}

/// The code point at `index` in the concatenated ranges.
fn nth(ranges: &[(u32, u32)], mut index: u32) -> Option<u32> {
    for &(a, b) in ranges {
        let n = b - a + 1;
        if index < n {
            return Some(a + index);
        }
        index -= n;
    }
    ranges.last().map(|&(_, b)| b)
}

struct Translation {
    negated: bool,
    from: Vec<(u32, u32)>,
    to: Vec<(u32, u32)>,
    last: u32,
}

impl Translation {
    fn map(&self, c: u32) -> Option<u32> {
        if self.negated {
            return if self.from.iter().any(|&(a, b)| a <= c && c <= b) { None } else { Some(self.last) };
        }
        // If a character occurs twice, the later position counts.
        let (mut before, mut found) = (0, None);
        for &(a, b) in &self.from {
            if a <= c && c <= b {
                found = Some(before + (c - a));
            }
            before += b - a + 1;
        }
        nth(&self.to, found?)
    }
}

/// `String#tr` (`tr_s` with `squeeze`); None if no character is among those of `from`. An empty `to` deletes.
///
/// # Errors
/// A range whose end is before its beginning, or invalid bytes.
pub fn tr(bytes: &[u8], enc: Encoding, from: &[u8], to: &[u8], squeeze: bool) -> Result<Option<Vec<u8>>, TrError> {
    if to.is_empty() {
        let kept = delete(bytes, enc, &CharSet::new(&[from], enc)?)?;
        return Ok((kept.len() < bytes.len()).then_some(kept));
    }
    let (negated, from) = parse(from, enc)?;
    // A `^` at the start of the replacement is a literal character.
    let (caret, mut to) = parse(to, enc)?;
    if caret {
        to.insert(0, (u32::from(b'^'), u32::from(b'^')));
    }
    let last = to.last().map_or(0, |r| r.1);
    let t = Translation { negated, from, to, last };
    let mut low = [None; 128];
    for (c, slot) in low.iter_mut().enumerate() {
        *slot = t.map(c as u32);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let (mut pos, mut previous, mut any) = (0, None, false);
    while pos < bytes.len() {
        let (c, next) = code_at(bytes, pos, enc)?;
        match if c < 128 { low[c as usize] } else { t.map(c) } {
            Some(r) => {
                if !(squeeze && previous == Some(r)) {
                    if r < 0x80 && enc.is_ascii_compatible() {
                        out.push(r as u8);
                    } else {
                        encode_codepoint(u64::from(r), enc, &mut out).map_err(|_| TrError::Sequence(enc))?;
                    }
                }
                previous = Some(r);
                any = true;
            }
            None => {
                out.extend_from_slice(&bytes[pos..next]);
                previous = None;
            }
        }
        pos = next;
    }
    Ok(any.then_some(out))
}
