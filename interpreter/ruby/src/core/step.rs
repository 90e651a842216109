//! Numeric#step.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::numeric::op;
use crate::core::{enumerator, range};
use crate::error::Res;
use crate::method::Arity;
use crate::value::Value;
use rchef_syntax::symbol::sym;

/// Whether a step is negative; ArgumentError if it cannot be compared with 0.
fn is_negative(vm: &mut Vm, step: &Value) -> Res<bool> {
    match step {
        Value::Int(number) => Ok(*number < 0),
        Value::Float(number) => Ok(number.get() < 0.0),
        Value::Nil | Value::True | Value::False | Value::Sym(_) => Err(vm.comparison_failed(step, &Value::Int(0))),
        _ => {
            if !vm.respond_to(step, sym::GT, false)? {
                return Err(vm.comparison_failed(step, &Value::Int(0)));
            }
            Ok(!vm.call(step, sym::GT, &[Value::Int(0)])?.truthy())
        }
    }
}

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
        // `by: nil` is refused by an iteration only
        let step = if step.is_nil() { Value::Int(1) } else { step };
        if vm.is_a(&step, ClassId::NUMERIC) && (end.is_nil() || vm.is_a(&end, ClassId::NUMERIC)) {
            if vm.eq(&step, &Value::Int(0))? {
                return Err(vm.argument_error("step can't be 0"));
            }
            return enumerator::new_sequence(vm, this, args, this.clone(), end, step, false);
        }
        let refused = step.clone();
        // computing the size compares the step with 0
        let size = vm.native_proc(Arity::ANY, false, move |vm, _, _| is_negative(vm, &refused).map(Value::bool));
        return Ok(enumerator::with_size(
            vm,
            this,
            sym::STEP,
            &[end, step],
            enumerator::Size::Value(Value::Proc(size)),
        ));
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
        Value::Float(number) => number.get().is_infinite() && (number.get().is_sign_negative() == down),
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
    let floats = [this, &end, &step].iter().any(|value| matches!(value, Value::Float(_)));
    if floats && !(endless && matches!((this, &step), (Value::Int(_), Value::Int(_)))) {
        let (begin, unit) = (vm.to_f64(this)?, vm.to_f64(&step)?);
        let bound = if end.is_nil() { if down { f64::NEG_INFINITY } else { f64::INFINITY } } else { vm.to_f64(&end)? };
        range::float_step(vm, begin, bound, unit, false, &mut |vm, value| vm.yield1(block, value).map(|_| true))?;
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
