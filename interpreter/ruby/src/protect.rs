//! Panics: one in a native is a defect of ours, and becomes an exception where Ruby code or the embedder cleans up.
//!
//! [`Vm::protect`] stands around each file, each `begin` with `rescue` or `ensure`, each fiber, and what an embedder runs as a unit. So `ensure` clauses
//! run, and the run ends as after any exception, with its report. The exception is a `fatal`, which a plain `rescue` leaves alone.

use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, ExceptionData, Res, Unwind};
use crate::frame::Depth;
use crate::value::Value;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;

thread_local! {
    /// Where the last panic of this thread arose: file and line of our own source.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    /// How many calls of [`Vm::protect`] are under way.
    static PROTECTED: Cell<u32> = const { Cell::new(0) };
}

/// From now on panics that will be caught by [`Vm::protect`] print nothing themselves and leave their place for the exception.
pub(crate) fn note_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = info.location().map(|at| format!("{}:{}", source(at.file()), at.line()));
            let _ = PLACE.try_with(|last| *last.borrow_mut() = place);
            if PROTECTED.try_with(Cell::get).unwrap_or(0) == 0 {
                before(info);
            }
        }));
    });
}

/// A path without the folders of the machine that built us.
fn source(path: &str) -> &str {
    path.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/')).map_or(path, |(_, file)| file)
}

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
        if crate::core::discarding_coroutine() {
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
        let class = crate::core::thread::fatal(self);
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
        if crate::core::thread::fatal_class(self)? != self.real_class_of(exception) {
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
