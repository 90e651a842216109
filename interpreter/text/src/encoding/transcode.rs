//! `String#encode`: all conversions go through Unicode, as MRI's go through UTF-8.
use super::chars::{Precise, precise};
use super::codepoint::{foreign, is_euc_jp, single_table};
use super::scrub::default_replacement;
use super::{Encoding, Kind, decode, from_unicode, scrub, to_unicode};
use super::{mac, stateful};
use std::fmt;

/// A replacement string and its encoding.
#[derive(Clone, Debug)]
pub struct Replace<'a> {
    pub bytes: &'a [u8],
    pub enc: Encoding,
}

/// `fallback:`: takes the character's bytes and their encoding, returns bytes of the destination encoding; None is an error.
pub type Fallback<'a> = &'a mut dyn FnMut(&[u8], Encoding) -> Option<Vec<u8>>;

/// Newline and XML conversions.
#[derive(Copy, Clone, Default, Eq, PartialEq, Debug)]
pub struct Decorators {
    /// `universal_newline: true`: CR LF and CR become LF.
    pub universal: bool,
    /// `crlf_newline: true`: LF becomes CR LF.
    pub crlf: bool,
    /// `cr_newline: true`: LF becomes CR.
    pub cr: bool,
    pub xml_text: bool,
    pub xml_attr: bool,
}

impl Decorators {
    /// What an ASCII character becomes; None if it stays. Line ends that `universal` converts are not among these, because two characters may be one.
    #[must_use]
    pub fn replaced(self, character: char) -> Option<&'static str> {
        let markup = self.xml_text || self.xml_attr;
        Some(match character {
            '&' if markup => "&amp;",
            '<' if markup => "&lt;",
            '>' if markup => "&gt;",
            '"' if self.xml_attr => "&quot;",
            '\'' if self.xml_attr => "&apos;",
            '\n' if self.crlf => "\r\n",
            '\n' if self.cr => "\r",
            _ => return None,
        })
    }
}

/// The options of `String#encode`.
#[derive(Default)]
pub struct Options<'a> {
    pub invalid_replace: bool,
    pub undef_replace: bool,
    /// `replace:`; else U+FFFD or `?`.
    pub replace: Option<Replace<'a>>,
    pub fallback: Option<Fallback<'a>>,
    pub decorators: Decorators,
}

/// The attributes of the exception.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ErrorInfo {
    pub message: String,
    /// `error_bytes` (or the bytes of `error_char`).
    pub error_bytes: Vec<u8>,
    pub readagain_bytes: Vec<u8>,
    pub incomplete: bool,
    /// `source_encoding` of the step that failed.
    pub source: Encoding,
    /// `destination_encoding` of the step that failed.
    pub destination: Encoding,
}

/// Why a string cannot be converted.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum TranscodeError {
    /// Encoding::ConverterNotFoundError.
    NotFound {
        /// The name of the source encoding.
        from: String,
        /// The name of the destination encoding.
        to: String,
    },
    /// Encoding::InvalidByteSequenceError.
    Invalid(Box<ErrorInfo>),
    /// Encoding::UndefinedConversionError.
    Undefined(Box<ErrorInfo>),
}

impl fmt::Display for TranscodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranscodeError::NotFound { from, to } => {
                let between = if from.is_empty() || to.is_empty() { "" } else { " to " };
                write!(f, "code converter not found ({from}{between}{to})")
            }
            TranscodeError::Invalid(i) | TranscodeError::Undefined(i) => f.write_str(&i.message),
        }
    }
}
impl std::error::Error for TranscodeError {}

/// Whether MRI has a converter between `enc` and UTF-8.
pub fn can_transcode(enc: Encoding) -> bool {
    matches!(enc, Encoding::Binary | Encoding::UsAscii | Encoding::Utf8Mac)
        || (enc.is_unicode() && (enc.kind() != Kind::Utf8 || enc == Encoding::Utf8))
        || single_table(enc).is_some()
        || is_euc_jp(enc)
        || foreign(enc).is_some()
        || stateful::is(enc)
}

