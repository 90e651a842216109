//! `Regexp.escape`, `#inspect`, `#to_s` and `.union`.

use crate::options::Options;
use crate::regexp::Regexp;
use crate::source::{SourceKind, utf8_char};

/// `Regexp.escape`: escapes all characters with a meaning in patterns.
pub fn escape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &b in text {
        let named = match b {
            b'\t' => b't',
            b'\n' => b'n',
            b'\x0b' => b'v',
            b'\x0c' => b'f',
            b'\r' => b'r',
            b' ' | b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'|' | b'-' | b'*' | b'.' | b'\\' | b'?' | b'+' | b'^'
            | b'$' | b'#' => b,
            _ => {
                out.push(b);
                continue;
            }
        };
        out.push(b'\\');
        out.push(named);
    }
    out
}

/// How `Regexp#inspect` and `#to_s` show characters outside ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Raw,
    /// As `\u` escapes, if anything has to be escaped.
    Escaped,
    /// As they are, and white space of control characters as escapes: as warnings show a pattern.
    Warned,
}

/// Whether a character needs no escape: it is neither a slash nor a control character of ASCII.
fn is_plain(c: char) -> bool {
    c != '/' && !c.is_ascii_control()
}

/// The source between the slashes: `/` is escaped, control characters of ASCII become `\xHH`.
fn body(source: &[u8], style: Style) -> Vec<u8> {
    if std::str::from_utf8(source).is_ok_and(|s| s.chars().all(is_plain)) {
        return source.to_vec();
    }
    let mut out = Vec::with_capacity(source.len());
    let mut at = 0;
    while let Some(&b) = source.get(at) {
        let (n, c) = utf8_char(&source[at..]).map_or((1, None), |(n, c)| (n, char::from_u32(c)));
        let bytes = &source[at..at + n];
        at += n;
        match c {
            None if style != Style::Escaped => out.push(b),
            None => out.extend_from_slice(format!("\\x{b:02X}").as_bytes()),
            Some('\\') if at < source.len() => {
                let (n, _) = utf8_char(&source[at..]).unwrap_or((1, 0));
                out.push(b'\\');
                out.extend_from_slice(&source[at..at + n]);
                at += n;
            }
            Some('/') => out.extend_from_slice(b"\\/"),
            Some(c) if !c.is_ascii() && style == Style::Escaped => {
                let n = u32::from(c);
                let text = if n > 0xffff { format!("\\u{{{n:X}}}") } else { format!("\\u{n:04X}") };
                out.extend_from_slice(text.as_bytes());
            }
            Some(c) if c.is_ascii_control() && style == Style::Warned => {
                out.extend_from_slice(format!("\\x{:02x}", u32::from(c)).as_bytes());
            }
            Some(c) if c.is_ascii_control() && !c.is_whitespace() => {
                out.extend_from_slice(format!("\\x{:02X}", u32::from(c)).as_bytes());
            }
            Some(_) => out.extend_from_slice(bytes),
        }
    }
    out
}

/// `/source/`, as warnings show it.
pub(crate) fn warned(source: &[u8]) -> String {
    format!("/{}/", String::from_utf8_lossy(&body(source, Style::Warned)))
}

/// `Regexp#inspect`: `/source/mix`, with `n` if that option is set. Invalid UTF-8 becomes `\xHH`, as do bytes outside ASCII of a `binary` source.
pub fn inspect(source: &[u8], options: Options, binary: bool) -> Vec<u8> {
    let mut out = described(source, options, binary || options.no_encoding());
    if options.no_encoding() {
        out.push(b'n');
    }
    out
}

