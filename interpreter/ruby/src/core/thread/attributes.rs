//! Attributes of a Thread: fiber-local and thread variables, name, group, priority, error reporting; and ThreadGroup.

use super::{ThreadData, alive, current, state, threads};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::fiber;
use crate::error::{Res, Unwind};
use crate::value::Value;

pub(super) fn key(vm: &mut Vm, value: &Value) -> Res<Symbol> {
    vm.to_name(value)
}
pub(super) fn find(list: &[(Symbol, Value)], name: Symbol) -> Option<Value> {
    list.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
}
pub(super) fn put(list: &mut Vec<(Symbol, Value)>, name: Symbol, value: Value) {
    match list.iter_mut().find(|(known, _)| *known == name) {
        Some((_, slot)) => *slot = value,
        None => list.push((name, value)),
    }
}
/// The variables of the fiber in which the thread is.
fn locals<'a>(vm: &'a mut Vm, this: &'a Value, fiber: &'a Value) -> Res<&'a mut Vec<(Symbol, Value)>> {
    if fiber::locals(vm, fiber).is_some() {
        return match fiber::locals(vm, fiber) {
            Some(found) => Ok(found),
            None => Err(Unwind::Abandon.into()),
        };
    }
    Ok(&mut state(vm, this)?.locals)
}
fn fiber_of(vm: &mut Vm, this: &Value) -> Res {
    if this.same(&current(vm)) {
        return Ok(fiber::running(vm));
    }
    let data = state(vm, this)?;
    Ok(if data.ended.is_some() { Value::Nil } else { data.at.clone() })
}
pub(super) fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = key(vm, args.at(0))?;
    let fiber = fiber_of(vm, this)?;
    Ok(find(locals(vm, this, &fiber)?, name).unwrap_or_default())
}
pub(super) fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = key(vm, args.at(0))?;
    if vm.frozen(this) {
        return Err(vm.error(ClassId::FROZEN_ERROR, "can't modify frozen thread locals"));
    }
    let fiber = fiber_of(vm, this)?;
    let list = locals(vm, this, &fiber)?;
    if args.at(1).is_nil() {
        list.retain(|(known, _)| *known != name);
    } else {
        put(list, name, args.at(1).clone());
    }
    Ok(args.at(1).clone())
}
pub(super) fn has_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = key(vm, args.at(0))?;
    let fiber = fiber_of(vm, this)?;
    Ok(Value::bool(find(locals(vm, this, &fiber)?, name).is_some()))
}
pub(super) fn keys(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let fiber = fiber_of(vm, this)?;
    Ok(Value::array(locals(vm, this, &fiber)?.iter().map(|(name, _)| Value::Sym(*name)).collect()))
}
pub(super) fn fetch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = key(vm, args.at(0))?;
    let fiber = fiber_of(vm, this)?;
    if let Some(found) = find(locals(vm, this, &fiber)?, name) {
        return Ok(found);
    }
    match (args.block, args.get(1)) {
        (Some(block), _) => vm.yield1(block, args.at(0).clone()),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(vm.key_error(format!("key not found: :{name}"), this, &Value::Sym(name))),
    }
}
pub(super) fn variable_get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = key(vm, args.at(0))?;
    Ok(find(&state(vm, this)?.variables, name).unwrap_or_default())
}
pub(super) fn variable_set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = key(vm, args.at(0))?;
    if vm.frozen(this) {
        return Err(vm.error(ClassId::FROZEN_ERROR, "can't modify frozen thread locals"));
    }
    put(&mut state(vm, this)?.variables, name, args.at(1).clone());
    Ok(args.at(1).clone())
}
pub(super) fn has_variable(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = key(vm, args.at(0))?;
    Ok(Value::bool(find(&state(vm, this)?.variables, name).is_some_and(|value| !value.is_nil())))
}
pub(super) fn variables(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(state(vm, this)?.variables.iter().map(|(name, _)| Value::Sym(*name)).collect()))
}
pub(super) fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(state(vm, this)?.name.clone())
}
pub(super) fn set_name(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = match args.at(0) {
        Value::Nil => Value::Nil,
        other => {
            let text = vm.to_str(other)?;
            let encoding = text.get(vm).encoding();
            if !encoding.is_ascii_compatible() {
                return Err(vm.argument_error(format!("ASCII-incompatible encoding ({})", encoding.name())));
            }
            if text.get(vm).bytes().contains(&0) {
                return Err(vm.argument_error("string contains null byte"));
            }
            Value::Str(text)
        }
    };
    state(vm, this)?.name = name.clone();
    Ok(name)
}
pub(super) fn group(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = state(vm, this)?;
    Ok(if data.ended.is_some() { Value::Nil } else { data.group.clone() })
}
pub(super) fn priority(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(state(vm, this)?.priority))
}
pub(super) fn set_priority(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let number = vm.to_int(args.at(0))?.clamp(-3, 3);
    state(vm, this)?.priority = number;
    Ok(Value::Int(number))
}
pub(super) fn report(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.report))
}
pub(super) fn set_report(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    state(vm, this)?.report = args.at(0).truthy();
    Ok(args.at(0).clone())
}
pub(super) fn abort(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.abort))
}
pub(super) fn set_abort(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    state(vm, this)?.abort = args.at(0).truthy();
    Ok(args.at(0).clone())
}
pub(super) fn all_report(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(threads(vm).report))
}
pub(super) fn all_set_report(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    threads(vm).report = args.at(0).truthy();
    Ok(args.at(0).clone())
}
pub(super) fn all_abort(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(threads(vm).abort))
}
pub(super) fn all_set_abort(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    threads(vm).abort = args.at(0).truthy();
    Ok(args.at(0).clone())
}
pub(super) fn ignores_deadlock(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(threads(vm).ignores_deadlock))
}
pub(super) fn set_ignores_deadlock(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    threads(vm).ignores_deadlock = args.at(0).truthy();
    Ok(args.at(0).clone())
}
pub(super) fn backtrace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    frames(vm, this, args, "caller", |vm, entries| {
        Ok(entries.iter().map(|entry| Value::str(vm.trace_line(entry))).collect())
    })
}
pub(super) fn backtrace_locations(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    frames(vm, this, args, "caller_locations", |_, entries| {
        Ok(entries.into_iter().map(crate::core::location::value).collect())
    })
}
/// The frames of a thread: of the running one with Kernel's function, of others as they are suspended.
fn frames(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    own: &str,
    shown: impl FnOnce(&mut Vm, Vec<crate::error::TraceEntry>) -> Res<Vec<Value>>,
) -> Res {
    if !alive(vm, this) {
        return Ok(Value::Nil);
    }
    let is_running = current(vm).same(this);
    let at = state(vm, this)?.at.clone();
    fiber::frames(vm, (&at, is_running), args, own, shown)
}
pub(super) fn native_id(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(if alive(vm, this) { Value::Int(i64::from(vm.host.pid())) } else { Value::Nil })
}
pub(super) fn enclosed_name() -> Symbol {
    Symbol::intern_static("__enclosed__")
}
pub(super) fn group_add(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let old = state(vm, args.at(0))?.group.clone();
    for group in [this, &old] {
        if vm.ivar_get(group, enclosed_name()).is_some() {
            let text = if group.same(this) {
                "can't move to the enclosed thread group"
            } else {
                "can't move from the enclosed thread group"
            };
            return Err(vm.error(ClassId::THREAD_ERROR, text));
        }
    }
    state(vm, args.at(0))?.group = this.clone();
    Ok(this.clone())
}
pub(super) fn group_list(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let list = threads(vm).list.clone();
    Ok(Value::array(
        list.into_iter()
            .filter(|thread| vm.data::<ThreadData>(thread).is_some_and(|data| data.group.same(this)))
            .collect(),
    ))
}
pub(super) fn group_enclose(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    vm.ivar_set(this, enclosed_name(), Value::True);
    Ok(this.clone())
}
pub(super) fn group_enclosed(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.ivar_get(this, enclosed_name()).is_some()))
}
