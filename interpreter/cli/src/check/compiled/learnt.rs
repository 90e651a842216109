//! Passes files that a forked process had to parse to the parent, which parses them for the processes forked later.

use rchef_ruby::syntax_ahead::{Missed, ParseKind, parse_missed, take_missed};

/// The kinds by their numbers in the message.
const KINDS: [ParseKind; 2] = [ParseKind::File, ParseKind::Evaluated];
/// Maximum size of a passed file.
const LARGEST: usize = 1 << 20;
/// Maximum total size that the parent parses.
const MOST: usize = 32 << 20;

/// An answer preceded by the parsed files: their number, then for each its kind, how often its path was parsed before, path and text with lengths.
pub fn written(answer: Vec<u8>) -> Vec<u8> {
    let missed = take_missed();
    let known = missed.iter().filter(|missed| missed.source.len() <= LARGEST);
    let known: Vec<(usize, &Missed)> =
        known.filter_map(|missed| Some((KINDS.iter().position(|kind| *kind == missed.kind)?, missed))).collect();
    let mut out = number(known.len());
    for (kind, missed) in known {
        out.extend(number(kind));
        out.extend(number(missed.before));
        for part in [missed.path.as_bytes(), &missed.source] {
            out.extend(number(part.len()));
            out.extend_from_slice(part);
        }
    }
    out.extend(answer);
    out
}

fn number(number: usize) -> Vec<u8> {
    (number as u64).to_le_bytes().to_vec()
}

/// The parent's record of passed files.
#[derive(Default)]
pub struct Learnt {
    /// Total size of the parsed texts.
    size: usize,
}

impl Learnt {
    /// Parses the files of a message and gives the answer; None if the message is truncated.
    pub fn read(&mut self, mut from: &[u8]) -> Option<Vec<u8>> {
        for _ in 0..take_number(&mut from)? {
            let (kind, before) = (take_number(&mut from)?, take_number(&mut from)?);
            let (path, source) = (take_part(&mut from)?, take_part(&mut from)?);
            let (Ok(path), Some(kind)) = (std::str::from_utf8(path), KINDS.get(kind)) else { continue };
            self.size += source.len();
            if self.size <= MOST {
                let missed = Missed { path: path.to_string(), kind: *kind, source: source.to_vec(), before };
                parse_missed(&missed);
            }
        }
        Some(from.to_vec())
    }
}

fn take_number(from: &mut &[u8]) -> Option<usize> {
    let (bytes, rest) = from.split_first_chunk::<8>()?;
    *from = rest;
    usize::try_from(u64::from_le_bytes(*bytes)).ok()
}

fn take_part<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = take_number(from)?;
    let (part, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(part)
}

#[cfg(test)]
mod tests {
    use super::{Learnt, number, written};

    #[test]
    fn an_answer_comes_back_and_one_that_is_cut_short_does_not() {
        let told = written(b"answer".to_vec());
        assert_eq!(Learnt::default().read(&told).as_deref(), Some(&b"answer"[..]));
        let mut one = number(1);
        for part in [&number(1)[..], &number(0), &number(3), b"a/b", &number(5), b"a = 1", b"rest"] {
            one.extend_from_slice(part);
        }
        assert_eq!(Learnt::default().read(&one).as_deref(), Some(&b"rest"[..]));
        for end in 0..one.len() - 4 {
            assert_eq!(Learnt::default().read(&one[..end]), None, "{end}");
        }
        rchef_ruby::syntax_ahead::forget_ahead();
    }
}
