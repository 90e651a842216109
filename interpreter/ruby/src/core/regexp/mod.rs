//! Regexp and MatchData: [`class`] has Regexp's methods, [`match_data`] MatchData's, [`search`] functions for String's methods.

mod class;
pub mod data;
mod match_data;
pub mod search;
mod view;

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::heap::{self, Gc};
use crate::string::RString;
use crate::value::Value;
use rchef_regexp::{MatchError, Options, Regexp, SourceKind};
use rchef_syntax::tree::RegexLit;
use rchef_text::encoding::{CodeRange, Encoding};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(crate) use class::{match_, match_p};
pub use data::{MatchInfo, RegexpData};
pub(crate) use match_data::{group_number, name_number, nth_group};

impl MatchInfo {
    /// Byte offsets of the whole match.
    pub fn whole(&self) -> (usize, usize) {
        self.groups.first().copied().flatten().unwrap_or_default()
    }
    /// The text of a group.
    pub fn group(&self, vm: &Vm, index: usize) -> Option<Value> {
        let (from, to) = (*self.groups.get(index)?)?;
        Some(part(self.text.get(vm), from, to))
    }
    /// The names of the groups, each with the numbers of the groups that have it.
    pub fn names(&self) -> &[(String, Vec<usize>)] {
        self.regexp.as_deref().map_or(&[], Regexp::named_groups)
    }
    /// The number of a named group: of several with the name, the last that matched.
    pub fn named(&self, name: &[u8]) -> Option<usize> {
        let (_, indices) = self.names().iter().find(|(known, _)| known.as_bytes() == name)?;
        let matched = indices.iter().rev().find(|index| self.groups.get(**index).is_some_and(Option::is_some));
        matched.or(indices.last()).copied()
    }
}

/// A part of a String.
pub fn part(string: &RString, from: usize, to: usize) -> Value {
    let range = string.known_range().filter(|range| *range == CodeRange::Ascii);
    Value::string(RString::with_range(&string.bytes()[from..to], string.encoding(), range))
}

/// Cache of compiled patterns, so that an interpolated literal in a loop is compiled once.
#[derive(Default)]
struct Known(FxHashMap<Vec<u8>, Rc<Regexp>>);
/// Maximum number of cached patterns; when it is exceeded the cache is cleared.
const KNOWN_PATTERNS: usize = 512;

