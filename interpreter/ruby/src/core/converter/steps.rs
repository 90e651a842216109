//! The conversion itself: input is taken a character at a time, or more where that is the same; what stops it is an [`Outcome`].

use crate::core::string::EncodeOptions;
use crate::value::NativeData;
use rchef_text::encoding::{self as enc, CharStep, Encoding, Options, TranscodeError};

/// What stops a conversion before all of its input is converted.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stop {
    /// The maximum number of output bytes.
    pub(crate) room: Option<usize>,
    /// The end of the input, where a character may be incomplete, is not the end of the text (PARTIAL_INPUT).
    pub(crate) partial: bool,
    /// Any output (AFTER_OUTPUT).
    pub(crate) after_output: bool,
}

/// State of an Encoding::Converter.
#[derive(Default)]
pub(crate) struct Converter {
    /// Source encoding; None if only newlines and markup are converted.
    pub(super) from: Option<Encoding>,
    pub(super) to: Option<Encoding>,
    pub(super) options: EncodeOptions,
    /// Input that has not been converted: part of a character, or what followed an error.
    pub(super) ahead: Vec<u8>,
    /// Output that has not been returned yet.
    pub(super) out: Vec<u8>,
    pub(super) pending_cr: bool,
    /// Whether `&` alone is escaped (`amp_escape`).
    pub(super) ampersands: bool,
    /// The quotes around the text (`xml_attr_quote`), if there are to be any: whether the first has been written.
    pub(super) quoted: Option<bool>,
    /// The byte order given by a byte order mark; None until it has been read.
    pub(super) order: Option<Encoding>,
    pub(super) begun: bool,
    pub(super) finished: bool,
    /// ISO-2022-JP: the active escape sequence of the destination.
    pub(super) shift: Vec<u8>,
    /// The same of the source.
    pub(super) active: enc::Shift,
    pub(super) result: Outcome,
    pub(super) last_error: Option<TranscodeError>,
}
impl NativeData for Converter {}

/// What stopped a conversion.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Outcome {
    #[default]
    SourceEmpty,
    Finished,
    Full,
    AfterOutput,
    Invalid,
    Incomplete,
    Undefined,
}
impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Outcome::SourceEmpty => "source_buffer_empty",
            Outcome::Finished => "finished",
            Outcome::Full => "destination_buffer_full",
            Outcome::AfterOutput => "after_output",
            Outcome::Invalid => "invalid_byte_sequence",
            Outcome::Incomplete => "incomplete_input",
            Outcome::Undefined => "undefined_conversion",
        }
    }
}

/// Converts without options.
pub(super) fn plain(bytes: &[u8], from: Encoding, to: Encoding) -> Result<Vec<u8>, TranscodeError> {
    enc::transcode(bytes, from, to, &mut Options::default())
}

