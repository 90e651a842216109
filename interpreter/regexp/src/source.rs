//! MRI's preprocessing of a pattern's source before Onigmo parses it: escapes for characters outside ASCII become those characters, and the pattern's
//! encoding is determined.
//! Rules: MRI 3.1 `re.c`, `unescape_nonascii`.

use crate::error::RegexpError;
use crate::options::Options;

/// The encoding of a pattern's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// UTF-8 or ASCII.
    Utf8,
    /// ASCII-8BIT or another single-byte encoding.
    Binary,
}

/// A preprocessed source, as a list of characters.
pub(crate) struct Source {
    pub(crate) chars: Vec<u32>,
    /// Whether there is a character outside ASCII, literal or escaped.
    pub(crate) non_ascii: bool,
    /// Whether the characters are bytes.
    pub(crate) binary: bool,
}

struct Reader<'a> {
    s: &'a [u8],
    at: usize,
    out: Vec<u32>,
    binary: bool,
    /// `Some(true)` once the pattern is known to be UTF-8, `Some(false)` once known to be binary.
    unicode: Option<bool>,
}

fn err<T>(message: &str) -> Result<T, RegexpError> {
    Err(RegexpError::new(message))
}

/// Preprocesses `source`; the error has MRI's message.
pub(crate) fn read(source: &[u8], options: Options, kind: SourceKind) -> Result<Source, RegexpError> {
    let binary = kind == SourceKind::Binary || options.no_encoding();
    if options.no_encoding() && kind == SourceKind::Utf8 && !source.is_ascii() {
        return err("/.../n has a non escaped non ASCII character in non ASCII-8BIT script");
    }
    let mut r = Reader { s: source, at: 0, out: Vec::with_capacity(source.len()), binary, unicode: None };
    r.run()?;
    Ok(Source {
        chars: r.out,
        non_ascii: r.unicode.is_some(),
        binary: r.unicode == Some(false) || (binary && r.unicode.is_none()),
    })
}

