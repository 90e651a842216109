//! Exception: messages, backtraces, the output for uncaught exceptions. Subclasses are in `classes` and `errno`; what is appended to messages is in
//! `highlight` and `suggest`.

mod classes;
mod errno;
pub(crate) mod highlight;
pub(crate) mod raise;
mod suggest;

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::construct;
use crate::error::{Error, ExceptionData, Res, TraceEntry, empty};
use crate::method::{MethodBody, MethodDef, any, def, opt};
use crate::value::Value;
use rchef_host::StandardStream;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    opt("exception", exception, 0, 1),
    def("message", message, 0),
    def("to_s", to_s, 0),
    def("inspect", inspect, 0),
    def("backtrace", backtrace, 0),
    def("backtrace_locations", backtrace_locations, 0),
    def("set_backtrace", set_backtrace, 1),
    def("cause", cause, 0),
    opt("full_message", full_message, 0, 1),
    def("==", equal, 1),
];
static WITH_NOTES: &[MethodDef] = &[def("to_s", to_s_with_notes, 0), def("original_message", to_s, 0)];
/// `Exception.exception` is Class#new under another name: a class's own `new` in Ruby is not asked.
static SINGLETON: &[MethodDef] = &[any("exception", construct::new), def("to_tty?", to_tty, 0)];

