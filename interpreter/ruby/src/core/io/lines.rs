//! Lines and characters of a stream.

use super::conversion::Amount;
use super::mode::{default_external, text_value};
use super::stream::Stream;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{CharStep, Encoding, char_len_at};
use std::rc::Rc;

/// A line separator.
#[derive(Clone, PartialEq)]
pub enum Separator {
    /// None: everything is one line.
    None,
    Paragraph,
    Bytes(Vec<u8>),
}

/// Arguments of `gets` and related methods.
#[derive(Clone)]
pub struct LineArgs {
    pub separator: Separator,
    /// Maximum number of bytes; None: unlimited.
    pub limit: Option<usize>,
    /// Whether to remove the separator.
    pub chomp: bool,
    plain: bool,
    /// The encoding of the separator, and whether it is ASCII only.
    of_separator: (Encoding, bool),
}

fn separator(vm: &mut Vm, value: &Value) -> Res<(Separator, (Encoding, bool))> {
    Ok(match value {
        Value::Nil => (Separator::None, (Encoding::UsAscii, true)),
        value => {
            let text = vm.to_str(value)?;
            let text = text.get(vm);
            let bytes = text.bytes().to_vec();
            let separator = if bytes.is_empty() { Separator::Paragraph } else { Separator::Bytes(bytes) };
            (separator, (text.encoding(), text.is_ascii()))
        }
    })
}

/// Reads `(separator = $/, limit = nil, chomp: false)`. Other positional arguments must have been removed.
pub fn line_args(vm: &mut Vm, pos: &[Value], chomp: bool) -> Res<LineArgs> {
    if pos.is_empty() {
        let default = vm.global_get(sym::DOLLAR_SLASH)?;
        let (separator, of_separator) = separator(vm, &default)?;
        let plain = matches!(&separator, Separator::Bytes(bytes) if bytes == b"\n");
        return Ok(LineArgs { separator, limit: None, chomp, plain, of_separator });
    }
    if pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "0..2"));
    }
    let (mut sep, mut limit) = (None, None);
    match pos {
        [one] => match one {
            Value::Nil | Value::Str(_) => sep = Some(one.clone()),
            Value::Int(_) => limit = Some(one.clone()),
            other => match vm.check_str(other)? {
                Some(text) => sep = Some(Value::Str(text)),
                None => limit = Some(other.clone()),
            },
        },
        [first, second, ..] => {
            sep = Some(first.clone());
            limit = Some(second.clone()).filter(|value| !value.is_nil());
        }
        [] => {}
    }
    let sep = match sep {
        Some(sep) => sep,
        None => vm.global_get(sym::DOLLAR_SLASH)?,
    };
    let limit = match limit {
        Some(limit) => usize::try_from(vm.to_int(&limit)?).ok(),
        None => None,
    };
    let (separator, of_separator) = separator(vm, &sep)?;
    Ok(LineArgs { separator, limit, chomp, plain: false, of_separator })
}

/// The same from the arguments of a call, including `chomp:`.
pub fn call_line_args(vm: &mut Vm, args: Args<'_>) -> Res<LineArgs> {
    let (pos, [chomp]) = args.take_keywords(vm, [sym::CHOMP])?;
    line_args(vm, pos, chomp.is_some_and(|value| value.truthy()))
}

impl Stream {
    /// The encoding of results.
    pub fn read_encoding(&self, vm: &mut Vm) -> Encoding {
        self.external.get().unwrap_or_else(|| default_external(vm))
    }

