//! Encoding::Converter: incremental conversion, on top of the whole-text conversion of `rchef_text`.

use super::encoding;
use super::string::EncodeOptions;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_text::encoding::{self as enc, CharStep, Encoding, Options, TranscodeError};

/// State of an Encoding::Converter.
#[derive(Default)]
struct Converter {
    /// Source encoding; None if only newlines and markup are converted.
    from: Option<Encoding>,
    to: Option<Encoding>,
    options: EncodeOptions,
    /// Input that has not been converted: part of a character, or what followed an error.
    ahead: Vec<u8>,
    /// Output that has not been returned yet.
    out: Vec<u8>,
    pending_cr: bool,
    /// The byte order given by a byte order mark; None until it has been read.
    order: Option<Encoding>,
    begun: bool,
    finished: bool,
    /// ISO-2022-JP: the active escape sequence.
    shift: Vec<u8>,
    result: Outcome,
    last_error: Option<TranscodeError>,
}
impl NativeData for Converter {}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Outcome {
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
    fn name(self) -> &'static str {
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

const PARTIAL_INPUT: i64 = 65536;
const AFTER_OUTPUT: i64 = 131_072;
static CONSTANTS: &[(&str, i64)] = &[
    ("INVALID_MASK", 15),
    ("INVALID_REPLACE", 2),
    ("UNDEF_MASK", 240),
    ("UNDEF_REPLACE", 32),
    ("UNDEF_HEX_CHARREF", 48),
    ("PARTIAL_INPUT", PARTIAL_INPUT),
    ("AFTER_OUTPUT", AFTER_OUTPUT),
    ("UNIVERSAL_NEWLINE_DECORATOR", 256),
    ("CRLF_NEWLINE_DECORATOR", 4096),
    ("CR_NEWLINE_DECORATOR", 8192),
    ("XML_TEXT_DECORATOR", 16384),
    ("XML_ATTR_CONTENT_DECORATOR", 32768),
    ("XML_ATTR_QUOTE_DECORATOR", 1_048_576),
];
static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("convert", convert, 1),
    def("finish", finish, 0),
    opt("primitive_convert", primitive_convert, 2, 5),
    def("primitive_errinfo", primitive_errinfo, 0),
    opt("putback", putback, 0, 1),
    def("insert_output", insert_output, 1),
    def("last_error", last_error, 0),
    def("source_encoding", source_encoding, 0),
    def("destination_encoding", destination_encoding, 0),
    def("replacement", replacement, 0),
    def("replacement=", set_replacement, 1),
    def("convpath", convpath, 0),
    def("inspect", inspect, 0),
    def("==", equal, 1),
];
static SINGLETON: &[MethodDef] =
    &[def("asciicompat_encoding", asciicompat_encoding, 1), any("search_convpath", search_convpath)];

/// Converts without options.
fn plain(bytes: &[u8], from: Encoding, to: Encoding) -> Result<Vec<u8>, TranscodeError> {
    enc::transcode(bytes, from, to, &mut Options::default())
}

