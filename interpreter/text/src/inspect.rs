//! `String#inspect`, `#dump`, `#undump` and `Symbol#inspect`.
use crate::encoding::{CharStep, Encoding, char_len_at, decode};
use crate::tables::printable::PRINTABLE;
use std::fmt;

/// Whether `inspect` shows a Unicode character without escaping it.
pub fn printable(c: u32) -> bool {
    if c < 0x80 {
        return (0x20..0x7F).contains(&c);
    }
    let at = PRINTABLE.partition_point(|&(_, last)| last < c);
    PRINTABLE.get(at).is_some_and(|&(first, _)| first <= c)
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

fn push_hex(out: &mut Vec<u8>, b: u8) {
    out.extend_from_slice(&[b'\\', b'x', HEX[usize::from(b >> 4)], HEX[usize::from(b & 15)]]);
}

fn short_escape(b: u8) -> Option<u8> {
    Some(match b {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x0C => b'f',
        0x0B => b'v',
        0x08 => b'b',
        0x07 => b'a',
        0x1B => b'e',
        _ => return None,
    })
}

/// `String#inspect` with UTF-8 as the result's encoding.
pub fn inspect(bytes: &[u8], enc: Encoding) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 2);
    inspect_into(bytes, enc, Encoding::Utf8, &mut out);
    out
}

/// Appends `String#inspect`; `result` is its encoding (Encoding.default_internal or default_external).
pub fn inspect_into(bytes: &[u8], enc: Encoding, result: Encoding, out: &mut Vec<u8>) {
    // UTF-16 and UTF-32 without a byte order mark have no characters
    let (actual, unicode) = match enc.actual(bytes) {
        Encoding::Utf16 | Encoding::Utf32 => (Encoding::Binary, false),
        actual => (actual, enc.is_unicode()),
    };
    let compat = enc.is_ascii_compatible();
    out.push(b'"');
    let mut pos = 0;
    while pos < bytes.len() {
        if compat {
            // Characters that need no escape are copied at once.
            let run = bytes[pos..].iter().position(|&b| !(0x20..0x7F).contains(&b) || matches!(b, b'"' | b'\\' | b'#'));
            let run = run.unwrap_or(bytes.len() - pos);
            out.extend_from_slice(&bytes[pos..pos + run]);
            pos += run;
            if pos == bytes.len() {
                break;
            }
        }
        let n = match char_len_at(bytes, pos, actual) {
            CharStep::Valid(n) => n,
            CharStep::Invalid(n) => {
                bytes[pos..pos + n].iter().for_each(|&b| push_hex(out, b));
                pos += n;
                continue;
            }
        };
        let ch = &bytes[pos..pos + n];
        pos += n;
        let code = decode(ch, actual);
        if code < 0x80 {
            let c = code as u8;
            match c {
                0x20..=0x7E if !compat && !unicode => push_hex(out, c),
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', c]),
                b'#' => {
                    let next = match char_len_at(bytes, pos, actual) {
                        CharStep::Valid(m) => decode(&bytes[pos..pos + m], actual),
                        CharStep::Invalid(_) => 0,
                    };
                    if matches!(u8::try_from(next), Ok(b'$' | b'@' | b'{')) {
                        out.push(b'\\');
                    }
                    out.push(b'#');
                }
                _ => match short_escape(c) {
                    Some(e) => out.extend_from_slice(&[b'\\', e]),
                    None if (0x20..0x7F).contains(&c) => out.push(c),
                    None => push_code(code, unicode, ch, out),
                },
            }
            continue;
        }
        if enc == result && prints(ch, code, enc) {
            out.extend_from_slice(ch);
        } else {
            push_code(code, unicode, ch, out);
        }
    }
    out.push(b'"');
}

fn prints(ch: &[u8], code: u32, enc: Encoding) -> bool {
    if enc.is_unicode() {
        printable(code)
    } else {
        crate::encoding::to_unicode(ch, enc).is_some_and(|c| printable(u32::from(c)))
    }
}

fn push_code(code: u32, unicode: bool, ch: &[u8], out: &mut Vec<u8>) {
    let text = if unicode {
        if code > 0xFFFF { format!("\\u{{{code:X}}}") } else { format!("\\u{code:04X}") }
    } else if let [b] = ch {
        return push_hex(out, *b);
    } else {
        format!("\\x{{{code:X}}}")
    };
    out.extend_from_slice(text.as_bytes());
}

