//! Encodings of a String: reading, forcing, converting, scrubbing.

use super::common::{keyword, me, me_mut};
use crate::Vm;
use crate::args::Args;
use crate::core::encoding;
use crate::error::{Error, Res};
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{self as enc, Decorators, Encoding, Options, Piece, Replace, TranscodeError};

pub(super) static METHODS: &[MethodDef] = &[
    def("encoding", encoding_of, 0),
    def("force_encoding", force_encoding, 1),
    def("valid_encoding?", is_valid, 0),
    def("ascii_only?", ascii_only, 0),
    def("b", b, 0),
    opt("scrub", scrub, 0, 1),
    opt("scrub!", scrub_bang, 0, 1),
    any("encode", encode),
    any("encode!", encode_bang),
];

fn encoding_of(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let found = me(vm, this)?.get(vm).encoding();
    Ok(encoding::object(vm, found))
}
fn force_encoding(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let wanted = encoding::to_encoding(vm, args.at(0))?;
    me.get_mut(vm).set_encoding(wanted);
    Ok(this.clone())
}
fn is_valid(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(me(vm, this)?.get(vm).is_valid()))
}
fn ascii_only(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(me(vm, this)?.get(vm).is_ascii()))
}
fn b(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::string(RString::binary(me(vm, this)?.get(vm).bytes().to_vec())))
}

fn scrubbed(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    let given = args.get(0).filter(|value| !value.is_nil());
    if given.is_some() && args.block.is_some() {
        return Err(vm.argument_error("both of block and replacement given"));
    }
    if me.get(vm).is_valid() {
        return Ok(None);
    }
    let given = given.map(|value| vm.to_str(value)).transpose()?;
    let (bytes, encoding) = (me.get(vm).bytes().to_vec(), me.get(vm).encoding());
    if let Some(with) = &given {
        replacement(vm, me, with)?;
        return Ok(Some(RString::new(enc::scrub(&bytes, encoding, Some(with.get(vm).bytes())), encoding)));
    }
    let Some(block) = args.block else { return Ok(Some(RString::new(enc::scrub(&bytes, encoding, None), encoding))) };
    let mut out = Vec::with_capacity(bytes.len());
    for piece in enc::pieces(&bytes, encoding) {
        match piece {
            Piece::Good(range) => out.extend_from_slice(&bytes[range]),
            Piece::Bad(range) => {
                let with = vm.yield1(block, Value::string(RString::new(&bytes[range], encoding)))?;
                let with = vm.to_str(&with)?;
                replacement(vm, me, &with)?;
                out.extend_from_slice(with.get(vm).bytes());
            }
        }
    }
    Ok(Some(RString::new(out, encoding)))
}
/// Checks that a replacement is valid and has a compatible encoding.
fn replacement(vm: &mut Vm, me: &Gc<RString>, with: &Gc<RString>) -> Res<()> {
    if !with.get(vm).is_valid() {
        let shown = vm.inspect(&Value::Str(with.clone()))?;
        return Err(vm.argument_error(format!("replacement must be valid byte sequence '{shown}'")));
    }
    super::compatible(vm, me, with)?;
    Ok(())
}
fn scrub(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let made = scrubbed(vm, me, args)?;
    Ok(Value::string(made.unwrap_or_else(|| me.get(vm).clone())))
}
fn scrub_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    if let Some(made) = scrubbed(vm, me, args)? {
        vm.check_frozen(this)?;
        me.get_mut(vm).replace(made);
    }
    Ok(this.clone())
}

/// The options of `encode` and Encoding::Converter.
#[derive(Default)]
pub(crate) struct EncodeOptions {
    pub invalid: bool,
    pub undefined: bool,
    pub replace: Option<RString>,
    pub fallback: Value,
    /// Newline and XML conversions.
    pub decorators: Decorators,
    /// Whether characters that the destination lacks become references such as `&#x3042;`, as with `xml:`.
    pub references: bool,
    /// Whether any option was given.
    pub any: bool,
}

