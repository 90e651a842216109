//! Equality, order, hash.

use super::common::me;
use crate::Vm;
use crate::args::Args;
use crate::error::Res;
use crate::heap::Gc;
use crate::method::{MethodDef, def};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_text::encoding as enc;
use std::cmp::Ordering;

pub(super) static METHODS: &[MethodDef] =
    &[def("==", equal, 1), def("===", equal, 1), def("eql?", eql, 1), def("<=>", compare, 1), def("hash", hash, 0)];

/// Whether two Strings have the same bytes in compatible encodings.
fn same_text(vm: &Vm, a: &Gc<RString>, b: &Gc<RString>) -> bool {
    let (x, y) = (a.get(vm), b.get(vm));
    x.bytes() == y.bytes()
        && (x.encoding() == y.encoding() || enc::compatible(super::operand(x), super::operand(y)).is_some())
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(Value::bool(match args.at(0) {
        Value::Str(other) => me.same(other) || same_text(vm, me, other),
        Value::Nil | Value::Sym(_) | Value::Int(_) | Value::True | Value::False => false,
        other => vm.respond_to(other, sym::TO_STR, false)? && vm.eq(other, this)?,
    }))
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    Ok(Value::bool(matches!(args.at(0), Value::Str(other) if me.same(other) || same_text(vm, me, other))))
}
/// Compares bytes; equal bytes in incompatible encodings are ordered by encoding.
pub(crate) fn order(vm: &Vm, a: &Gc<RString>, b: &Gc<RString>) -> Ordering {
    let (x, y) = (a.get(vm), b.get(vm));
    match x.bytes().cmp(y.bytes()) {
        Ordering::Equal if !same_text(vm, a, b) => x.encoding().cmp(&y.encoding()),
        order => order,
    }
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let me = me(vm, this)?;
    match args.at(0) {
        Value::Str(other) => Ok(Value::Int(order(vm, me, other) as i64)),
        Value::Nil | Value::Sym(_) | Value::Int(_) | Value::True | Value::False | Value::Float(_) => Ok(Value::Nil),
        other => match vm.check_str(other)? {
            Some(text) => Ok(Value::Int(order(vm, me, &text) as i64)),
            None => super::super::comparable::inverse(vm, this, other),
        },
    }
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(vm.hash_core(this, crate::coerce::Hashed::Shown).unwrap_or(0) as i64))
}
