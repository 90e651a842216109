//! Whitespace at the ends, line ends.

use super::common::pair;
use super::common::part;
use super::compatible;
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{self as enc, CodeRange, Encoding};

pub(super) static METHODS: &[MethodDef] = &[
    def("strip", strip, 0),
    def("strip!", strip_bang, 0),
    def("lstrip", lstrip, 0),
    def("lstrip!", lstrip_bang, 0),
    def("rstrip", rstrip, 0),
    def("rstrip!", rstrip_bang, 0),
    opt("chomp", chomp, 0, 1),
    opt("chomp!", chomp_bang, 0, 1),
];

/// Whether `strip` removes a character: whitespace and NUL.
fn blank(code: u32) -> bool {
    matches!(code, 0 | 9..=13 | 32)
}
fn left(string: &RString) -> usize {
    let bytes = string.bytes();
    if string.encoding().is_ascii_compatible() {
        return bytes.iter().take_while(|byte| blank(u32::from(**byte))).count();
    }
    let encoding = string.encoding();
    enc::chars(bytes, encoding)
        .find(|cut| !blank(enc::decode(&bytes[cut.clone()], encoding)))
        .map_or(bytes.len(), |cut| cut.start)
}
fn right(string: &RString, from: usize) -> usize {
    let bytes = &string.bytes()[from..];
    if string.encoding().is_ascii_compatible() {
        return from + bytes.len() - bytes.iter().rev().take_while(|byte| blank(u32::from(**byte))).count();
    }
    let encoding = string.encoding();
    let last = enc::chars(bytes, encoding).filter(|cut| !blank(enc::decode(&bytes[cut.clone()], encoding))).last();
    from + last.map_or(0, |cut| cut.end)
}
fn cut(vm: &mut Vm, me: &Gc<RString>, at_left: bool, at_right: bool) -> Res<Option<RString>> {
    let string = me.get(vm);
    if at_right && string.encoding().is_dummy() {
        let text = format!("incompatible encoding with this operation: {}", string.encoding().name());
        return Err(vm.error(crate::ClassId::COMPATIBILITY_ERROR, text));
    }
    if at_right && string.range() == CodeRange::Broken {
        let text = format!("invalid byte sequence in {}", string.encoding().name());
        return Err(vm.argument_error(text));
    }
    let from = if at_left { left(string) } else { 0 };
    if at_left
        && string.range() == CodeRange::Broken
        && from < string.bytesize()
        && !enc::char_len_at(string.bytes(), from, string.encoding()).is_valid()
    {
        let text = format!("invalid byte sequence in {}", string.encoding().name());
        return Err(vm.argument_error(text));
    }
    let to = if at_right { right(string, from) } else { string.bytesize() };
    Ok(if from == 0 && to == string.bytesize() { None } else { Some(part(string, from, to)) })
}
fn both(vm: &mut Vm, me: &Gc<RString>, _: Args<'_>) -> Res<Option<RString>> {
    cut(vm, me, true, true)
}
fn only_left(vm: &mut Vm, me: &Gc<RString>, _: Args<'_>) -> Res<Option<RString>> {
    cut(vm, me, true, false)
}
fn only_right(vm: &mut Vm, me: &Gc<RString>, _: Args<'_>) -> Res<Option<RString>> {
    cut(vm, me, false, true)
}
/// The length of a String without one line end (`\n`, `\r\n`, `\r`).
pub(super) fn without_newline(bytes: &[u8], encoding: Encoding) -> usize {
    if encoding.is_ascii_compatible() {
        return match bytes {
            [head @ .., b'\r', b'\n'] | [head @ .., b'\n' | b'\r'] => head.len(),
            _ => bytes.len(),
        };
    }
    let cuts: Vec<_> = enc::chars(bytes, encoding).collect();
    let code =
        |back: usize| cuts.len().checked_sub(back).map(|index| enc::decode(&bytes[cuts[index].clone()], encoding));
    let drop = match (code(1), code(2)) {
        (Some(10), Some(13)) => 2,
        (Some(10 | 13), _) => 1,
        _ => 0,
    };
    if drop == 0 { bytes.len() } else { cuts[cuts.len() - drop].start }
}
fn chomped(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    let separator = match args.get(0) {
        Some(value) => value.clone(),
        None => vm.global_get(sym::DOLLAR_SLASH)?,
    };
    if separator.is_nil() {
        return Ok(None);
    }
    let separator = vm.to_str(&separator)?;
    let (string, text) = (me.get(vm), separator.get(vm).bytes());
    let bytes = string.bytes();
    let mut end = bytes.len();
    match text {
        b"\n" => end = without_newline(bytes, string.encoding()),
        b"" => {
            while end > 0 && bytes[end - 1] == b'\n' {
                end -= 1;
                if end > 0 && bytes[end - 1] == b'\r' {
                    end -= 1;
                }
            }
        }
        _ => {
            compatible(vm, me, &separator)?;
            if separator.get(vm).is_valid() && super::search::ends_with(vm, me, &separator) {
                end -= separator.get(vm).bytesize();
            }
        }
    }
    let string = me.get(vm);
    Ok((end < string.bytesize()).then(|| part(string, 0, end)))
}
pair!(strip strip_bang both, lstrip lstrip_bang only_left, rstrip rstrip_bang only_right, chomp chomp_bang chomped);