    /// The bytes of the next line; None at the end.
    pub fn line(&self, vm: &mut Vm, how: &LineArgs) -> Res<Option<Vec<u8>>> {
        self.reading(vm)?;
        self.converts(vm);
        let encoding = self.text_encoding(vm);
        if how.plain {
            return match encoding.is_ascii_compatible() {
                true => self.simple_line(vm, how.chomp),
                false => self.wide_line(vm, how.chomp, encoding),
            };
        }
        let (own, ascii) = how.of_separator;
        if matches!(how.separator, Separator::Bytes(_))
            && own != encoding
            && (!ascii || !encoding.is_ascii_compatible())
        {
            let text = format!("encoding mismatch: {} IO with {} RS", encoding.name(), own.name());
            return Err(vm.argument_error(text));
        }
        if how.limit == Some(0) {
            return Ok(Some(Vec::new()));
        }
        match (&how.separator, how.limit) {
            (Separator::None, None) => {
                let mut all = self.read_to_end(vm)?;
                if all.is_empty() {
                    return Ok(None);
                }
                if how.chomp {
                    chomp(&mut all, b"\n");
                }
                Ok(Some(all))
            }
            (Separator::None, Some(limit)) => self.until(vm, None, Some(limit)),
            (Separator::Paragraph, limit) => {
                let newline = widened('\n', encoding);
                self.skip_newlines(vm, &newline)?;
                let mut found = self.until(vm, Some(&newline.repeat(2)), limit)?;
                self.skip_newlines(vm, &newline)?;
                if how.chomp
                    && let Some(line) = &mut found
                {
                    while line.ends_with(&newline) {
                        line.truncate(line.len() - newline.len());
                    }
                }
                Ok(found)
            }
            (Separator::Bytes(bytes), limit) => {
                let mut found = self.until(vm, Some(bytes), limit)?;
                if how.chomp
                    && let Some(line) = &mut found
                {
                    chomp(line, bytes);
                }
                Ok(found)
            }
        }
    }

    fn simple_line(&self, vm: &mut Vm, chomp_it: bool) -> Res<Option<Vec<u8>>> {
        let mut scanned = 0;
        loop {
            let found = self.with_buffer(|buffer| memchr(b'\n', &buffer[scanned.min(buffer.len())..]));
            let mut line = match found {
                Some(at) => self.take(scanned + at + 1),
                None => {
                    scanned = self.buffered();
                    if self.fill(vm)? {
                        continue;
                    }
                    if self.buffered() == 0 {
                        return Ok(None);
                    }
                    self.take(usize::MAX >> 1)
                }
            };
            if chomp_it {
                chomp(&mut line, b"\n");
            }
            return Ok(Some(line));
        }
    }

    /// A line of text whose characters have more than one byte each.
    fn wide_line(&self, vm: &mut Vm, chomp_it: bool, encoding: Encoding) -> Res<Option<Vec<u8>>> {
        let newline = widened('\n', encoding);
        let mut line = self.until(vm, Some(&newline), None)?;
        if chomp_it && let Some(line) = &mut line {
            for end in [newline, widened('\r', encoding)] {
                if !line.ends_with(&end) {
                    break;
                }
                line.truncate(line.len() - end.len());
            }
        }
        Ok(line)
    }

    fn skip_newlines(&self, vm: &mut Vm, newline: &[u8]) -> Res<()> {
        loop {
            if self.buffered() < newline.len() && !self.fill_with(vm, Amount::Character)? {
                return Ok(());
            }
            if !self.with_buffer(|buffer| buffer.starts_with(newline)) {
                return Ok(());
            }
            self.consume(newline.len());
        }
    }

    /// Reads up to and including the separator, at most `limit` bytes but only whole characters.
    fn until(&self, vm: &mut Vm, separator: Option<&[u8]>, limit: Option<usize>) -> Res<Option<Vec<u8>>> {
        let mut out: Vec<u8> = Vec::new();
        let encoding = self.text_encoding(vm);
        let unit = encoding.min_len();
        loop {
            if limit.is_some_and(|limit| out.len() >= limit) {
                self.complete(vm, &mut out)?;
                break;
            }
            let room = limit.map_or(usize::MAX, |limit| limit - out.len());
            if self.buffered() == 0 && !self.fill_with(vm, amount(separator, room, encoding))? {
                break;
            }
            let last = separator.and_then(|separator| separator.last().copied());
            let count = self.with_buffer(|buffer| {
                let window = &buffer[..buffer.len().min(room)];
                last.and_then(|last| memchr(last, window)).map_or(window.len(), |at| at + 1)
            });
            vm.check_growth(out.len(), count)?;
            out.extend(self.take(count));
            if separator.is_some_and(|separator| out.ends_with(separator) && out.len().is_multiple_of(unit)) {
                break;
            }
        }
        Ok(if out.is_empty() { None } else { Some(out) })
    }

