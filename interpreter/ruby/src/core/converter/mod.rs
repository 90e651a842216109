//! Encoding::Converter: incremental conversion, on top of the whole-text conversion of `rchef_text`.

mod steps;

pub(crate) use steps::{Converter, Outcome, Stop};

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
use crate::value::Value;
use rchef_text::encoding::{self as enc, Encoding, TranscodeError};
use steps::plain;

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
                    references: flags & 240 == 48,
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
            let mut made = Converter::default();
            if let (Value::Str(from), Value::Str(to)) = (from, to)
                && from.get(vm).bytes().is_empty()
                && made.add(&to.get(vm).to_text())
            {
                made
            } else {
                between(vm, from, to, args.get(2))?
            }
        }
        _ => return Err(vm.arity_error(args.len(), "1..3")),
    };
    vm.set_data(this, made);
    Ok(this.clone())
}
/// A converter between two encodings with options.
fn between(vm: &mut Vm, from: &Value, to: &Value, given: Option<&Value>) -> Res<Converter> {
    const ATTR_QUOTE: i64 = 1_048_576;
    let (from, to) = ends(vm, from, to)?;
    let options = options(vm, given)?;
    let flags = options.decorators;
    if [flags.universal, flags.crlf, flags.cr].into_iter().filter(|on| *on).count() > 1 {
        let name = |side: Option<Encoding>| side.map_or(String::new(), |side| side.name().to_string());
        let error = TranscodeError::NotFound { from: name(from), to: name(to) };
        return Err(encoding::transcode_error(vm, &error));
    }
    let quotes = match given {
        Some(Value::Int(flags)) => flags & ATTR_QUOTE != 0,
        _ => flags.xml_attr,
    };
    Ok(Converter { from, to, options, quoted: quotes.then_some(false), ..Converter::default() })
}
/// Creates a converter from a path in the form of `convpath`.
fn from_path(vm: &mut Vm, path: &Gc<crate::value::RArray>) -> Res<Converter> {
    let mut made = Converter::default();
    let items = path.get(vm).items.clone();
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
        let name = vm.to_text(&item)?;
        if !made.add(&name) {
            return Err(vm.argument_error(format!("decoder failed: {name}")));
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
    match state.run(&mut source, Stop { partial: true, ..Stop::default() }, &mut out) {
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
    match state.run(&mut Vec::new(), Stop::default(), &mut out) {
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
        None => size,
    };
    let mut input = match &source {
        Some(text) => text.get(vm).bytes().to_vec(),
        None => Vec::new(),
    };
    let mut out = Vec::new();
    let state = state(vm, this)?;
    let to = state.to;
    let stop = Stop { room, partial: flags & PARTIAL_INPUT != 0, after_output: flags & AFTER_OUTPUT != 0 };
    let outcome = state.run(&mut input, stop, &mut out);
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
    let other = match found.name() {
        "ISO-2022-JP" => Some("stateless-ISO-2022-JP"),
        "ISO-2022-JP-KDDI" => Some("stateless-ISO-2022-JP-KDDI"),
        "CP50220" | "CP50221" => Some("CP51932"),
        "IBM037" => Some("ISO-8859-1"),
        _ => None,
    };
    if let Some(other) = other.and_then(Encoding::find) {
        return Ok(encoding::object(vm, other));
    }
    Ok(match found {
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
