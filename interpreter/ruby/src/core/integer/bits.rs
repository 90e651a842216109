//! Bitwise operators of Integers, in two's complement of unlimited width.

use super::ops::with_bigs;
use crate::Vm;
use crate::args::Args;
use crate::core::numeric::coerce_bit;
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use rchef_syntax::symbol::sym;

pub(super) static METHODS: &[MethodDef] = &[
    def("&", and, 1),
    def("|", or, 1),
    def("^", xor, 1),
    def("~", not, 0),
    def("<<", left, 1),
    def(">>", right, 1),
    opt("[]", bit, 1, 2),
    def("bit_length", bit_length, 0),
    def("size", size, 0),
    def("allbits?", all_bits, 1),
    def("anybits?", any_bits, 1),
    def("nobits?", no_bits, 1),
];

fn and(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match (this, args.at(0)) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(a & b)),
        (_, other @ (Value::Int(_) | Value::Big(_))) => {
            Ok(with_bigs(vm, this, other, |a, b| a & b).map_or(Value::Nil, Value::big))
        }
        (_, other) => coerce_bit(vm, this, other, sym::AND),
    }
}
fn or(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match (this, args.at(0)) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(a | b)),
        (_, other @ (Value::Int(_) | Value::Big(_))) => {
            Ok(with_bigs(vm, this, other, |a, b| a | b).map_or(Value::Nil, Value::big))
        }
        (_, other) => coerce_bit(vm, this, other, sym::OR),
    }
}
fn xor(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match (this, args.at(0)) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(a ^ b)),
        (_, other @ (Value::Int(_) | Value::Big(_))) => {
            Ok(with_bigs(vm, this, other, |a, b| a ^ b).map_or(Value::Nil, Value::big))
        }
        (_, other) => coerce_bit(vm, this, other, sym::XOR),
    }
}
fn not(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(match this {
        Value::Int(number) => Value::Int(!number),
        Value::Big(gc) => Value::big(!&gc.get(vm).0),
        _ => Value::Nil,
    })
}
/// Shifts left by any Integer (right if it is negative).
fn shift(vm: &mut Vm, this: &Value, by: &BigInt) -> Res {
    if by.is_negative() {
        let by = -by;
        let negative = match this {
            Value::Int(number) => *number < 0,
            Value::Big(gc) => gc.get(vm).0.is_negative(),
            _ => false,
        };
        return Ok(match (by.to_u64(), this) {
            (Some(by), Value::Int(number)) => Value::Int(number >> by.min(63)),
            (Some(by), Value::Big(gc)) if by <= gc.get(vm).0.bits() + 1 => Value::big(&gc.get(vm).0 >> by),
            _ => Value::Int(if negative { -1 } else { 0 }),
        });
    }
    if matches!(this, Value::Int(0)) {
        return Ok(Value::Int(0));
    }
    match by.to_usize() {
        Some(by) => {
            if let Value::Int(number) = this
                && by < 63
            {
                return Ok(Value::i128(i128::from(*number) << by));
            }
            let number = vm.to_bigint(this)?;
            super::big::check_bits(vm, number.bits().saturating_add(by as u64))?;
            Ok(Value::big(number << by))
        }
        None => Err(vm.range_error("shift width too big")),
    }
}
fn shift_arg(vm: &mut Vm, value: &Value) -> Res<BigInt> {
    if value.is_nil() {
        return Err(vm.type_error_of(&Value::Nil, "no implicit conversion of nil into Integer"));
    }
    vm.to_bigint(value)
}
fn left(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let (Value::Int(number), Value::Int(by @ 0..=62)) = (this, args.at(0)) {
        return Ok(Value::i128(i128::from(*number) << by));
    }
    let by = shift_arg(vm, args.at(0))?;
    shift(vm, this, &by)
}
fn right(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let (Value::Int(number), Value::Int(by @ 0..=63)) = (this, args.at(0)) {
        return Ok(Value::Int(number >> by));
    }
    let by = shift_arg(vm, args.at(0))?;
    shift(vm, this, &-by)
}

