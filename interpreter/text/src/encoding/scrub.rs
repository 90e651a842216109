//! `String#scrub`: splits off invalid bytes like MRI's `rb_enc_str_scrub`.
use super::chars::{Precise, precise};
use super::{Encoding, Kind};
use std::ops::Range;

#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Piece {
    Good(Range<usize>),
    /// Invalid bytes that become one replacement.
    Bad(Range<usize>),
}

fn bad_len(rest: &[u8], enc: Encoding) -> usize {
    let min = enc.min_len();
    let mut len = enc.max_len().min(rest.len());
    if len <= 2 * min {
        return min.min(rest.len());
    }
    len -= min;
    while len > min {
        if matches!(precise(&rest[..len], enc), Precise::NeedMore(_)) {
            break;
        }
        len -= min;
    }
    len
}

/// The valid and invalid pieces, in order.
pub fn pieces(bytes: &[u8], enc: Encoding) -> Vec<Piece> {
    let mut out = Vec::new();
    let (mut good, mut pos) = (0, 0);
    let flush = |out: &mut Vec<Piece>, from: usize, to: usize| {
        if from < to {
            out.push(Piece::Good(from..to));
        }
    };
    while pos < bytes.len() {
        if enc.kind() == Kind::Utf8 {
            let rest = &bytes[pos..];
            let ok = match std::str::from_utf8(rest) {
                Ok(_) => rest.len(),
                Err(e) => e.valid_up_to(),
            };
            pos += ok;
            if pos == bytes.len() {
                break;
            }
        }
        match precise(&bytes[pos..], enc) {
            Precise::Found(n) => pos += n,
            Precise::NeedMore(_) => {
                flush(&mut out, good, pos);
                out.push(Piece::Bad(pos..bytes.len()));
                return out;
            }
            Precise::Invalid => {
                flush(&mut out, good, pos);
                let len = bad_len(&bytes[pos..], enc);
                out.push(Piece::Bad(pos..pos + len));
                pos += len;
                good = pos;
            }
        }
    }
    flush(&mut out, good, pos);
    out
}

/// The default replacement of `String#scrub`.
pub(super) fn default_replacement(enc: Encoding) -> &'static [u8] {
    match enc.kind() {
        Kind::Utf8 => b"\xEF\xBF\xBD",
        Kind::Utf16Be => b"\xFF\xFD",
        Kind::Utf16Le => b"\xFD\xFF",
        Kind::Utf32Be => b"\0\0\xFF\xFD",
        Kind::Utf32Le => b"\xFD\xFF\0\0",
        _ => b"?",
    }
}

/// Replaces each invalid piece (by U+FFFD or `?` if `replacement` is None).
pub fn scrub(bytes: &[u8], enc: Encoding, replacement: Option<&[u8]>) -> Vec<u8> {
    let with = replacement.unwrap_or_else(|| default_replacement(enc));
    let mut out = Vec::with_capacity(bytes.len());
    for piece in pieces(bytes, enc) {
        match piece {
            Piece::Good(r) => out.extend_from_slice(&bytes[r]),
            Piece::Bad(_) => out.extend_from_slice(with),
        }
    }
    out
}