enum Step {
    Char(char, usize),
    Undefined(usize),
    /// The number of invalid bytes, and of the bytes read after them that make them invalid.
    Invalid(usize, usize),
    Incomplete(usize),
}

/// The length of the longest proper prefix that could begin a character.
fn prefix_len(rest: &[u8], enc: Encoding) -> usize {
    let min = enc.min_len();
    let mut n = enc.max_len().min(rest.len()) / min * min;
    while n > min {
        n -= min;
        if matches!(precise(&rest[..n], enc), Precise::NeedMore(_)) {
            return n;
        }
    }
    min.min(rest.len())
}

fn step(rest: &[u8], enc: Encoding) -> Step {
    match precise(rest, enc) {
        Precise::Found(n) => {
            if enc == Encoding::Binary && rest[0] >= 0x80 {
                return Step::Undefined(1);
            }
            match to_unicode(&rest[..n], enc) {
                Some(c) => Step::Char(c, n),
                // no character has such a number
                None if matches!(enc.kind(), Kind::Utf32Be | Kind::Utf32Le) => Step::Invalid(n, 0),
                None => Step::Undefined(n),
            }
        }
        Precise::NeedMore(_) => Step::Incomplete(rest.len()),
        Precise::Invalid => match enc.kind() {
            Kind::Utf16Be if rest[0] & 0xFC == 0xDC => Step::Invalid(2, 0),
            Kind::Utf16Be => Step::Invalid(2, 1),
            Kind::Utf16Le if rest[1] & 0xFC == 0xDC => Step::Invalid(2, 0),
            Kind::Utf16Le => Step::Invalid(2, 2),
            Kind::Utf32Be | Kind::Utf32Le => Step::Invalid(4, 0),
            _ => {
                let n = prefix_len(rest, enc);
                // If a byte cannot begin a character it is the error itself, else the byte after the prefix is.
                let lead = matches!(precise(&rest[..n], enc), Precise::NeedMore(_));
                Step::Invalid(n, usize::from(lead && n < rest.len()))
            }
        },
    }
}

/// The name of the encoding in MRI's converters.
fn converter_name(enc: Encoding) -> String {
    if single_table(enc).is_some_and(|(alias, _)| alias) { enc.name().to_ascii_uppercase() } else { enc.name().into() }
}

pub(super) fn dump(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&crate::inspect::dump(bytes, Encoding::Binary)).into_owned()
}

struct Job<'a, 'o> {
    from: Encoding,
    to: Encoding,
    options: &'a mut Options<'o>,
    replacement: Vec<u8>,
    out: Vec<u8>,
    pending_cr: bool,
}

impl Job<'_, '_> {
    fn invalid(&self, bad: &[u8], again: &[u8], incomplete: bool) -> TranscodeError {
        let source = self.from;
        let message = if incomplete {
            format!("incomplete {} on {}", dump(bad), source.name())
        } else if again.is_empty() {
            format!("{} on {}", dump(bad), source.name())
        } else {
            format!("{} followed by {} on {}", dump(bad), dump(again), source.name())
        };
        TranscodeError::Invalid(Box::new(ErrorInfo {
            message,
            error_bytes: bad.to_vec(),
            readagain_bytes: again.to_vec(),
            incomplete,
            source,
            destination: if source == Encoding::Utf8 { self.to } else { Encoding::Utf8 },
        }))
    }

    fn undefined(&self, ch: &[u8], source: Encoding) -> TranscodeError {
        let what = if source == Encoding::Utf8 { format!("U+{:04X}", decode(ch, source)) } else { dump(ch) };
        let destination = if source == Encoding::Utf8 { self.to } else { Encoding::Utf8 };
        let alias =
            single_table(if source == Encoding::Utf8 { destination } else { source }).is_some_and(|(alias, _)| alias);
        let whole = source == self.from && destination == self.to && !alias;
        let message = if whole {
            format!("{what} from {} to {}", source.name(), destination.name())
        } else {
            let path = if self.from == Encoding::Utf8 || self.to == Encoding::Utf8 { "" } else { " to UTF-8" };
            format!(
                "{what} to {} in conversion from {}{path} to {}",
                converter_name(destination),
                self.from.name(),
                converter_name(self.to)
            )
        };
        TranscodeError::Undefined(Box::new(ErrorInfo {
            message,
            error_bytes: ch.to_vec(),
            readagain_bytes: Vec::new(),
            incomplete: false,
            source,
            destination,
        }))
    }

