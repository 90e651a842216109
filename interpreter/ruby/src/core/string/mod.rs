//! String, a file for each kind of method. Methods that take a Regexp hand it to [`regexp`].

mod access;
mod case;
mod compare;
mod convert;
mod edit;
mod encode;
mod format;
mod iterate;
mod lines;
mod numbers;
mod pack;
mod pad;
mod regexp;
mod search;
mod split;
mod strip;
mod translate;

pub(crate) use encode::{EncodeOptions, encode_options};
pub use iterate::{succ_of, upto_each};

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{self as enc, CodeRange, Encoding, Operand};

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", replace, 1).private(),
    def("replace", replace, 1),
    def("clear", clear, 0),
    def("empty?", empty, 0),
    def("length", length, 0),
    def("size", length, 0),
    def("bytesize", bytesize, 0),
    def("to_s", to_s, 0),
    def("to_str", to_s, 0),
    def("+@", unfrozen, 0),
    def("-@", deduplicated, 0),
    def("freeze", freeze, 0),
];
static SINGLETON: &[MethodDef] = &[def("try_convert", try_convert, 1), any("new", new)];

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::STRING).allocator =
        Some(|_, class| Ok(Value::Str(Gc::new(class, RString::binary(Vec::new())))));
    vm.define_singleton_methods(ClassId::STRING, SINGLETON);
    for table in [
        METHODS,
        access::METHODS,
        case::METHODS,
        compare::METHODS,
        convert::METHODS,
        edit::METHODS,
        encode::METHODS,
        iterate::METHODS,
        lines::METHODS,
        numbers::METHODS,
        pad::METHODS,
        search::METHODS,
        split::METHODS,
        strip::METHODS,
        translate::METHODS,
        regexp::METHODS,
    ] {
        vm.define_methods(ClassId::STRING, table);
    }
    vm.include_module(ClassId::STRING, ClassId::COMPARABLE);
    format::boot(vm);
    pack::boot(vm);
}

/// The receiver's contents.
pub(super) fn me<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RString>> {
    match this {
        Value::Str(gc) => Ok(gc),
        _ => Err(wrong_receiver(vm, this)),
    }
}
#[cold]
fn wrong_receiver(vm: &mut Vm, this: &Value) -> Error {
    let described = vm.describe(this);
    vm.type_error(format!("wrong argument type {described} (expected String)"))
}
/// The receiver, which is about to be changed.
pub(super) fn me_mut<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RString>> {
    vm.check_frozen(this)?;
    me(vm, this)
}
/// Whether a value is a Regexp.
pub(super) fn is_regexp(vm: &Vm, value: &Value) -> bool {
    matches!(value, Value::Object(_)) && vm.data::<crate::core::regexp::RegexpData>(value).is_some()
}
/// Defines a method and its `!` form from a function that gives the new contents, or None where nothing changes.
macro_rules! pair {
    ($($name:ident $bang:ident $compute:ident),+ $(,)?) => {$(
        fn $name(vm: &mut crate::Vm, this: &crate::Value, args: crate::Args<'_>) -> crate::Res {
            let me = super::me(vm, this)?;
            let made = $compute(vm, me, args)?;
            Ok(crate::Value::string(made.unwrap_or_else(|| me.get(vm).clone())))
        }
        fn $bang(vm: &mut crate::Vm, this: &crate::Value, args: crate::Args<'_>) -> crate::Res {
            let me = super::me_mut(vm, this)?;
            Ok(match $compute(vm, me, args)? {
                Some(made) => {
                    me.get_mut(vm).replace(made);
                    this.clone()
                }
                None => crate::Value::Nil,
            })
        }
    )+};
}
pub(super) use pair;