    /// Reads the remaining bytes of an incomplete last character.
    fn complete(&self, vm: &mut Vm, out: &mut Vec<u8>) -> Res<()> {
        let encoding = self.text_encoding(vm);
        if encoding.is_single_byte() || encoding == Encoding::Binary || out.is_empty() {
            return Ok(());
        }
        let mut last = 0;
        if encoding == Encoding::Utf8 {
            let back = out.iter().rev().take(4).position(|byte| byte & 0xc0 != 0x80);
            last = out.len() - back.map_or(1, |back| back + 1);
        } else {
            let mut at = 0;
            while at < out.len() {
                last = at;
                at += char_len_at(out, at, encoding).len();
            }
        }
        if char_len_at(out, last, encoding).is_valid() {
            return Ok(());
        }
        let mut tried = out[last..].to_vec();
        let before = tried.len();
        while tried.len() < encoding.max_len() {
            if self.buffered() == 0 && !self.fill_with(vm, Amount::Character)? {
                break;
            }
            tried.extend(self.take(1));
            if matches!(char_len_at(&tried, 0, encoding), CharStep::Valid(len) if len == tried.len()) {
                out.truncate(last);
                out.extend(tried);
                return Ok(());
            }
        }
        self.unread(&tried[before..]);
        Ok(())
    }

    /// The bytes of the next character; None at the end.
    pub fn character(&self, vm: &mut Vm) -> Res<Option<Vec<u8>>> {
        self.reading(vm)?;
        self.converts(vm);
        if self.buffered() == 0 && !self.fill_with(vm, Amount::Character)? {
            return Ok(None);
        }
        let encoding = self.text_encoding(vm);
        let most = encoding.max_len();
        loop {
            let (step, have) = self.with_buffer(|buffer| {
                (char_len_at(&buffer[..buffer.len().min(most.max(1))], 0, encoding), buffer.len())
            });
            if !step.is_valid() && have < most && self.fill_with(vm, Amount::Character)? {
                continue;
            }
            return Ok(Some(self.take(step.len().max(1))));
        }
    }
}

/// How much text to read at a time until a separator.
fn amount(separator: Option<&[u8]>, most: usize, encoding: Encoding) -> Amount {
    let Some(separator) = separator else { return Amount::Text { most, end: None } };
    let end = match separator.last() {
        Some(last) if encoding.is_ascii_compatible() => Some(*last).filter(u8::is_ascii),
        _ => Some(b'\n').filter(|_| separator.ends_with(&widened('\n', encoding))),
    };
    if end.is_some() { Amount::Text { most, end } } else { Amount::Character }
}
/// The bytes of an ASCII character in an encoding.
fn widened(character: char, encoding: Encoding) -> Vec<u8> {
    let mut out = Vec::new();
    if encoding.is_ascii_compatible() {
        out.push(character as u8);
    } else {
        rchef_text::encoding::from_unicode(character, encoding, &mut out);
    }
    out
}

pub fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&other| other == byte)
}

/// Removes a separator from the end; with a newline also a carriage return before it.
pub fn chomp(line: &mut Vec<u8>, separator: &[u8]) {
    if separator == b"\n" {
        if line.last() == Some(&b'\n') {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
        }
    } else if line.ends_with(separator) {
        line.truncate(line.len() - separator.len());
    }
}

/// The next line as a String, and counts it; None at the end.
pub fn next_line(vm: &mut Vm, stream: &Stream, how: &LineArgs) -> Res<Option<Value>> {
    let Some(bytes) = stream.line(vm, how)? else { return Ok(None) };
    if how.limit != Some(0) {
        stream.lineno.set(stream.lineno.get() + 1);
        let lineno = stream.lineno.get();
        vm.line_was_read(stream, lineno);
    }
    Ok(Some(text_value(vm, stream, bytes)))
}