impl Converter {
    /// Appends the output of a conversion; for ISO-2022-JP without unnecessary escape sequences.
    fn emit(&mut self, bytes: &[u8]) {
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
            Some('\n') if flags.crlf || flags.cr => {
                self.newline();
                return true;
            }
            Some('&') if flags.xml_text || flags.xml_attr => "&amp;",
            Some('<') if flags.xml_text || flags.xml_attr => "&lt;",
            Some('>') if flags.xml_text || flags.xml_attr => "&gt;",
            Some('"') if flags.xml_attr => "&quot;",
            _ => return false,
        };
        self.emit_ascii(text);
        true
    }
    fn newline(&mut self) {
        let flags = self.options.decorators;
        self.emit_ascii(if flags.crlf {
            "\r\n"
        } else if flags.cr {
            "\r"
        } else {
            "\n"
        });
    }
    /// Converts the character at the start of `rest`; returns the number of bytes consumed. The bytes of an error are consumed as well.
    fn step(&mut self, rest: &[u8]) -> Result<usize, TranscodeError> {
        let (Some(from), Some(to)) = (self.from, self.to) else {
            if !self.decorate(rest.first().map(|byte| char::from(*byte)).filter(char::is_ascii)) {
                self.out.push(rest[0]);
            }
            return Ok(1);
        };
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
    /// Converts the remaining input and `source` until something stops it; `room` is the maximum number of output bytes.
    fn run(
        &mut self,
        source: &mut Vec<u8>,
        room: Option<usize>,
        partial: bool,
        after_output: bool,
        given: &mut Vec<u8>,
    ) -> Outcome {
        let mut input = std::mem::take(&mut self.ahead);
        let ahead = input.len();
        input.append(source);
        let mut pos = 0;
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
                if self.pending_cr || !self.shift.is_empty() {
                    if std::mem::take(&mut self.pending_cr) {
                        self.newline();
                    }
                    if !std::mem::take(&mut self.shift).is_empty() {
                        self.out.extend_from_slice(b"\x1B(B");
                    }
                    continue;
                }
                break Outcome::Finished;
            }
            match self.step(&input[pos..]) {
                Ok(len) => pos += len.max(1),
                Err(TranscodeError::NotFound { .. }) => break Outcome::Finished,
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
                    let len = match self.from {
                        Some(from) => enc::char_len_at(&input, pos, self.order.unwrap_or(from)).len(),
                        None => 1,
                    };
                    pos += len.max(1);
                    if self.options.decorators.xml_text || self.options.decorators.xml_attr {
                        let code = enc::decode(&info.error_bytes, info.source);
                        self.emit_ascii(&format!("&#x{code:X};"));
                        continue;
                    }
                    if self.options.undefined {
                        self.substitute();
                        continue;
                    }
                    self.last_error = Some(TranscodeError::Undefined(info));
                    break Outcome::Undefined;
                }
            }
        };
        // bytes that were in `ahead` stay there; the caller's bytes are returned to `source`
        let left = if pos < input.len() { input.split_off(pos) } else { Vec::new() };
        let own = left.len().saturating_sub(ahead.saturating_sub(pos));
        let (mine, theirs) = left.split_at(left.len() - own);
        self.ahead.extend_from_slice(mine);
        source.extend_from_slice(theirs);
        self.result = outcome;
        self.finished |= outcome == Outcome::Finished;
        if !matches!(outcome, Outcome::Invalid | Outcome::Incomplete | Outcome::Undefined) {
            self.last_error = None;
        }
        outcome
    }
}

