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

static OWN: &[MethodDef] = &[def("list", list, 0), def("signame", signame, 1)];
static FUNCTIONS: &[MethodDef] = &[opt("trap", trap, 1, 2)];

/// Signals that raise SignalException (or Interrupt) unless they are trapped; the host has to watch them.
pub const RAISING: [&str; 7] = ["HUP", "INT", "QUIT", "ALRM", "TERM", "USR1", "USR2"];

/// The handler of a signal.
#[derive(Clone)]
pub(crate) enum Handler {
    /// `nil`: the signal is ignored.
    Nothing,
    Ignore,
    Default,
    /// The default action of the system.
    System,
    Exit,
    Code(Value),
    /// Any object with `call`.
    Proc(Value),
}

impl Handler {
    /// Converts the argument of `trap`.
    fn of(vm: &Vm, signal: &str, given: Value) -> Handler {
        let text = match &given {
            Value::Str(text) => text.get(vm).to_text().into_owned(),
            Value::Sym(name) => name.as_str().to_string(),
            Value::Nil => return Handler::Nothing,
            _ => return Handler::Proc(given),
        };
        match text.as_str() {
            // SIGCHLD cannot be ignored, because children are always waited for
            "" | "IGNORE" | "SIG_IGN" | "SYSTEM_DEFAULT" if signal == "CHLD" => Handler::Default,
            "" | "IGNORE" | "SIG_IGN" => Handler::Ignore,
            "DEFAULT" | "SIG_DFL" => Handler::Default,
            "SYSTEM_DEFAULT" => Handler::System,
            "EXIT" => Handler::Exit,
            _ => Handler::Code(if matches!(given, Value::Str(_)) { given } else { Value::str(text) }),
        }
    }
    /// The signal's disposition on the host.
    fn disposition(&self, signal: &str) -> Disposition {
        match self {
            Handler::Nothing | Handler::Ignore => Disposition::Ignore,
            Handler::Default if RAISING.contains(&signal) => Disposition::Watch,
            Handler::Default | Handler::System => Disposition::Default,
            Handler::Exit | Handler::Code(_) | Handler::Proc(_) => Disposition::Watch,
        }
    }
    /// The value that the next `trap` returns.
    fn shown(self) -> Value {
        match self {
            Handler::Nothing => Value::Nil,
            Handler::Ignore => Value::str("IGNORE"),
            Handler::Default => Value::str("DEFAULT"),
            Handler::System => Value::str("SYSTEM_DEFAULT"),
            Handler::Exit => Value::str("EXIT"),
            Handler::Code(value) | Handler::Proc(value) => value,
        }
    }
    pub(crate) fn run(self, vm: &mut Vm, signal: i32) -> Res<()> {
        match self {
            Handler::Nothing | Handler::Ignore => Ok(()),
            Handler::Exit => Err(vm.system_exit(0, "exit")),
            Handler::Code(source) => {
                let source = vm.to_str(&source)?.get(vm).bytes().to_vec();
                vm.run_string(&source, "(eval)", 1).map(drop)
            }
            Handler::Proc(handler) => vm.call(&handler, sym::CALL, &[Value::Int(i64::from(signal))]).map(drop),
            Handler::Default | Handler::System => {
                let (class, text) = match signal_name(signal) {
                    Some("CHLD" | "CONT" | "URG" | "WINCH") => return Ok(()),
                    Some("INT") => (ClassId::INTERRUPT, String::new()),
                    name => (ClassId::SIGNAL_EXCEPTION, format!("SIG{}", name.unwrap_or(""))),
                };
                let data =
                    ExceptionData { message: Value::str(text), detail: Value::Int(i64::from(signal)), ..empty() };
                Err(Unwind::Raise(vm.new_exception_with(class, data)).into())
            }
        }
    }
}

/// Handlers by signal number.
#[derive(Default)]
struct Handlers(Vec<(i32, Handler)>);

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
    let mut handler = Handler::of(vm, name, handler);
    if signal == 0 && matches!(handler, Handler::Ignore | Handler::Default | Handler::System) {
        // EXIT is not a signal and has no default action
        handler = Handler::Nothing;
    }
    if ["KILL", "STOP"].contains(&name) {
        const EINVAL: i32 = 22;
        return Err(vm.errno(EINVAL, Some(&format!("SIG{name}"))));
    }
    if signal != 0 {
        // a signal that has arrived is for the handler that there was
        run_pending(vm)?;
        let host = vm.host.clone();
        host.on_signal(signal, handler.disposition(name)).map_err(|error| vm.host_error(&error))?;
    }
    let handlers = &mut vm.extension::<Handlers>().0;
    let old = match handlers.iter_mut().find(|(known, _)| *known == signal) {
        Some((_, slot)) => std::mem::replace(slot, handler),
        None => {
            handlers.push((signal, handler));
            match name {
                _ if signal == 0 => Handler::Nothing,
                "CHLD" => Handler::Default,
                name if RAISING.contains(&name) => Handler::Default,
                _ => Handler::System,
            }
        }
    };
    Ok(old.shown())
}
/// Runs the handlers of pending signals.
pub(crate) fn run_pending(vm: &mut Vm) -> Res<()> {
    let host = vm.host.clone();
    for signal in host.take_signals() {
        if !super::thread::leave_to_main(vm, signal)? {
            handle(vm, signal)?;
        }
    }
    Ok(())
}
/// Runs the handler of a signal.
pub(super) fn handle(vm: &mut Vm, signal: i32) -> Res<()> {
    let handlers = &vm.extension::<Handlers>().0;
    let handler = handlers.iter().find(|(known, _)| *known == signal).map(|(_, handler)| handler.clone());
    handler.unwrap_or(Handler::Default).run(vm, signal)
}
/// The handler of `trap("EXIT")`, which runs before `at_exit` handlers.
pub(crate) fn exit_handler(vm: &mut Vm) -> Option<Handler> {
    let handlers = &mut vm.extension::<Handlers>().0;
    let index = handlers.iter().position(|(signal, _)| *signal == 0)?;
    let handler = handlers.remove(index).1;
    matches!(handler, Handler::Code(_) | Handler::Proc(_)).then_some(handler)
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::SIGNAL, OWN);
    vm.define_module_functions(ClassId::SIGNAL, FUNCTIONS);
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
}
