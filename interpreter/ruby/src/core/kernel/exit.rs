//! `exit`, `exit!`, `abort`, `at_exit`, and the end of the program.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::io::output::puts_into;
use crate::error::{Error, ExceptionData, Res, Unwind, empty};
use crate::method::{MethodDef, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;

pub(super) static FUNCTIONS: &[MethodDef] = &[def("at_exit", at_exit, 0)];
/// Functions that Process has as well.
pub(crate) static ENDING: &[MethodDef] =
    &[opt("exit", exit, 0, 1), opt("exit!", exit_now, 0, 1), opt("abort", abort, 0, 1)];

fn status(vm: &mut Vm, value: Option<&Value>) -> Res<i64> {
    match value {
        None | Some(Value::True) => Ok(0),
        Some(Value::False) => Ok(1),
        Some(value) => vm.to_int(value),
    }
}
/// How a program ends.
enum Ended {
    /// With a status.
    With(u8),
    /// Of a signal.
    Of(i32),
}

impl Vm {
    pub fn system_exit(&mut self, status: i64, message: &str) -> Error {
        let data = ExceptionData { message: Value::str(message), detail: Value::Int(status), ..empty() };
        Unwind::Raise(self.new_exception_with(ClassId::SYSTEM_EXIT, data)).into()
    }
}
pub(crate) fn exit(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let status = status(vm, args.get(0))?;
    Err(vm.system_exit(status, "exit"))
}
/// Set by `exit!`: no more Ruby code runs. The exit status, and a SystemExit for programs that report how the code ended.
#[derive(Default)]
struct ExitNow(Option<(i64, Value)>);

pub(crate) fn exit_now(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let status = status(vm, args.get(0))?;
    let error = vm.system_exit(status, "exit");
    let exception = vm.error_value(error);
    vm.extension::<ExitNow>().0 = Some((status, exception));
    Err(Unwind::Abandon.into())
}
pub(crate) fn abort(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match args.get(0) {
        Some(message) => {
            let message = Value::Str(vm.to_str(message)?);
            let stream = vm.global_get(sym::DOLLAR_STDERR)?;
            puts_into(vm, &stream, std::slice::from_ref(&message))?;
            let text = vm.to_text(&message)?;
            Err(vm.system_exit(1, &text))
        }
        None => {
            let current = vm.current_exception();
            if !current.is_nil() {
                let text = vm.error_report(&current, false);
                vm.write_stderr(text.as_bytes())?;
            }
            Err(vm.system_exit(1, "exit"))
        }
    }
}
fn at_exit(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("called without a block")) };
    let proc = Value::Proc(vm.block_to_proc(block));
    vm.at_exit.push(proc.clone());
    Ok(proc)
}

impl Vm {
    /// The SystemExit of an `exit!`.
    pub(crate) fn exited_now(&mut self) -> Option<Value> {
        self.extension::<ExitNow>().0.as_ref().map(|(_, exception)| exception.clone())
    }
    /// Whether an error is the way out of an `exit!`, for which no `ensure` clause runs.
    pub(crate) fn leaves_now(&mut self, error: &Error) -> bool {
        matches!(*error.0, Unwind::Abandon) && self.extension::<ExitNow>().0.is_some()
    }
    /// Ends the program: runs `at_exit` handlers, prints an uncaught exception like MRI, and returns the exit status.
    pub fn finish(&mut self, result: Res<()>) -> u8 {
        let status = self.finish_program(result);
        let _ = crate::core::io::flush_all(self);
        status
    }
    fn finish_program(&mut self, result: Res<()>) -> u8 {
        let mut last: Option<Value> = match result {
            Ok(()) => None,
            Err(error) => {
                if let (Unwind::Abandon, Some((status, _))) = (&*error.0, &self.extension::<ExitNow>().0) {
                    return *status as u8;
                }
                Some(self.error_value(error))
            }
        };
        if let Err(error) = self.protect(crate::core::fiber::scheduler::close) {
            let exception = self.error_value(error);
            let text = self.error_report(&exception, false);
            let _ = self.write_stderr(text.as_bytes());
        }
        let first = last.clone();
        let mut reported = false;
        let mut trapped = crate::core::signal::exit_handler(self);
        loop {
            self.errinfo = last.clone().unwrap_or_default();
            let done = if let Some(handler) = trapped.take() {
                handler.run(self, 0)
            } else if let Some(handler) = self.at_exit.pop() {
                self.call(&handler, sym::CALL, &[]).map(drop)
            } else {
                break;
            };
            if let Err(error) = done {
                if let (Unwind::Abandon, Some((status, _))) = (&*error.0, &self.extension::<ExitNow>().0) {
                    return *status as u8;
                }
                let exception = self.error_value(error);
                // an error in a handler is printed at once, and the other handlers run
                if !self.is_a(&exception, ClassId::SYSTEM_EXIT) && !self.at_exit.is_empty() {
                    let text = self.error_report(&exception, false);
                    let _ = self.write_stderr(text.as_bytes());
                    reported = true;
                } else {
                    reported = false;
                }
                last = Some(exception);
            }
        }
        self.errinfo = Value::Nil;
        let replaced = first.filter(|first| !last.as_ref().is_some_and(|last| last.same(first)));
        let ended = last.map_or(Ended::With(0), |exception| self.ended_by(&exception, reported));
        // what ended the program is told of, even if a handler ends it in another way
        if let Some(first) = replaced {
            self.ended_by(&first, false);
        }
        crate::core::object_space::run_finalizers(self);
        match ended {
            Ended::With(status) => status,
            Ended::Of(signal) => self.die_of(signal),
        }
    }
    /// How an exception ends the program; prints it, unless that has been done or it is one of those that end a program silently.
    fn ended_by(&mut self, exception: &Value, reported: bool) -> Ended {
        if self.is_a(exception, ClassId::SYSTEM_EXIT) {
            let detail = self.data::<ExceptionData>(exception).map(|data| data.detail.clone());
            return Ended::With(match detail {
                Some(Value::Int(status)) => status as u8,
                _ => 0,
            });
        }
        let signal = match self.data::<ExceptionData>(exception).map(|data| data.detail.clone()) {
            Some(Value::Int(signal)) if self.is_a(exception, ClassId::SIGNAL_EXCEPTION) => i32::try_from(signal).ok(),
            _ => match self.ivar_get(exception, Symbol::intern_static(crate::core::io::stream::ENDS_BY)) {
                Some(Value::Int(signal)) => i32::try_from(signal).ok(),
                _ => None,
            },
        };
        if !reported && (signal.is_none() || self.is_a(exception, ClassId::INTERRUPT)) {
            let text = self.error_report(exception, false);
            let _ = self.write_stderr(text.as_bytes());
        }
        signal.map_or(Ended::With(1), Ended::Of)
    }
    /// Ends the process by the signal itself, so that its parent can see that; returns the exit status if that fails.
    fn die_of(&mut self, signal: i32) -> u8 {
        let _ = crate::core::io::flush_all(self);
        let host = self.host.clone();
        let _ = host.on_signal(signal, rchef_host::processes::Disposition::Default);
        let _ = host.kill(host.pid(), signal);
        128 + signal as u8
    }
}
