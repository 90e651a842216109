//! Character sets: tr, delete, squeeze, count.

use super::common::me;
use super::common::pair;
use super::compatible;
use crate::Vm;
use crate::args::Args;
use crate::error::{Error, Res};
use crate::heap::Gc;
use crate::method::{MethodDef, any, at_least, def};
use crate::string::RString;
use crate::value::Value;
use rchef_text::encoding::Encoding;
use rchef_text::tr::{self, CharSet, TrError};
use rchef_text::tr_ascii;

pub(super) static METHODS: &[MethodDef] = &[
    def("tr", translate, 2),
    def("tr!", translate_bang, 2),
    def("tr_s", translate_squeeze, 2),
    def("tr_s!", translate_squeeze_bang, 2),
    at_least("delete", delete, 0),
    at_least("delete!", delete_bang, 0),
    any("squeeze", squeeze),
    any("squeeze!", squeeze_bang),
    at_least("count", count, 1),
];

#[cold]
fn tr_error(vm: &mut Vm, error: &TrError) -> Error {
    vm.argument_error(error.to_string())
}
/// The common encoding, and the Strings that specify sets.
fn texts(vm: &mut Vm, me: &Gc<RString>, args: &[Value]) -> Res<(Encoding, Vec<Gc<RString>>)> {
    let mut encoding = me.get(vm).encoding();
    let mut texts = Vec::with_capacity(args.len());
    for value in args {
        let text = vm.to_str(value)?;
        encoding = compatible(vm, me, &text)?;
        texts.push(text);
    }
    Ok((encoding, texts))
}
fn set(vm: &mut Vm, me: &Gc<RString>, args: &[Value]) -> Res<(Encoding, CharSet)> {
    let (encoding, texts) = texts(vm, me, args)?;
    let specs: Vec<&[u8]> = texts.iter().map(|text| text.get(vm).bytes()).collect();
    let made = CharSet::new(&specs, encoding);
    made.map(|set| (encoding, set)).map_err(|error| tr_error(vm, &error))
}
/// The new contents, if they differ.
fn changed(vm: &mut Vm, me: &Gc<RString>, encoding: Encoding, made: Result<Vec<u8>, TrError>) -> Res<Option<RString>> {
    match made {
        Ok(bytes) if bytes == me.get(vm).bytes() => Ok(None),
        Ok(bytes) => Ok(Some(RString::new(bytes, encoding))),
        Err(error) => Err(tr_error(vm, &error)),
    }
}
/// The bytes of Strings of ASCII in one encoding, the receiver's first: what they say is done with tables.
fn all_ascii<'a>(vm: &'a Vm, me: &'a Gc<RString>, args: &'a [Value]) -> Option<Vec<&'a [u8]>> {
    let string = me.get(vm);
    let encoding = string.encoding();
    if args.is_empty() || !encoding.is_ascii_compatible() || !string.is_ascii() {
        return None;
    }
    let mut found = vec![string.bytes()];
    for value in args {
        let Value::Str(text) = value else { return None };
        let text = text.get(vm);
        if text.encoding() != encoding {
            return None;
        }
        found.push(text.bytes());
    }
    Some(found)
}
fn tr_with(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>, squeeze: bool) -> Res<Option<RString>> {
    if !squeeze
        && let Some([text, from, to]) = all_ascii(vm, me, args.pos).as_deref()
        && let Some(made) = tr_ascii::tr(text, from, to)
    {
        let encoding = me.get(vm).encoding();
        return Ok(made.map(|bytes| RString::new(bytes, encoding)));
    }
    let (encoding, texts) = texts(vm, me, args.pos)?;
    if let [from, to] = texts.as_slice()
        && compatible(vm, me, from)? != compatible(vm, me, to)?
    {
        compatible(vm, from, to)?;
    }
    let string = me.get(vm);
    if string.bytes().is_empty() {
        return Ok(None);
    }
    match tr::tr(string.bytes(), encoding, texts[0].get(vm).bytes(), texts[1].get(vm).bytes(), squeeze) {
        Ok(made) => Ok(made.map(|bytes| RString::new(bytes, encoding))),
        Err(error) => Err(tr_error(vm, &error)),
    }
}
fn translated(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    tr_with(vm, me, args, false)
}
fn translated_squeezed(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    tr_with(vm, me, args, true)
}
fn deleted(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    if me.get(vm).bytes().is_empty() {
        return Ok(None);
    }
    if args.is_empty() {
        return Err(vm.arity_error(0, "1+"));
    }
    if let Some([text, specs @ ..]) = all_ascii(vm, me, args.pos).as_deref()
        && let Some(table) = tr_ascii::table(specs.iter().copied())
    {
        let made = text.iter().copied().filter(|byte| !table[usize::from(byte & 127)]).collect();
        let own = me.get(vm).encoding();
        return changed(vm, me, own, Ok(made));
    }
    let (encoding, set) = set(vm, me, args.pos)?;
    let made = tr::delete(me.get(vm).bytes(), encoding, &set);
    let own = me.get(vm).encoding();
    changed(vm, me, own, made)
}
fn squeezed(vm: &mut Vm, me: &Gc<RString>, args: Args<'_>) -> Res<Option<RString>> {
    let made = if args.is_empty() {
        tr::squeeze(me.get(vm).bytes(), me.get(vm).encoding(), None)
    } else {
        let (encoding, set) = set(vm, me, args.pos)?;
        tr::squeeze(me.get(vm).bytes(), encoding, Some(&set))
    };
    let own = me.get(vm).encoding();
    changed(vm, me, own, made)
}
pair!(
    translate translate_bang translated,
    translate_squeeze translate_squeeze_bang translated_squeezed,
    delete delete_bang deleted,
    squeeze squeeze_bang squeezed,
);

fn count(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    if let [Value::Str(one)] = args.pos
        && let [byte] = *one.get(vm).bytes()
        && byte < 0x80
        && me.get(vm).encoding().is_ascii_compatible()
        && me.get(vm).is_ascii()
    {
        return Ok(Value::len(memchr::memchr_iter(byte, me.get(vm).bytes()).count()));
    }
    if let Some([text, specs @ ..]) = all_ascii(vm, me, args.pos).as_deref()
        && let Some(table) = tr_ascii::table(specs.iter().copied())
    {
        return Ok(Value::len(text.iter().filter(|byte| table[usize::from(**byte & 127)]).count()));
    }
    let (encoding, set) = set(vm, me, args.pos)?;
    tr::count(me.get(vm).bytes(), encoding, &set).map(Value::len).map_err(|error| tr_error(vm, &error))
}
