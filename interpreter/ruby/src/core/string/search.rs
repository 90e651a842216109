//! Finding text: index, include?, start_with?, end_with?, partition.

use super::access::find_text;
use super::common::{is_regexp, me, part_value};
use super::compatible;
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use memchr::memmem;
use rchef_text::encoding as enc;

pub(super) static METHODS: &[MethodDef] = &[
    def("include?", include, 1),
    opt("index", index, 1, 2),
    opt("rindex", rindex, 1, 2),
    any("start_with?", start_with),
    any("end_with?", end_with),
    def("partition", partition, 1),
    def("rpartition", rpartition, 1),
];

fn include(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let text = vm.to_str(args.at(0))?;
    Ok(Value::bool(find_text(vm, me, &text, 0)?.is_some()))
}
/// The character index of a byte offset.
fn char_at(string: &RString, offset: usize) -> Value {
    Value::len(enc::char_index(string.bytes(), string.encoding(), string.range(), offset))
}
/// The text to search for.
fn pattern(vm: &mut Vm, value: &Value) -> Res<Gc<RString>> {
    match vm.check_str(value)? {
        Some(text) => Ok(text),
        None => {
            let described = vm.describe(value);
            Err(vm.type_error_of(value, format!("no implicit conversion of {described} into String")))
        }
    }
}
fn index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if is_regexp(vm, args.at(0)) {
        return super::regexp::index(vm, this, args);
    }
    let me = me(vm, this)?;
    let start = match args.get(1) {
        Some(start) => vm.to_int(start)?,
        None => 0,
    };
    let text = pattern(vm, args.at(0))?;
    compatible(vm, me, &text)?;
    let Some((from, _)) = super::common::span(me.get(vm), start, 0) else { return Ok(Value::Nil) };
    let found = find_text(vm, me, &text, from)?;
    Ok(found.map_or(Value::Nil, |at| char_at(me.get(vm), at)))
}
/// The last occurrence of a text at or before a byte offset.
fn rfind(string: &RString, needle: &[u8], from: usize) -> Option<usize> {
    let bytes = string.bytes();
    let mut limit = from.saturating_add(needle.len()).min(bytes.len());
    loop {
        let at = memmem::rfind(&bytes[..limit], needle)?;
        if enc::is_char_start(bytes, string.encoding(), string.range(), at) {
            return Some(at);
        }
        limit = (at + needle.len()).checked_sub(1)?;
    }
}
fn rindex(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if is_regexp(vm, args.at(0)) {
        return super::regexp::rindex(vm, this, args);
    }
    let me = me(vm, this)?;
    let count = me.get(vm).char_count() as i64;
    let start = match args.get(1) {
        Some(start) => vm.to_int(start)?,
        None => count,
    };
    let start = if start < 0 { start + count } else { start.min(count) };
    let text = pattern(vm, args.at(0))?;
    if start < 0 {
        return Ok(Value::Nil);
    }
    compatible(vm, me, &text)?;
    let string = me.get(vm);
    let Some((from, _)) = super::common::span(string, start, 0) else { return Ok(Value::Nil) };
    if !text.get(vm).is_valid() {
        return Ok(Value::Nil);
    }
    Ok(rfind(string, text.get(vm).bytes(), from).map_or(Value::Nil, |at| char_at(string, at)))
}
pub(super) fn starts_with(vm: &Vm, me: &Gc<RString>, prefix: &Gc<RString>) -> bool {
    let (string, prefix) = (me.get(vm), prefix.get(vm).bytes());
    string.bytes().starts_with(prefix)
        && enc::is_char_start(string.bytes(), string.encoding(), string.range(), prefix.len())
}
/// Whether a String ends with another, at a character boundary.
pub(super) fn ends_with(vm: &Vm, me: &Gc<RString>, suffix: &Gc<RString>) -> bool {
    let (string, suffix) = (me.get(vm), suffix.get(vm).bytes());
    string.bytes().ends_with(suffix)
        && enc::is_char_start(string.bytes(), string.encoding(), string.range(), string.bytesize() - suffix.len())
}
fn start_with(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    for value in args.pos {
        let found = if is_regexp(vm, value) {
            super::regexp::start_with(vm, this, Args::new(std::slice::from_ref(value)))?.truthy()
        } else {
            let prefix = vm.to_str(value)?;
            compatible(vm, me, &prefix)?;
            starts_with(vm, me, &prefix)
        };
        if found {
            return Ok(Value::True);
        }
    }
    Ok(Value::False)
}
fn end_with(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    for value in args.pos {
        let suffix = vm.to_str(value)?;
        compatible(vm, me, &suffix)?;
        if ends_with(vm, me, &suffix) {
            return Ok(Value::True);
        }
    }
    Ok(Value::False)
}
fn separator(vm: &mut Vm, value: &Value) -> Res<Gc<RString>> {
    match vm.check_str(value)? {
        Some(text) => Ok(text),
        None => {
            let described = vm.describe(value);
            Err(vm.type_error(format!("wrong argument type {described} (expected Regexp)")))
        }
    }
}
/// What is before the separator, the separator itself, and what is after it.
fn three(vm: &Vm, me: &Gc<RString>, separator: &Gc<RString>, at: usize) -> Value {
    let string = me.get(vm);
    let to = at + separator.get(vm).bytesize();
    Value::array(vec![
        part_value(string, 0, at),
        Value::Str(separator.clone()),
        part_value(string, to, string.bytesize()),
    ])
}
fn partition(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if is_regexp(vm, args.at(0)) {
        return super::regexp::partition(vm, this, args);
    }
    let me = me(vm, this)?;
    let text = separator(vm, args.at(0))?;
    match find_text(vm, me, &text, 0)? {
        Some(at) => Ok(three(vm, me, &text, at)),
        None => {
            let string = me.get(vm);
            let empty = RString::new(Vec::new(), string.encoding());
            Ok(Value::array(vec![Value::string(string.clone()), Value::string(empty.clone()), Value::string(empty)]))
        }
    }
}
fn rpartition(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if is_regexp(vm, args.at(0)) {
        return super::regexp::rpartition(vm, this, args);
    }
    let me = me(vm, this)?;
    let text = separator(vm, args.at(0))?;
    compatible(vm, me, &text)?;
    let needle = text.get(vm);
    let found = needle.is_valid().then(|| rfind(me.get(vm), needle.bytes(), me.get(vm).bytesize())).flatten();
    match found {
        Some(at) => Ok(three(vm, me, &text, at)),
        None => {
            let string = me.get(vm);
            let empty = RString::new(Vec::new(), string.encoding());
            Ok(Value::array(vec![Value::string(empty.clone()), Value::string(empty), Value::string(string.clone())]))
        }
    }
}