/// A String of some bytes of another, in its encoding; of what there is of them.
pub(super) fn part(string: &RString, from: usize, to: usize) -> RString {
    let to = to.min(string.bytesize());
    let from = from.min(to);
    let range = if string.known_range() == Some(CodeRange::Ascii) { Some(CodeRange::Ascii) } else { None };
    RString::with_range(string.bytes()[from..to].to_vec(), string.encoding(), range)
}
/// The same as a value.
pub(super) fn part_value(string: &RString, from: usize, to: usize) -> Value {
    Value::string(part(string, from, to))
}
/// How encodings of a String are asked.
pub(super) fn operand(string: &RString) -> Operand {
    Operand::string(string.encoding(), string.bytes().is_empty(), string.range())
}
/// The encoding in which two Strings can be joined or compared; Encoding::CompatibilityError if there is none.
pub fn compatible(vm: &mut Vm, a: &Gc<RString>, b: &Gc<RString>) -> Res<Encoding> {
    let (x, y) = (a.get(vm), b.get(vm));
    if x.encoding() == y.encoding() {
        return Ok(x.encoding());
    }
    match enc::compatible(operand(x), operand(y)) {
        Some(found) => Ok(found),
        None => {
            let (x, y) = (x.encoding(), y.encoding());
            Err(incompatible(vm, x, y))
        }
    }
}
/// Encoding::CompatibilityError
#[cold]
pub fn incompatible(vm: &mut Vm, a: Encoding, b: Encoding) -> Error {
    vm.error(ClassId::COMPATIBILITY_ERROR, format!("incompatible character encodings: {} and {}", a.name(), b.name()))
}
/// Appends a String to another (the encoding becomes the one that both agree on).
pub fn append(vm: &mut Vm, to: &Gc<RString>, other: &Gc<RString>) -> Res<()> {
    let encoding = compatible(vm, to, other)?;
    let (size, added) = (to.get(vm).bytesize(), other.get(vm).bytesize());
    vm.check_growth(size, added)?;
    if to.same(other) {
        let bytes = other.get(vm).bytes().to_vec();
        to.get_mut(vm).push_bytes(&bytes, None);
        return Ok(());
    }
    // few bytes move through a copy; else the other's contents are taken out meanwhile
    let range = other.get(vm).known_range();
    if added <= 64 {
        let mut small = [0u8; 64];
        small[..added].copy_from_slice(other.get(vm).bytes());
        let string = to.get_mut(vm);
        if string.encoding() != encoding {
            string.set_encoding(encoding);
        }
        string.push_bytes(&small[..added], range);
        return Ok(());
    }
    let taken = std::mem::take(other.get_mut(vm));
    let string = to.get_mut(vm);
    if string.encoding() != encoding {
        string.set_encoding(encoding);
    }
    string.push_bytes(taken.bytes(), range);
    *other.get_mut(vm) = taken;
    Ok(())
}

/// Byte offsets of the characters `start`, `start + len` (both may reach beyond the end; a negative start counts from the end); None outside.
pub(super) fn span(string: &RString, start: i64, len: i64) -> Option<(usize, usize)> {
    let bytes = string.bytes();
    let range = string.range();
    let start = if start < 0 {
        let count = enc::char_count(bytes, string.encoding(), Some(range)) as i64;
        usize::try_from(start + count).ok()?
    } else {
        start as usize
    };
    let len = usize::try_from(len).ok()?;
    let from = enc::byte_index(bytes, string.encoding(), range, start)?;
    let rest = &bytes[from..];
    let to = if len >= rest.len() {
        bytes.len()
    } else {
        from + enc::byte_index(rest, string.encoding(), range, len).unwrap_or(rest.len())
    };
    Some((from, to))
}
/// Number of characters.
pub fn char_count(string: &RString) -> usize {
    enc::char_count(string.bytes(), string.encoding(), Some(string.range()))
}
/// Start and length that a Range selects of `len` elements, None where it lies outside. The outer Option: whether the value is a Range.
pub fn range_span(vm: &mut Vm, value: &Value, len: usize) -> Res<Option<Option<(usize, usize)>>> {
    let Value::Range(range) = value else { return Ok(None) };
    let (begin, end, exclusive) = {
        let range = range.get(vm);
        (range.begin.clone(), range.end.clone(), range.exclusive)
    };
    let len = len as i64;
    let mut from = if begin.is_nil() { 0 } else { vm.to_int(&begin)? };
    let mut to = if end.is_nil() { -1 } else { vm.to_int(&end)? };
    let exclusive = exclusive && !end.is_nil();
    if from < 0 {
        from += len;
        if from < 0 {
            return Ok(Some(None));
        }
    }
    if from > len {
        return Ok(Some(None));
    }
    if to < 0 {
        to += len;
    }
    if !exclusive {
        to = to.saturating_add(1);
    }
    let count = (to.min(len) - from).max(0);
    Ok(Some(Some((from as usize, count as usize))))
}
/// Symbols of keywords that these methods take.
pub(super) fn keyword(name: &'static str) -> Symbol {
    Symbol::intern_static(name)
}

