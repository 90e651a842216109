//! Hash: comparison and conversion.

use super::{each_entry, empty, this_hash};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::coerce::mix;
use crate::core::natives::{once, paired};
use crate::error::Res;
use crate::hash::RHash;
use crate::heap::{BY_IDENTITY, Gc};
use crate::method::{MethodDef, def};
use crate::string::RString;
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::CodeRange;

pub(super) static METHODS: &[MethodDef] = &[
    def("==", equal, 1),
    def("eql?", eql, 1),
    def("hash", hash, 0),
    def("<", lt, 1),
    def("<=", le, 1),
    def(">", gt, 1),
    def(">=", ge, 1),
    def("inspect", inspect, 0),
    def("to_s", inspect, 0),
    def("to_h", to_h, 0),
];

fn same_pairs(vm: &mut Vm, a: &Gc<RHash>, b: &Gc<RHash>, strict: bool) -> Res<bool> {
    let mut same = true;
    each_entry(vm, a, |vm, key, value| {
        same = match vm.hash_get(b, &key)? {
            Some(other) => {
                value.same(&other) && !matches!(value, Value::Float(_))
                    || if strict { vm.eql(&value, &other)? } else { vm.equal(&value, &other)? }
            }
            None => false,
        };
        Ok(same)
    })?;
    Ok(same)
}
fn equality(vm: &mut Vm, this: &Value, other: &Value, strict: bool) -> Res {
    if this.same(other) {
        return Ok(Value::True);
    }
    let Value::Hash(theirs) = other else {
        if !matches!(other, Value::Object(_) | Value::Class(_)) || !vm.respond_to(other, sym::TO_HASH, true)? {
            return Ok(Value::False);
        }
        let name = if strict { sym::EQL } else { sym::EQ };
        return Ok(Value::bool(vm.call(other, name, std::slice::from_ref(this))?.truthy()));
    };
    let own = this_hash(vm, this)?;
    if own.get(vm).len() != theirs.get(vm).len() {
        return Ok(Value::False);
    }
    if own.get(vm).is_empty() {
        return Ok(Value::True);
    }
    if own.flag(BY_IDENTITY) != theirs.flag(BY_IDENTITY) {
        return Ok(Value::False);
    }
    Ok(Value::bool(paired(vm, this, other, |vm| same_pairs(vm, own, theirs, strict))?.unwrap_or(true)))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    equality(vm, this, args.at(0), false)
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    equality(vm, this, args.at(0), true)
}
/// Hash#hash: equal for equal hashes in any order.
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let own = this_hash(vm, this)?;
    let mut sum = mix(9, own.get(vm).len() as u64);
    each_entry(vm, own, |vm, key, value| {
        vm.tick_by(1)?;
        let pair = mix(vm.hash_shown(&key)?, vm.hash_shown(&value)?);
        sum = sum.wrapping_add(pair);
        Ok(true)
    })?;
    Ok(Value::Int(sum as i64 >> 2))
}
/// Whether all pairs of `small` are in `large`.
fn within(vm: &mut Vm, small: &Gc<RHash>, large: &Gc<RHash>, proper: bool) -> Res {
    let (a, b) = (small.get(vm).len(), large.get(vm).len());
    if a > b || (proper && a == b) {
        return Ok(Value::False);
    }
    Ok(Value::bool(same_pairs(vm, small, large, false)?))
}
fn lt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_hash(args.at(0))?;
    let own = this_hash(vm, this)?;
    within(vm, own, &other, true)
}
fn le(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_hash(args.at(0))?;
    let own = this_hash(vm, this)?;
    within(vm, own, &other, false)
}
fn gt(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_hash(args.at(0))?;
    let own = this_hash(vm, this)?;
    within(vm, &other, own, true)
}
fn ge(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.to_hash(args.at(0))?;
    let own = this_hash(vm, this)?;
    within(vm, &other, own, false)
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let own = this_hash(vm, this)?;
    if own.get(vm).is_empty() {
        return Ok(Value::string(RString::ascii("{}")));
    }
    let shown = once(vm, this, |vm| {
        let mut out = RString::from_text("{");
        let mut first = true;
        each_entry(vm, own, |vm, key, value| {
            vm.tick_by(1)?;
            let text = vm.inspect_str(&key)?;
            if std::mem::replace(&mut first, false) {
                // the whole has the encoding of its first part until a later part needs more
                out = RString::new(b"{".to_vec(), text.get(vm).encoding());
            } else {
                out.push_bytes(b", ", Some(CodeRange::Ascii));
            }
            vm.append(&mut out, &text)?;
            out.push_bytes(b"=>", Some(CodeRange::Ascii));
            let text = vm.inspect_str(&value)?;
            vm.append(&mut out, &text)?;
            Ok(true)
        })?;
        out.push_bytes(b"}", Some(CodeRange::Ascii));
        Ok(out)
    })?;
    Ok(Value::string(shown.unwrap_or_else(|| RString::ascii("{...}"))))
}
/// The key and value in the result of a `to_h` block.
pub(crate) fn pair_of(vm: &mut Vm, pair: &Value) -> Res<(Value, Value)> {
    let Some(items) = vm.check_ary(pair)? else {
        let class = vm.describe(pair);
        return Err(vm.type_error(format!("wrong element type {class} (expected array)")));
    };
    match items.get(vm).items.as_slice() {
        [key, value] => Ok((key.clone(), value.clone())),
        other => {
            let count = other.len();
            Err(vm.argument_error(format!("element has wrong array length (expected 2, was {count})")))
        }
    }
}
fn to_h(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let own = this_hash(vm, this)?;
    let Some(block) = args.block else {
        if vm.real_class_of(this) == ClassId::HASH {
            return Ok(this.clone());
        }
        let copy = Gc::new(ClassId::HASH, own.get(vm).clone());
        copy.set_flag(BY_IDENTITY, own.flag(BY_IDENTITY));
        return Ok(Value::Hash(copy));
    };
    let made = empty();
    each_entry(vm, own, |vm, key, value| {
        let pair = vm.yield2(block, key, value)?;
        let (key, value) = pair_of(vm, &pair)?;
        vm.hash_set(&made, key, value)?;
        Ok(true)
    })?;
    Ok(Value::Hash(made))
}