/// Compiles a pattern and writes what MRI warns of in it; RegexpError with MRI's message.
pub(crate) fn compile(vm: &mut Vm, source: &RString, options: Options) -> Res<RegexpData> {
    let data = compile_silently(vm, source, options)?;
    for warning in data.regexp.warnings(vm.is_verbose()) {
        vm.warn(&warning)?;
    }
    Ok(data)
}
/// The same without warnings, for patterns that no program has written.
pub(crate) fn compile_silently(vm: &mut Vm, source: &RString, options: Options) -> Res<RegexpData> {
    let (bytes, source_encoding) = (source.bytes(), source.encoding());
    let kind = match source_encoding {
        Encoding::Utf8 | Encoding::UsAscii => SourceKind::Utf8,
        _ => SourceKind::Binary,
    };
    let mut key = Vec::with_capacity(bytes.len() + 2);
    key.extend_from_slice(bytes);
    key.push(options.bits() as u8);
    key.push(u8::from(kind == SourceKind::Binary));
    let known = vm.extension_ref::<Known>().and_then(|known| known.0.get(&key)).cloned();
    let regexp = match known {
        Some(regexp) => regexp,
        None => {
            let regexp = match Regexp::new(bytes, options, kind) {
                Ok(regexp) => Rc::new(regexp),
                Err(error) => {
                    let text = RString::new(error.with_source(bytes, options), source_encoding);
                    let error = vm.error(ClassId::REGEXP_ERROR, "");
                    if let Some(exception) = error.exception()
                        && let Some(data) = vm.data_mut::<crate::error::ExceptionData>(exception)
                    {
                        data.message = Value::string(text);
                    }
                    return Err(error);
                }
            };
            let known = vm.extension::<Known>();
            if known.0.len() >= KNOWN_PATTERNS {
                known.0.clear();
            }
            known.0.insert(key, regexp.clone());
            regexp
        }
    };
    let encoding = if !source_encoding.is_ascii_compatible() {
        source_encoding
    } else if !regexp.options().fixed_encoding() {
        Encoding::UsAscii
    } else if regexp.is_binary() {
        if source_encoding == Encoding::Utf8 || source_encoding == Encoding::UsAscii {
            Encoding::Binary
        } else {
            source_encoding
        }
    } else if options.fixed_encoding() && options.no_encoding() {
        Encoding::Binary
    } else if options.fixed_encoding() {
        source_encoding
    } else {
        Encoding::Utf8
    };
    Ok(RegexpData { regexp, encoding })
}
fn make(vm: &mut Vm, source: &RString, bits: u8) -> Res {
    Ok(frozen(compile(vm, source, Options::from_bits(u32::from(bits)))?))
}
fn frozen(data: RegexpData) -> Value {
    let made = Value::data(ClassId::REGEXP, data);
    made.set_flag(heap::FROZEN, true);
    made
}
/// A Regexp of a class, without a call of its `initialize`.
pub(crate) fn of_class(vm: &mut Vm, class: ClassId, source: &RString, bits: u8) -> Res {
    let data = compile(vm, source, Options::from_bits(u32::from(bits)))?;
    Ok(Value::data(class, data))
}
/// `/…/e` and `/…/s`, with the bits of the syntax tree.
const OPTION_E: u8 = 64;
const OPTION_S: u8 = 128;
/// A literal without interpolation.
pub(crate) fn literal(vm: &mut Vm, source: &[u8], encoding: Encoding, options: u8) -> Res {
    let (source, bits) = literal_source(source, encoding, options);
    make(vm, &source, bits)
}
/// The text and the options of a literal without interpolation.
fn literal_source(source: &[u8], encoding: Encoding, options: u8) -> (RString, u8) {
    const BINARY_SOURCE: u8 = 16 | 32;
    if options & BINARY_SOURCE == BINARY_SOURCE && !source.is_ascii() {
        return (RString::binary(source.to_vec()), options & !BINARY_SOURCE);
    }
    dynamic_source(RString::new(source.to_vec(), encoding), options)
}
/// Compiles a literal of a file that is loaded, to warn of what is odd in it; one that is invalid fails where it is evaluated.
pub(crate) fn literal_ahead(vm: &mut Vm, file: &str, literal: &RegexLit) -> Res<()> {
    let encoding = crate::exec::encoding_of(literal.encoding);
    let (source, bits) = literal_source(&literal.source, encoding, literal.options);
    let Ok(data) = compile_silently(vm, &source, Options::from_bits(u32::from(bits))) else { return Ok(()) };
    for warning in data.regexp.warnings(vm.is_verbose()) {
        vm.warn_at(file, literal.line, &warning)?;
    }
    let made = frozen(data);
    vm.remember_regexp(literal.literal_id, made);
    Ok(())
}
/// What an invalid literal raises: SyntaxError with the text of the RegexpError.
#[cold]
pub(crate) fn invalid_literal(vm: &mut Vm, error: Error) -> Error {
    let Some(exception) = vm.exception_of(&error, ClassId::REGEXP_ERROR) else { return error };
    let text = vm.data::<crate::error::ExceptionData>(&exception).map(|data| data.message.clone());
    let text = text.map_or_else(|| Ok(String::new()), |text| vm.to_s_text(&text));
    match (text, vm.current_location()) {
        (Ok(text), Some((file, line))) => vm.error(ClassId::SYNTAX_ERROR, format!("{file}:{line}: {text}")),
        (Ok(_), None) => error,
        (Err(other), _) => other,
    }
}
/// A literal with interpolation.
pub(crate) fn dynamic(vm: &mut Vm, source: RString, options: u8) -> Res {
    let (source, bits) = dynamic_source(source, options);
    make(vm, &source, bits)
}
fn dynamic_source(mut source: RString, options: u8) -> (RString, u8) {
    const FIXED: u8 = Options::FIXED_ENCODING.bits() as u8;
    match options & (OPTION_E | OPTION_S) {
        // `/…/u`
        0 if options & FIXED != 0 && source.encoding() == Encoding::Binary && source.is_ascii() => {
            source.set_encoding(Encoding::Utf8);
        }
        0 => {}
        OPTION_E => source.set_encoding(Encoding::EucJp),
        _ => source.set_encoding(Encoding::Windows31J),
    }
    (source, options & !(OPTION_E | OPTION_S))
}
/// Whether a part of a Regexp makes it one of bytes: it is binary and has an escape of a byte that is not ASCII.
pub(crate) fn is_of_bytes(part: &RString) -> bool {
    part.encoding() == Encoding::Binary
        && part.bytes().windows(3).enumerate().any(|(at, three)| {
            three[0] == b'\\'
                && match three[1] {
                    b'x' => {
                        matches!(three[2], b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F')
                            && part.bytes().get(at + 3).is_some_and(u8::is_ascii_hexdigit)
                    }
                    b'2' | b'3' => {
                        three[2].is_ascii_digit() && part.bytes().get(at + 3).is_some_and(u8::is_ascii_digit)
                    }
                    _ => false,
                }
        })
}
/// A Regexp that matches a text literally.
pub(crate) fn quoted(vm: &mut Vm, text: &Gc<RString>) -> Res {
    let string = text.get(vm);
    let source = RString::new(rchef_regexp::escape(string.bytes()), string.encoding());
    let data = compile_silently(vm, &source, Options::none())?;
    Ok(Value::data(ClassId::REGEXP, data))
}
/// The error of a search that the engine aborted.
#[cold]
pub fn match_error(vm: &mut Vm, error: &MatchError) -> Error {
    vm.error(ClassId::REGEXP_ERROR, error.to_string())
}

/// `$1` etc.
pub(crate) fn nth_match(vm: &mut Vm, last: &Value, index: i64) -> Value {
    let Some(info) = vm.data::<MatchInfo>(last) else { return Value::Nil };
    // numbers that are too large for MRI are represented by 0
    usize::try_from(index).ok().filter(|index| *index > 0).and_then(|index| info.group(vm, index)).unwrap_or_default()
}
/// `$&`, `` $` ``, `$'`, `$+`
pub(crate) fn back_reference(vm: &mut Vm, last: &Value, kind: u8) -> Value {
    let Some(info) = vm.data::<MatchInfo>(last) else { return Value::Nil };
    let (from, to) = info.whole();
    let text = info.text.get(vm);
    match kind {
        b'&' => part(text, from, to),
        b'`' => part(text, 0, from),
        b'\'' => part(text, to, text.bytesize()),
        _ => match info.groups.iter().skip(1).rev().flatten().next() {
            Some(&(from, to)) => part(text, from, to),
            None => Value::Nil,
        },
    }
}
/// A named group: of several with the name, the last that matched.
pub(crate) fn named_match(vm: &mut Vm, last: &Value, name: Symbol) -> Value {
    let Some(info) = vm.data::<MatchInfo>(last) else { return Value::Nil };
    info.named(name.as_bytes()).and_then(|index| info.group(vm, index)).unwrap_or_default()
}

fn last_match(vm: &mut Vm, _: Symbol) -> Res {
    let last = vm.last_match();
    Ok(back_reference(vm, &last, b'&'))
}
fn before_match(vm: &mut Vm, _: Symbol) -> Res {
    let last = vm.last_match();
    Ok(back_reference(vm, &last, b'`'))
}
fn after_match(vm: &mut Vm, _: Symbol) -> Res {
    let last = vm.last_match();
    Ok(back_reference(vm, &last, b'\''))
}
fn last_group(vm: &mut Vm, _: Symbol) -> Res {
    let last = vm.last_match();
    Ok(back_reference(vm, &last, b'+'))
}

pub(super) fn boot(vm: &mut Vm) {
    class::boot(vm);
    match_data::boot(vm);
    // for `alias $MATCH $&` in the library English
    vm.define_global("$&", last_match, None);
    vm.define_global("$`", before_match, None);
    vm.define_global("$'", after_match, None);
    vm.define_global("$+", last_group, None);
}