fn data<'a>(vm: &'a Vm, this: &'a Value) -> Option<&'a ExceptionData> {
    vm.data::<ExceptionData>(this)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(message) = args.get(0)
        && let Some(data) = vm.data_mut::<ExceptionData>(this)
    {
        data.message = message.clone();
    } else if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        data.message = Value::Undef;
        data.before_receiver = None;
    }
    Ok(this.clone())
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
/// The message as it was given. One about a receiver is put together anew each time: its `inspect` may take long, and what is rescued is seldom shown.
pub(crate) fn given(vm: &mut Vm, this: &Value) -> Value {
    match given_parts(vm, this) {
        (Some(before), receiver) => Value::str(format!("{before}{}", vm.describe_receiver(&receiver))),
        (None, message) => message,
    }
}
/// The message as it was given, or what it says before the receiver and the receiver.
fn given_parts(vm: &Vm, this: &Value) -> (Option<Box<str>>, Value) {
    let Some(data) = data(vm, this) else { return (None, Value::Nil) };
    match (&data.message, &data.before_receiver) {
        (Value::Undef, Some(before)) => (Some(before.clone()), data.receiver.clone()),
        (message, _) => (None, message.clone()),
    }
}
fn message(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = vm.call(this, sym::TO_S, &[])?;
    Ok(Value::Str(vm.to_s(&text)?))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    match given(vm, this) {
        Value::Undef | Value::Nil => Ok(Value::str(vm.class_name_of(this))),
        Value::Str(text) => Ok(Value::Str(text)),
        message => Ok(Value::Str(vm.to_s(&message)?)),
    }
}
/// What messages go without.
#[derive(Default)]
struct Silenced {
    highlights: bool,
    suggestions: bool,
}
impl Vm {
    /// Whether messages show the source line and "Did you mean?".
    pub fn set_error_notes(&mut self, highlights: bool, suggestions: bool) {
        *self.extension::<Silenced>() = Silenced { highlights: !highlights, suggestions: !suggestions };
    }
}
/// `to_s` of NameError, KeyError, LoadError: with the source line and suggestions.
fn to_s_with_notes(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let plain = to_s(vm, this, Args::none())?;
    let text = vm.to_s_text(&plain)?;
    let mut out = text.clone();
    let &mut Silenced { highlights, suggestions } = vm.extension::<Silenced>();
    if !highlights
        && let Some(snippet) = highlight::shown(vm, this)?
        && !out.contains(&snippet)
    {
        out.push_str(&snippet);
    }
    if !suggestions {
        let suggestion = suggest::suggestion(vm, this, &text);
        if !out.contains(&suggestion) {
            out.push_str(&suggestion);
        }
    }
    if out == text { Ok(plain) } else { Ok(Value::str(out)) }
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let text = vm.call(this, sym::TO_S, &[])?;
    let text = vm.to_s_text(&text)?;
    Ok(Value::str(if text.is_empty() { class } else { format!("#<{class}: {text}>") }))
}
fn lines(vm: &Vm, trace: &[TraceEntry]) -> Value {
    Value::array(trace.iter().map(|entry| Value::str(vm.trace_line(entry))).collect())
}
pub(crate) fn backtrace(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(data) = data(vm, this) else { return Ok(Value::Nil) };
    if data.is_set || !data.backtrace.is_nil() {
        return Ok(data.backtrace.clone());
    }
    let Some(trace) = data.trace.clone() else { return Ok(Value::Nil) };
    let lines = lines(vm, &trace);
    if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        data.backtrace = lines.clone();
    }
    Ok(lines)
}
fn backtrace_locations(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(data) = data(vm, this) else { return Ok(Value::Nil) };
    let Some(trace) = data.trace.clone() else { return Ok(Value::Nil) };
    let (span, detail) = (data.span, data.detail.clone());
    let name = match detail {
        Value::Sym(name) if vm.is_a(this, ClassId::NAME_ERROR) => Some(name),
        _ => None,
    };
    Ok(super::location::locations_from(vm, trace.to_vec(), name, span))
}
fn set_backtrace(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let lines = match args.at(0) {
        Value::Str(_) => Value::array(vec![args.at(0).clone()]),
        other => lines_only(vm, other)?,
    };
    if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        data.backtrace = lines.clone();
        data.is_set = true;
    }
    Ok(lines)
}
fn cause(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(data(vm, this).map(|data| data.cause.clone()).filter(|cause| !cause.is_undef()).unwrap_or_default())
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if this.same(other) {
        return Ok(Value::True);
    }
    let Some(found) = exception_of(vm, this, other)? else { return Ok(Value::False) };
    // the messages as they were given and the backtraces as they were set, not as methods of the class show them
    let (mut mine, mut theirs) = (given_parts(vm, this), given_parts(vm, &found));
    if mine.0.is_some() != theirs.0.is_some() {
        (mine, theirs) = ((None, given(vm, this)), (None, given(vm, &found)));
    }
    if mine.0 != theirs.0 || !vm.eq(&mine.1, &theirs.1)? {
        return Ok(Value::False);
    }
    let (mine, theirs) = (backtrace(vm, this, Args::none())?, backtrace(vm, &found, Args::none())?);
    Ok(Value::bool(vm.eq(&mine, &theirs)?))
}
/// What an exception is compared with: one of the same class, or what an object of another class (a delegator) gives as `exception`.
fn exception_of(vm: &mut Vm, this: &Value, other: &Value) -> Res<Option<Value>> {
    let class = vm.real_class_of(this);
    if vm.real_class_of(other) == class {
        return Ok(Some(other.clone()));
    }
    let name = Symbol::intern_static("exception");
    if !vm.respond_to(other, name, false)? {
        return Ok(None);
    }
    // an error in the conversion means that there is none
    let found = vm.rescue(ClassId::STANDARD_ERROR, |vm| vm.call(other, name, &[]), |_, _| Ok(Value::Nil))?;
    Ok(Some(found).filter(|found| vm.real_class_of(found) == class))
}
fn to_tty(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(stderr_is_tty(vm)))
}
fn stderr_is_tty(vm: &mut Vm) -> bool {
    let host = vm.host.clone();
    host.standard(StandardStream::Error).is_ok_and(|handle| handle.is_tty())
}
fn full_message(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, [highlight, order]) =
        args.take_keywords(vm, [Symbol::intern_static("highlight"), Symbol::intern_static("order")])?;
    if !pos.is_empty() {
        return Err(vm.arity_error(pos.len(), "0"));
    }
    let highlight = match highlight {
        None | Some(Value::Nil) => stderr_is_tty(vm),
        Some(Value::True) => true,
        Some(Value::False) => false,
        Some(other) => {
            let shown = vm.inspect(&other)?;
            return Err(vm.argument_error(format!("expected true or false as highlight: {shown}")));
        }
    };
    let bottom = match order {
        None | Some(Value::Nil) => false,
        Some(value) => match vm.to_name(&value)?.as_str() {
            "top" => false,
            "bottom" => true,
            _ => {
                let shown = vm.inspect(&value)?;
                return Err(vm.argument_error(format!("expected :top or :bottom as order: {shown}")));
            }
        },
    };
    checked_backtrace(vm, this)?;
    let text = vm.full_message(this, highlight, bottom);
    Ok(Value::str(text))
}

