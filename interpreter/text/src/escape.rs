//! Escaping and unescaping as in Shellwords, CGI, ERB and URI.
use std::fmt;

/// Why text cannot be split or unescaped (ArgumentError).
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum EscapeError {
    /// An unmatched quote; the rest of the text from there on, as `inspect` shows it.
    UnmatchedQuote(String),
    /// `%` without two hexadecimal digits.
    PercentEncoding(String),
}

impl fmt::Display for EscapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EscapeError::UnmatchedQuote(s) => write!(f, "Unmatched quote: {s}"),
            EscapeError::PercentEncoding(s) => write!(f, "invalid %-encoding ({s})"),
        }
    }
}
impl std::error::Error for EscapeError {}

/// `Shellwords.escape`, for UTF-8.
pub fn shellescape(s: &[u8]) -> Vec<u8> {
    if s.is_empty() {
        return b"''".to_vec();
    }
    let mut out = Vec::with_capacity(s.len() + 8);
    for &b in s {
        match b {
            b'\n' => out.extend_from_slice(b"'\n'"),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b',' | b':' | b'+' | b'/' | b'@' => {
                out.push(b)
            }
            // A multi-byte character gets one backslash.
            0x80..=0xBF => out.push(b),
            _ => out.extend_from_slice(&[b'\\', b]),
        }
    }
    out
}

/// `Shellwords.split`.
///
/// # Errors
/// An unmatched quote.
pub fn shellsplit(s: &[u8]) -> Result<Vec<Vec<u8>>, EscapeError> {
    let blank = |b: u8| matches!(b, b' ' | b'\t'..=b'\r');
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut i = 0;
    let unmatched = |at: usize| {
        let shown = crate::inspect::inspect(&s[at..], crate::encoding::Encoding::Utf8);
        EscapeError::UnmatchedQuote(String::from_utf8_lossy(&shown).into_owned())
    };
    while i < s.len() {
        let b = s[i];
        if blank(b) {
            words.extend(word.take());
            i += 1;
            continue;
        }
        let current = word.get_or_insert_with(Vec::new);
        match b {
            b'\'' => {
                let end = memchr::memchr(b'\'', &s[i + 1..]).ok_or_else(|| unmatched(i))?;
                current.extend_from_slice(&s[i + 1..i + 1 + end]);
                i += end + 2;
            }
            b'"' => {
                let start = i;
                i += 1;
                loop {
                    match s.get(i) {
                        None => return Err(unmatched(start)),
                        Some(b'"') => break,
                        Some(b'\\') => {
                            let Some(&c) = s.get(i + 1) else { return Err(unmatched(start)) };
                            match c {
                                b'$' | b'`' | b'"' | b'\\' => current.push(c),
                                b'\n' => {}
                                _ => current.extend_from_slice(&[b'\\', c]),
                            }
                            i += 2;
                        }
                        Some(&c) => {
                            current.push(c);
                            i += 1;
                        }
                    }
                }
                i += 1;
            }
            b'\\' => {
                match s.get(i + 1) {
                    Some(b'\n') => current.extend_from_slice(b"\\\n"),
                    Some(&c) => current.push(c),
                    None => current.push(b'\\'),
                }
                i += 2;
            }
            _ => {
                current.push(b);
                i += 1;
            }
        }
    }
    words.extend(word);
    Ok(words)
}

fn percent(s: &[u8], plus: bool, keep: impl Fn(u8) -> bool) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(s.len() + 8);
    for &b in s {
        if keep(b) {
            out.push(b);
        } else if plus && b == b' ' {
            out.push(b'+');
        } else {
            out.extend_from_slice(&[b'%', HEX[usize::from(b >> 4)], HEX[usize::from(b & 15)]]);
        }
    }
    out
}

pub fn cgi_escape(s: &[u8]) -> Vec<u8> {
    percent(s, true, |b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}

/// `ERB::Util.url_encode`.
pub fn url_encode(s: &[u8]) -> Vec<u8> {
    percent(s, false, |b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}

pub fn www_form_escape(s: &[u8]) -> Vec<u8> {
    percent(s, true, |b| b.is_ascii_alphanumeric() || b"*-._".contains(&b))
}

/// `URI::DEFAULT_PARSER.escape` (the old `URI.escape`).
pub fn uri_escape(s: &[u8]) -> Vec<u8> {
    percent(s, false, |b| b.is_ascii_alphanumeric() || b"-_.!~*'();/?:@&=+$,[]".contains(&b))
}

fn hex(b: Option<&u8>) -> Option<u8> {
    b.and_then(|b| (*b as char).to_digit(16)).map(|d| d as u8)
}

fn unpercent(s: &[u8], plus: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len());
    let mut i = 0;
    while i < s.len() {
        match (s[i], hex(s.get(i + 1)), hex(s.get(i + 2))) {
            (b'%', Some(a), Some(b)) => {
                out.push(a * 16 + b);
                i += 3;
                continue;
            }
            (b'+', ..) if plus => out.push(b' '),
            (b, ..) => out.push(b),
        }
        i += 1;
    }
    out
}

pub fn cgi_unescape(s: &[u8]) -> Vec<u8> {
    unpercent(s, true)
}

/// `URI::DEFAULT_PARSER.unescape` (the old `URI.unescape`).
pub fn uri_unescape(s: &[u8]) -> Vec<u8> {
    unpercent(s, false)
}

/// `URI.decode_www_form_component`.
///
/// # Errors
/// A `%` without two hexadecimal digits.
pub fn www_form_unescape(s: &[u8]) -> Result<Vec<u8>, EscapeError> {
    for (i, b) in s.iter().enumerate() {
        if *b == b'%' && (hex(s.get(i + 1)).is_none() || hex(s.get(i + 2)).is_none()) {
            return Err(EscapeError::PercentEncoding(String::from_utf8_lossy(s).into_owned()));
        }
    }
    Ok(unpercent(s, true))
}

/// `CGI.escapeHTML`, `ERB::Util.html_escape`.
pub fn html_escape(s: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len() + 8);
    for &b in s {
        match b {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#39;"),
            _ => out.push(b),
        }
    }
    out
}

/// `CGI.unescapeHTML`, for UTF-8.
pub fn html_unescape(s: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len());
    let mut i = 0;
    while i < s.len() {
        if s[i] == b'&'
            && let Some(n) = memchr::memchr(b';', &s[i..])
            && let Some(c) = entity(&s[i + 1..i + n])
        {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            i += n + 1;
            continue;
        }
        out.push(s[i]);
        i += 1;
    }
    out
}

fn entity(name: &[u8]) -> Option<char> {
    match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        [b'#', b'x' | b'X', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit) => {
            u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok().and_then(char::from_u32)
        }
        [b'#', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            std::str::from_utf8(digits).ok()?.parse().ok().and_then(char::from_u32)
        }
        _ => None,
    }
}