impl Converter {
    /// A converter of text of the first encoding to the second, or of line ends only.
    pub(crate) fn between(encodings: Option<(Encoding, Encoding)>, options: EncodeOptions) -> Converter {
        let (from, to) = encodings.unzip();
        Converter { from, to, options, ..Converter::default() }
    }
    /// Adds a conversion of newlines or markup by its name; false if there is none.
    pub(super) fn add(&mut self, name: &str) -> bool {
        let flags = &mut self.options.decorators;
        match name {
            "universal_newline" => flags.universal = true,
            "crlf_newline" => flags.crlf = true,
            "cr_newline" => flags.cr = true,
            "amp_escape" => self.ampersands = true,
            "xml_text_escape" => flags.xml_text = true,
            "xml_attr_content_escape" => flags.xml_attr = true,
            "xml_attr_quote" => self.quoted = Some(false),
            _ => return false,
        }
        self.options.any = true;
        true
    }
    /// The error that has stopped the conversion, which goes on after it.
    pub(crate) fn take_error(&mut self) -> Option<TranscodeError> {
        self.last_error.take()
    }
    /// Whether a carriage return was read and not written, because a newline may follow.
    pub(crate) fn waits(&self) -> bool {
        self.pending_cr
    }
    /// Forgets that the input has ended: more may come.
    pub(crate) fn restart(&mut self) {
        self.finished = false;
    }
    /// Appends the output of a conversion; for ISO-2022-JP without unnecessary escape sequences.
    pub(super) fn emit(&mut self, bytes: &[u8]) {
        if self.to != Some(Encoding::Iso2022Jp) {
            // only one byte order mark, at the beginning
            let mark: &[u8] = match self.to {
                Some(Encoding::Utf16) => &[0xFE, 0xFF],
                Some(Encoding::Utf32) => &[0, 0, 0xFE, 0xFF],
                _ => &[],
            };
            let bytes = if self.begun { bytes.strip_prefix(mark).unwrap_or(bytes) } else { bytes };
            self.begun |= !bytes.is_empty();
            self.out.extend_from_slice(bytes);
            return;
        }
        let (shift, text): (&[u8], &[u8]) = match bytes {
            [0x1B, a, b, text @ .., 0x1B, b'(', b'B'] => (&[0x1B, *a, *b], text),
            _ => (b"", bytes),
        };
        if self.shift != shift {
            self.out.extend_from_slice(if shift.is_empty() { b"\x1B(B" } else { shift });
            self.shift = shift.to_vec();
        }
        self.out.extend_from_slice(text);
    }
    fn emit_ascii(&mut self, text: &str) {
        let to = self.to.unwrap_or(Encoding::Utf8);
        if let Ok(bytes) = plain(text.as_bytes(), Encoding::Utf8, to) {
            self.emit(&bytes);
        }
    }
    /// Converts newlines and markup; returns whether that has handled the character.
    fn decorate(&mut self, code: Option<char>) -> bool {
        let flags = self.options.decorators;
        if flags.universal {
            let had_cr = std::mem::take(&mut self.pending_cr);
            if had_cr {
                self.newline();
            }
            if code == Some('\r') {
                self.pending_cr = true;
                return true;
            }
            if had_cr && code == Some('\n') {
                return true;
            }
        }
        let text = match code {
            Some('&') if self.ampersands => Some("&amp;"),
            Some(code) => flags.replaced(code),
            None => None,
        };
        text.inspect(|text| self.emit_ascii(text)).is_some()
    }
    fn newline(&mut self) {
        self.emit_ascii(self.options.decorators.replaced('\n').unwrap_or("\n"));
    }
    /// The number of bytes at the start that no conversion changes.
    fn unchanged(&self, rest: &[u8]) -> usize {
        let plain = |encoding: Option<Encoding>| encoding.is_none_or(|encoding| encoding.is_ascii_compatible());
        if self.pending_cr || self.quoted == Some(false) || !plain(self.from) || !plain(self.to) {
            return 0;
        }
        let (any, recoded) = (self.options.any, self.from.is_some());
        let changed = |byte: &u8| {
            recoded && !byte.is_ascii() || any && matches!(byte, b'\r' | b'\n' | b'&' | b'<' | b'>' | b'"' | b'\'')
        };
        rest.iter().position(changed).unwrap_or(rest.len())
    }
    /// All of it converted in one piece, where nothing needs care.
    fn whole(&self, rest: &[u8]) -> Option<Vec<u8>> {
        let (from, to) = (self.from?, self.to?);
        let simple =
            !self.options.any && !from.is_dummy() && !to.is_dummy() && !self.pending_cr && self.quoted != Some(false);
        if simple { plain(rest, from, to).ok() } else { None }
    }
    /// Converts the character at the start of `rest`; returns the number of bytes consumed. The bytes of an error are consumed as well.
    fn step(&mut self, rest: &[u8]) -> Result<usize, TranscodeError> {
        let (Some(from), Some(to)) = (self.from, self.to) else {
            if !self.decorate(rest.first().map(|byte| char::from(*byte)).filter(char::is_ascii)) {
                self.out.push(rest[0]);
            }
            return Ok(1);
        };
        if from.is_dummy() && !from.is_unicode() {
            return self.foreign(rest, from, to);
        }
        let mut source = from;
        if matches!(from, Encoding::Utf16 | Encoding::Utf32) {
            match self.order {
                Some(order) => source = order,
                None => {
                    let order = from.actual(rest);
                    if order != from {
                        self.order = Some(order);
                        return Ok(order.min_len());
                    }
                }
            }
        }
        let CharStep::Valid(len) = enc::char_len_at(rest, 0, source) else {
            return match plain(rest, source, to) {
                Err(error) => Err(error),
                Ok(bytes) => {
                    self.emit(&bytes);
                    Ok(rest.len())
                }
            };
        };
        let ch = &rest[..len];
        if self.options.any && self.decorate(enc::to_unicode(ch, source).filter(char::is_ascii)) {
            return Ok(len);
        }
        let bytes = plain(ch, source, to)?;
        self.emit(&bytes);
        Ok(len)
    }
    /// The same for an encoding in which bytes mean what the last escape sequence said, or that is no superset of ASCII.
    fn foreign(&mut self, rest: &[u8], from: Encoding, to: Encoding) -> Result<usize, TranscodeError> {
        let (len, text) = match enc::is_shifted(from) {
            true => enc::shifted_char(rest, from, &mut self.active)?,
            false => (1, plain(&rest[..1], from, Encoding::Utf8)?),
        };
        let ascii = text.first().map(|byte| char::from(*byte)).filter(char::is_ascii);
        if !(text.is_empty() || self.options.any && self.decorate(ascii)) {
            let bytes = enc::from_shifted_char(&text, from, to)?;
            self.emit(&bytes);
        }
        Ok(len)
    }
    /// The number of bytes of the character at the start of `rest`.
    fn width(&self, rest: &[u8]) -> usize {
        match self.from {
            Some(from) if enc::is_shifted(from) => self.active.width(),
            Some(from) => enc::char_len_at(rest, 0, self.order.unwrap_or(from)).len(),
            None => 1,
        }
    }
    /// Appends the replacement, in the destination encoding.
    fn substitute(&mut self) {
        let to = self.to.unwrap_or(Encoding::Utf8);
        let (bytes, own) = match &self.options.replace {
            Some(text) => (text.bytes().to_vec(), text.encoding()),
            None if to.is_unicode() => ("\u{FFFD}".as_bytes().to_vec(), Encoding::Utf8),
            None => (b"?".to_vec(), Encoding::Utf8),
        };
        let bytes = plain(&bytes, own, to).unwrap_or_else(|_| b"?".to_vec());
        self.emit(&bytes);
    }
    /// Keeps the input that was not converted: bytes that were in `ahead` stay there, the caller's bytes are returned to `source`.
    fn keep(&mut self, mut input: Vec<u8>, pos: usize, ahead: usize, source: &mut Vec<u8>) {
        let left = if pos < input.len() { input.split_off(pos) } else { Vec::new() };
        let own = left.len().saturating_sub(ahead.saturating_sub(pos));
        let (mine, theirs) = left.split_at(left.len() - own);
        self.ahead.extend_from_slice(mine);
        source.extend_from_slice(theirs);
    }
    /// Writes what comes before the text.
    fn open(&mut self) {
        if let Some(opened @ false) = &mut self.quoted {
            *opened = true;
            self.emit_ascii("\"");
        }
    }
    /// Writes what comes after the text; whether there was anything.
    fn close(&mut self) -> bool {
        if !self.pending_cr && self.shift.is_empty() && self.quoted.is_none() {
            return false;
        }
        if std::mem::take(&mut self.pending_cr) {
            self.newline();
        }
        if let Some(opened) = self.quoted.take() {
            self.emit_ascii(if opened { "\"" } else { "\"\"" });
        }
        if !std::mem::take(&mut self.shift).is_empty() {
            self.out.extend_from_slice(b"\x1B(B");
        }
        true
    }
    /// Converts many bytes at once where that is possible; returns their number. The whole rest is tried once.
    fn bulk(&mut self, rest: &[u8], tried: &mut bool) -> usize {
        let run = self.unchanged(rest);
        if run > 0 {
            self.out.extend_from_slice(&rest[..run]);
            self.begun = true;
            return run;
        }
        if std::mem::replace(tried, true) {
            return 0;
        }
        match self.whole(rest) {
            Some(bytes) => {
                self.emit(&bytes);
                rest.len()
            }
            None => 0,
        }
    }
    /// Writes what stands for a character that the destination lacks, if the options say so.
    fn stand_in(&mut self, info: &enc::ErrorInfo) -> bool {
        if self.options.references {
            let code = match enc::to_unicode(&info.error_bytes, info.source) {
                Some(c) => u32::from(c),
                None => enc::decode(&info.error_bytes, info.source),
            };
            self.emit_ascii(&format!("&#x{code:X};"));
        } else if self.options.undefined {
            self.substitute();
        } else {
            return false;
        }
        true
    }
    /// Converts the remaining input and `source` until something stops it; output is added to `given`.
    pub(crate) fn run(&mut self, source: &mut Vec<u8>, stop: Stop, given: &mut Vec<u8>) -> Outcome {
        let changes = self.from.is_some() || self.options.any || self.quoted.is_some() || !self.out.is_empty();
        if changes || stop.after_output {
            return self.run_steps(source, stop, given);
        }
        let fits = stop.room.map_or(source.len(), |room| room.saturating_sub(given.len()).min(source.len()));
        given.extend(source.drain(..fits));
        self.result = match (source.is_empty(), stop.partial) {
            (false, _) => Outcome::Full,
            (true, true) => Outcome::SourceEmpty,
            (true, false) => Outcome::Finished,
        };
        self.finished |= self.result == Outcome::Finished;
        self.last_error = None;
        self.result
    }
    fn run_steps(&mut self, source: &mut Vec<u8>, stop: Stop, given: &mut Vec<u8>) -> Outcome {
        let Stop { room, partial, after_output } = stop;
        let mut input = std::mem::take(&mut self.ahead);
        let ahead = input.len();
        input.append(source);
        let (mut pos, mut tried) = (0, false);
        let outcome = loop {
            let fits = room.map_or(self.out.len(), |room| (room - given.len().min(room)).min(self.out.len()));
            let wrote = fits > 0;
            given.extend(self.out.drain(..fits));
            if !self.out.is_empty() {
                break Outcome::Full;
            }
            if wrote && after_output {
                break Outcome::AfterOutput;
            }
            if pos >= input.len() {
                if partial {
                    break Outcome::SourceEmpty;
                }
                if self.close() {
                    continue;
                }
                break Outcome::Finished;
            }
            self.open();
            let at_once = room.is_none() && !after_output;
            let run = if at_once { self.bulk(&input[pos..], &mut tried) } else { 0 };
            if run > 0 {
                pos += run;
                continue;
            }
            match self.step(&input[pos..]) {
                Ok(len) => pos += len.max(1),
                Err(error @ TranscodeError::NotFound { .. }) => {
                    pos = input.len();
                    self.last_error = Some(error);
                    break Outcome::Undefined;
                }
                Err(TranscodeError::Invalid(info)) => {
                    if info.incomplete && partial {
                        self.ahead = input.split_off(pos);
                        break Outcome::SourceEmpty;
                    }
                    pos += info.error_bytes.len().max(1);
                    if self.options.invalid {
                        self.substitute();
                        continue;
                    }
                    let outcome = if info.incomplete { Outcome::Incomplete } else { Outcome::Invalid };
                    let again = pos + info.readagain_bytes.len().min(input.len() - pos.min(input.len()));
                    self.ahead = input.get(pos..again).unwrap_or_default().to_vec();
                    pos = again;
                    self.last_error = Some(TranscodeError::Invalid(info));
                    break outcome;
                }
                Err(TranscodeError::Undefined(info)) => {
                    pos += self.width(&input[pos..]).max(1);
                    if self.stand_in(&info) {
                        continue;
                    }
                    self.last_error = Some(TranscodeError::Undefined(info));
                    break Outcome::Undefined;
                }
            }
        };
        self.keep(input, pos, ahead, source);
        self.result = outcome;
        self.finished |= outcome == Outcome::Finished;
        if !matches!(outcome, Outcome::Invalid | Outcome::Incomplete | Outcome::Undefined) {
            self.last_error = None;
        }
        outcome
    }
}
