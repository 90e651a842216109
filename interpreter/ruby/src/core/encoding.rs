//! Encoding and the Encoding errors.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::{ClassId, Constant};
use crate::error::{Error, ExceptionData, Res, Unwind, empty};
use crate::method::{MethodDef, any, def};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_text::encoding::{self as enc, CodeRange, Encoding, Operand, TranscodeError};

/// The encoding of an Encoding object.
pub struct EncodingData(pub Encoding);
impl NativeData for EncodingData {}

/// The Encoding objects, by index.
struct Objects(Vec<Value>);
impl Default for Objects {
    fn default() -> Objects {
        Objects(enc::ALL.iter().map(|encoding| Value::data(ClassId::ENCODING, EncodingData(*encoding))).collect())
    }
}

static METHODS: &[MethodDef] = &[
    def("name", name, 0),
    def("to_s", name, 0),
    def("names", names, 0),
    def("inspect", inspect, 0),
    def("dummy?", is_dummy, 0),
    def("ascii_compatible?", is_ascii_compatible, 0),
    any("_dump", name),
];
static SINGLETON: &[MethodDef] = &[
    def("list", list, 0),
    def("name_list", name_list, 0),
    def("aliases", aliases, 0),
    def("find", class_find, 1),
    def("compatible?", class_compatible, 2),
    def("_load", class_find, 1),
    def("default_external", get_external, 0),
    def("default_external=", set_external, 1),
    def("default_internal", get_internal, 0),
    def("default_internal=", set_internal, 1),
    def("locale_charmap", locale_charmap, 0),
];
static CONVERSION_ERROR: &[MethodDef] = &[
    def("source_encoding_name", error_source_name, 0),
    def("destination_encoding_name", error_destination_name, 0),
    def("source_encoding", error_source, 0),
    def("destination_encoding", error_destination, 0),
];
static UNDEFINED: &[MethodDef] = &[def("error_char", error_bytes, 0)];
static INVALID: &[MethodDef] = &[
    def("error_bytes", error_bytes, 0),
    def("readagain_bytes", error_readagain, 0),
    def("incomplete_input?", error_incomplete, 0),
];

/// The Encoding object of an encoding, always the same one.
pub fn object(vm: &mut Vm, encoding: Encoding) -> Value {
    vm.extension::<Objects>().0.get(encoding as usize).cloned().unwrap_or_default()
}
pub fn default_external(vm: &mut Vm) -> Encoding {
    vm.default_external
}
pub fn default_internal(vm: &mut Vm) -> Option<Encoding> {
    vm.default_internal
}
/// The encoding of the results of `inspect`.
pub fn result_encoding(vm: &mut Vm) -> Encoding {
    let found = vm.default_internal.unwrap_or(vm.default_external);
    if found.is_ascii_compatible() { found } else { Encoding::UsAscii }
}
/// The encoding for an Encoding object or a name (converted with `to_str`); Err with the name if it is unknown.
pub fn find(vm: &mut Vm, value: &Value) -> Res<Result<Encoding, String>> {
    if let Some(data) = vm.data::<EncodingData>(value) {
        return Ok(Ok(data.0));
    }
    let text = vm.to_str(value)?;
    if !text.get(vm).encoding().is_ascii_compatible() {
        let own = text.get(vm).encoding().name();
        return Err(vm.argument_error(format!("invalid name encoding (non ASCII): {own}")));
    }
    let name = text.get(vm).to_text().into_owned();
    Ok(by_name(vm, &name).ok_or(name))
}
fn by_name(vm: &mut Vm, name: &str) -> Option<Encoding> {
    if name.eq_ignore_ascii_case("external")
        || name.eq_ignore_ascii_case("locale")
        || name.eq_ignore_ascii_case("filesystem")
    {
        let is_external = !name.eq_ignore_ascii_case("locale");
        return Some(if is_external { default_external(vm) } else { Encoding::Utf8 });
    }
    if name.eq_ignore_ascii_case("internal") {
        return default_internal(vm);
    }
    Encoding::find(name)
}
/// The same; ArgumentError if the name is unknown.
pub fn to_encoding(vm: &mut Vm, value: &Value) -> Res<Encoding> {
    match find(vm, value)? {
        Ok(found) => Ok(found),
        Err(name) if name.eq_ignore_ascii_case("internal") => Ok(Encoding::Binary),
        Err(name) => Err(vm.argument_error(format!("unknown encoding name - {name}"))),
    }
}

