//! Concatenation, repetition, reversal, prefixes and suffixes, the successor.

use super::common::pair;
use super::common::{append, me, me_mut};
use super::compatible;
use crate::ClassId;
use crate::Vm;
use crate::args::Args;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any, def};
use crate::string::RString;
use crate::value::Value;
use rchef_text::encoding::{self as enc, CodepointError, Encoding};

pub(super) static METHODS: &[MethodDef] = &[
    def("+", plus, 1),
    def("*", times, 1),
    def("<<", push, 1),
    any("concat", concat),
    any("prepend", prepend),
    def("reverse", reverse, 0),
    def("reverse!", reverse_bang, 0),
    def("chop", chop, 0),
    def("chop!", chop_bang, 0),
    def("delete_prefix", delete_prefix, 1),
    def("delete_prefix!", delete_prefix_bang, 1),
    def("delete_suffix", delete_suffix, 1),
    def("delete_suffix!", delete_suffix_bang, 1),
    def("succ", succ, 0),
    def("next", succ, 0),
    def("succ!", succ_bang, 0),
    def("next!", succ_bang, 0),
];

fn plus(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let other = vm.to_str(args.at(0))?;
    let encoding = compatible(vm, me, &other)?;
    let (a, b) = (me.get(vm), other.get(vm));
    let size = a.bytesize() + b.bytesize();
    vm.check_size(size)?;
    let (a, b) = (me.get(vm), other.get(vm));
    let mut bytes = Vec::with_capacity(size);
    bytes.extend_from_slice(a.bytes());
    bytes.extend_from_slice(b.bytes());
    let range = match (a.known_range(), b.known_range()) {
        (Some(x), Some(y)) if x == y && x == enc::CodeRange::Ascii => Some(x),
        _ => None,
    };
    Ok(Value::string(RString::with_range(bytes, encoding, range)))
}
fn times(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    let count = vm.to_int(args.at(0))?;
    let Ok(count) = usize::try_from(count) else { return Err(vm.argument_error("negative argument")) };
    let size = me.get(vm).bytesize();
    match size.checked_mul(count) {
        Some(total) if total <= i64::MAX as usize => vm.check_size(total)?,
        _ => return Err(vm.argument_error("argument too big")),
    }
    let string = me.get(vm);
    let range = string.known_range().filter(|range| *range == enc::CodeRange::Ascii);
    Ok(Value::string(RString::with_range(string.bytes().repeat(count), string.encoding(), range)))
}