    fn replace(&mut self) {
        self.flush_cr();
        self.out.extend_from_slice(&self.replacement);
    }

    fn on_undefined(&mut self, ch: &[u8], source: Encoding) -> Result<(), TranscodeError> {
        self.flush_cr();
        let d = self.options.decorators;
        if (d.xml_text || d.xml_attr) && source == Encoding::Utf8 {
            let text = format!("&#x{:X};", decode(ch, source));
            self.ascii(&text);
            return Ok(());
        }
        if let Some(fallback) = self.options.fallback.as_mut() {
            match fallback(ch, source) {
                Some(bytes) => self.out.extend_from_slice(&bytes),
                None => return Err(self.undefined(ch, source)),
            }
            return Ok(());
        }
        if self.options.undef_replace {
            self.replace();
            return Ok(());
        }
        Err(self.undefined(ch, source))
    }

    fn ascii(&mut self, text: &str) {
        for c in text.chars() {
            from_unicode(c, self.to, &mut self.out);
        }
    }

    fn flush_cr(&mut self) {
        if std::mem::take(&mut self.pending_cr) {
            self.ascii("\n");
        }
    }

    fn emit(&mut self, c: char) -> Result<(), TranscodeError> {
        let d = self.options.decorators;
        if d.universal {
            if c == '\r' {
                self.flush_cr();
                self.pending_cr = true;
                return Ok(());
            }
            if std::mem::take(&mut self.pending_cr) && c != '\n' {
                self.ascii("\n");
            }
        }
        if let Some(text) = d.replaced(c) {
            self.ascii(text);
            return Ok(());
        }
        let known = match self.to {
            Encoding::Binary | Encoding::UsAscii => {
                if c.is_ascii() {
                    self.out.push(c as u8);
                }
                c.is_ascii()
            }
            to => from_unicode(c, to, &mut self.out),
        };
        if known { Ok(()) } else { self.on_undefined(c.encode_utf8(&mut [0; 4]).as_bytes(), Encoding::Utf8) }
    }

    /// The byte order of a text in UTF-16 or UTF-32, and where its text starts. The byte order mark is not part of the text; what comes before
    /// one is invalid, each unit for itself.
    fn past_byte_order_mark(&mut self, bytes: &[u8]) -> Result<(Encoding, usize), TranscodeError> {
        let unit = match self.from.kind() {
            Kind::Utf16 => 2,
            Kind::Utf32 => 4,
            _ => return Ok((self.from, 0)),
        };
        let mut pos = 0;
        while pos < bytes.len() {
            let rest = &bytes[pos..];
            let from = self.from.actual(rest);
            if from != self.from {
                return Ok((from, pos + unit));
            }
            if !self.options.invalid_replace {
                return Err(self.invalid(&rest[..unit.min(rest.len())], &[], rest.len() < unit));
            }
            self.replace();
            pos += unit;
        }
        Ok((self.from, bytes.len()))
    }