fn this_encoding(vm: &Vm, this: &Value) -> Encoding {
    vm.data::<EncodingData>(this).map_or(Encoding::Binary, |data| data.0)
}
fn ascii(text: &str) -> Value {
    Value::string(RString::ascii(text))
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(ascii(this_encoding(vm, this).name()))
}
/// Names that refer to settings.
fn setting_names(vm: &mut Vm) -> Vec<(&'static str, Encoding)> {
    let external = default_external(vm);
    let mut found = vec![("locale", Encoding::Utf8), ("external", external), ("filesystem", external)];
    if let Some(internal) = default_internal(vm) {
        found.push(("internal", internal));
    }
    found
}
fn names(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let this = this_encoding(vm, this);
    let settings = setting_names(vm);
    let all = this
        .names()
        .iter()
        .copied()
        .chain(settings.into_iter().filter(|(_, found)| *found == this).map(|(name, _)| name));
    Ok(Value::array(all.map(ascii).collect()))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let this = this_encoding(vm, this);
    Ok(ascii(&format!("#<Encoding:{}{}>", this.name(), if this.is_dummy() { " (dummy)" } else { "" })))
}
fn is_dummy(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_encoding(vm, this).is_dummy()))
}
fn is_ascii_compatible(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(this_encoding(vm, this).is_ascii_compatible()))
}
fn list(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(enc::ALL.iter().map(|encoding| object(vm, *encoding)).collect()))
}
fn name_list(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let known = enc::ALL.iter().flat_map(|encoding| encoding.names().iter().copied());
    Ok(Value::array(known.chain(["locale", "external", "filesystem", "internal"]).map(ascii).collect()))
}
fn aliases(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let mut pairs = Vec::new();
    for encoding in enc::ALL {
        pairs.extend(encoding.names().iter().skip(1).map(|alias| (ascii(alias), ascii(encoding.name()))));
    }
    pairs.extend(setting_names(vm).into_iter().map(|(name, found)| (ascii(name), ascii(found.name()))));
    vm.new_hash(pairs)
}
fn class_find(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match find(vm, args.at(0))? {
        Ok(found) => Ok(object(vm, found)),
        Err(name) if name.eq_ignore_ascii_case("internal") => Ok(Value::Nil),
        Err(name) => Err(vm.argument_error(format!("unknown encoding name - {name}"))),
    }
}
/// A value for a compatibility check; None if it has no encoding.
fn operand(vm: &Vm, value: &Value) -> Option<Operand> {
    match value {
        Value::Str(text) => {
            let text = text.get(vm);
            Some(Operand::string(text.encoding(), text.bytes().is_empty(), text.range()))
        }
        Value::Sym(symbol) => {
            let text = crate::string::RString::of_symbol(*symbol);
            Some(Operand { enc: text.encoding(), string: None, ascii_only: text.range() == CodeRange::Ascii })
        }
        _ => {
            if let Some(data) = vm.data::<EncodingData>(value) {
                return Some(Operand { enc: data.0, string: None, ascii_only: false });
            }
            let regexp = vm.data::<crate::core::regexp::data::RegexpData>(value)?;
            Some(Operand { enc: regexp.encoding, string: None, ascii_only: regexp.encoding == Encoding::UsAscii })
        }
    }
}
fn class_compatible(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let found = match (operand(vm, args.at(0)), operand(vm, args.at(1))) {
        (Some(a), Some(b)) => enc::compatible(a, b),
        _ => None,
    };
    Ok(found.map_or(Value::Nil, |found| object(vm, found)))
}
fn get_external(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let found = default_external(vm);
    Ok(object(vm, found))
}
fn set_external(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if args.at(0).is_nil() {
        return Err(vm.argument_error("default external can not be nil"));
    }
    let wanted = to_encoding(vm, args.at(0))?;
    vm.default_external = wanted;
    Ok(args.at(0).clone())
}
fn get_internal(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let found = default_internal(vm);
    Ok(found.map_or(Value::Nil, |found| object(vm, found)))
}
fn set_internal(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let wanted = if args.at(0).is_nil() { None } else { Some(to_encoding(vm, args.at(0))?) };
    vm.default_internal = wanted;
    Ok(args.at(0).clone())
}
fn locale_charmap(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(ascii("UTF-8"))
}

