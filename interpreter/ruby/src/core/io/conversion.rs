//! Text that is converted while it is read: from the external to the internal encoding, and line ends to `\n`. Characters and lines are taken from
//! what was converted; methods that read bytes take what was not.

use super::lines::memchr;
use super::mode::default_external;
use super::stream::Stream;
use crate::Vm;
use crate::class::ClassId;
use crate::core::converter::{Converter, Outcome};
use crate::core::string::EncodeOptions;
use crate::error::Res;
use crate::string::RString;
use rchef_text::encoding::{Encoding, TranscodeError, can_transcode};

/// What is converted: the encodings, if they differ, and whether line ends are.
#[derive(Clone, Copy, PartialEq)]
struct Kind {
    encodings: Option<(Encoding, Encoding)>,
    universal: bool,
}

/// A conversion under way.
pub(super) struct Conversion {
    kind: Kind,
    converter: Converter,
    /// Whether there is no conversion between the encodings.
    lacking: bool,
    /// Bytes that were read and not converted.
    raw: Vec<u8>,
}

/// How much one call converts at least.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Amount {
    Character,
    Line,
    All,
}

impl Stream {
    fn wanted_conversion(&self, vm: &mut Vm) -> Option<Kind> {
        let external = self.external.get();
        let internal = match self.internal.get() {
            Some(internal) => Some(internal),
            None if external == Some(Encoding::Binary) => None,
            None => crate::core::encoding::default_internal(vm),
        };
        let encodings = internal.and_then(|internal| {
            let external = external.unwrap_or_else(|| default_external(vm));
            (internal != external && external != Encoding::Binary).then_some((external, internal))
        });
        let universal = self.universal.get();
        (encodings.is_some() || universal).then_some(Kind { encodings, universal })
    }
    /// Whether text is converted. Starts or ends the conversion if the encodings of the stream have changed.
    pub(super) fn converts(&self, vm: &mut Vm) -> bool {
        let wanted = self.wanted_conversion(vm);
        let mut now = self.conversion.borrow_mut();
        if now.as_ref().map(|conversion| conversion.kind) == wanted {
            return wanted.is_some();
        }
        let raw = match now.take() {
            Some(conversion) => conversion.raw,
            None => self.take(usize::MAX >> 1),
        };
        self.consume(self.buffered());
        match wanted {
            Some(kind) => {
                let converter = self.converter(kind, default_external(vm));
                let known = |(from, to)| can_transcode(from) && can_transcode(to);
                let lacking = kind.encodings.is_some_and(|pair| !known(pair));
                *now = Some(Box::new(Conversion { kind, converter, lacking, raw }));
            }
            None => self.unread(&raw),
        }
        wanted.is_some()
    }
    fn converter(&self, kind: Kind, default: Encoding) -> Converter {
        let (invalid, undefined, replace) = self.replace.borrow().clone();
        let encoding = kind.encodings.map_or(default, |(_, to)| to);
        let mut options = EncodeOptions {
            invalid,
            undefined,
            replace: replace.map(|bytes| RString::new(bytes, encoding)),
            any: kind.universal,
            ..EncodeOptions::default()
        };
        options.decorators.universal = kind.universal;
        Converter::between(kind.encodings, options)
    }
    /// The encoding of text that was read.
    pub fn text_encoding(&self, vm: &mut Vm) -> Encoding {
        match self.wanted_conversion(vm).and_then(|kind| kind.encodings) {
            Some((_, internal)) => internal,
            None => self.read_encoding(vm),
        }
    }
    /// The number of bytes read ahead, converted or not.
    pub fn held(&self) -> usize {
        self.buffered() + self.unconverted()
    }
    /// The number of bytes that were read and not converted.
    fn unconverted(&self) -> usize {
        self.conversion.borrow().as_ref().map_or(0, |conversion| conversion.raw.len())
    }
    /// The number of bytes by which the handle is ahead of the program. What was converted counts as read.
    pub(super) fn ahead(&self) -> usize {
        if self.conversion.borrow().is_some() { self.unconverted() } else { self.buffered() }
    }
    /// Forgets what was read ahead.
    pub(super) fn forget_read_ahead(&self) {
        self.consume(self.buffered());
        self.conversion.borrow_mut().take();
    }
    /// ConverterNotFoundError if there is no conversion between the encodings.
    fn check_converter(&self, vm: &mut Vm) -> Res<()> {
        let pair = self.conversion.borrow().as_ref().filter(|conversion| conversion.lacking).map(|now| now.kind.encodings);
        let Some(Some((from, to))) = pair else { return Ok(()) };
        let error = TranscodeError::NotFound { from: from.name().into(), to: to.name().into() };
        Err(crate::core::encoding::transcode_error(vm, &error))
    }
    /// Converts more text; false at the end.
    pub(super) fn fill_converted(&self, vm: &mut Vm, amount: Amount) -> Res<bool> {
        self.check_converter(vm)?;
        let mut ended = false;
        loop {
            vm.tick_by(1)?;
            let Some(mut window) = self.window(amount, ended) else { return Ok(false) };
            if window.is_empty() && !ended {
                let chunk = self.chunk(vm)?;
                ended = chunk.is_empty();
                if let Some(conversion) = &mut *self.conversion.borrow_mut() {
                    conversion.raw.extend_from_slice(&chunk);
                }
                continue;
            }
            let mut out = Vec::new();
            let failed = {
                let mut now = self.conversion.borrow_mut();
                let Some(conversion) = &mut *now else { return Ok(false) };
                let one = amount == Amount::Character;
                let outcome = conversion.converter.run(&mut window, None, !ended, one, &mut out);
                conversion.raw.splice(..0, window);
                match outcome {
                    Outcome::Invalid | Outcome::Incomplete | Outcome::Undefined => conversion.converter.take_error(),
                    _ => None,
                }
            };
            if let Some(error) = failed {
                self.consume(self.buffered());
                return Err(crate::core::encoding::transcode_error(vm, &error));
            }
            if !out.is_empty() {
                self.append(&out);
                return Ok(true);
            }
            if ended {
                if let Some(conversion) = &mut *self.conversion.borrow_mut() {
                    conversion.converter.restart();
                }
                return Ok(false);
            }
        }
    }
    /// Takes the bytes to convert next: up to a line end, or enough for a character. With a stateful encoding all that there is, at the end.
    fn window(&self, amount: Amount, ended: bool) -> Option<Vec<u8>> {
        const LONGEST: usize = 16;
        let mut now = self.conversion.borrow_mut();
        let conversion = now.as_mut()?;
        let raw = &mut conversion.raw;
        let from = conversion.kind.encodings.map(|(from, _)| from);
        if from.is_some_and(|from| from.is_dummy() && !from.is_unicode()) {
            return Some(if ended { std::mem::take(raw) } else { Vec::new() });
        }
        let unit = from.map_or(1, Encoding::min_len);
        let end = match amount {
            Amount::Character => LONGEST,
            Amount::Line => memchr(b'\n', raw).map_or(raw.len(), |at| (at + 1).next_multiple_of(unit)),
            Amount::All => raw.len(),
        };
        Some(raw.drain(..end.min(raw.len())).collect())
    }
    /// Takes up to `count` bytes read ahead for a method that reads bytes. IOError if characters are waiting.
    pub(super) fn take_bytes(&self, vm: &mut Vm, count: usize) -> Res<Vec<u8>> {
        if !self.converts(vm) {
            return Ok(self.take(count));
        }
        if self.buffered() > 0 {
            // where only line ends are converted the text is as good
            if self.wanted_conversion(vm).is_some_and(|kind| kind.encodings.is_none()) {
                return Ok(self.take(count));
            }
            return Err(vm.error(ClassId::IO_ERROR, "byte oriented read for character buffered IO"));
        }
        let mut now = self.conversion.borrow_mut();
        let Some(conversion) = &mut *now else { return Ok(Vec::new()) };
        let count = count.min(conversion.raw.len());
        Ok(conversion.raw.drain(..count).collect())
    }
    /// Reads bytes ahead where none are; false at the end.
    pub(super) fn fill_bytes(&self, vm: &mut Vm) -> Res<bool> {
        if !self.converts(vm) {
            return Ok(self.buffered() > 0 || self.fill(vm)?);
        }
        if self.held() > 0 {
            return Ok(true);
        }
        let chunk = self.chunk(vm)?;
        if let Some(conversion) = &mut *self.conversion.borrow_mut() {
            conversion.raw.extend_from_slice(&chunk);
        }
        Ok(!chunk.is_empty())
    }
    /// Puts bytes before those that methods that read bytes get next.
    pub(super) fn unread_bytes(&self, vm: &mut Vm, bytes: &[u8]) {
        if self.converts(vm) {
            if let Some(conversion) = &mut *self.conversion.borrow_mut() {
                conversion.raw.splice(..0, bytes.iter().copied());
            }
        } else {
            self.unread(bytes);
        }
    }
}
