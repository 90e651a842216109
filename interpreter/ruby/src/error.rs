//! Exceptions and jumps, and how natives raise them.

use crate::Vm;
use crate::class::ClassId;
use crate::frame::Clause;
use crate::method::MethodId;
use crate::value::{NativeData, Value};
use rchef_syntax::Symbol;
use rchef_syntax::tree::Code;
use std::sync::Arc;

/// The result of anything that runs Ruby.
pub type Res<T = Value> = Result<T, Error>;

/// An exception or jump being propagated. One word in size.
pub struct Error(pub Box<Unwind>);

/// A kind of non-local exit.
pub enum Unwind {
    Raise(Value),
    /// `break` from the block with this tag.
    Break(u64, Value),
    /// `next`: ends the block or method body.
    Next(Value),
    /// `return` from the frame with this id.
    Return(u64, Value),
    /// `throw tag, value`.
    Throw(Value, Value),
    Redo,
    Retry,
    /// The coroutine is being abandoned: unwinds everything and cannot be rescued.
    Abandon,
}

/// One frame of a backtrace.
#[derive(Clone)]
pub struct TraceEntry {
    /// The Ruby code; None for a native frame that no Ruby code called.
    pub code: Option<Arc<Code>>,
    pub line: u32,
    /// The label in parts; its text ("block in x", "<main>" …) is made on demand.
    pub label: TraceLabel,
}

/// The label of a backtrace frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceLabel {
    /// Ruby code: the name of the method it runs in (if any), the number of blocks around it, and the clauses being executed.
    Ruby(Option<Symbol>, u32, Clauses),
    Native(MethodId),
}

/// Nested `rescue` and `ensure` clauses, two bits each, the innermost in the lowest bits; only the innermost 16 are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clauses(u32);

impl Clauses {
    /// From a list, innermost first.
    pub(crate) fn of(clauses: &[(Clause, u32)]) -> Clauses {
        Clauses(clauses.iter().rev().fold(0, |packed, (clause, _)| {
            packed << 2
                | match clause {
                    Clause::Rescue => 1,
                    Clause::Ensure => 2,
                }
        }))
    }
}
impl std::fmt::Display for Clauses {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut left = self.0;
        while left != 0 {
            out.write_str(if left & 3 == 1 { "rescue in " } else { "ensure in " })?;
            left >>= 2;
        }
        Ok(())
    }
}

/// State of an exception object.
#[derive(Clone, Default)]
pub struct ExceptionData {
    /// The given message; `Undef` if there is none.
    pub message: Value,
    /// Without a given message: what the message says before the receiver, which is only described when someone asks.
    pub before_receiver: Option<Box<str>>,
    /// The place where it was raised.
    pub trace: Option<std::rc::Rc<Vec<TraceEntry>>>,
    /// The argument of `set_backtrace`, or the lines of the trace, created when first used.
    pub backtrace: Value,
    /// Whether `set_backtrace` was called: `backtrace` then does not use the trace, which is only used for the locations.
    pub is_set: bool,
    pub cause: Value,
    /// The receiver of NameError, KeyError or FrozenError; `Undef` if unknown.
    pub receiver: Value,
    /// NameError's name, KeyError's key, StopIteration's result, SystemExit's status, LocalJumpError's reason …
    pub detail: Value,
    /// NoMethodError's args, LocalJumpError's exit value, UncaughtThrowError's value.
    pub extra: Value,
    /// Byte range of the call's name in the source, for the line with the caret.
    pub span: Option<(u32, u32)>,
    /// Whether trace points have been told that it was raised.
    pub told: bool,
    /// NoMethodError: whether the call was of a form that permits private methods.
    pub private_call: bool,
    /// NameError of a bare name: the visible local variables.
    pub locals: Option<Vec<Symbol>>,
    /// What who raised it knows of it beside its message: the engine's [`Reason`], or what the program that embeds it says. Ruby code does not see it.
    pub about: Value,
}

