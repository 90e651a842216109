//! Panics: one in a native is a defect of ours, and becomes an exception where Ruby code or the embedder cleans up.
//!
//! [`Vm::protect`] stands around each file, each `begin` with `rescue` or `ensure`, each fiber, and what an embedder runs as a unit. So `ensure` clauses
//! run, and the run ends as after any exception, with its report. The exception is a `fatal`, which a plain `rescue` leaves alone.

use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, ExceptionData, Res, Unwind};
use crate::frame::{Depth, discarding_coroutine};
use crate::native_stack::{PLACE, PROTECTED};
use crate::value::Value;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl Vm {
    /// Runs `body`; a panic in it is an exception. The stacks are as deep afterwards as before.
    pub fn protect<R>(&mut self, body: impl FnOnce(&mut Vm) -> Res<R>) -> Res<R> {
        let depth = self.stacks.depth();
        PROTECTED.with(|count| count.set(count.get() + 1));
        // the stacks are cut before anybody looks at them, and natives keep no other state that a panic leaves unsound
        let done = catch_unwind(AssertUnwindSafe(|| body(self)));
        PROTECTED.with(|count| count.set(count.get().saturating_sub(1)));
        done.unwrap_or_else(|payload| Err(self.panicked(depth, payload)))
    }

    #[cold]
    #[inline(never)]
    fn panicked(&mut self, depth: Depth, payload: Box<dyn Any + Send>) -> Error {
        if discarding_coroutine() {
            // no panic of ours, and the machine may be gone: whoever gives the coroutine up waits for it
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

    /// An error of [`Vm::protect`] as one that `rescue` sees: the action of `unit`, one of several that the embedder runs, failed, and others may
    /// go on. Other errors stay as they are.
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
    /// The exception that stands for a panic, with the place and the message of the panic.
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