/// `String.new(text = "", encoding:, capacity:)`: as `new` of any class, but the copy of a plain String is made directly.
fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let (Value::Class(ClassId::STRING), [Value::Str(from)], false) = (this, args.pos, vm.redefined) {
        return Ok(Value::string(from.get(vm).clone()));
    }
    let Value::Class(class) = this else { return Ok(Value::Nil) };
    let made = Value::Str(Gc::new(*class, RString::binary(Vec::new())));
    vm.call_args(&made, sym::INITIALIZE, args)?;
    Ok(made)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [encoding, _capacity]) = args.take_keywords(vm, [sym::ENCODING, keyword("capacity")])?;
    if pos.len() > 1 {
        return Err(vm.arity_error(pos.len(), "0..1"));
    }
    if let Some(text) = pos.first() {
        replace(vm, this, Args::new(std::slice::from_ref(text)))?;
    }
    if let Some(encoding) = encoding.filter(|value| !value.is_nil()) {
        let encoding = super::encoding::to_encoding(vm, &encoding)?;
        me_mut(vm, this)?.get_mut(vm).set_encoding(encoding);
    }
    Ok(this.clone())
}
fn replace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let other = vm.to_str(args.at(0))?;
    if !me.same(&other) {
        let contents = other.get(vm).clone();
        me.get_mut(vm).replace(contents);
    }
    Ok(this.clone())
}
fn try_convert(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(vm.check_str(args.at(0))?.map_or(Value::Nil, Value::Str))
}
fn clear(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let string = me_mut(vm, this)?.get_mut(vm);
    *string.bytes_mut() = Vec::new();
    Ok(this.clone())
}
fn empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(me(vm, this)?.get(vm).bytes().is_empty()))
}
fn length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(char_count(me(vm, this)?.get(vm))))
}
fn bytesize(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(me(vm, this)?.get(vm).bytesize()))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me(vm, this)?;
    if vm.real_class_of(this) == ClassId::STRING {
        return Ok(this.clone());
    }
    Ok(Value::string(me.get(vm).clone()))
}
fn freeze(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.freeze(this);
    Ok(this.clone())
}
fn unfrozen(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if !vm.frozen(this) {
        return Ok(this.clone());
    }
    vm.call(this, sym::DUP, &[])
}

/// Frozen Strings by contents, for `-string`.
#[derive(Default)]
struct Deduplicated {
    strings: std::collections::BTreeMap<(Vec<u8>, Encoding), Value>,
    sweep_at: usize,
}
fn deduplicated(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let has_state = me.ext(vm).is_some_and(|ext| !ext.ivars.is_empty() || ext.data.is_some());
    if has_state || me.class() != ClassId::STRING {
        if !me.frozen() {
            let copy = Value::string(me.get(vm).clone());
            vm.freeze(&copy);
            return Ok(copy);
        }
        return Ok(this.clone());
    }
    let contents = me.get(vm).clone();
    let frozen = me.frozen();
    let table = vm.extension::<Deduplicated>();
    if let Some(found) = table.strings.get(&(contents.bytes().to_vec(), contents.encoding())) {
        return Ok(found.clone());
    }
    if table.strings.len() >= table.sweep_at.max(256) {
        table.strings.retain(|_, value| matches!(value, Value::Str(gc) if gc.count() > 1));
        table.sweep_at = table.strings.len() * 2;
    }
    let key = (contents.bytes().to_vec(), contents.encoding());
    let value = if frozen { this.clone() } else { Value::string(contents) };
    value.set_flag(crate::heap::FROZEN, true);
    table.strings.insert(key, value.clone());
    Ok(value)
}
