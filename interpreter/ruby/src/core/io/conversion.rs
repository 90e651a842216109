//! Text that is converted while it is read: from the external to the internal encoding, and line ends to `\n`. Characters and lines are taken from
//! what was converted; methods that read bytes take what was not.

use super::mode::default_external;
use super::stream::Stream;
use crate::Vm;
use crate::class::ClassId;
use crate::core::converter::{Converter, Outcome, Stop};
use crate::core::string::EncodeOptions;
use crate::error::Res;
use rchef_text::encoding::{Encoding, TranscodeError, can_transcode, is_shifted};

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
    /// Bytes that were read; those from `at` on are not converted.
    raw: Vec<u8>,
    at: usize,
}
impl Conversion {
    fn rest(&self) -> &[u8] {
        self.raw.get(self.at..).unwrap_or_default()
    }
    /// Drops `count` bytes.
    fn skip(&mut self, count: usize) {
        self.at += count;
        if self.at >= self.raw.len() {
            self.raw.clear();
            self.at = 0;
        }
    }
    /// Adds bytes to those that are converted last.
    fn add(&mut self, bytes: &[u8]) {
        self.raw.drain(..self.at);
        self.at = 0;
        self.raw.extend_from_slice(bytes);
    }
    /// Puts bytes before those that are converted next.
    fn put_back(&mut self, bytes: &[u8]) {
        match self.at.checked_sub(bytes.len()) {
            Some(start) => {
                self.raw[start..self.at].copy_from_slice(bytes);
                self.at = start;
            }
            None => {
                self.raw.splice(..self.at, bytes.iter().copied());
                self.at = 0;
            }
        }
    }
    /// The number of bytes to convert next, and whether only to the first character. Little more text than was asked for may come of them, because
    /// it counts as read: where bytes do not show what they become it is a character.
    fn window(&self, amount: Amount) -> (usize, bool) {
        const LONGEST: usize = 16;
        let rest = self.rest();
        let character = (rest.len().min(LONGEST), true);
        let (most, end) = match amount {
            Amount::All => return (rest.len(), false),
            Amount::Character => return character,
            Amount::Text { most, end } => (most, end),
        };
        let (unit, wide, opaque) = match self.kind.encodings {
            Some((from, to)) => {
                let wide = !from.is_ascii_compatible() || !to.is_ascii_compatible();
                (from.min_len(), wide, from.is_dummy() && !from.is_unicode() && !is_shifted(from))
            }
            None => (1, false, false),
        };
        if opaque || self.converter.waits() {
            return character;
        }
        let universal = self.kind.universal;
        let stop = |byte: &u8| Some(*byte) == end || universal && *byte == b'\r';
        if most == usize::MAX {
            let end = rest.iter().position(stop).map_or(rest.len(), |at| (at + 1).next_multiple_of(unit));
            return (end.min(rest.len()), false);
        }
        let rest = &rest[..rest.len().min(most)];
        let changed = |byte: &u8| wide || !byte.is_ascii() || *byte == b'\r';
        let plain = rest.iter().position(changed).unwrap_or(rest.len());
        match rest[..plain].iter().position(stop) {
            Some(at) => (at + 1, false),
            None if plain > 0 => (plain, false),
            None => character,
        }
    }
    /// Converts bytes; the error that has stopped it.
    fn convert(&mut self, amount: Amount, ended: bool, out: &mut Vec<u8>) -> Option<TranscodeError> {
        let (count, one) = self.window(amount);
        let partial = !ended || count < self.rest().len();
        let mut source = self.rest().get(..count).unwrap_or_default().to_vec();
        let stop = Stop { room: None, partial, after_output: one };
        let outcome = self.converter.run(&mut source, stop, out);
        self.skip(count.saturating_sub(source.len()));
        match outcome {
            Outcome::Invalid | Outcome::Incomplete | Outcome::Undefined => self.converter.take_error(),
            _ => None,
        }
    }
}

