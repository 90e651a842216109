//! `sleep`, and lengths of time in seconds.

use super::{FOREVER, block, current, state};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::fiber::scheduler;
use crate::error::Res;
use crate::value::Value;

/// Waits until `wakeup` or `run` is called, or a deadline expires.
pub(super) fn wait_for_wakeup(vm: &mut Vm, deadline: Option<u64>) -> Res<bool> {
    let this = current(vm);
    state(vm, &this)?.woken = false;
    block(vm, deadline, move |vm| {
        let data = state(vm, &this)?;
        Ok(std::mem::take(&mut data.woken))
    })
}
/// Converts a number of seconds to nanoseconds.
pub(crate) fn seconds(vm: &mut Vm, value: &Value) -> Res<u64> {
    let seconds = match value {
        Value::Int(number) => *number as f64,
        Value::Float(number) => number.get(),
        Value::Nil | Value::True | Value::False | Value::Str(_) | Value::Sym(_) => {
            let class = vm.class_name_of(value);
            return Err(vm.type_error(format!("can't convert {class} into time interval")));
        }
        other if vm.is_a(other, ClassId::NUMERIC) => vm.to_f64(other)?,
        other => {
            if !vm.respond_to(other, Symbol::intern_static("divmod"), false)? {
                let class = vm.class_name_of(other);
                return Err(vm.type_error(format!("can't convert {class} into time interval")));
            }
            let parts = vm.call_name(other, "divmod", &[Value::Int(1)])?;
            let Value::Array(parts) = parts else { return Err(vm.type_error("can't convert into time interval")) };
            let items = parts.get(vm).items.clone();
            let whole = vm.to_f64(items.first().unwrap_or(&Value::Int(0)))?;
            whole + vm.to_f64(items.get(1).unwrap_or(&Value::Int(0)))?
        }
    };
    if seconds.is_nan() || seconds < 0.0 {
        return Err(vm.argument_error("time interval must not be negative"));
    }
    Ok((seconds * 1e9).min(9e18) as u64)
}
/// The monotonic deadline for a timeout in seconds; None for nil.
pub(crate) fn deadline(vm: &mut Vm, timeout: &Value) -> Res<Option<u64>> {
    if timeout.is_nil() {
        return Ok(None);
    }
    let length = seconds(vm, timeout)?;
    Ok(Some(vm.host.monotonic_ns().saturating_add(length)))
}
pub(super) fn sleep(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let begun = vm.host.monotonic_ns();
    if scheduler::sleep(vm, args.pos)? {
        return Ok(slept(vm, begun));
    }
    let until = match args.get(0) {
        None => Some(FOREVER),
        Some(value) => {
            let length = seconds(vm, value)?;
            Some(begun.saturating_add(length))
        }
    };
    wait_for_wakeup(vm, until)?;
    Ok(slept(vm, begun))
}
/// The rounded seconds since a time of the monotonic clock.
pub(crate) fn slept(vm: &Vm, begun: u64) -> Value {
    let passed = vm.host.monotonic_ns().saturating_sub(begun);
    Value::Int(((passed + 500_000_000) / 1_000_000_000) as i64)
}
