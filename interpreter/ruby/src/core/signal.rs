//! Signal: `trap`, `list`, `signame`; handlers run at safepoints.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{ExceptionData, Res, Unwind, empty};
use crate::frame::Block;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_host::error::{signal_name, signal_number, signals};
use rchef_host::processes::Disposition;
use rchef_syntax::symbol::sym;

static SINGLETON: &[MethodDef] = &[def("list", list, 0), def("signame", signame, 1)];
static FUNCTIONS: &[MethodDef] = &[opt("trap", trap, 1, 2)];

/// What each signal does, by number.
#[derive(Default)]
struct Handlers(Vec<(i32, Value)>);

fn number(vm: &mut Vm, value: &Value) -> Res<i32> {
    let name = match value {
        Value::Int(number) => {
            if !(0..=64).contains(number) {
                return Err(vm.argument_error(format!("invalid signal number ({number})")));
            }
            return Ok(*number as i32);
        }
        Value::Sym(name) => name.as_str().to_string(),
        other => match vm.check_str(other)? {
            Some(text) => text.get(vm).to_text().into_owned(),
            None => {
                let class = vm.class_name_of(other);
                return Err(vm.argument_error(format!("bad signal type {class}")));
            }
        },
    };
    let short = name.strip_prefix("SIG").unwrap_or(&name);
    match signal_number(short) {
        Some(number) => Ok(number),
        None => Err(vm.argument_error(format!("unsupported signal `SIG{short}'"))),
    }
}
fn list(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    vm.new_hash(signals().iter().map(|(name, number)| (Value::str(name), Value::Int(i64::from(*number)))).collect())
}
fn signame(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let number = vm.to_int(args.at(0))?;
    Ok(i32::try_from(number).ok().and_then(signal_name).map(Value::str).unwrap_or_default())
}
fn trap(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let signal = number(vm, args.at(0))?;
    let name = signal_name(signal).unwrap_or("");
    if ["SEGV", "BUS", "ILL", "FPE", "VTALRM"].contains(&name) {
        return Err(vm.argument_error(format!("can't trap reserved signal: SIG{name}")));
    }
    let handler = match (args.get(1), args.block) {
        (Some(command), _) => command.clone(),
        (None, Some(Block::Proc(proc))) => Value::Proc(proc.clone()),
        (None, Some(block)) => Value::Proc(vm.block_to_proc(block)),
        (None, None) => return Err(vm.argument_error("tried to create Proc object without a block")),
    };
    let (disposition, handler) = action(vm, signal, handler);
    if ["KILL", "STOP"].contains(&name) {
        const EINVAL: i32 = 22;
        return Err(vm.errno(EINVAL, Some(&format!("SIG{name}"))));
    }
    if signal != 0 {
        let host = vm.host.clone();
        host.on_signal(signal, disposition).map_err(|error| vm.host_error(&error))?;
    }
    let handlers = &mut vm.extension::<Handlers>().0;
    let old = match handlers.iter_mut().find(|(known, _)| *known == signal) {
        Some((_, slot)) => std::mem::replace(slot, handler),
        None => {
            handlers.push((signal, handler));
            return Ok(match name {
                _ if signal == 0 => Value::Nil,
                "HUP" | "INT" | "QUIT" | "ALRM" | "TERM" | "USR1" | "USR2" | "CHLD" => Value::str("DEFAULT"),
                _ => Value::str("SYSTEM_DEFAULT"),
            });
        }
    };
    Ok(old)
}
/// Signals that raise SignalException (or Interrupt) unless they are trapped.
const RAISING: [&str; 7] = ["HUP", "INT", "QUIT", "ALRM", "TERM", "USR1", "USR2"];

/// What the host does on a signal, and the handler as the next `trap` answers it.
fn action(vm: &Vm, signal: i32, handler: Value) -> (Disposition, Value) {
    let text = match &handler {
        Value::Str(text) => text.get(vm).to_text().into_owned(),
        Value::Sym(name) => name.as_str().to_string(),
        Value::Nil => return (Disposition::Ignore, Value::Nil),
        _ => return (Disposition::Watch, handler),
    };
    let raises = signal_name(signal).is_some_and(|name| RAISING.contains(&name));
    match text.as_str() {
        "" | "IGNORE" | "SIG_IGN" => (Disposition::Ignore, Value::str("IGNORE")),
        "DEFAULT" | "SIG_DFL" if raises => (Disposition::Watch, Value::str("DEFAULT")),
        "DEFAULT" | "SIG_DFL" => (Disposition::Default, Value::str("DEFAULT")),
        "SYSTEM_DEFAULT" => (Disposition::Default, Value::str("SYSTEM_DEFAULT")),
        "EXIT" => (Disposition::Watch, Value::str("EXIT")),
        // Ruby code, run when the signal comes
        _ => (Disposition::Watch, handler),
    }
}
/// Runs the handlers of signals that have come.
pub(crate) fn run_pending(vm: &mut Vm) -> Res<()> {
    let host = vm.host.clone();
    for signal in host.take_signals() {
        let handler =
            vm.extension::<Handlers>().0.iter().find(|(known, _)| *known == signal).map(|(_, handler)| handler.clone());
        match handler {
            Some(Value::Str(text)) if text.get(vm).bytes() == b"EXIT" => return Err(vm.system_exit(0, "exit")),
            Some(Value::Str(text)) if text.get(vm).bytes() != b"DEFAULT" => {
                let source = text.get(vm).bytes().to_vec();
                vm.run_string(&source, "(eval)", 1)?;
            }
            Some(handler) if !matches!(handler, Value::Nil | Value::Str(_)) => {
                vm.call(&handler, sym::CALL, &[Value::Int(i64::from(signal))])?;
            }
            _ => {
                let class = if signal == 2 { ClassId::INTERRUPT } else { ClassId::SIGNAL_EXCEPTION };
                let text =
                    if signal == 2 { String::new() } else { format!("SIG{}", signal_name(signal).unwrap_or("")) };
                let data =
                    ExceptionData { message: Value::str(text), detail: Value::Int(i64::from(signal)), ..empty() };
                return Err(Unwind::Raise(vm.new_exception_with(class, data)).into());
            }
        }
    }
    Ok(())
}
/// `trap("EXIT")`: runs with the `at_exit` handlers.
pub(crate) fn exit_handler(vm: &mut Vm) -> Option<Value> {
    let handlers = &mut vm.extension::<Handlers>().0;
    let index = handlers.iter().position(|(signal, _)| *signal == 0)?;
    let (_, handler) = handlers.remove(index);
    matches!(handler, Value::Proc(_) | Value::Object(_)).then_some(handler)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_singleton_methods(ClassId::SIGNAL, SINGLETON);
    vm.define_singleton_methods(ClassId::SIGNAL, FUNCTIONS);
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
}
