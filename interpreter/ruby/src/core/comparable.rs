//! Comparable.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use num_bigint::BigInt;
use rchef_syntax::symbol::sym;
use std::cmp::Ordering;

static METHODS: &[MethodDef] = &[
    def("==", equal, 1),
    def("<", less, 1),
    def("<=", less_or_equal, 1),
    def(">", greater, 1),
    def(">=", greater_or_equal, 1),
    def("between?", between, 2),
    opt("clamp", clamp, 1, 2),
];

/// Pairs being compared: a recursive comparison of the same pair is nil.
#[derive(Default)]
struct Running(Vec<(Value, Value)>);

/// Runs a comparison, unless the same one is running already.
fn guarded(vm: &mut Vm, a: &Value, b: &Value, body: impl FnOnce(&mut Vm) -> Res) -> Res {
    if vm.extension::<Running>().0.iter().any(|(x, y)| x.same(a) && y.same(b)) {
        return Ok(Value::Nil);
    }
    vm.check_stack()?;
    vm.extension::<Running>().0.push((a.clone(), b.clone()));
    let result = body(vm);
    vm.extension::<Running>().0.pop();
    result
}
/// `-(other <=> this)`, for natives whose `<=>` does not support the other's class; nil if that fails too.
pub(crate) fn inverse(vm: &mut Vm, this: &Value, other: &Value) -> Res {
    let answer = guarded(vm, this, other, |vm| vm.call(other, sym::CMP, std::slice::from_ref(this)))?;
    Ok(match answer {
        Value::Nil => Value::Nil,
        Value::Int(number) => Value::Int(-number.signum()),
        Value::Big(big) => Value::Int(if big.get(vm).0 > BigInt::from(0) { -1 } else { 1 }),
        other_answer => Value::Int(-(vm.ordering(&other_answer, other, this)? as i64)),
    })
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if this.same(other) {
        return Ok(Value::True);
    }
    let answer = guarded(vm, this, other, |vm| vm.call(this, sym::CMP, std::slice::from_ref(other)))?;
    if answer.is_nil() {
        return Ok(Value::False);
    }
    Ok(Value::bool(vm.ordering(&answer, this, other)? == Ordering::Equal))
}
fn order(vm: &mut Vm, this: &Value, other: &Value) -> Res<Ordering> {
    let answer = vm.call(this, sym::CMP, std::slice::from_ref(other))?;
    vm.ordering(&answer, this, other)
}
fn less(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(order(vm, this, args.at(0))?.is_lt()))
}
fn less_or_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(order(vm, this, args.at(0))?.is_le()))
}
fn greater(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(order(vm, this, args.at(0))?.is_gt()))
}
fn greater_or_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(order(vm, this, args.at(0))?.is_ge()))
}
fn between(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!order(vm, this, args.at(0))?.is_lt() && !order(vm, this, args.at(1))?.is_gt()))
}
/// `clamp(min, max)`, `clamp(range)`
fn clamp(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (min, max) = match (args.at(0), args.get(1)) {
        (min, Some(max)) => (min.clone(), max.clone()),
        (Value::Range(range), None) => {
            let range = range.get(vm);
            let (min, max, exclusive) = (range.begin.clone(), range.end.clone(), range.exclusive);
            if exclusive && !max.is_nil() {
                return Err(vm.argument_error("cannot clamp with an exclusive range"));
            }
            (min, max)
        }
        (other, None) => {
            let described = vm.describe(other);
            return Err(vm.type_error(format!("wrong argument type {described} (expected Range)")));
        }
    };
    if !min.is_nil() && !max.is_nil() && order(vm, &min, &max)?.is_gt() {
        return Err(vm.argument_error("min argument must be smaller than max argument"));
    }
    if !min.is_nil() {
        match order(vm, this, &min)? {
            Ordering::Equal => return Ok(this.clone()),
            Ordering::Less => return Ok(min),
            Ordering::Greater => {}
        }
    }
    if !max.is_nil() && order(vm, this, &max)?.is_gt() {
        return Ok(max);
    }
    Ok(this.clone())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::COMPARABLE, METHODS);
}
