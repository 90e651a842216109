//! Helpers for String's methods: the receiver, parts of it, appending.

use super::join::compatible;
use crate::Vm;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_text::encoding::{self as enc, CodeRange};

pub(crate) fn me<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RString>> {
    match this {
        Value::Str(gc) => Ok(gc),
        _ => Err(wrong_receiver(vm, this)),
    }
}

/// The receiver; FrozenError if it is frozen.
pub(crate) fn me_mut<'a>(vm: &mut Vm, this: &'a Value) -> Res<&'a Gc<RString>> {
    vm.check_frozen(this)?;
    me(vm, this)
}

pub(crate) fn is_regexp(vm: &Vm, value: &Value) -> bool {
    matches!(value, Value::Object(_)) && vm.data::<crate::core::regexp::data::RegexpData>(value).is_some()
}

/// A part of a String, in its encoding; the range is limited to the existing bytes.
pub(crate) fn part(string: &RString, from: usize, to: usize) -> RString {
    let to = to.min(string.bytesize());
    let from = from.min(to);
    let range = if string.known_range() == Some(CodeRange::Ascii) { Some(CodeRange::Ascii) } else { None };
    RString::with_range(&string.bytes()[from..to], string.encoding(), range)
}

/// [`part`] as a value.
pub(crate) fn part_value(string: &RString, from: usize, to: usize) -> Value {
    Value::string(part(string, from, to))
}

/// Appends a String; the encoding becomes the compatible one.
pub fn append(vm: &mut Vm, to: &Gc<RString>, other: &Gc<RString>) -> Res<()> {
    let encoding = compatible(vm, to, other)?;
    let (size, added) = (to.get(vm).bytesize(), other.get(vm).bytesize());
    vm.check_growth(size, added)?;
    if to.same(other) {
        let bytes = other.get(vm).bytes().to_vec();
        to.get_mut(vm).push_bytes(&bytes, None);
        return Ok(());
    }
    // few bytes are copied through a buffer; more are moved out of the other String temporarily
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

/// The byte range of `len` characters from `start` on (limited to the existing ones; a negative start counts from the end); None if it is out of
/// range.
pub(crate) fn span(string: &RString, start: i64, len: i64) -> Option<(usize, usize)> {
    let bytes = string.bytes();
    let range = string.range();
    let len = usize::try_from(len).ok()?;
    let from = match usize::try_from(start) {
        Ok(start) => enc::byte_index(bytes, string.encoding(), range, start)?,
        Err(_) => {
            let back = usize::try_from(start.unsigned_abs()).ok()?;
            enc::byte_index_from_end(bytes, string.encoding(), range, back)?
        }
    };
    let rest = &bytes[from..];
    let to = if len >= rest.len() {
        bytes.len()
    } else {
        from + enc::byte_index(rest, string.encoding(), range, len).unwrap_or(rest.len())
    };
    Some((from, to))
}

/// The Symbol of a keyword.
pub(crate) fn keyword(name: &'static str) -> Symbol {
    Symbol::intern_static(name)
}

#[cold]
fn wrong_receiver(vm: &mut Vm, this: &Value) -> Error {
    let described = vm.describe(this);
    vm.type_error(format!("wrong argument type {described} (expected String)"))
}

/// Defines a method and its `!` form with a function that returns the new contents, or None if they are unchanged.
macro_rules! pair {
    ($($name:ident $bang:ident $compute:ident),+ $(,)?) => {$(
        fn $name(vm: &mut crate::Vm, this: &crate::Value, args: crate::Args<'_>) -> crate::Res {
            let me = $crate::core::string::common::me(vm, this)?;
            let made = $compute(vm, me, args)?;
            Ok(crate::Value::string(made.unwrap_or_else(|| me.get(vm).clone())))
        }
        fn $bang(vm: &mut crate::Vm, this: &crate::Value, args: crate::Args<'_>) -> crate::Res {
            let me = $crate::core::string::common::me_mut(vm, this)?;
            Ok(match $compute(vm, me, args)? {
                Some(made) => {
                    // converting an argument may have frozen it
                    vm.check_frozen(this)?;
                    me.get_mut(vm).replace(made);
                    this.clone()
                }
                None => crate::Value::Nil,
            })
        }
    )+};
}
pub(crate) use pair;