/// What an exception's `backtrace`, which its class may define, returns: nil or an Array of Strings.
pub(crate) fn checked_backtrace(vm: &mut Vm, exception: &Value) -> Res {
    let lines = vm.call(exception, sym::BACKTRACE, &[])?;
    lines_only(vm, &lines)
}
/// A backtrace as it may be: nil or an Array of Strings.
fn lines_only(vm: &mut Vm, value: &Value) -> Res {
    match value {
        Value::Nil => Ok(Value::Nil),
        Value::Array(list) if list.get(vm).items.iter().all(|item| matches!(item, Value::Str(_))) => Ok(value.clone()),
        _ => Err(vm.type_error("backtrace must be Array of String")),
    }
}
fn has_own_set_backtrace(vm: &mut Vm, exception: &Value) -> bool {
    let class = vm.class_of(exception);
    let found = vm.find_method(class, sym::SET_BACKTRACE);
    found.is_some_and(|id| !matches!(vm.method(id).body, MethodBody::Native(..)))
}
/// Whether `wanted` is among the causes of an exception.
fn is_cause(vm: &mut Vm, exception: &Value, wanted: &Value) -> bool {
    /// More causes than any program has: those that Marshal has read may be a circle.
    const MOST: usize = 100_000;
    let mut at = exception.clone();
    for _ in 0..MOST {
        match data(vm, &at).map(|data| data.cause.clone()) {
            Some(next) if next.same(wanted) => return true,
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}
/// Sets the backtrace and cause of an exception about to be raised, unless it has them; the backtrace with `set_backtrace` if Ruby code defines that.
/// `cause` is Undef if it is not given.
pub(crate) fn prepare(vm: &mut Vm, exception: &Value, cause: Value) -> Res<()> {
    if !cause.is_undef() && !cause.is_nil() && !vm.is_a(&cause, ClassId::EXCEPTION) {
        return Err(vm.type_error("exception object expected"));
    }
    let current = vm.current_exception();
    let trace = match data(vm, exception) {
        Some(data) if (data.trace.is_none() || data.is_set) && data.backtrace.is_nil() => {
            Some(Rc::new(vm.backtrace(1)))
        }
        _ => None,
    };
    if !cause.is_undef() && !cause.same(exception) && is_cause(vm, &cause, exception) {
        return Err(vm.argument_error("circular causes"));
    }
    let circular = current.same(exception) || is_cause(vm, &current, exception);
    let handed = trace.clone().filter(|_| has_own_set_backtrace(vm, exception));
    if let Some(data) = vm.data_mut::<ExceptionData>(exception) {
        if trace.is_some() {
            data.trace = trace;
            data.is_set = handed.is_some();
        }
        if !cause.is_undef() {
            if !cause.same(exception) {
                data.cause = cause;
            }
        } else if data.cause.is_undef() {
            data.cause = if circular { Value::Nil } else { current };
        }
    }
    if let Some(trace) = handed
        && vm.call(exception, sym::BACKTRACE, &[])?.is_nil()
    {
        let lines = lines(vm, &trace);
        vm.call(exception, sym::SET_BACKTRACE, &[lines])?;
    }
    Ok(())
}

impl Vm {
    /// Removes the innermost frame from an error's backtrace, for natives that act on behalf of their caller.
    pub(crate) fn drop_top_frame(&mut self, error: &Error) {
        if let Some(exception) = error.exception().cloned()
            && let Some(data) = self.data_mut::<ExceptionData>(&exception)
            && let Some(trace) = &data.trace
        {
            data.trace = Some(Rc::new(trace.iter().skip(1).cloned().collect()));
        }
    }

    /// MRI's output for an uncaught exception.
    pub fn error_report(&mut self, exception: &Value, highlight: bool) -> String {
        self.full_message(exception, highlight, false)
    }

    /// `Exception#full_message`; `bottom`: the innermost frame is last.
    pub fn full_message(&mut self, exception: &Value, highlight: bool, bottom: bool) -> String {
        let mut out = String::new();
        if bottom {
            out.push_str(if highlight {
                "\x1b[1mTraceback\x1b[m (most recent call last):\n"
            } else {
                "Traceback (most recent call last):\n"
            });
        }
        let mut chain = vec![exception.clone()];
        let mut at = exception.clone();
        while let Some(next) =
            data(self, &at).map(|data| data.cause.clone()).filter(|cause| matches!(cause, Value::Object(_)))
        {
            if chain.iter().any(|known| known.same(&next)) {
                break;
            }
            chain.push(next.clone());
            at = next;
        }
        if bottom {
            chain.reverse();
        }
        for one in &chain {
            let lines = self.trace_lines(one);
            let (head, frames) = match lines.split_first() {
                Some((first, rest)) => (first.clone(), rest.to_vec()),
                None => (self.current_line(), Vec::new()),
            };
            if bottom {
                let width = frames.len().to_string().len();
                for (index, frame) in frames.iter().enumerate().rev() {
                    out.push_str(&format!("\t{:width$}: from {frame}\n", index + 1));
                }
            }
            if !head.is_empty() {
                out.push_str(&format!("{head}: "));
            }
            self.push_message(one, highlight, &mut out);
            if !bottom {
                // the middle of a very long backtrace is omitted
                const FIRST: usize = 8;
                const LAST: usize = 4;
                let skipped = match self.class_of(one) == ClassId::SYSTEM_STACK_ERROR {
                    true if frames.len() > FIRST + LAST + 2 => FIRST..frames.len() - LAST,
                    _ => 0..0,
                };
                let limit = usize::try_from(crate::core::location::backtrace_limit(self)).unwrap_or(usize::MAX);
                for (index, frame) in frames.iter().enumerate() {
                    if index == limit && frames.len() > limit + 1 {
                        out.push_str(&format!("\t ... {} levels...\n", frames.len() - limit));
                        break;
                    }
                    if index == skipped.start && !skipped.is_empty() {
                        out.push_str(&format!("\t ... {} levels...\n", skipped.len()));
                    }
                    if !skipped.contains(&index) {
                        out.push_str(&format!("\tfrom {frame}\n"));
                    }
                }
            }
        }
        out
    }

    fn current_line(&self) -> String {
        self.backtrace(0).first().map(|entry| self.trace_line(entry)).unwrap_or_default()
    }
    fn trace_lines(&mut self, exception: &Value) -> Vec<String> {
        match self.call(exception, sym::BACKTRACE, &[]) {
            Ok(Value::Array(lines)) => {
                let lines = lines.get(self).items.clone();
                lines.iter().map(|line| self.to_s_text(line).unwrap_or_default()).collect()
            }
            _ => Vec::new(),
        }
    }
    fn push_message(&mut self, exception: &Value, highlight: bool, out: &mut String) {
        let message =
            self.call(exception, sym::MESSAGE, &[]).and_then(|text| self.to_s_text(&text)).unwrap_or_default();
        let class = self.class_name_of(exception);
        if message.is_empty() {
            let text = if class == "RuntimeError" { "unhandled exception" } else { &class };
            out.push_str(&if highlight { format!("\x1b[1;4m{text}\x1b[m\n") } else { format!("{text}\n") });
            return;
        }
        let (head, tail) = message.split_once('\n').unwrap_or((&message, ""));
        if !highlight {
            // the name of an anonymous class is omitted
            out.push_str(&if class.starts_with('#') { format!("{head}\n") } else { format!("{head} ({class})\n") });
            if !tail.is_empty() {
                out.push_str(tail.strip_suffix('\n').unwrap_or(tail));
                out.push('\n');
            }
            return;
        }
        out.push_str(&format!("\x1b[1m{head} (\x1b[1;4m{class}\x1b[m\x1b[1m)\x1b[m\n"));
        if !tail.is_empty() {
            for line in tail.strip_suffix('\n').unwrap_or(tail).split('\n') {
                out.push_str(&if line.is_empty() { "\n".to_string() } else { format!("\x1b[1m{line}\x1b[m\n") });
            }
        }
    }
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::EXCEPTION).allocator = Some(|_, class| Ok(Value::data(class, empty())));
    vm.define_methods(ClassId::EXCEPTION, METHODS);
    vm.define_singleton_methods(ClassId::EXCEPTION, SINGLETON);
    classes::boot(vm);
    errno::boot(vm);
    for class in [ClassId::NAME_ERROR, ClassId::KEY_ERROR, ClassId::NO_MATCHING_PATTERN_KEY_ERROR, ClassId::LOAD_ERROR]
    {
        vm.define_methods(class, WITH_NOTES);
    }
}