fn state<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut Converter> {
    if vm.data::<Converter>(this).is_none() {
        return Err(vm.type_error("uninitialized Encoding::Converter"));
    }
    match vm.data_mut::<Converter>(this) {
        Some(state) => Ok(state),
        None => Err(Error::from(crate::error::Unwind::Retry)),
    }
}
fn ascii(text: &str) -> Value {
    Value::string(RString::ascii(text))
}
/// Source and destination by name; None for an empty name.
fn ends(vm: &mut Vm, from: &Value, to: &Value) -> Res<(Option<Encoding>, Option<Encoding>)> {
    let mut found = [None; 2];
    let mut names = [String::new(), String::new()];
    let mut unknown = false;
    for (index, value) in [from, to].into_iter().enumerate() {
        match encoding::find(vm, value)? {
            Ok(encoding) => {
                found[index] = Some(encoding);
                names[index] = encoding.name().to_string();
            }
            Err(name) => {
                unknown |= !name.is_empty();
                names[index] = name;
            }
        }
    }
    let same = found[0].is_some() && found[0] == found[1];
    let lacking = found.iter().flatten().any(|encoding| !enc::can_transcode(*encoding));
    if unknown || same || lacking || found[0].is_some() != found[1].is_some() {
        let [from, to] = names;
        return Err(encoding::transcode_error(vm, &TranscodeError::NotFound { from, to }));
    }
    Ok((found[0], found[1]))
}
/// Converts options given as flags or keywords.
fn options(vm: &mut Vm, value: Option<&Value>) -> Res<EncodeOptions> {
    match value {
        None | Some(Value::Nil) => Ok(EncodeOptions::default()),
        Some(Value::Hash(hash)) => super::string::encode_options(vm, Some(hash)),
        Some(other) => match vm.check_hash(other)? {
            Some(hash) => super::string::encode_options(vm, Some(&hash)),
            None => {
                let flags = vm.to_int(other)?;
                let mut options = EncodeOptions {
                    invalid: flags & 15 == 2,
                    undefined: flags & 240 == 32,
                    ..EncodeOptions::default()
                };
                let to = &mut options.decorators;
                (to.universal, to.crlf, to.cr) = (flags & 256 != 0, flags & 4096 != 0, flags & 8192 != 0);
                (to.xml_text, to.xml_attr) = (flags & 16384 != 0, flags & 32768 != 0);
                options.any = flags != 0;
                Ok(options)
            }
        },
    }
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let made = match args.pos {
        [Value::Array(path)] => from_path(vm, path)?,
        [from, to] | [from, to, _] => {
            let (from, to) = ends(vm, from, to)?;
            let options = options(vm, args.get(2))?;
            Converter { from, to, options, ..Converter::default() }
        }
        _ => return Err(vm.arity_error(args.len(), "1..3")),
    };
    vm.set_data(this, made);
    Ok(Value::Nil)
}
/// Creates a converter from a path in the form of `convpath`.
fn from_path(vm: &mut Vm, path: &Gc<crate::value::RArray>) -> Res<Converter> {
    let mut made = Converter::default();
    let items = path.get(vm).items.clone();
    if items.is_empty() {
        return Err(vm.argument_error("empty conversion path"));
    }
    for item in items {
        if let Some(pair) = vm.check_ary(&item)? {
            let pair = pair.get(vm).items.clone();
            let [from, to] = pair.as_slice() else {
                return Err(vm.argument_error("not a 2-element array in convpath"));
            };
            let (from, to) = ends(vm, from, to)?;
            made.from = made.from.or(from);
            made.to = to;
            continue;
        }
        let flags = &mut made.options.decorators;
        made.options.any = true;
        match vm.to_text(&item)?.as_str() {
            "universal_newline" => flags.universal = true,
            "crlf_newline" => flags.crlf = true,
            "cr_newline" => flags.cr = true,
            "xml_text_escape" => flags.xml_text = true,
            "xml_attr_content_escape" | "xml_attr_quote" => flags.xml_attr = true,
            other => return Err(vm.argument_error(format!("decoder failed: {other}"))),
        }
    }
    Ok(made)
}