/// `String#dump`: ASCII that `undump` and Ruby's parser can read.
pub fn dump(bytes: &[u8], enc: Encoding) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 2);
    let utf8 = enc == Encoding::Utf8;
    out.push(b'"');
    let mut pos = 0;
    while pos < bytes.len() {
        let b = bytes[pos];
        pos += 1;
        match b {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', b]),
            b'#' => {
                if matches!(bytes.get(pos), Some(b'$' | b'@' | b'{')) {
                    out.push(b'\\');
                }
                out.push(b'#');
            }
            0x20..=0x7E => out.push(b),
            _ => {
                if let Some(e) = short_escape(b) {
                    out.extend_from_slice(&[b'\\', e]);
                    continue;
                }
                if utf8
                    && b >= 0x80
                    && let CharStep::Valid(n) = char_len_at(bytes, pos - 1, enc)
                {
                    push_code(decode(&bytes[pos - 1..pos - 1 + n], enc), true, &[], &mut out);
                    pos += n - 1;
                    continue;
                }
                push_hex(&mut out, b);
            }
        }
    }
    out.push(b'"');
    if !enc.is_ascii_compatible() {
        out.extend_from_slice(format!(".dup.force_encoding(\"{}\")", enc.name()).as_bytes());
    }
    out
}

/// Why `undump` failed (RuntimeError, unless the variant's name says otherwise).
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum UndumpError {
    /// One of MRI's other messages.
    Message(&'static str),
}

impl fmt::Display for UndumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UndumpError::Message(m) => f.write_str(m),
        }
    }
}
impl std::error::Error for UndumpError {}

struct Undump<'a> {
    src: &'a [u8],
    out: Vec<u8>,
    enc: Encoding,
    utf8: bool,
    binary: bool,
}

fn hex_run(src: &[u8], max: usize) -> (u32, usize) {
    let n = src.iter().take(max).take_while(|b| b.is_ascii_hexdigit()).count();
    (src[..n].iter().fold(0, |v, b| v * 16 + (*b as char).to_digit(16).unwrap_or(0)), n)
}

impl Undump<'_> {
    fn push_unicode(&mut self, code: u32) -> Result<(), UndumpError> {
        if (0xD800..=0xDFFF).contains(&code) {
            return Err(UndumpError::Message("invalid Unicode codepoint"));
        }
        let c = char::from_u32(code).ok_or(UndumpError::Message("invalid Unicode codepoint (too large)"))?;
        self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn unicode(&mut self, at: usize) -> Result<usize, UndumpError> {
        if self.binary {
            return Err(UndumpError::Message("hex escape and Unicode escape are mixed"));
        }
        self.utf8 = true;
        self.enc = Encoding::Utf8;
        if self.src.get(at) != Some(&b'{') {
            let (code, n) = hex_run(&self.src[at.min(self.src.len())..], 4);
            if n != 4 {
                return Err(UndumpError::Message("invalid Unicode escape"));
            }
            self.push_unicode(code)?;
            return Ok(at + 4);
        }
        let mut at = at + 1;
        loop {
            match self.src.get(at) {
                None | Some(b'"') if self.src[at - 1] == b'{' => {
                    return Err(UndumpError::Message("invalid Unicode escape"));
                }
                None => return Err(UndumpError::Message("unterminated Unicode escape")),
                Some(b'}') => return Ok(at + 1),
                Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) => at += 1,
                Some(_) => {
                    let (code, n) = hex_run(&self.src[at..], 8);
                    if n == 0 || n > 6 {
                        return Err(UndumpError::Message("invalid Unicode escape"));
                    }
                    self.push_unicode(code)?;
                    at += n;
                }
            }
        }
    }

    /// Reads one escape whose backslash is just before `at`; returns the position after it.
    fn escape(&mut self, at: usize) -> Result<usize, UndumpError> {
        let Some(&c) = self.src.get(at) else { return Err(UndumpError::Message("invalid escape")) };
        let simple = match c {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'b' => 0x08,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'\\' | b'"' | b'#' => c,
            b'u' => return self.unicode(at + 1),
            b'x' => {
                if self.utf8 {
                    return Err(UndumpError::Message("hex escape and Unicode escape are mixed"));
                }
                self.binary = true;
                let (code, n) = hex_run(&self.src[at + 1..], 2);
                if n != 2 {
                    return Err(UndumpError::Message("invalid hex escape"));
                }
                self.out.push(code as u8);
                return Ok(at + 3);
            }
            _ => {
                self.out.push(b'\\');
                c
            }
        };
        self.out.push(simple);
        Ok(at + 1)
    }
}