/// The bit at an index.
fn bit_at(vm: &mut Vm, this: &Value, index: &Value) -> Res {
    if let (Value::Int(number), Value::Int(index)) = (this, index) {
        return Ok(Value::Int(if *index < 0 { 0 } else { number >> (*index).min(63) & 1 }));
    }
    let index = if matches!(this, Value::Int(_)) { shift_arg(vm, index)? } else { vm.to_bigint(index)? };
    if index.is_negative() {
        return Ok(Value::Int(0));
    }
    let shifted = shift(vm, this, &-index)?;
    Ok(match shifted {
        Value::Int(number) => Value::Int(number & 1),
        Value::Big(gc) => Value::Int(i64::from(gc.get(vm).0.bit(0))),
        other => other,
    })
}
/// The lowest `count` bits of a number.
fn mask(vm: &mut Vm, number: &Value, count: &BigInt) -> Res {
    if count.is_negative() {
        return Ok(number.clone());
    }
    let ones = shift(vm, &Value::Int(1), count)?;
    let mask = super::sub(vm, &ones, &Value::Int(1));
    Ok(with_bigs(vm, number, &mask, |a, b| a & b).map_or(Value::Nil, Value::big))
}
fn bit(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(length) = args.get(1) {
        let (index, length) = (shift_arg(vm, args.at(0))?, shift_arg(vm, length)?);
        let shifted = shift(vm, this, &-index)?;
        return mask(vm, &shifted, &length);
    }
    let Value::Range(range) = args.at(0) else { return bit_at(vm, this, args.at(0)) };
    let (begin, end, exclusive) = {
        let range = range.get(vm);
        (range.begin.clone(), range.end.clone(), range.exclusive)
    };
    if begin.is_nil() {
        let mut end = vm.to_bigint(&end)?;
        if !exclusive {
            end += 1;
        }
        if !end.is_negative() {
            let low = mask(vm, this, &end)?;
            if !matches!(low, Value::Int(0)) {
                return Err(vm.argument_error("The beginless range for Integer#[] results in infinity"));
            }
        }
        return Ok(Value::Int(0));
    }
    let begin = vm.to_bigint(&begin)?;
    let shifted = shift(vm, this, &-&begin)?;
    if end.is_nil() {
        return Ok(shifted);
    }
    let mut length = vm.to_bigint(&end)? - begin;
    if !exclusive {
        length += 1;
    }
    if length.is_negative() || (length.is_zero() && !exclusive) {
        return Ok(shifted);
    }
    mask(vm, &shifted, &length)
}
fn bit_length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(match this {
        Value::Int(number) => {
            Value::Int(i64::from(64 - (if *number < 0 { !*number } else { *number }).leading_zeros()))
        }
        Value::Big(gc) => {
            let number = &gc.get(vm).0;
            Value::u64(if number.is_negative() { (!number).bits() } else { number.bits() })
        }
        _ => Value::Nil,
    })
}
/// The number of bytes: 8, or those of a big number's magnitude.
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(match this {
        Value::Big(gc) => Value::u64(gc.get(vm).0.bits().div_ceil(8)),
        _ => Value::Int(8),
    })
}
fn masked(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res<(Value, Value)> {
    let wanted = match args.at(0) {
        Value::Nil => return Err(vm.type_error_of(&Value::Nil, "no implicit conversion of nil into Integer")),
        value => vm.to_integer(value)?,
    };
    let both = with_bigs(vm, this, &wanted, |a, b| a & b).map_or(Value::Nil, Value::big);
    Ok((both, wanted))
}
fn all_bits(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (both, wanted) = masked(vm, this, args)?;
    Ok(Value::bool(vm.eq(&both, &wanted)?))
}
fn any_bits(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (both, _) = masked(vm, this, args)?;
    Ok(Value::bool(!matches!(both, Value::Int(0))))
}
fn no_bits(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (both, _) = masked(vm, this, args)?;
    Ok(Value::bool(matches!(both, Value::Int(0))))
}
