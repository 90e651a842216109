//! Numeric#step and the steps of Floats, which Range shares.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::numeric::{op, real_f64};
use crate::error::Res;
use crate::frame::Block;
use crate::value::Value;
use rchef_syntax::symbol::sym;

/// How many values a walk of Floats has (MRI's `ruby_float_step_size`).
pub fn float_step_size(begin: f64, end: f64, unit: f64, exclusive: bool) -> f64 {
    let mut count = (end - begin) / unit;
    let error = ((begin.abs() + end.abs() + (end - begin).abs()) / unit.abs() * f64::EPSILON).min(0.5);
    if unit.is_infinite() {
        let reaches = if unit > 0.0 { begin <= end } else { begin >= end };
        return if reaches { 1.0 } else { 0.0 };
    }
    if unit == 0.0 {
        return f64::INFINITY;
    }
    if exclusive {
        if count <= 0.0 {
            return 0.0;
        }
        count = if count < 1.0 { 0.0 } else { (count - error).floor() };
        let last = (count + 1.0) * unit + begin;
        if (begin < end && last < end) || (begin > end && last > end) {
            count += 1.0;
        }
        return count + 1.0;
    }
    if count < 0.0 { 0.0 } else { (count + error).floor() + 1.0 }
}

/// The value at a position of such a walk, kept within the end.
pub fn float_step_at(index: f64, begin: f64, end: f64, unit: f64, exclusive: bool) -> f64 {
    let value = index * unit + begin;
    if !exclusive && (if unit >= 0.0 { end < value } else { value < end }) { end } else { value }
}

/// Yields a walk of Floats if any of the three is one; false otherwise.
pub fn float_step(vm: &mut Vm, begin: &Value, end: &Value, step: &Value, exclusive: bool, block: Block<'_>) -> Res<bool> {
    if ![begin, end, step].iter().any(|value| matches!(value, Value::Float(_))) {
        return Ok(false);
    }
    let (begin, unit) = (vm.to_f64(begin)?, vm.to_f64(step)?);
    let end = if end.is_nil() { if unit < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY } } else { vm.to_f64(end)? };
    let count = float_step_size(begin, end, unit, exclusive);
    if unit.is_infinite() {
        if count > 0.0 {
            vm.yield1(block, Value::Float(begin))?;
        }
    } else if unit == 0.0 {
        loop {
            vm.yield1(block, Value::Float(begin))?;
        }
    } else {
        let mut index = 0.0;
        while index < count {
            vm.yield1(block, Value::Float(float_step_at(index, begin, end, unit, exclusive)))?;
            index += 1.0;
        }
    }
    Ok(true)
}

/// Whether a step goes down; ArgumentError where it does not compare with 0.
fn is_negative(vm: &mut Vm, step: &Value) -> Res<bool> {
    match step {
        Value::Int(number) => Ok(*number < 0),
        Value::Float(number) => Ok(*number < 0.0),
        Value::Nil | Value::True | Value::False | Value::Sym(_) => Err(vm.comparison_failed(step, &Value::Int(0))),
        _ => {
            if !vm.respond_to(step, sym::GT, false)? {
                return Err(vm.comparison_failed(step, &Value::Int(0)));
            }
            Ok(!vm.call(step, sym::GT, &[Value::Int(0)])?.truthy())
        }
    }
}

/// Numeric#step.
pub(super) fn step(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [by, to]) = args.take_keywords(vm, [sym::BY, sym::TO])?;
    if pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "0..2"));
    }
    if to.is_some() && !pos.is_empty() {
        return Err(vm.argument_error("to is given twice"));
    }
    if by.is_some() && pos.len() > 1 {
        return Err(vm.argument_error("step is given twice"));
    }
    let end = to.or_else(|| pos.first().cloned()).unwrap_or_default();
    let given = by.clone().or_else(|| pos.get(1).cloned());
    let step = given.clone().unwrap_or(Value::Int(1));
    let Some(block) = args.block else {
        if given.is_some() && step.is_nil() {
            return super::proc::enumerator(vm, this, sym::STEP, args.pos);
        }
        if vm.is_a(&step, ClassId::NUMERIC) {
            if vm.eq(&step, &Value::Int(0))? {
                return Err(vm.argument_error("step can't be 0"));
            }
            return arithmetic_sequence(vm, this, args, &end, &step);
        }
        return super::proc::enumerator(vm, this, sym::STEP, &[end, step]);
    };
    if given.is_some() && step.is_nil() {
        return Err(vm.type_error("step must be numeric"));
    }
    let down = is_negative(vm, &step)?;
    if vm.eq(&step, &Value::Int(0))? {
        return Err(vm.argument_error("step can't be 0"));
    }
    let endless = match &end {
        Value::Nil => true,
        Value::Float(number) => number.is_infinite() && (number.is_sign_negative() == down),
        _ => false,
    };
    if let (Value::Int(from), Value::Int(to), Value::Int(by)) = (this, &end, &step) {
        let mut at = *from;
        while if down { at >= *to } else { at <= *to } {
            vm.yield1(block, Value::Int(at))?;
            match at.checked_add(*by) {
                Some(next) => at = next,
                None => break,
            }
        }
        return Ok(this.clone());
    }
    let floats = matches!(this, Value::Float(_)) || matches!(step, Value::Float(_)) || (!endless && matches!(end, Value::Float(_)));
    let bound = if end.is_nil() { Value::Float(if down { f64::NEG_INFINITY } else { f64::INFINITY }) } else { end.clone() };
    if floats || (matches!(end, Value::Float(_)) && real_f64(vm, this).is_none()) {
        if float_step(vm, this, &bound, &step, false, block)? {
            return Ok(this.clone());
        }
    } else if matches!(end, Value::Float(_)) && !matches!((this, &step), (Value::Int(_), Value::Int(_))) && float_step(vm, this, &bound, &step, false, block)? {
        return Ok(this.clone());
    }
    let mut at = this.clone();
    let past = if down { sym::LT } else { sym::GT };
    while endless || !op(vm, &at, past, &end)?.truthy() {
        vm.yield1(block, at.clone())?;
        at = op(vm, &at, sym::PLUS, &step)?;
    }
    Ok(this.clone())
}

/// `(1.step(10, 3))`: the enumerator of a step without a block.
fn arithmetic_sequence(vm: &mut Vm, this: &Value, args: Args<'_>, _end: &Value, _step: &Value) -> Res {
    super::proc::enumerator(vm, this, sym::STEP, args.pos)
}
