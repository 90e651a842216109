//! Parts of a String by index, Range or text: reading, replacing, removing.

use super::common::{is_regexp, me, me_mut, part_value, span};
use super::compatible;
use crate::Vm;
use crate::args::Args;
use crate::core::range::bounds::{Bounds, bounds_of};
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, def, opt};
use crate::string::RString;
use crate::value::Value;
use memchr::memmem;
use rchef_text::encoding as enc;

pub(super) static METHODS: &[MethodDef] = &[
    opt("[]", aref, 1, 2),
    opt("slice", aref, 1, 2),
    opt("[]=", aset, 2, 3),
    opt("slice!", slice_bang, 1, 2),
    def("insert", insert, 2),
    opt("byteslice", byteslice, 1, 2),
    def("getbyte", getbyte, 1),
    def("setbyte", setbyte, 2),
    def("chr", chr, 0),
    def("ord", ord, 0),
];

/// The first occurrence of a text at or after a byte offset, at a character boundary.
pub(super) fn find(string: &RString, needle: &[u8], mut from: usize) -> Option<usize> {
    let bytes = string.bytes();
    if needle.is_empty() {
        return (from <= bytes.len()).then_some(from);
    }
    let range = string.range();
    loop {
        let at = from + memmem::find(bytes.get(from..)?, needle)?;
        if enc::is_char_start(bytes, string.encoding(), range, at) {
            return Some(at);
        }
        from = at + 1;
    }
}
/// The first occurrence of a String; an invalid one is never found. CompatibilityError for encodings that do not fit.
pub(super) fn find_text(vm: &mut Vm, me: &Gc<RString>, text: &Gc<RString>, from: usize) -> Res<Option<usize>> {
    compatible(vm, me, text)?;
    let needle = text.get(vm);
    Ok(if needle.is_valid() { find(me.get(vm), needle.bytes(), from) } else { None })
}
/// The byte range selected by an index, a start and length, a text or a Range; None if it is out of range.
fn select(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<(usize, usize)>> {
    if args.len() == 2 {
        let (start, len) = (vm.to_int(args.at(0))?, vm.to_int(args.at(1))?);
        return Ok(span(me.get(vm), start, len));
    }
    match args.at(0) {
        Value::Str(text) => {
            let text = text.clone();
            let found = find_text(vm, me, &text, 0)?;
            Ok(found.map(|at| (at, at + text.get(vm).bytesize())))
        }
        index => {
            if let Some(range) = vm.as_range(index)? {
                let len = me.get(vm).char_count();
                let found = bounds_of(vm, &range, len as i64, Bounds::Nil)?;
                return Ok(found.and_then(|(start, len)| span(me.get(vm), start, len)));
            }
            let index = vm.to_int(index)?;
            Ok(span(me.get(vm), index, 1).filter(|(from, to)| from < to))
        }
    }
}
pub(super) fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if is_regexp(vm, args.at(0)) {
        return super::regexp::aref(vm, this, args);
    }
    let me = me(vm, this)?;
    Ok(match (select(vm, me, args)?, args.pos) {
        (None, _) => Value::Nil,
        (Some(_), [Value::Str(text)]) => Value::string(text.get(vm).clone()),
        (Some((from, to)), _) => part_value(me.get(vm), from, to),
    })
}
/// Replaces a byte range by another String.
pub(super) fn splice(vm: &mut Vm, me: &Gc<RString>, from: usize, to: usize, with: &Gc<RString>) -> Res<()> {
    let encoding = compatible(vm, me, with)?;
    let with = with.get(vm).bytes().to_vec();
    let size = me.get(vm).bytesize() + with.len();
    vm.check_size(size)?;
    let string = me.get_mut(vm);
    let (from, to) = (from.min(string.bytesize()), to.min(string.bytesize()));
    string.bytes_mut().splice(from..to, with);
    string.set_encoding(encoding);
    Ok(())
}
#[cold]
fn outside(vm: &mut Vm, index: i64) -> Error {
    vm.index_error(format!("index {index} out of string"))
}
/// Replaces `len` characters from `start` on.
fn update(vm: &mut Vm, me: &Gc<RString>, start: i64, len: i64, with: &Value) -> Res<()> {
    if len < 0 {
        return Err(vm.index_error(format!("negative length {len}")));
    }
    let with = vm.to_str(with)?;
    compatible(vm, me, &with)?;
    match span(me.get(vm), start, len) {
        Some((from, to)) => splice(vm, me, from, to, &with),
        None => Err(outside(vm, start)),
    }
}
pub(super) fn aset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    if is_regexp(vm, args.at(0)) {
        return super::regexp::aset(vm, this, args);
    }
    if args.len() == 3 {
        let (start, len) = (vm.to_int(args.at(0))?, vm.to_int(args.at(1))?);
        update(vm, me, start, len, args.at(2))?;
        return Ok(args.at(2).clone());
    }
    let value = args.at(1);
    match args.at(0) {
        Value::Str(text) => {
            let text = text.clone();
            let Some(at) = find_text(vm, me, &text, 0)? else { return Err(vm.index_error("string not matched")) };
            let to = at + text.get(vm).bytesize();
            let with = vm.to_str(value)?;
            splice(vm, me, at, to, &with)?;
        }
        index => match vm.as_range(index)? {
            Some(range) => {
                let len = me.get(vm).char_count();
                let Some((start, len)) = bounds_of(vm, &range, len as i64, Bounds::Nil)? else {
                    let shown = vm.to_s_text(index)?;
                    return Err(vm.range_error(format!("{shown} out of range")));
                };
                update(vm, me, start, len, value)?;
            }
            None => {
                let index = vm.to_int(index)?;
                update(vm, me, index, 1, value)?;
            }
        },
    }
    Ok(value.clone())
}
fn slice_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    if is_regexp(vm, args.at(0)) {
        return super::regexp::slice_bang(vm, this, args);
    }
    let Some((from, to)) = select(vm, me, args)? else { return Ok(Value::Nil) };
    let removed = match args.pos {
        [Value::Str(text)] => Value::string(text.get(vm).clone()),
        _ => part_value(me.get(vm), from, to),
    };
    me.get_mut(vm).bytes_mut().drain(from..to);
    Ok(removed)
}
fn insert(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let index = vm.to_int(args.at(0))?;
    let with = vm.to_str(args.at(1))?;
    if index == -1 {
        let me = me_mut(vm, this)?;
        super::common::append(vm, me, &with)?;
        return Ok(this.clone());
    }
    let index = if index < 0 { index + 1 } else { index };
    let me = me(vm, this)?;
    compatible(vm, me, &with)?;
    if span(me.get(vm), index, 0).is_none() {
        return Err(outside(vm, index));
    }
    vm.check_frozen(this)?;
    update(vm, me, index, 0, &Value::Str(with))?;
    Ok(this.clone())
}
fn byteslice(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let (start, len) = match (args.at(0), args.get(1)) {
        (start, Some(len)) => (vm.to_int(start)?, vm.to_int(len)?),
        (index, None) => match vm.as_range(index)? {
            Some(range) => {
                let size = me.get(vm).bytesize();
                match bounds_of(vm, &range, size as i64, Bounds::Nil)? {
                    Some(bounds) => bounds,
                    None => return Ok(Value::Nil),
                }
            }
            None => {
                let index = vm.to_int(index)?;
                let size = me.get(vm).bytesize() as i64;
                if index >= size || index < -size {
                    return Ok(Value::Nil);
                }
                (index, 1)
            }
        },
    };
    // determined only now, because converting the arguments may have changed the String
    let size = me.get(vm).bytesize() as i64;
    let start = if start < 0 { start + size } else { start };
    if len < 0 || start < 0 || start > size {
        return Ok(Value::Nil);
    }
    let to = start.saturating_add(len).min(size);
    Ok(part_value(me.get(vm), start as usize, to as usize))
}
fn byte_at(vm: &Vm, me: &Gc<RString>, index: i64) -> Option<usize> {
    let size = me.get(vm).bytesize();
    let index = if index < 0 { index + size as i64 } else { index };
    usize::try_from(index).ok().filter(|index| *index < size)
}
fn getbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let index = vm.to_int(args.at(0))?;
    Ok(byte_at(vm, me, index).map_or(Value::Nil, |at| Value::Int(i64::from(me.get(vm).bytes()[at]))))
}
fn setbyte(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let index = vm.to_int(args.at(0))?;
    let Some(at) = byte_at(vm, me, index) else { return Err(outside(vm, index)) };
    let byte = match vm.to_integer(args.at(1))? {
        Value::Int(number) => number as u8,
        other => vm.to_bigint(&other)?.iter_u64_digits().next().unwrap_or(0) as u8,
    };
    me.get_mut(vm).bytes_mut()[at] = byte;
    Ok(args.at(1).clone())
}
fn chr(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let string = me(vm, this)?.get(vm);
    let (from, to) = span(string, 0, 1).unwrap_or_default();
    Ok(part_value(string, from, to))
}
fn ord(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let string = me(vm, this)?.get(vm);
    if string.bytes().is_empty() {
        return Err(vm.argument_error("empty string"));
    }
    match enc::codepoint_at(string.bytes(), 0, string.encoding()) {
        Ok((code, _)) => Ok(Value::Int(i64::from(code))),
        Err(error) => Err(vm.argument_error(error.to_string())),
    }
}