    fn run(&mut self, bytes: &[u8]) -> Result<(), TranscodeError> {
        let (from, mut pos) = self.past_byte_order_mark(bytes)?;
        let plain = self.options.decorators == Decorators::default()
            && self.from.is_ascii_compatible()
            && self.to.is_ascii_compatible();
        while pos < bytes.len() {
            if plain {
                let n = bytes[pos..].iter().position(|b| *b >= 0x80).unwrap_or(bytes.len() - pos);
                self.out.extend_from_slice(&bytes[pos..pos + n]);
                pos += n;
                if pos == bytes.len() {
                    break;
                }
            }
            let rest = &bytes[pos..];
            match step(rest, from) {
                Step::Char(c, n) => {
                    self.emit(c)?;
                    pos += n;
                }
                Step::Undefined(n) => {
                    self.on_undefined(&rest[..n], self.from)?;
                    pos += n;
                }
                Step::Invalid(n, _) | Step::Incomplete(n) if self.options.invalid_replace => {
                    self.replace();
                    pos += n;
                }
                Step::Invalid(n, again) => return Err(self.invalid(&rest[..n], &rest[n..n + again], false)),
                Step::Incomplete(n) => return Err(self.invalid(&rest[..n], &[], true)),
            }
        }
        self.flush_cr();
        Ok(())
    }
}

/// Newline and XML conversions without transcoding: bytes that are not ASCII are copied.
fn decorate(bytes: &[u8], d: Decorators) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 16);
    if d.xml_attr {
        out.push(b'"');
    }
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        i += 1;
        if b == b'\r' && d.universal {
            out.push(b'\n');
            i += usize::from(bytes.get(i) == Some(&b'\n'));
            continue;
        }
        match d.replaced(char::from(b)) {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None => out.push(b),
        }
    }
    if d.xml_attr {
        out.push(b'"');
    }
    out
}

/// Converts `bytes`. If both encodings are the same, invalid bytes are copied unless `invalid_replace` is set.
///
/// # Errors
/// As in MRI: no converter, invalid bytes, characters that the destination does not have.
pub fn transcode(
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &mut Options<'_>,
) -> Result<Vec<u8>, TranscodeError> {
    let d = options.decorators;
    let ascii = from.is_ascii_compatible() && to.is_ascii_compatible() && bytes.is_ascii();
    if from == to || ascii {
        let replacement = match &options.replace {
            Some(r) => Some(transcode(r.bytes, r.enc, to, &mut Options::default())?),
            None => None,
        };
        let clean =
            if options.invalid_replace && !ascii { Some(scrub(bytes, from, replacement.as_deref())) } else { None };
        let bytes = clean.as_deref().unwrap_or(bytes);
        if d == Decorators::default() {
            return Ok(bytes.to_vec());
        }
        if from.is_ascii_compatible() {
            return Ok(decorate(bytes, d));
        }
    }
    if !can_transcode(from) || !can_transcode(to) {
        return Err(TranscodeError::NotFound { from: from.name().into(), to: to.name().into() });
    }
    if to == Encoding::Utf8Mac {
        options.replace.get_or_insert(Replace { bytes: b"?", enc: Encoding::UsAscii });
        return Ok(mac::from_utf8(&transcode(bytes, from, Encoding::Utf8, options)?));
    }
    let composed;
    let bytes = if from == Encoding::Utf8Mac {
        composed = mac::to_utf8(bytes);
        &composed
    } else {
        bytes
    };
    if let Some(done) = stateful::transcode(bytes, from, to, options) {
        return done;
    }
    let replacement = match &options.replace {
        Some(r) => transcode(r.bytes, r.enc, to, &mut Options::default())?,
        None if from == Encoding::Utf8Mac => b"?".to_vec(),
        None => default_replacement(if to == Encoding::Utf16 { Encoding::Utf16Be } else { to }).to_vec(),
    };
    let mut job = Job { from, to, options, replacement, out: Vec::with_capacity(bytes.len() + 16), pending_cr: false };
    match to.kind() {
        Kind::Utf16 if !bytes.is_empty() => job.out.extend_from_slice(&[0xFE, 0xFF]),
        Kind::Utf32 if !bytes.is_empty() => job.out.extend_from_slice(&[0, 0, 0xFE, 0xFF]),
        _ => {}
    }
    if d.xml_attr {
        job.ascii("\"");
    }
    job.run(bytes)?;
    if d.xml_attr {
        job.ascii("\"");
    }
    Ok(job.out)
}