/// `gets`, which also sets `$_`.
pub(super) fn gets(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = super::handle::stream_of(vm, this)?;
    let how = call_line_args(vm, args)?;
    let line = Value::or_nil(next_line(vm, &stream, &how)?);
    vm.global_set(sym::DOLLAR_UNDERSCORE, line.clone())?;
    Ok(line)
}
pub(super) fn readline(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let line = gets(vm, this, args)?;
    if line.is_nil() { Err(vm.error(ClassId::EOF_ERROR, "end of file reached")) } else { Ok(line) }
}
/// Passes every line to a closure.
pub fn each(
    vm: &mut Vm,
    stream: &Rc<Stream>,
    how: &LineArgs,
    name: &str,
    mut take: impl FnMut(&mut Vm, Value) -> Res<()>,
) -> Res<()> {
    if how.limit == Some(0) {
        return Err(vm.argument_error(format!("invalid limit: 0 for {name}")));
    }
    while let Some(line) = next_line(vm, stream, how)? {
        take(vm, line)?;
    }
    Ok(())
}
pub(super) fn each_line(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_line", args) };
    let stream = super::handle::stream_of(vm, this)?;
    let how = call_line_args(vm, args)?;
    stream.reading(vm)?;
    each(vm, &stream, &how, "each_line", |vm, line| vm.yield1(block, line).map(drop))?;
    Ok(this.clone())
}
pub(super) fn readlines(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = super::handle::stream_of(vm, this)?;
    let how = call_line_args(vm, args)?;
    stream.reading(vm)?;
    let mut lines = Vec::new();
    each(vm, &stream, &how, "readlines", |_, line| {
        lines.push(line);
        Ok(())
    })?;
    Ok(Value::array(lines))
}

pub(super) fn getc(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = super::handle::stream_of(vm, this)?;
    match stream.character(vm)? {
        Some(bytes) => Ok(text_value(vm, &stream, bytes)),
        None => Ok(Value::Nil),
    }
}
fn eof_error(vm: &mut Vm) -> crate::Error {
    vm.error(ClassId::EOF_ERROR, "end of file reached")
}
pub(super) fn readchar(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = getc(vm, this, args)?;
    if found.is_nil() { Err(eof_error(vm)) } else { Ok(found) }
}
pub(super) fn getbyte(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let stream = super::handle::stream_of(vm, this)?;
    stream.reading(vm)?;
    if !stream.fill_bytes(vm)? {
        return Ok(Value::Nil);
    }
    Ok(stream.take_bytes(vm, 1)?.first().map_or(Value::Nil, |&byte| Value::Int(i64::from(byte))))
}
pub(super) fn readbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = getbyte(vm, this, args)?;
    if found.is_nil() { Err(eof_error(vm)) } else { Ok(found) }
}
pub(super) fn each_byte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_byte", args) };
    loop {
        let byte = getbyte(vm, this, Args::none())?;
        if byte.is_nil() {
            return Ok(this.clone());
        }
        vm.yield1(block, byte)?;
    }
}
pub(super) fn each_char(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_char", args) };
    loop {
        let found = getc(vm, this, Args::none())?;
        if found.is_nil() {
            return Ok(this.clone());
        }
        vm.yield1(block, found)?;
    }
}
pub(super) fn each_codepoint(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return vm.enumerator(this, "each_codepoint", args) };
    loop {
        let found = getc(vm, this, Args::none())?;
        if found.is_nil() {
            return Ok(this.clone());
        }
        let code = vm.call(&found, Symbol::intern_static("ord"), &[])?;
        vm.yield1(block, code)?;
    }
}
pub(super) fn ungetbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = super::handle::stream_of(vm, this)?;
    stream.reading(vm)?;
    match args.at(0) {
        Value::Nil => {}
        Value::Int(byte) => stream.unread_bytes(vm, &[(*byte & 0xff) as u8]),
        Value::Big(_) => {
            let number = vm.to_bigint(args.at(0))?;
            let low = number.to_signed_bytes_le().first().copied().unwrap_or(0);
            stream.unread_bytes(vm, &[low]);
        }
        other => {
            let text = vm.to_str(other)?;
            let bytes = text.get(vm).bytes().to_vec();
            stream.unread_bytes(vm, &bytes);
        }
    }
    Ok(Value::Nil)
}
pub(super) fn ungetc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let stream = super::handle::stream_of(vm, this)?;
    stream.reading(vm)?;
    stream.converts(vm);
    match args.at(0) {
        Value::Nil => {}
        Value::Int(code) => {
            let encoding = stream.text_encoding(vm);
            let mut out = Vec::new();
            let fine = u64::try_from(*code)
                .ok()
                .is_some_and(|code| rchef_text::encoding::encode_codepoint(code, encoding, &mut out).is_ok());
            if !fine {
                return Err(vm.range_error(format!("{code} out of char range")));
            }
            stream.unread(&out);
        }
        other => {
            let text = vm.to_str(other)?;
            let bytes = text.get(vm).bytes().to_vec();
            stream.unread(&bytes);
        }
    }
    Ok(Value::Nil)
}