/// The exception for a number that is not a character.
pub(crate) fn codepoint_error(vm: &mut Vm, error: &CodepointError) -> Error {
    match error {
        CodepointError::Sequence(_) => vm.argument_error(error.to_string()),
        _ => vm.range_error(error.to_string()),
    }
}
/// The character with a number, to be appended to a String: in its encoding, or binary for bytes above ASCII in US-ASCII.
fn character(vm: &mut Vm, me: &Gc<RString>, code: &Value) -> Res<RString> {
    let number = match code {
        Value::Int(number) => *number,
        _ => return Err(vm.range_error("bignum out of char range")),
    };
    let Ok(code) = u64::try_from(number) else { return Err(vm.range_error(format!("{number} out of char range"))) };
    let encoding = me.get(vm).encoding();
    if encoding == Encoding::UsAscii && (0x80..0x100).contains(&code) {
        return Ok(RString::binary(vec![code as u8]));
    }
    let mut out = Vec::with_capacity(4);
    match enc::encode_codepoint(code, encoding, &mut out) {
        Ok(()) => {
            let range = if code < 0x80 && encoding.is_ascii_compatible() {
                enc::CodeRange::Ascii
            } else {
                enc::CodeRange::Valid
            };
            Ok(RString::with_range(out, encoding, Some(range)))
        }
        Err(error) => Err(codepoint_error(vm, &error)),
    }
}
fn push_character(vm: &mut Vm, me: &Gc<RString>, character: &RString) {
    let string = me.get_mut(vm);
    if string.encoding() != character.encoding() {
        string.set_encoding(character.encoding());
    }
    string.push_bytes(character.bytes(), character.known_range());
}
fn push_value(vm: &mut Vm, me: &Gc<RString>, value: &Value) -> Res<()> {
    match value {
        Value::Int(_) | Value::Big(_) => {
            let character = character(vm, me, value)?;
            push_character(vm, me, &character);
            Ok(())
        }
        _ => {
            let other = vm.to_str(value)?;
            append(vm, me, &other)
        }
    }
}
/// `<<`: the argument is checked first, and only then whether the String is frozen.
fn push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.at(0) {
        number @ (Value::Int(_) | Value::Big(_)) => {
            let me = me(vm, this)?;
            let character = character(vm, me, number)?;
            vm.check_frozen(this)?;
            push_character(vm, me, &character);
        }
        value => {
            let other = vm.to_str(value)?;
            let me = me_mut(vm, this)?;
            append(vm, me, &other)?;
        }
    }
    Ok(this.clone())
}
fn concat(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    if let [one] = args.pos {
        push_value(vm, me, one)?;
        return Ok(this.clone());
    }
    // joined first, because the receiver may be one of the arguments
    let joined = Gc::new(ClassId::STRING, RString::new(Vec::new(), me.get(vm).encoding()));
    for value in args.pos {
        push_value(vm, &joined, value)?;
    }
    if !args.is_empty() {
        append(vm, me, &joined)?;
    }
    Ok(this.clone())
}
fn prepend(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let joined = Gc::new(ClassId::STRING, RString::new(Vec::new(), me.get(vm).encoding()));
    for value in args.pos {
        let value = vm.to_str(value)?;
        append(vm, &joined, &value)?;
    }
    if !args.is_empty() {
        super::access::splice(vm, me, 0, 0, &joined)?;
    }
    Ok(this.clone())
}
fn reversed(string: &RString) -> RString {
    let mut bytes = Vec::with_capacity(string.bytesize());
    let range = string.range();
    if range == enc::CodeRange::Ascii || string.encoding().is_single_byte() {
        bytes.extend(string.bytes().iter().rev());
    } else {
        let cuts: Vec<_> = enc::chars(string.bytes(), string.encoding()).collect();
        for cut in cuts.into_iter().rev() {
            bytes.extend_from_slice(&string.bytes()[cut]);
        }
    }
    RString::with_range(bytes, string.encoding(), Some(range).filter(|range| *range != enc::CodeRange::Broken))
}
fn reverse(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::string(reversed(me(vm, this)?.get(vm))))
}
fn reverse_bang(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let made = reversed(me.get(vm));
    me.get_mut(vm).replace(made);
    Ok(this.clone())
}
fn chopped(vm: &mut Vm, me: &Gc<RString>, _: Args<'_>) -> Res<Option<RString>> {
    let string = me.get(vm);
    let bytes = string.bytes();
    let (encoding, range) = (string.encoding(), string.range());
    let Some(mut end) = enc::last_char_start(bytes, encoding, range, bytes.len()) else { return Ok(None) };
    if encoding == Encoding::Utf8 && bytes[end] & 0xC0 == 0x80 {
        // a byte that continues a character which is cut off goes with its first byte
        end = bytes[..end].iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
    }
    let code = |from: usize, to: usize| enc::decode(&bytes[from..to], encoding);
    if code(end, bytes.len()) == 10
        && let Some(before) = enc::last_char_start(bytes, encoding, range, end)
        && code(before, end) == 13
    {
        end = before;
    }
    Ok(Some(super::common::part(string, 0, end)))
}
fn without_prefix(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    let prefix = vm.to_str(args.at(0))?;
    if !prefix.get(vm).is_valid() {
        return Ok(None);
    }
    compatible(vm, me, &prefix)?;
    let (string, prefix) = (me.get(vm), prefix.get(vm).bytes());
    if prefix.is_empty()
        || !string.bytes().starts_with(prefix)
        || !enc::is_char_start(string.bytes(), string.encoding(), string.range(), prefix.len())
    {
        return Ok(None);
    }
    Ok(Some(super::common::part(string, prefix.len(), string.bytesize())))
}
fn without_suffix(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    let suffix = vm.to_str(args.at(0))?;
    if !suffix.get(vm).is_valid() {
        return Ok(None);
    }
    compatible(vm, me, &suffix)?;
    if suffix.get(vm).bytes().is_empty() || !super::search::ends_with(vm, me, &suffix) {
        return Ok(None);
    }
    let end = me.get(vm).bytesize() - suffix.get(vm).bytesize();
    Ok(Some(super::common::part(me.get(vm), 0, end)))
}
pair!(chop chop_bang chopped, delete_prefix delete_prefix_bang without_prefix, delete_suffix delete_suffix_bang without_suffix);

fn succ(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(Value::string(super::succ_of(me.get(vm))))
}
fn succ_bang(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let me = me_mut(vm, this)?;
    let made = super::succ_of(me.get(vm));
    me.get_mut(vm).replace(made);
    Ok(this.clone())
}
