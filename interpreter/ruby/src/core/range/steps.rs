//! Sequences of numbers with a step.

use crate::Vm;
use crate::core::natives::name;
use crate::error::Res;
use crate::value::Value;
use num_bigint::BigInt;
use rchef_syntax::symbol::sym;

/// The number of steps in a sequence of Floats, like MRI's ruby_float_step_size.
pub(crate) fn float_step_count(begin: f64, end: f64, unit: f64, exclusive: bool) -> f64 {
    let n = (end - begin) / unit;
    let error = ((begin.abs() + end.abs() + (end - begin).abs()) / unit.abs() * f64::EPSILON).min(0.5);
    if unit.is_infinite() {
        return f64::from(u8::from(if unit > 0.0 { begin <= end } else { begin >= end }));
    }
    if unit == 0.0 {
        return f64::INFINITY;
    }
    if exclusive {
        if n <= 0.0 {
            return 0.0;
        }
        let mut n = if n < 1.0 { 0.0 } else { (n - error).floor() };
        let next = (n + 1.0) * unit + begin;
        if (begin < end && next < end) || (begin > end && next > end) {
            n += 1.0;
        }
        return n + 1.0;
    }
    if n < 0.0 { 0.0 } else { (n + error).floor() + 1.0 }
}

/// Iterates over a sequence of Floats, like MRI's ruby_float_step.
pub(crate) fn float_step(
    vm: &mut Vm,
    begin: f64,
    end: f64,
    unit: f64,
    exclusive: bool,
    step: &mut dyn FnMut(&mut Vm, Value) -> Res<bool>,
) -> Res<()> {
    let count = float_step_count(begin, end, unit, exclusive);
    if unit.is_infinite() {
        if count > 0.0 {
            step(vm, Value::float(begin))?;
        }
        return Ok(());
    }
    let mut index = 0.0;
    while index < count {
        let mut at = index * unit + begin;
        if if unit >= 0.0 { end < at } else { at < end } {
            at = end;
        }
        vm.tick()?;
        if !step(vm, Value::float(at))? {
            break;
        }
        index += 1.0;
    }
    Ok(())
}

/// The number of elements of a sequence, like MRI's ruby_num_interval_step_size.
pub(crate) fn interval_size(vm: &mut Vm, begin: &Value, end: &Value, step: &Value, exclusive: bool) -> Res {
    if let (true, true, true) = (is_integer(begin), is_integer(end), is_integer(step)) {
        let (begin, end, step) = (vm.to_bigint(begin)?, vm.to_bigint(end)?, vm.to_bigint(step)?);
        let zero = BigInt::from(0);
        if step == zero {
            return Ok(Value::float(f64::INFINITY));
        }
        let mut distance = if step < zero { begin - end } else { end - begin };
        if exclusive {
            distance -= 1;
        }
        let unit = if step < zero { -step } else { step };
        return Ok(if distance < zero { Value::Int(0) } else { Value::big(distance / unit + 1) });
    }
    if matches!(begin, Value::Float(_)) || matches!(end, Value::Float(_)) || matches!(step, Value::Float(_)) {
        let count = float_step_count(vm.to_f64(begin)?, vm.to_f64(end)?, vm.to_f64(step)?, exclusive);
        return if count.is_infinite() { Ok(Value::float(count)) } else { vm.float_to_integer(count) };
    }
    let ascending = vm.call(step, sym::GT, &[Value::Int(0)])?.truthy();
    let past = if ascending { sym::GT } else { sym::LT };
    if vm.call(begin, past, std::slice::from_ref(end))?.truthy() {
        return Ok(Value::Int(0));
    }
    let distance = vm.call(end, sym::MINUS, std::slice::from_ref(begin))?;
    let count = vm.call(&distance, name("div"), std::slice::from_ref(step))?;
    let reached = vm.call(&count, sym::STAR, std::slice::from_ref(step))?;
    let reached = vm.call(begin, sym::PLUS, &[reached])?;
    if !exclusive || vm.call(&reached, if ascending { sym::LT } else { sym::GT }, std::slice::from_ref(end))?.truthy() {
        return vm.call(&count, sym::PLUS, &[Value::Int(1)]);
    }
    Ok(count)
}

pub(super) fn is_integer(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Big(_))
}