/// Why the engine raises an error, for programs that tell people what to do about it: what the message says is not to be read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit is passed, of which this name sets how much it is.
    Limit(&'static str),
    /// A value is nil where another is needed.
    Nil,
    /// A source that does not parse.
    Syntax {
        path: String,
        line: u32,
        /// It ends where something is still open.
        early: bool,
    },
    /// A machine that is only simulated does not do this.
    Simulated(&'static str),
}
impl NativeData for Reason {}

impl NativeData for ExceptionData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        let own = [&self.message, &self.backtrace, &self.cause, &self.receiver, &self.detail, &self.extra, &self.about];
        for value in own {
            visit(value);
        }
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

impl From<Unwind> for Error {
    #[inline]
    fn from(unwind: Unwind) -> Error {
        Error(Box::new(unwind))
    }
}

impl Error {
    /// The exception, if it is one and not a jump.
    pub fn exception(&self) -> Option<&Value> {
        match &*self.0 {
            Unwind::Raise(value) => Some(value),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match &*self.0 {
            Unwind::Raise(_) => "Raise",
            Unwind::Break(..) => "Break",
            Unwind::Next(_) => "Next",
            Unwind::Return(..) => "Return",
            Unwind::Throw(..) => "Throw",
            Unwind::Redo => "Redo",
            Unwind::Retry => "Retry",
            Unwind::Abandon => "Abandon",
        })
    }
}

/// The frozen objects whose `inspect` runs for the message of a FrozenError.
#[derive(Default)]
struct Described(Vec<usize>);

impl Vm {
    /// Creates an exception object (without calling `new`), with the current backtrace.
    pub fn new_exception(&mut self, class: ClassId, message: impl AsRef<str>) -> Value {
        let message = Value::str(message);
        self.new_exception_with(class, ExceptionData { message, ..empty() })
    }
    /// Creates an exception object with these details, and the current backtrace.
    pub fn new_exception_with(&mut self, class: ClassId, mut data: ExceptionData) -> Value {
        if data.trace.is_none() {
            data.trace = Some(std::rc::Rc::new(self.backtrace(0)));
        }
        if matches!(data.cause, Value::Undef) {
            data.cause = self.current_exception();
        }
        Value::data(class, data)
    }
    /// An exception of a core class, for `return Err(vm.error(ClassId::TYPE_ERROR, "…"))`.
    #[cold]
    pub fn error(&mut self, class: ClassId, message: impl AsRef<str>) -> Error {
        let exception = self.new_exception(class, message);
        Unwind::Raise(exception).into()
    }
    #[cold]
    pub fn argument_error(&mut self, message: impl AsRef<str>) -> Error {
        self.error(ClassId::ARGUMENT_ERROR, message)
    }
    #[cold]
    pub fn type_error(&mut self, message: impl AsRef<str>) -> Error {
        self.error(ClassId::TYPE_ERROR, message)
    }
    /// TypeError for a value that cannot be what is needed: its reason is told where it is nil.
    #[cold]
    pub fn type_error_of(&mut self, value: &Value, message: impl AsRef<str>) -> Error {
        let reason = value.is_nil().then_some(Reason::Nil);
        self.error_for(ClassId::TYPE_ERROR, message, reason)
    }
    /// An error with why the engine raises it.
    #[cold]
    pub fn error_for(&mut self, class: ClassId, message: impl AsRef<str>, reason: Option<Reason>) -> Error {
        let about = reason.map_or(Value::Nil, |reason| Value::data(ClassId::OBJECT, reason));
        let data = ExceptionData { message: Value::str(message), about, ..empty() };
        Unwind::Raise(self.new_exception_with(class, data)).into()
    }
    #[cold]
    pub fn range_error(&mut self, message: impl AsRef<str>) -> Error {
        self.error(ClassId::RANGE_ERROR, message)
    }
    #[cold]
    pub fn index_error(&mut self, message: impl AsRef<str>) -> Error {
        self.error(ClassId::INDEX_ERROR, message)
    }
    #[cold]
    pub fn runtime_error(&mut self, message: impl AsRef<str>) -> Error {
        self.error(ClassId::RUNTIME_ERROR, message)
    }
    /// NotImplementedError for something that rchef does not implement.
    #[cold]
    pub fn not_implemented(&mut self, what: impl AsRef<str>) -> Error {
        self.error(ClassId::NOT_IMPLEMENTED_ERROR, what)
    }
    /// FrozenError for an object.
    #[cold]
    pub fn frozen_error(&mut self, object: &Value) -> Error {
        let class = self.own_class_name(object);
        // an `inspect` that changes the object is not asked again
        if self.extension::<Described>().0.contains(&object.address()) {
            return self.frozen_as(&class, " ...", object);
        }
        self.extension::<Described>().0.push(object.address());
        let shown = self.inspect(object);
        self.extension::<Described>().0.pop();
        match shown {
            Ok(shown) => self.frozen_as(&class, &shown, object),
            Err(error) => error,
        }
    }
    /// FrozenError if the singleton class of an object must not be changed.
    pub fn check_singleton_frozen(&mut self, object: &Value) -> Res<()> {
        let what = match object {
            // the singleton classes of these are NilClass, TrueClass and FalseClass
            Value::Nil | Value::True | Value::False => return Ok(()),
            _ if !self.frozen(object) => return Ok(()),
            Value::Class(id) if self.class(*id).is_module() => "Module",
            Value::Class(_) => "Class",
            _ => "object",
        };
        let shown = self.to_s_text(object)?;
        Err(self.frozen_as(what, &shown, object))
    }
    /// FrozenError if no methods may be added to a class, module, or singleton class.
    pub fn check_class_frozen(&mut self, class: ClassId) -> Res<()> {
        if let crate::class::ClassKind::Meta(of) = self.class(class).kind
            && self.class(of).frozen
        {
            return self.check_singleton_frozen(&Value::Class(of));
        }
        if !self.frozen(&Value::Class(class)) {
            return Ok(());
        }
        if self.class(class).kind == crate::class::ClassKind::Singleton {
            let of =
                self.class(class).label.as_ref().and_then(crate::class::Label::text).unwrap_or_default().to_string();
            return Err(self.error(ClassId::FROZEN_ERROR, format!("can't modify frozen object: {of}")));
        }
        let what = if self.class(class).is_module() { "module" } else { "class" };
        let shown = self.to_s_text(&Value::Class(class))?;
        Err(self.frozen_as(what, &shown, &Value::Class(class)))
    }
    fn frozen_as(&mut self, what: &str, shown: &str, receiver: &Value) -> Error {
        let message = Value::str(format!("can't modify frozen {what}: {shown}"));
        let data = ExceptionData { message, receiver: receiver.clone(), ..empty() };
        Unwind::Raise(self.new_exception_with(ClassId::FROZEN_ERROR, data)).into()
    }
    /// FrozenError if the object is frozen.
    #[inline]
    pub fn check_frozen(&mut self, object: &Value) -> Res<()> {
        if self.frozen(object) { Err(self.frozen_error(object)) } else { Ok(()) }
    }
    #[cold]
    pub fn key_error(&mut self, message: impl AsRef<str>, receiver: &Value, key: &Value) -> Error {
        let data =
            ExceptionData { message: Value::str(message), receiver: receiver.clone(), detail: key.clone(), ..empty() };
        Unwind::Raise(self.new_exception_with(ClassId::KEY_ERROR, data)).into()
    }
    #[cold]
    pub fn name_error(&mut self, message: impl AsRef<str>, receiver: &Value, name: Symbol) -> Error {
        let data = ExceptionData {
            message: Value::str(message),
            receiver: receiver.clone(),
            detail: Value::Sym(name),
            ..empty()
        };
        Unwind::Raise(self.new_exception_with(ClassId::NAME_ERROR, data)).into()
    }
    /// ArgumentError for a wrong number of arguments.
    #[cold]
    pub fn arity_error(&mut self, given: usize, expected: impl AsRef<str>) -> Error {
        self.argument_error(format!("wrong number of arguments (given {given}, expected {})", expected.as_ref()))
    }
    /// ArgumentError for unknown keywords.
    #[cold]
    pub fn unknown_keywords(&mut self, keys: &[Value]) -> Error {
        let mut shown = Vec::new();
        for key in keys {
            match self.inspect(key) {
                Ok(text) => shown.push(text),
                Err(error) => return error,
            }
        }
        self.argument_error(format!("unknown keyword{}: {}", if keys.len() == 1 { "" } else { "s" }, shown.join(", ")))
    }
    /// `Errno::X` with MRI's message: "No such file or directory @ rb_sysopen - path" (`what` is the part after the errno's text).
    #[cold]
    pub fn errno(&mut self, errno: i32, what: Option<&str>) -> Error {
        let class = self.errno_class(errno);
        let text = rchef_host::error::errno_message(errno);
        let message = match what {
            Some(what) => format!("{text} {}{what}", if what.starts_with('@') { "" } else { "- " }),
            None => text.to_string(),
        };
        let data = ExceptionData { message: Value::str(message), detail: Value::Int(i64::from(errno)), ..empty() };
        Unwind::Raise(self.new_exception_with(class, data)).into()
    }
    /// The exception in an error; a jump without a target becomes a LocalJumpError or UncaughtThrowError.
    pub fn error_value(&mut self, error: Error) -> Value {
        match *error.0 {
            Unwind::Raise(value) => value,
            Unwind::Throw(tag, _) => {
                let shown = self.inspect(&tag).unwrap_or_default();
                self.new_exception(ClassId::UNCAUGHT_THROW_ERROR, format!("uncaught throw {shown}"))
            }
            Unwind::Break(..) => self.new_exception(ClassId::LOCAL_JUMP_ERROR, "break from proc-closure"),
            Unwind::Return(..) => self.new_exception(ClassId::LOCAL_JUMP_ERROR, "unexpected return"),
            Unwind::Next(_) => self.new_exception(ClassId::LOCAL_JUMP_ERROR, "unexpected next"),
            Unwind::Redo => self.new_exception(ClassId::LOCAL_JUMP_ERROR, "unexpected redo"),
            Unwind::Retry => self.new_exception(ClassId::SYNTAX_ERROR, "Invalid retry"),
            Unwind::Abandon => match self.exited_now() {
                Some(exit) => exit,
                None => self.new_exception(ClassId::FIBER_ERROR, "coroutine abandoned"),
            },
        }
    }
}

pub fn empty() -> ExceptionData {
    ExceptionData {
        message: Value::Undef,
        before_receiver: None,
        trace: None,
        backtrace: Value::Nil,
        is_set: false,
        cause: Value::Undef,
        receiver: Value::Undef,
        detail: Value::Nil,
        extra: Value::Nil,
        span: None,
        told: false,
        private_call: false,
        locals: None,
        about: Value::Nil,
    }
}