/// Length in bytes and code point of the UTF-8 character at the start of `b`.
pub(crate) fn utf8_char(b: &[u8]) -> Option<(usize, u32)> {
    let first = *b.first()?;
    let n = match first {
        0..=0x7f => return Some((1, u32::from(first))),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let c = std::str::from_utf8(b.get(..n)?).ok()?.chars().next()?;
    Some((n, u32::from(c)))
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), RegexpError> {
        while let Some(&b) = self.s.get(self.at) {
            if b >= 0x80 {
                self.non_ascii_char()?;
                continue;
            }
            self.at += 1;
            if b != b'\\' {
                self.out.push(u32::from(b));
                continue;
            }
            let Some(&e) = self.s.get(self.at) else {
                return err("too short escape sequence");
            };
            if e >= 0x80 {
                self.out.push(u32::from(b'\\'));
                self.non_ascii_char()?;
                continue;
            }
            self.at += 1;
            match e {
                b'1'..=b'7' if self.octal_is_ascii() => self.as_is(e),
                b'0'..=b'7' | b'x' | b'c' | b'C' | b'M' => {
                    self.at -= 2;
                    self.byte_escapes()?;
                }
                b'u' => self.unicode_escape()?,
                _ => self.as_is(e),
            }
        }
        Ok(())
    }

    fn as_is(&mut self, e: u8) {
        self.out.push(u32::from(b'\\'));
        self.out.push(u32::from(e));
    }

    /// Whether the octal digits at `at - 1` are at most `\177`: a back-reference or an ASCII character.
    fn octal_is_ascii(&self) -> bool {
        self.octal_at(self.at - 1).0 <= 0o177
    }

    fn octal_at(&self, at: usize) -> (u32, usize) {
        let digits: Vec<u32> = self.s[at..].iter().take(3).map_while(|&b| (b as char).to_digit(8)).collect();
        (digits.iter().fold(0, |n, d| n * 8 + d), digits.len())
    }

    fn set_unicode(&mut self, unicode: bool) -> Result<(), RegexpError> {
        match self.unicode {
            None => self.unicode = Some(unicode),
            Some(old) if old == unicode => {}
            Some(_) => return err("UTF-8 character in non UTF-8 regexp"),
        }
        Ok(())
    }

    fn non_ascii_char(&mut self) -> Result<(), RegexpError> {
        if self.binary {
            self.set_unicode(false)?;
            self.out.push(u32::from(self.s[self.at]));
            self.at += 1;
            return Ok(());
        }
        let Some((n, c)) = utf8_char(&self.s[self.at..]) else {
            return err("invalid multibyte character");
        };
        self.set_unicode(true)?;
        self.out.push(c);
        self.at += n;
        Ok(())
    }

    /// One or more byte escapes that make up a character; those for ASCII stay escapes (`\xHH`).
    fn byte_escapes(&mut self) -> Result<(), RegexpError> {
        let first = self.escaped_byte()?;
        if first < 0x80 {
            self.push_hex(first);
            return Ok(());
        }
        if self.binary {
            self.set_unicode(false)?;
            self.out.push(u32::from(first));
            return Ok(());
        }
        let want = match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return err("invalid multibyte escape"),
        };
        let mut bytes = vec![first];
        while bytes.len() < want {
            bytes.push(self.escaped_byte()?);
            let partial = std::str::from_utf8(&bytes);
            if matches!(partial, Err(e) if e.error_len().is_some()) {
                return err("invalid multibyte escape");
            }
        }
        let Some((_, c)) = utf8_char(&bytes) else {
            return err("invalid multibyte escape");
        };
        self.set_unicode(true)?;
        self.out.push(c);
        Ok(())
    }

    fn push_hex(&mut self, byte: u8) {
        self.out.extend(format!("\\x{byte:02X}").bytes().map(u32::from));
    }

    fn escaped_byte(&mut self) -> Result<u8, RegexpError> {
        let (mut meta, mut ctrl) = (false, false);
        let code;
        if self.s.get(self.at) != Some(&b'\\') {
            return err("too short escaped multibyte character");
        }
        self.at += 1;
        loop {
            let Some(&e) = self.s.get(self.at) else {
                return err("too short escape sequence");
            };
            self.at += 1;
            match e {
                b'\\' => code = 0x5c,
                b'n' => code = 0x0a,
                b't' => code = 0x09,
                b'r' => code = 0x0d,
                b'f' => code = 0x0c,
                b'v' => code = 0x0b,
                b'a' => code = 0x07,
                b'e' => code = 0x1b,
                b'0'..=b'7' => {
                    let (n, len) = self.octal_at(self.at - 1);
                    self.at += len - 1;
                    code = n;
                }
                b'x' => {
                    let digits: Vec<u32> =
                        self.s[self.at..].iter().take(2).map_while(|&b| (b as char).to_digit(16)).collect();
                    if digits.is_empty() {
                        return err("invalid hex escape");
                    }
                    self.at += digits.len();
                    code = digits.iter().fold(0, |n, d| n * 16 + d);
                }
                b'M' => {
                    if meta {
                        return err("duplicate meta escape");
                    }
                    meta = true;
                    if self.s.get(self.at) == Some(&b'-') && self.s.get(self.at + 1).is_some_and(|b| *b < 0x80) {
                        self.at += 1;
                        if self.s[self.at] == b'\\' {
                            self.at += 1;
                            continue;
                        }
                        code = u32::from(self.s[self.at]);
                        self.at += 1;
                    } else {
                        return err("too short meta escape");
                    }
                }
                b'C' | b'c' => {
                    if e == b'C' {
                        if self.s.get(self.at) != Some(&b'-') {
                            return err("too short control escape");
                        }
                        self.at += 1;
                    }
                    if ctrl {
                        return err("duplicate ctrl escape");
                    }
                    ctrl = true;
                    match self.s.get(self.at) {
                        Some(&b'\\') => {
                            self.at += 1;
                            continue;
                        }
                        Some(&b) if b < 0x80 => {
                            code = u32::from(b);
                            self.at += 1;
                        }
                        _ => return err("too short control escape"),
                    }
                }
                _ => return err("unexpected escape sequence"),
            }
            break;
        }
        let Ok(mut byte) = u8::try_from(code) else {
            return err("invalid escape code");
        };
        if ctrl {
            byte &= 0x1f;
        }
        if meta {
            byte |= 0x80;
        }
        Ok(byte)
    }

    fn unicode_escape(&mut self) -> Result<(), RegexpError> {
        match self.s.get(self.at) {
            None => err("too short escape sequence"),
            Some(b'{') => {
                self.at += 1;
                self.unicode_list()
            }
            Some(_) => {
                let digits: Vec<u32> =
                    self.s[self.at..].iter().take(4).map_while(|&b| (b as char).to_digit(16)).collect();
                if digits.len() != 4 {
                    return err("invalid Unicode escape");
                }
                self.at += 4;
                self.push_unicode(digits.iter().fold(0, |n, d| n * 16 + d))
            }
        }
    }

    fn skip_space(&mut self) {
        while self.s.get(self.at).is_some_and(|b| b.is_ascii_whitespace() || *b == 0x0b) {
            self.at += 1;
        }
    }

    fn unicode_list(&mut self) -> Result<(), RegexpError> {
        let mut any = false;
        self.skip_space();
        loop {
            let digits: Vec<u32> = self.s[self.at..].iter().map_while(|&b| (b as char).to_digit(16)).collect();
            if digits.is_empty() {
                break;
            }
            if digits.len() > 6 {
                return err("invalid Unicode range");
            }
            self.at += digits.len();
            self.push_unicode(digits.iter().fold(0, |n, d| n * 16 + d))?;
            any = true;
            self.skip_space();
        }
        if !any {
            return err("invalid Unicode list");
        }
        if self.s.get(self.at) != Some(&b'}') {
            return err("invalid Unicode list");
        }
        self.at += 1;
        Ok(())
    }

    fn push_unicode(&mut self, c: u32) -> Result<(), RegexpError> {
        if char::from_u32(c).is_none() {
            return err("invalid Unicode range");
        }
        if let Ok(b @ 0..=0x7f) = u8::try_from(c) {
            self.push_hex(b);
            return Ok(());
        }
        self.set_unicode(true)?;
        self.out.push(c);
        Ok(())
    }
}
