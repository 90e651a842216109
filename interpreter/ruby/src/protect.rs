//! Panics in natives are bugs of rchef; they become exceptions, so that Ruby code and the embedder can clean up.
//!
//! [`Vm::protect`] is used for each file, each `begin` with `rescue` or `ensure`, each fiber, and units of the embedder. So `ensure` clauses run, and
//! the run ends as after any exception, with its report. The exception is a `fatal`, which a plain `rescue` does not rescue.

use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, ExceptionData, Res, Unwind};
use crate::frame::{Depth, discarding_coroutine};
use crate::native_stack::{PLACE, PROTECTED};
use crate::value::Value;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl Vm {
    /// Runs `body`, converting a panic to an exception. The stacks are truncated to their depth before the call.
    pub fn protect<R>(&mut self, body: impl FnOnce(&mut Vm) -> Res<R>) -> Res<R> {
        let depth = self.stacks.depth();
        PROTECTED.with(|count| count.set(count.get() + 1));
        // the stacks are truncated before they are used again, and natives have no other state that a panic leaves inconsistent
        let done = catch_unwind(AssertUnwindSafe(|| body(self)));
        PROTECTED.with(|count| count.set(count.get().saturating_sub(1)));
        done.unwrap_or_else(|payload| Err(self.panicked(depth, payload)))
    }

    #[cold]
    #[inline(never)]
    fn panicked(&mut self, depth: Depth, payload: Box<dyn Any + Send>) -> Error {
        if discarding_coroutine() {
            // not a bug: a coroutine is being abandoned, perhaps after the VM was dropped, and the unwinding has to go on
            resume_unwind(payload);
        }
        self.stacks.cut(depth);
        let what = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_string(),
            (_, Some(text)) => text.clone(),
            _ => "panic".to_string(),
        };
        let place =
            PLACE.with(|last| last.borrow_mut().take()).unwrap_or_else(|| "a place that is not known".to_string());
        let class = self.fatal().unwrap_or(ClassId::EXCEPTION);
        let error = self.error(class, format!("a bug of rchef at {place}, please report it: {what}"));
        let known = Value::array(vec![Value::str(place), Value::str(what)]);
        if let Some(exception) = error.exception().cloned()
            && let Some(data) = self.data_mut::<ExceptionData>(&exception)
        {
            data.extra = known;
        }
        error
    }

    /// Converts an error of [`Vm::protect`] to an exception that `rescue` catches: the action `unit`, one of several that the embedder runs, has
    /// failed, but others may continue. Other errors are unchanged.
    pub fn bug_as_failure(&mut self, error: Error, unit: &str) -> Error {
        let Some((exception, place, what)) = self.bug_of(&error) else { return error };
        let backtrace = self.call_name(&exception, "backtrace", &[]).unwrap_or_default();
        let text = format!("a bug of rchef in {unit} at {place}, please report it: {what}");
        let made = self.error(ClassId::RUNTIME_ERROR, text);
        if let Some(failure) = made.exception().cloned() {
            let _ = self.call_name(&failure, "set_backtrace", &[backtrace]);
            return Unwind::Raise(failure).into();
        }
        made
    }
    /// The exception for a panic, with the panic's place and message.
    fn bug_of(&self, error: &Error) -> Option<(Value, String, String)> {
        let exception = error.exception()?;
        let known = &self.data::<ExceptionData>(exception)?.extra;
        if self.fatal()? != self.real_class_of(exception) {
            return None;
        }
        let Value::Array(known) = known else { return None };
        let mut texts = known.get(self).items.iter().map(|text| match text {
            Value::Str(text) => text.get(self).to_text().into_owned(),
            _ => String::new(),
        });
        Some((exception.clone(), texts.next()?, texts.next()?))
    }
}