fn wants_replace(vm: &mut Vm, value: &Value, what: &str) -> Res<bool> {
    match value {
        Value::Nil => Ok(false),
        Value::Sym(name) if name.as_str() == "replace" => Ok(true),
        _ => Err(vm.argument_error(format!("unknown value for {what} character option"))),
    }
}
/// Reads the options from a Hash.
pub(crate) fn encode_options(vm: &mut Vm, hash: Option<&Gc<RHash>>) -> Res<EncodeOptions> {
    let mut options = EncodeOptions::default();
    let Some(hash) = hash else { return Ok(options) };
    let get = |vm: &Vm, name: &'static str| vm.hash_get_sym(hash, keyword(name)).unwrap_or_default();
    let invalid = get(vm, "invalid");
    options.invalid = wants_replace(vm, &invalid, "invalid")?;
    let undefined = get(vm, "undef");
    options.undefined = wants_replace(vm, &undefined, "undefined")?;
    let replace = get(vm, "replace");
    if !replace.is_nil() {
        let text = vm.to_str(&replace)?;
        if !text.get(vm).is_valid() {
            let shown = vm.inspect(&Value::Str(text))?;
            return Err(vm.argument_error(format!("replacement string is broken: {shown}")));
        }
        options.replace = Some(text.get(vm).clone());
    }
    options.fallback = get(vm, "fallback");
    let flags = &mut options.decorators;
    match get(vm, "xml") {
        Value::Nil => {}
        Value::Sym(name) if name.as_str() == "text" => flags.xml_text = true,
        Value::Sym(name) if name.as_str() == "attr" => flags.xml_attr = true,
        Value::Sym(name) => return Err(vm.argument_error(format!("unexpected value for xml option: {name}"))),
        _ => return Err(vm.argument_error("unexpected value for xml option")),
    }
    match get(vm, "newline") {
        Value::Nil => {}
        Value::Sym(name) => match name.as_str() {
            "universal" => flags.universal = true,
            "crlf" => flags.crlf = true,
            "cr" => flags.cr = true,
            "lf" => {}
            other => return Err(vm.argument_error(format!("unexpected value for newline option: {other}"))),
        },
        _ => return Err(vm.argument_error("unexpected value for newline option")),
    }
    flags.universal |= get(vm, "universal_newline").truthy();
    flags.crlf |= get(vm, "crlf_newline").truthy();
    flags.cr |= get(vm, "cr_newline").truthy();
    options.references = flags.xml_text || flags.xml_attr;
    options.any = options.invalid || options.undefined || *flags != Decorators::default();
    Ok(options)
}
/// Converts bytes; errors raised by `fallback:` are propagated.
pub(crate) fn convert(
    vm: &mut Vm,
    bytes: &[u8],
    from: Encoding,
    to: Encoding,
    options: &EncodeOptions,
) -> Res<Vec<u8>> {
    let mut failed: Option<Error> = None;
    let asks = !options.undefined && answers(vm, &options.fallback)?;
    let result = {
        let mut ask = |ch: &[u8], source: Encoding| match fallback(vm, &options.fallback, ch, source, to) {
            Ok(found) => found,
            Err(error) => {
                failed = Some(error);
                None
            }
        };
        let mut settings = Options {
            invalid_replace: options.invalid,
            undef_replace: options.undefined,
            replace: options.replace.as_ref().map(|text| Replace { bytes: text.bytes(), enc: text.encoding() }),
            fallback: if !asks { None } else { Some(&mut ask) },
            decorators: options.decorators,
        };
        enc::transcode(bytes, from, to, &mut settings)
    };
    match (result, failed) {
        (_, Some(error)) => Err(error),
        (Ok(bytes), None) => Ok(bytes),
        (Err(error), None) => Err(encoding::transcode_error(vm, &error)),
    }
}
/// Whether an object can be used as `fallback:`.
fn answers(vm: &mut Vm, with: &Value) -> Res<bool> {
    match with {
        Value::Nil => Ok(false),
        Value::Proc(_) | Value::Hash(_) => Ok(true),
        _ => Ok(vm.respond_to(with, sym::CALL, false)? || vm.respond_to(with, sym::AREF, false)?),
    }
}
fn fallback(vm: &mut Vm, with: &Value, ch: &[u8], source: Encoding, to: Encoding) -> Res<Option<Vec<u8>>> {
    let ch = Value::string(RString::new(ch, source));
    let name = match with {
        Value::Proc(_) => sym::CALL,
        Value::Object(_) if vm.respond_to(with, sym::CALL, false)? => sym::CALL,
        _ => sym::AREF,
    };
    let found = vm.call(with, name, &[ch])?;
    if found.is_nil() {
        return Ok(None);
    }
    let text = vm.to_str(&found)?;
    let own = text.get(vm).encoding();
    let bytes = text.get(vm).bytes().to_vec();
    if own == to {
        return Ok(Some(bytes));
    }
    match enc::transcode(&bytes, own, to, &mut Options::default()) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(_) => Err(vm.argument_error("too big fallback string")),
    }
}
/// Converts without options.
pub(super) fn transcoded(vm: &mut Vm, me: &Gc<RString>, from: Encoding, to: Encoding) -> Res<Vec<u8>> {
    enc::transcode(me.get(vm).bytes(), from, to, &mut Options::default())
        .map_err(|error| encoding::transcode_error(vm, &error))
}

/// An Encoding, or Err with an unknown name.
fn wanted(vm: &mut Vm, value: &Value) -> Res<Result<Encoding, String>> {
    match encoding::find(vm, value)? {
        Ok(found) => Ok(Ok(found)),
        Err(name) => Ok(Err(name)),
    }
}
fn encoded(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<RString> {
    let (pos, hash) = args.split();
    if pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "0..2"));
    }
    let options = encode_options(vm, hash)?;
    let own = me.get(vm).encoding();
    let to = match pos.first() {
        Some(value) => Some(wanted(vm, value)?),
        None => encoding::default_internal(vm).map(Ok),
    };
    let from = match pos.get(1) {
        Some(value) if !value.is_nil() => wanted(vm, value)?,
        _ => Ok(own),
    };
    let (to, from) = match (to, from) {
        (None, _) if !options.any => return Ok(me.get(vm).clone()),
        (None, _) => (own, own),
        (Some(Ok(to)), Ok(from)) => (to, from),
        (Some(to), from) => {
            let name = |side: Result<Encoding, String>| side.map_or_else(|name| name, |found| found.name().to_string());
            let error = TranscodeError::NotFound { from: name(from), to: name(to) };
            return Err(encoding::transcode_error(vm, &error));
        }
    };
    let bytes = me.get(vm).bytes().to_vec();
    let made = convert(vm, &bytes, from, to, &options)?;
    Ok(RString::new(made, to))
}
fn encode(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(Value::string(encoded(vm, me, args)?))
}
fn encode_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let made = encoded(vm, me, args)?;
    me.get_mut(vm).replace(made);
    Ok(this.clone())
}
