//! MatchData's methods.

use super::search::position;
use super::{MatchInfo, RegexpData, part, quoted};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::method::{MethodDef, any, def, opt};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::hash::{Hash, Hasher};

static METHODS: &[MethodDef] = &[
    def("initialize_copy", initialize_copy, 1).private(),
    def("regexp", regexp, 0),
    def("string", string, 0),
    def("names", names, 0),
    def("size", size, 0),
    def("length", size, 0),
    def("to_a", to_a, 0),
    def("captures", captures, 0),
    def("named_captures", named_captures, 0),
    opt("[]", aref, 1, 2),
    any("values_at", values_at),
    def("begin", begin, 1),
    def("end", end, 1),
    def("offset", offset, 1),
    def("match", match_, 1),
    def("match_length", match_length, 1),
    def("pre_match", pre_match, 0),
    def("post_match", post_match, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("==", equal, 1),
    def("eql?", equal, 1),
    def("hash", hash, 0),
];

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::MATCH_DATA).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(ClassId::MATCH_DATA, METHODS);
    let meta = vm.meta(ClassId::MATCH_DATA);
    for name in ["new", "allocate"] {
        vm.undefine(meta, rchef_syntax::Symbol::intern_static(name));
    }
}

#[cold]
fn uninitialized(vm: &mut Vm, _: &Value) -> Error {
    vm.type_error("uninitialized MatchData")
}
/// Borrows the data of a MatchData together with the VM.
macro_rules! info {
    ($vm:ident, $this:ident) => {
        match $vm.data::<MatchInfo>($this) {
            Some(info) => info,
            None => return Err(uninitialized($vm, $this)),
        }
    };
}
#[cold]
fn undefined_group(vm: &mut Vm, name: &[u8]) -> Error {
    vm.index_error(format!("undefined group name reference: {}", String::from_utf8_lossy(name)))
}
/// The number of a named group; IndexError if there is none.
pub(crate) fn name_number(vm: &mut Vm, this: &Value, name: &Value) -> Res<usize> {
    let info = info!(vm, this);
    let bytes = match name {
        Value::Sym(symbol) => symbol.as_bytes(),
        Value::Str(gc) => gc.get(vm).bytes(),
        _ => b"",
    };
    match info.named(bytes) {
        Some(index) => Ok(index),
        None => {
            let bytes = bytes.to_vec();
            Err(undefined_group(vm, &bytes))
        }
    }
}
/// The number of a group given by number or name.
pub(crate) fn group_number(vm: &mut Vm, this: &Value, group: &Value) -> Res<i64> {
    match group {
        Value::Int(number) => Ok(*number),
        Value::Sym(_) | Value::Str(_) => Ok(name_number(vm, this, group)? as i64),
        _ => vm.to_int(group),
    }
}
/// The text of a group; negative numbers count from the end. nil if there is none.
pub(crate) fn nth_group(vm: &Vm, this: &Value, number: i64) -> Value {
    let Some(info) = vm.data::<MatchInfo>(this) else { return Value::Nil };
    let count = info.groups.len() as i64;
    let number = if number < 0 { number + count } else { number };
    if number < 0 {
        return Value::Nil;
    }
    info.group(vm, number as usize).unwrap_or_default()
}
/// Byte offsets of a group given to `begin` etc.; IndexError if it is out of range.
fn span(vm: &mut Vm, this: &Value, group: &Value) -> Res<Option<(usize, usize)>> {
    let number = group_number(vm, this, group)?;
    let info = info!(vm, this);
    match usize::try_from(number).ok().and_then(|number| info.groups.get(number)) {
        Some(found) => Ok(*found),
        None => Err(vm.index_error(format!("index {number} out of matches"))),
    }
}

fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    let copy = info!(vm, other).clone();
    vm.set_data(this, copy);
    Ok(this.clone())
}
fn regexp(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let pattern = info!(vm, this).pattern.clone();
    let Value::Str(text) = &pattern else { return Ok(pattern) };
    let made = quoted(vm, text)?;
    let regexp = vm.data::<RegexpData>(&made).map(|data| data.regexp.clone());
    if let Some(info) = vm.data_mut::<MatchInfo>(this) {
        info.pattern = made.clone();
        info.regexp = regexp;
    }
    Ok(made)
}
fn string(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Str(info!(vm, this).text.clone()))
}
fn names(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(info!(vm, this).names().iter().map(|(name, _)| Value::str(name)).collect()))
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(info!(vm, this).groups.len()))
}
fn groups(vm: &mut Vm, this: &Value, from: usize) -> Res<Vec<Value>> {
    let info = info!(vm, this);
    Ok((from..info.groups.len()).map(|index| info.group(vm, index).unwrap_or_default()).collect())
}
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(groups(vm, this, 0)?))
}
fn captures(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(groups(vm, this, 1)?))
}
fn named_captures(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let info = info!(vm, this);
    let pairs = (info.names().iter())
        .map(|(name, _)| {
            let value = info.named(name.as_bytes()).and_then(|index| info.group(vm, index));
            (Value::str(name), Value::or_nil(value))
        })
        .collect();
    vm.new_hash(pairs)
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.len() == 1 {
        match args.at(0) {
            Value::Int(number) => return Ok(nth_group(vm, this, *number)),
            Value::Sym(_) | Value::Str(_) => {
                let number = name_number(vm, this, args.at(0))?;
                return Ok(nth_group(vm, this, number as i64));
            }
            _ => {}
        }
    }
    let all = Value::array(groups(vm, this, 0)?);
    vm.call(&all, sym::AREF, args.pos)
}
fn values_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut items = Vec::with_capacity(args.len());
    for arg in args.pos {
        match arg {
            Value::Int(number) => items.push(nth_group(vm, this, *number)),
            Value::Sym(_) | Value::Str(_) => {
                let number = name_number(vm, this, arg)?;
                items.push(nth_group(vm, this, number as i64));
            }
            _ => {
                let all = Value::array(groups(vm, this, 0)?);
                let count = info!(vm, this).groups.len() as i64;
                crate::core::range::bounds::bounds_of(vm, arg, count, crate::core::range::bounds::Bounds::Raise)?;
                let found = vm.call_name(&all, "values_at", std::slice::from_ref(arg))?;
                items.extend(vm.splat(&found)?);
            }
        }
    }
    Ok(Value::array(items))
}
fn at(vm: &mut Vm, this: &Value, offset: usize) -> Res {
    Ok(position(info!(vm, this).text.get(vm), offset))
}
fn begin(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match span(vm, this, args.at(0))? {
        Some((from, _)) => at(vm, this, from),
        None => Ok(Value::Nil),
    }
}
fn end(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match span(vm, this, args.at(0))? {
        Some((_, to)) => at(vm, this, to),
        None => Ok(Value::Nil),
    }
}
fn offset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(match span(vm, this, args.at(0))? {
        Some((from, to)) => vec![at(vm, this, from)?, at(vm, this, to)?],
        None => vec![Value::Nil, Value::Nil],
    }))
}
fn match_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = span(vm, this, args.at(0))?;
    let info = info!(vm, this);
    Ok(found.map(|(from, to)| part(info.text.get(vm), from, to)).unwrap_or_default())
}
fn match_length(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match match_(vm, this, args)? {
        Value::Str(text) => Ok(Value::len(text.get(vm).char_count())),
        other => Ok(other),
    }
}
fn pre_match(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let info = info!(vm, this);
    Ok(part(info.text.get(vm), 0, info.whole().0))
}
fn post_match(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let info = info!(vm, this);
    let text = info.text.get(vm);
    Ok(part(text, info.whole().1, text.bytesize()))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let info = info!(vm, this);
    let (from, to) = info.whole();
    Ok(part(info.text.get(vm), from, to))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let Some(info) = vm.data::<MatchInfo>(this) else { return Ok(Value::str(vm.default_to_s(this))) };
    let text = info.text.get(vm);
    let mut out = format!("#<{class}").into_bytes();
    if matches!(info.pattern, Value::Str(_)) {
        // the form that MRI shows for the match of a String, until its regexp is used
        let (from, to) = info.whole();
        out.extend_from_slice(b": ");
        out.extend_from_slice(&text.bytes()[from..to]);
        out.push(b'>');
        return Ok(Value::string(RString::utf8(out)));
    }
    for (index, group) in info.groups.iter().enumerate() {
        out.push(b' ');
        if index > 0 {
            match info.names().iter().find(|(_, indices)| indices.contains(&index)) {
                Some((name, _)) => out.extend_from_slice(name.as_bytes()),
                None => out.extend_from_slice(index.to_string().as_bytes()),
            }
            out.push(b':');
        }
        match group {
            Some((from, to)) => {
                out.extend_from_slice(&rchef_text::inspect::inspect(&text.bytes()[*from..*to], text.encoding()))
            }
            None => out.extend_from_slice(b"nil"),
        }
    }
    out.push(b'>');
    Ok(Value::string(RString::utf8(out)))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if this.same(other) {
        return Ok(Value::True);
    }
    if vm.data::<MatchInfo>(other).is_none() || vm.data::<MatchInfo>(this).is_none() {
        return Ok(Value::False);
    }
    let (x, y) = (regexp(vm, this, Args::none())?, regexp(vm, other, Args::none())?);
    let (a, b) = (info!(vm, this), info!(vm, other));
    let alike = a.groups == b.groups && vm.str_eq(&a.text, &b.text);
    Ok(Value::bool(alike && vm.eq(&x, &y)?))
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let info = info!(vm, this);
    let mut hasher = rustc_hash::FxHasher::default();
    info.text.get(vm).bytes().hash(&mut hasher);
    info.groups.hash(&mut hasher);
    Ok(Value::Int((hasher.finish() >> 2) as i64))
}