/// The exception for a failed conversion.
pub fn transcode_error(vm: &mut Vm, error: &TranscodeError) -> Error {
    let (class, info) = match error {
        TranscodeError::NotFound { .. } => return vm.error(ClassId::CONVERTER_NOT_FOUND_ERROR, error.to_string()),
        TranscodeError::Invalid(info) => (ClassId::INVALID_BYTE_SEQUENCE_ERROR, info),
        TranscodeError::Undefined(info) => (ClassId::UNDEFINED_CONVERSION_ERROR, info),
    };
    let bytes_encoding = if class == ClassId::INVALID_BYTE_SEQUENCE_ERROR { Encoding::Binary } else { info.source };
    let (source, destination) = (object(vm, info.source), object(vm, info.destination));
    let details = vec![
        ascii(info.source.name()),
        ascii(info.destination.name()),
        source,
        destination,
        Value::string(RString::new(info.error_bytes.clone(), bytes_encoding)),
        if info.incomplete { Value::Nil } else { Value::string(RString::binary(info.readagain_bytes.clone())) },
        Value::bool(info.incomplete),
    ];
    let data = ExceptionData { message: Value::str(&info.message), extra: Value::array(details), ..empty() };
    Unwind::Raise(vm.new_exception_with(class, data)).into()
}
fn detail(vm: &Vm, this: &Value, index: usize) -> Res {
    let extra = vm.data::<ExceptionData>(this).map(|data| data.extra.clone());
    Ok(match extra {
        Some(Value::Array(details)) => details.get(vm).items.get(index).cloned().unwrap_or_default(),
        _ => Value::Nil,
    })
}
fn error_source_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    detail(vm, this, 0)
}
fn error_destination_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    detail(vm, this, 1)
}
fn error_source(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    detail(vm, this, 2)
}
fn error_destination(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    detail(vm, this, 3)
}
fn error_bytes(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    detail(vm, this, 4)
}
fn error_readagain(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    detail(vm, this, 5)
}
fn error_incomplete(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    detail(vm, this, 6)
}

/// The constants for a name of an encoding, by MRI's rules: unchanged if possible, with underscores, in capitals.
fn constant_names(name: &str, mut each: impl FnMut(&str)) {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return;
    }
    let upper_first = name.starts_with(|c: char| c.is_ascii_uppercase());
    let valid = upper_first && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let has_lower = name.bytes().any(|b| b.is_ascii_lowercase());
    let has_upper = name.bytes().any(|b| b.is_ascii_uppercase());
    if valid {
        each(name);
    }
    if !valid || has_lower {
        let mut made: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !valid && has_upper {
            if let Some(first) = made.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            each(&made);
        }
        made.make_ascii_uppercase();
        each(&made);
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::ENCODING, METHODS);
    vm.define_singleton_methods(ClassId::ENCODING, SINGLETON);
    for class in [ClassId::UNDEFINED_CONVERSION_ERROR, ClassId::INVALID_BYTE_SEQUENCE_ERROR] {
        vm.define_methods(class, CONVERSION_ERROR);
    }
    vm.define_methods(ClassId::UNDEFINED_CONVERSION_ERROR, UNDEFINED);
    vm.define_methods(ClassId::INVALID_BYTE_SEQUENCE_ERROR, INVALID);
    vm.undefine_new(ClassId::ENCODING);
    define_constants(vm);
}

/// Defines `Encoding::UTF_8` and so on. The names are joined to one text and interned together for speed: this runs at every start.
fn define_constants(vm: &mut Vm) {
    let mut text = String::with_capacity(8192);
    let mut ends = Vec::with_capacity(512);
    for encoding in enc::ALL {
        for name in encoding.names() {
            constant_names(name, |constant| {
                text.push_str(constant);
                ends.push((text.len(), *encoding));
            });
        }
    }
    let text: &'static str = String::leak(text);
    let mut start = 0;
    let names = ends.iter().map(|(end, _)| &text[std::mem::replace(&mut start, *end)..*end]);
    let mut symbols = Vec::with_capacity(ends.len());
    Symbol::intern_all(names, |symbol| symbols.push(symbol));
    for (name, (_, encoding)) in symbols.into_iter().zip(ends) {
        let value = object(vm, encoding);
        let constant = Constant { value, private: false, deprecated: false, autoload: None, location: None };
        vm.class_mut(ClassId::ENCODING).consts.entry(name).or_insert(constant);
    }
}