/// `String#undump`: the bytes and their encoding.
///
/// # Errors
/// MRI's errors for text that `dump` did not write.
pub fn undump(src: &[u8], enc: Encoding) -> Result<(Vec<u8>, Encoding), UndumpError> {
    if !src.is_ascii() {
        return Err(UndumpError::Message("non-ASCII character detected"));
    }
    if src.contains(&0) {
        return Err(UndumpError::Message("string contains null byte"));
    }
    const FORM: UndumpError =
        UndumpError::Message("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form");
    const UNTERMINATED: UndumpError = UndumpError::Message("unterminated dumped string");
    if src.len() < 2 || src[0] != b'"' {
        return Err(FORM);
    }
    let mut u = Undump { src, out: Vec::with_capacity(src.len()), enc, utf8: false, binary: false };
    let mut at = 1;
    loop {
        match src.get(at) {
            None => return Err(UNTERMINATED),
            Some(b'"') => break,
            Some(b'\\') => at = u.escape(at + 1)?,
            Some(&b) => {
                u.out.push(b);
                at += 1;
            }
        }
    }
    let tail = &src[at + 1..];
    if tail.is_empty() {
        return Ok((u.out, u.enc));
    }
    let tail = tail.strip_prefix(b".dup".as_slice()).unwrap_or(tail);
    let Some(name) = tail.strip_prefix(b".force_encoding(\"".as_slice()) else { return Err(FORM) };
    if u.utf8 {
        return Err(UndumpError::Message("dumped string contained Unicode escape but used force_encoding"));
    }
    let Some(end) = name.iter().position(|b| *b == b'"') else {
        return Err(FORM);
    };
    if &name[end..] != b"\")" {
        return Err(FORM);
    }
    let name = String::from_utf8_lossy(&name[..end]).into_owned();
    match Encoding::find(&name) {
        Some(enc) => Ok((u.out, enc)),
        None => Err(UndumpError::Message("dumped string has unknown encoding name")),
    }
}

fn ident_len(b: &[u8]) -> usize {
    match b.first() {
        Some(c) if c.is_ascii_alphabetic() || *c == b'_' || *c >= 0x80 => {}
        _ => return 0,
    }
    b.iter().position(|c| !(c.is_ascii_alphanumeric() || *c == b'_' || *c >= 0x80)).unwrap_or(b.len())
}

/// Whether a Symbol of this name is shown without quotes, by the rules of MRI's `rb_enc_symname_type`.
pub fn symbol_is_simple(name: &[u8], enc: Encoding) -> bool {
    let operator = matches!(
        name,
        b"+" | b"-"
            | b"*"
            | b"/"
            | b"%"
            | b"**"
            | b"+@"
            | b"-@"
            | b"~"
            | b"!"
            | b"=="
            | b"!="
            | b"==="
            | b"=~"
            | b"!~"
            | b"<"
            | b"<="
            | b">"
            | b">="
            | b"<=>"
            | b"<<"
            | b">>"
            | b"&"
            | b"|"
            | b"^"
            | b"[]"
            | b"[]="
            | b"`"
    );
    if operator {
        return true;
    }
    let simple = match name {
        [b'$', rest @ ..] => special_global(rest),
        [b'@', b'@', rest @ ..] | [b'@', rest @ ..] => !rest.is_empty() && ident_len(rest) == rest.len(),
        _ => match ident_len(name) {
            0 => false,
            n => match &name[n..] {
                [] | [b'?'] | [b'!'] | [b'='] => true,
                // `a?=` is not a name, and neither are `a!=` and `a==`.
                _ => false,
            },
        },
    };
    simple && all_printable(name, enc)
}

fn special_global(rest: &[u8]) -> bool {
    match rest {
        [] => false,
        [b'-', tail @ ..] => match tail {
            [c] => c.is_ascii_alphanumeric() || *c == b'_',
            _ => !tail.is_empty() && tail[0] >= 0x80 && char_len_at(tail, 0, Encoding::Utf8).len() == tail.len(),
        },
        [b'0'..=b'9', tail @ ..] => rest[0] != b'0' && tail.iter().all(u8::is_ascii_digit) || tail.is_empty(),
        [c] if b"~*$?!@/\\;,.=:<>\"&`'+_".contains(c) => true,
        _ => ident_len(rest) == rest.len(),
    }
}

fn all_printable(name: &[u8], enc: Encoding) -> bool {
    if name.is_ascii() {
        return name.iter().all(|b| (0x20..0x7F).contains(b));
    }
    let mut pos = 0;
    while pos < name.len() {
        match char_len_at(name, pos, enc) {
            CharStep::Valid(n) if enc == Encoding::Utf8 && printable(decode(&name[pos..pos + n], enc)) => pos += n,
            CharStep::Valid(1) if name[pos] < 0x80 => pos += 1,
            _ => return false,
        }
    }
    true
}

/// `Symbol#inspect`, in UTF-8.
pub fn inspect_symbol(name: &[u8], enc: Encoding) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len() + 3);
    out.push(b':');
    if symbol_is_simple(name, enc) {
        out.extend_from_slice(name);
    } else {
        inspect_into(name, enc, Encoding::Utf8, &mut out);
    }
    out
}

/// Whether a Hash key could be shown as `name:`. Ruby 3.1 shows `:name=>`; `pp` and later versions need this.
pub fn symbol_is_plain_key(name: &[u8], enc: Encoding) -> bool {
    let n = ident_len(name);
    n > 0 && matches!(&name[n..], [] | [b'?'] | [b'!']) && all_printable(name, enc)
}
