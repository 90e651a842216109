//! Exception and its subclasses.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{ExceptionData, Res, empty};
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    opt("exception", exception, 0, 1),
    def("message", message, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("backtrace", backtrace, 0),
    def("set_backtrace", set_backtrace, 1),
    def("cause", cause, 0),
];
static SINGLETON: &[MethodDef] = &[any("exception", class_exception)];

fn data<'a>(vm: &'a Vm, this: &'a Value) -> Option<&'a ExceptionData> {
    vm.data::<ExceptionData>(this)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(message) = args.get(0)
        && let Some(data) = vm.data_mut::<ExceptionData>(this)
    {
        data.message = message.clone();
    }
    Ok(Value::Nil)
}
fn class_exception(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.call_args(this, sym::NEW, args)
}
fn exception(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.get(0) {
        None => Ok(this.clone()),
        Some(same) if same.same(this) => Ok(this.clone()),
        Some(message) => {
            let copy = vm.call(this, sym::CLONE, &[])?;
            if let Some(data) = vm.data_mut::<ExceptionData>(&copy) {
                data.message = message.clone();
            }
            Ok(copy)
        }
    }
}
fn message(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = vm.call(this, sym::TO_S, &[])?;
    Ok(Value::Str(vm.to_s(&text)?))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let message = data(vm, this).map(|data| data.message.clone()).unwrap_or_default();
    match message {
        Value::Undef | Value::Nil => Ok(Value::str(vm.class_name_of(this))),
        message => Ok(Value::Str(vm.to_s(&message)?)),
    }
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let text = vm.call(this, sym::TO_S, &[])?;
    let text = vm.to_s_text(&text)?;
    Ok(Value::str(if text.is_empty() { class } else { format!("#<{class}: {text}>") }))
}
fn backtrace(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(data) = data(vm, this) else { return Ok(Value::Nil) };
    if !data.backtrace.is_nil() {
        return Ok(data.backtrace.clone());
    }
    let Some(trace) = data.trace.clone() else { return Ok(Value::Nil) };
    let lines = trace.iter().map(|entry| Value::str(vm.trace_line(entry))).collect();
    let lines = Value::array(lines);
    if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        data.backtrace = lines.clone();
    }
    Ok(lines)
}
fn set_backtrace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let lines = match args.at(0) {
        Value::Str(_) => Value::array(vec![args.at(0).clone()]),
        other => other.clone(),
    };
    if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        data.backtrace = lines.clone();
    }
    Ok(lines)
}
fn cause(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(data(vm, this).map(|data| data.cause.clone()).filter(|cause| !cause.is_undef()).unwrap_or_default())
}

/// Gives an exception that is about to be raised its backtrace and cause, unless it has them. `cause` is Undef when none was named.
pub(crate) fn prepare(vm: &mut Vm, exception: &Value, cause: Value) -> Res<()> {
    let current = vm.current_exception();
    let trace = match data(vm, exception) {
        Some(data) if data.trace.is_none() && data.backtrace.is_nil() => Some(Rc::new(vm.backtrace(1))),
        _ => None,
    };
    if let Some(data) = vm.data_mut::<ExceptionData>(exception) {
        if trace.is_some() {
            data.trace = trace;
        }
        if !cause.is_undef() {
            data.cause = cause;
        } else if data.cause.is_undef() {
            data.cause = if current.same(exception) { Value::Nil } else { current };
        }
    }
    Ok(())
}

impl Vm {
    /// Leaves the innermost frame out of an error's backtrace: a native that stands for its caller.
    pub(crate) fn drop_top_frame(&mut self, error: &crate::error::Error) {
        if let Some(exception) = error.exception().cloned()
            && let Some(data) = self.data_mut::<ExceptionData>(&exception)
            && let Some(trace) = &data.trace
        {
            data.trace = Some(Rc::new(trace.iter().skip(1).cloned().collect()));
        }
    }

    /// What MRI prints for an exception that nothing rescued.
    pub fn error_report(&mut self, exception: &Value, _highlight: bool) -> String {
        let message = self.call(exception, sym::MESSAGE, &[]).and_then(|text| self.to_s_text(&text)).unwrap_or_default();
        let class = self.class_name_of(exception);
        let lines = match self.call(exception, sym::BACKTRACE, &[]) {
            Ok(Value::Array(lines)) => lines.get(self).items.clone(),
            _ => Vec::new(),
        };
        let mut out = String::new();
        let mut lines = lines.iter();
        if let Some(first) = lines.next() {
            out.push_str(&self.to_s_text(first).unwrap_or_default());
            out.push_str(": ");
        }
        let (head, tail) = message.split_once('\n').unwrap_or((&message, ""));
        out.push_str(&format!("{head} ({class})\n"));
        if !tail.is_empty() {
            out.push_str(tail);
            out.push('\n');
        }
        for line in lines {
            out.push_str(&format!("\tfrom {}\n", self.to_s_text(line).unwrap_or_default()));
        }
        out
    }

    /// The class `Errno::X` of a number, made when first needed.
    pub fn errno_class(&mut self, errno: i32) -> ClassId {
        if let Some(&class) = self.errno_classes.get(&errno) {
            return class;
        }
        let Some(name) = rchef_host::error::errno_name(errno) else { return ClassId::SYSTEM_CALL_ERROR };
        let class = self.define_class(ClassId::ERRNO, name, ClassId::SYSTEM_CALL_ERROR);
        self.const_set(class, rchef_syntax::Symbol::intern_static("Errno"), Value::Int(i64::from(errno)));
        self.errno_classes.insert(errno, class);
        class
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::EXCEPTION).allocator = Some(|_, class| Ok(Value::data(class, empty())));
    vm.define_methods(ClassId::EXCEPTION, METHODS);
    vm.define_singleton_methods(ClassId::EXCEPTION, SINGLETON);
}