/// `/source/mix`, as error messages show it.
pub(crate) fn described(source: &[u8], options: Options, binary: bool) -> Vec<u8> {
    let mut out = vec![b'/'];
    if binary && !source.is_ascii() {
        // The source is binary, even if it looks like UTF-8.
        for run in source.split_inclusive(|b| *b >= 0x80) {
            let ascii = run.iter().take_while(|b| **b < 0x80).count();
            out.extend_from_slice(&body(&run[..ascii], Style::Raw));
            for b in &run[ascii..] {
                out.extend_from_slice(format!("\\x{b:02X}").as_bytes());
            }
        }
    } else {
        out.extend_from_slice(&body(source, Style::Escaped));
    }
    out.push(b'/');
    out.extend_from_slice(options.letters().as_bytes());
    out
}

const EMBEDDED: Options = Options::MULTI_LINE.with(Options::IGNORE_CASE).with(Options::EXTENDED);

fn option_of(b: u8) -> Option<Options> {
    match b {
        b'm' => Some(Options::MULTI_LINE),
        b'i' => Some(Options::IGNORE_CASE),
        b'x' => Some(Options::EXTENDED),
        _ => None,
    }
}

/// `Regexp#to_s`: `(?mix-mix:source)`. If the whole source is such a group with a valid pattern inside, its options are used instead.
pub fn to_s(source: &[u8], options: Options) -> Vec<u8> {
    let (options, rest) = unwrapped(source, options).unwrap_or((options, source));
    embedded(options, &body(rest, Style::Raw))
}

/// `(?options-options:…)`.
fn embedded(options: Options, content: &[u8]) -> Vec<u8> {
    let mut out = b"(?".to_vec();
    out.extend_from_slice(options.letters().as_bytes());
    let off = EMBEDDED.without(options);
    if off != Options::none() {
        out.push(b'-');
        out.extend_from_slice(off.letters().as_bytes());
    }
    out.push(b':');
    out.extend_from_slice(content);
    out.push(b')');
    out
}

/// The options and the content of a source of the form `(?i)…` or `(?i:…)`.
fn unwrapped(source: &[u8], outer: Options) -> Option<(Options, &[u8])> {
    let mut options = outer;
    let mut rest = source;
    let mut stripped = None;
    while rest.len() >= 4 && rest.starts_with(b"(?") {
        let mut at = 2;
        while let Some(o) = rest.get(at).copied().and_then(option_of) {
            options = options.with(o);
            at += 1;
        }
        if rest.get(at) == Some(&b'-') && at + 1 < rest.len() {
            at += 1;
            while let Some(o) = rest.get(at).copied().and_then(option_of) {
                options = options.without(o);
                at += 1;
            }
        }
        match rest.get(at) {
            Some(b')') => {
                rest = &rest[at + 1..];
                stripped = Some((options, rest));
            }
            Some(b':') if rest.ends_with(b")") && at + 1 < rest.len() => {
                let inside = &rest[at + 1..rest.len() - 1];
                let kind = if std::str::from_utf8(inside).is_ok() { SourceKind::Utf8 } else { SourceKind::Binary };
                return Regexp::new(inside, options, kind).ok().map(|_| (options, inside));
            }
            _ => return None,
        }
    }
    stripped
}

/// An argument of `Regexp.union`.
#[derive(Clone, Copy, Debug)]
pub enum UnionPart<'a> {
    /// A String, to be matched literally.
    Text(&'a [u8]),
    /// A regexp's source and options.
    Regexp(&'a [u8], Options),
}

/// `Regexp.union`: source and options of the regexp that matches any of the parts.
pub fn union(parts: &[UnionPart<'_>]) -> (Vec<u8>, Options) {
    match parts {
        [] => (b"(?!)".to_vec(), Options::none()),
        [UnionPart::Text(text)] => (escape(text), Options::none()),
        [UnionPart::Regexp(source, options)] => (source.to_vec(), *options),
        _ => {
            let pieces: Vec<Vec<u8>> = parts
                .iter()
                .map(|part| match part {
                    UnionPart::Text(text) => escape(text),
                    UnionPart::Regexp(source, options) => {
                        let (options, rest) = unwrapped(source, *options).unwrap_or((*options, source));
                        embedded(options, rest)
                    }
                })
                .collect();
            (pieces.join(&b'|'), Options::none())
        }
    }
}