/// How much text one call converts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Amount {
    Character,
    /// Up to an ASCII character, and no more than some bytes.
    Text {
        most: usize,
        end: Option<u8>,
    },
    All,
}
impl Amount {
    pub(super) const LINE: Amount = Amount::Text { most: usize::MAX, end: Some(b'\n') };
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
            Some(conversion) => conversion.rest().to_vec(),
            None => self.take(usize::MAX >> 1),
        };
        self.consume(self.buffered());
        match wanted {
            Some(kind) => {
                let converter = self.converter(kind);
                let known = |(from, to)| can_transcode(from) && can_transcode(to);
                let lacking = kind.encodings.is_some_and(|pair| !known(pair));
                *now = Some(Box::new(Conversion { kind, converter, lacking, raw, at: 0 }));
            }
            None => self.unread(&raw),
        }
        wanted.is_some()
    }
    fn converter(&self, kind: Kind) -> Converter {
        let (invalid, undefined, replace) = self.replace.borrow().clone();
        let mut options =
            EncodeOptions { invalid, undefined, replace, any: kind.universal, ..EncodeOptions::default() };
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
        self.conversion.borrow().as_ref().map_or(0, |conversion| conversion.rest().len())
    }
    /// The number of bytes by which the handle is ahead of the program. What was converted counts as read, as in MRI: that is the text which was
    /// asked for, or a character more.
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
        let pair =
            self.conversion.borrow().as_ref().filter(|conversion| conversion.lacking).map(|now| now.kind.encodings);
        let Some(Some((from, to))) = pair else { return Ok(()) };
        let error = TranscodeError::NotFound { from: from.name().into(), to: to.name().into() };
        Err(crate::core::encoding::transcode_error(vm, &error))
    }
    /// Converts more text; false at the end.
    pub(super) fn fill_converted(&self, vm: &mut Vm, amount: Amount) -> Res<bool> {
        self.check_converter(vm)?;
        let (mut ended, mut hungry) = (false, self.unconverted() == 0);
        loop {
            vm.tick_by(1)?;
            if hungry && !ended {
                ended = !self.read_ahead(vm)?;
            }
            let mut out = Vec::new();
            let failed = {
                let mut now = self.conversion.borrow_mut();
                let Some(conversion) = &mut *now else { return Ok(false) };
                let before = conversion.rest().len();
                let failed = conversion.convert(amount, ended, &mut out);
                hungry = conversion.rest().is_empty() || conversion.rest().len() == before;
                failed
            };
            if let Some(error) = failed {
                self.consume(self.buffered());
                return Err(crate::core::encoding::transcode_error(vm, &error));
            }
            if !out.is_empty() {
                self.append(&out);
                return Ok(true);
            }
            if ended && hungry {
                if let Some(conversion) = &mut *self.conversion.borrow_mut() {
                    conversion.converter.restart();
                }
                return Ok(false);
            }
        }
    }
    /// Reads bytes to convert; false at the end.
    fn read_ahead(&self, vm: &mut Vm) -> Res<bool> {
        let chunk = self.chunk(vm)?;
        if let Some(conversion) = &mut *self.conversion.borrow_mut() {
            conversion.add(&chunk);
        }
        Ok(!chunk.is_empty())
    }
    /// Takes up to `count` bytes read ahead for a method that reads bytes. IOError if characters are waiting.
    pub(super) fn take_bytes(&self, vm: &mut Vm, count: usize) -> Res<Vec<u8>> {
        if !self.converts(vm) {
            return Ok(self.take(count));
        }
        // where only line ends are converted the text is as good
        if self.buffered() > 0 && self.wanted_conversion(vm).is_some_and(|kind| kind.encodings.is_some()) {
            return Err(vm.error(ClassId::IO_ERROR, "byte oriented read for character buffered IO"));
        }
        let mut taken = self.take(count);
        if let Some(conversion) = &mut *self.conversion.borrow_mut() {
            let rest = conversion.rest();
            let more = rest.len().min(count - taken.len());
            taken.extend_from_slice(&rest[..more]);
            conversion.skip(more);
        }
        Ok(taken)
    }
    /// Reads bytes ahead where none are; false at the end.
    pub(super) fn fill_bytes(&self, vm: &mut Vm) -> Res<bool> {
        if !self.converts(vm) {
            return Ok(self.buffered() > 0 || self.fill(vm)?);
        }
        Ok(self.held() > 0 || self.read_ahead(vm)?)
    }
    /// Whether there is nothing more to read.
    pub(super) fn at_end(&self, vm: &mut Vm) -> Res<bool> {
        if self.fill_bytes(vm)? {
            return Ok(false);
        }
        // a line end may be half read
        let waits = self.conversion.borrow().as_ref().is_some_and(|conversion| conversion.converter.waits());
        Ok(!(waits && self.fill_converted(vm, Amount::Character)?))
    }
    /// Puts bytes before those that methods that read bytes get next.
    pub(super) fn unread_bytes(&self, vm: &mut Vm, bytes: &[u8]) {
        if self.converts(vm) {
            if let Some(conversion) = &mut *self.conversion.borrow_mut() {
                conversion.put_back(bytes);
            }
        } else {
            self.unread(bytes);
        }
    }
}