fn made(vm: &mut Vm, this: &Value, bytes: Vec<u8>) -> Res {
    let to = state(vm, this)?.to;
    Ok(Value::string(RString::new(bytes, to.unwrap_or(Encoding::Utf8))))
}
fn failure(vm: &mut Vm, this: &Value) -> Res<Option<Error>> {
    let error = state(vm, this)?.last_error.clone();
    Ok(error.map(|error| encoding::transcode_error(vm, &error)))
}
fn convert(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut source = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    let state = state(vm, this)?;
    if state.finished {
        return Err(vm.argument_error("converter already finished"));
    }
    let mut out = Vec::new();
    match state.run(&mut source, None, true, false, &mut out) {
        Outcome::Invalid | Outcome::Undefined | Outcome::Incomplete => {
            state.ahead.clear();
            match failure(vm, this)? {
                Some(error) => Err(error),
                None => Ok(Value::Nil),
            }
        }
        _ => made(vm, this, out),
    }
}
fn finish(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let state = state(vm, this)?;
    let mut out = Vec::new();
    match state.run(&mut Vec::new(), None, false, false, &mut out) {
        Outcome::Finished => made(vm, this, out),
        _ => match failure(vm, this)? {
            Some(error) => Err(error),
            None => made(vm, this, out),
        },
    }
}
fn primitive_convert(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut flags = 0;
    let (mut pos, keywords) = args.split();
    let hash = match (keywords, pos.get(4)) {
        (Some(hash), _) => Some(hash.clone()),
        (None, Some(Value::Hash(hash))) => Some(hash.clone()),
        (None, Some(Value::Nil) | None) => None,
        (None, Some(value)) => {
            flags = vm.to_int(value)?;
            None
        }
    };
    if let Some(hash) = hash {
        for (name, flag) in [("partial_input", PARTIAL_INPUT), ("after_output", AFTER_OUTPUT)] {
            if vm.hash_get_sym(&hash, Symbol::intern_static(name)).is_some_and(|value| value.truthy()) {
                flags |= flag;
            }
        }
        pos = &pos[..pos.len().min(4)];
    }
    if pos.len() < 2 {
        return Err(vm.arity_error(pos.len(), "2..5"));
    }
    let source = if pos[0].is_nil() { None } else { Some(vm.to_str(&pos[0])?) };
    let destination = vm.to_str(&pos[1])?;
    let number = |vm: &mut Vm, index: usize, what: &str| -> Res<Option<usize>> {
        match pos.get(index) {
            None | Some(Value::Nil) => Ok(None),
            Some(value) => {
                let number = vm.to_int(value)?;
                usize::try_from(number).map(Some).map_err(|_| vm.argument_error(format!("negative {what}")))
            }
        }
    };
    let offset = number(vm, 2, "output_byteoffset")?;
    let room = number(vm, 3, "output_bytesize")?;
    vm.check_frozen(&Value::Str(destination.clone()))?;
    let size = destination.get(vm).bytesize();
    let offset = match offset {
        Some(offset) if offset > size => return Err(vm.argument_error("output_byteoffset too big")),
        Some(offset) => offset,
        None if room.is_some() || pos.len() < 3 => size * usize::from(pos.len() >= 3),
        None => size,
    };
    let mut input = match &source {
        Some(text) => text.get(vm).bytes().to_vec(),
        None => Vec::new(),
    };
    let mut out = Vec::new();
    let state = state(vm, this)?;
    let to = state.to;
    let outcome = state.run(&mut input, room, flags & PARTIAL_INPUT != 0, flags & AFTER_OUTPUT != 0, &mut out);
    if let Some(text) = source {
        *text.get_mut(vm).bytes_mut() = input;
    }
    let string = destination.get_mut(vm);
    string.bytes_mut().truncate(offset);
    string.bytes_mut().extend_from_slice(&out);
    if let Some(to) = to {
        string.set_encoding(to);
    }
    Ok(Value::Sym(Symbol::intern_static(outcome.name())))
}
fn primitive_errinfo(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let state = state(vm, this)?;
    let mut items = vec![Value::Sym(Symbol::intern_static(state.result.name()))];
    match &state.last_error {
        Some(TranscodeError::Invalid(info) | TranscodeError::Undefined(info)) => {
            items.push(ascii(info.source.name()));
            items.push(ascii(info.destination.name()));
            items.push(Value::string(RString::binary(info.error_bytes.clone())));
            items.push(Value::string(RString::binary(info.readagain_bytes.clone())));
        }
        _ => items.extend([const { Value::Nil }; 4]),
    }
    Ok(Value::array(items))
}
fn putback(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let most = match args.at(0) {
        Value::Nil => None,
        value => Some(vm.to_int(value)?),
    };
    let state = state(vm, this)?;
    let count = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX).min(state.ahead.len());
    let bytes = state.ahead.split_off(state.ahead.len() - count);
    let from = state.from.unwrap_or(Encoding::Binary);
    Ok(Value::string(RString::new(bytes, from)))
}
fn insert_output(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = vm.to_str(args.at(0))?;
    let (bytes, own) = (text.get(vm).bytes().to_vec(), text.get(vm).encoding());
    let to = state(vm, this)?.to.unwrap_or(own);
    match plain(&bytes, own, to) {
        Ok(bytes) => state(vm, this)?.emit(&bytes),
        Err(error) => return Err(encoding::transcode_error(vm, &error)),
    }
    Ok(Value::Nil)
}
fn last_error(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(match failure(vm, this)? {
        Some(error) => vm.error_value(error),
        None => Value::Nil,
    })
}
fn source_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = state(vm, this)?.from;
    Ok(found.map_or(Value::Nil, |found| encoding::object(vm, found)))
}
fn destination_encoding(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = state(vm, this)?.to;
    Ok(found.map_or(Value::Nil, |found| encoding::object(vm, found)))
}
fn replacement(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let state = state(vm, this)?;
    Ok(match &state.options.replace {
        Some(text) => Value::string(text.clone()),
        None if state.to.is_some_and(Encoding::is_unicode) => Value::str("\u{FFFD}"),
        None => ascii("?"),
    })
}
fn set_replacement(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = vm.to_str(args.at(0))?;
    let (bytes, own) = (text.get(vm).bytes().to_vec(), text.get(vm).encoding());
    let to = state(vm, this)?.to.unwrap_or(own);
    match plain(&bytes, own, to) {
        Ok(bytes) => state(vm, this)?.options.replace = Some(RString::new(bytes, to)),
        Err(error) => return Err(encoding::transcode_error(vm, &error)),
    }
    Ok(args.at(0).clone())
}
/// The conversion path between two encodings, with decorators.
fn path(vm: &mut Vm, from: Option<Encoding>, to: Option<Encoding>, options: &EncodeOptions) -> Value {
    let mut steps = Vec::new();
    if let (Some(from), Some(to)) = (from, to) {
        let (a, b, utf8) = (encoding::object(vm, from), encoding::object(vm, to), encoding::object(vm, Encoding::Utf8));
        if from == Encoding::Utf8 || to == Encoding::Utf8 {
            steps.push(Value::array(vec![a, b]));
        } else {
            steps.push(Value::array(vec![a, utf8.clone()]));
            steps.push(Value::array(vec![utf8, b]));
        }
    }
    let flags = options.decorators;
    let names = [
        (flags.xml_text, "xml_text_escape"),
        (flags.xml_attr, "xml_attr_content_escape"),
        (flags.xml_attr, "xml_attr_quote"),
        (flags.crlf, "crlf_newline"),
        (flags.cr, "cr_newline"),
        (flags.universal, "universal_newline"),
    ];
    for (_, name) in names.into_iter().filter(|(on, _)| *on) {
        let at = if to.is_some_and(|to| !to.is_ascii_compatible()) { steps.len() - 1 } else { steps.len() };
        steps.insert(at, ascii(name));
    }
    Value::array(steps)
}
fn convpath(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let state = state(vm, this)?;
    let (from, to) = (state.from, state.to);
    let options = EncodeOptions { decorators: state.options.decorators, ..EncodeOptions::default() };
    Ok(path(vm, from, to, &options))
}
fn search_convpath(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let [from, to, ..] = args.pos else { return Err(vm.arity_error(args.len(), "2..3")) };
    let (from, to) = ends(vm, from, to)?;
    let options = options(vm, args.get(2))?;
    Ok(path(vm, from, to, &options))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let state = state(vm, this)?;
    let name = |side: Option<Encoding>| side.map_or("", Encoding::name);
    Ok(ascii(&format!("#<Encoding::Converter: {} to {}>", name(state.from), name(state.to))))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (Some(a), Some(b)) = (vm.data::<Converter>(this), vm.data::<Converter>(args.at(0))) else {
        return Ok(Value::False);
    };
    let text = |state: &Converter| state.options.replace.as_ref().map(|text| text.bytes().to_vec());
    let same = a.from == b.from && a.to == b.to && a.options.decorators == b.options.decorators && text(a) == text(b);
    Ok(Value::bool(same))
}
/// The ASCII-compatible encoding with the same characters; nil if the encoding is compatible itself.
fn asciicompat_encoding(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Ok(found) = encoding::find(vm, args.at(0))? else { return Ok(Value::Nil) };
    Ok(match found {
        Encoding::Iso2022Jp => {
            Encoding::find("stateless-ISO-2022-JP").map_or(Value::Nil, |found| encoding::object(vm, found))
        }
        _ if found.is_unicode() && !found.is_ascii_compatible() => encoding::object(vm, Encoding::Utf8),
        _ => Value::Nil,
    })
}

pub(super) fn boot(vm: &mut Vm) {
    let class = vm.define_class(ClassId::ENCODING, "Converter", ClassId::OBJECT);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(class, METHODS);
    vm.define_singleton_methods(class, SINGLETON);
    for (name, value) in CONSTANTS {
        vm.const_set(class, Symbol::intern_static(name), Value::Int(*value));
    }
}
