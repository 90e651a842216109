//! Panics: one in a native is a defect of ours, and becomes an exception where Ruby code or the embedder cleans up.
//!
//! [`Vm::protect`] stands around each file, each `begin` with `rescue` or `ensure`, each fiber, and what an embedder runs as a unit. So `ensure` clauses
//! run, and the run ends as after any exception, with its report. The exception is a `fatal`, which a plain `rescue` leaves alone.

use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, Res, Unwind};
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
        let place = PLACE.with(|last| last.borrow_mut().take()).map_or_else(String::new, |at| format!(" ({at})"));
        let class = crate::core::thread::fatal(self);
        self.error(class, format!("{BUG}: {what}{place}"))
    }

    /// An error of [`Vm::protect`] as one that `rescue` sees: the action of one unit of the embedder's failed, others may go on. Other errors
    /// stay as they are.
    pub fn bug_as_failure(&mut self, error: Error) -> Error {
        let Some(exception) = error.exception().cloned() else { return error };
        let fatal = crate::core::thread::fatal(self);
        if self.real_class_of(&exception) != fatal {
            return error;
        }
        let text = self.error_text(&exception);
        if !text.starts_with(BUG) {
            return error;
        }
        let backtrace = self.call_name(&exception, "backtrace", &[]).unwrap_or_default();
        let made = self.error(ClassId::RUNTIME_ERROR, text);
        if let Some(failure) = made.exception().cloned() {
            let _ = self.call_name(&failure, "set_backtrace", &[backtrace]);
            return Unwind::Raise(failure).into();
        }
        made
    }
    fn error_text(&mut self, exception: &Value) -> String {
        self.call_name(exception, "message", &[]).and_then(|text| self.to_s_text(&text)).unwrap_or_default()
    }
}

/// How the message of a caught panic begins.
const BUG: &str = "this is a bug of rchef, please report it";
