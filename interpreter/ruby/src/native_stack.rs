//! The native stack that the main program runs on, and what a panic on it leaves for its report.

use corosensei::stack::DefaultStack;
use std::cell::{Cell, RefCell};
use std::sync::Once;

/// Native stack kept free for error handling, in bytes.
pub const STACK_RESERVE: usize = 512 * 1024;

thread_local! {
    /// Bytes of the main program's stack.
    static MAIN_STACK: Cell<usize> = const { Cell::new(1 << 20) };
    /// Where the last panic of this thread arose: file and line of our own source.
    pub(crate) static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    /// How many calls of `Vm::protect` are under way.
    pub(crate) static PROTECTED: Cell<u32> = const { Cell::new(0) };
}

/// How far down the native stack of this thread may be used, in the main program.
pub(crate) fn stack_limit() -> usize {
    let here = 0u8;
    let here = std::ptr::from_ref(&here) as usize;
    here.saturating_sub(MAIN_STACK.with(Cell::get)).saturating_add(STACK_RESERVE)
}

/// Runs `body` on a stack large enough for deep Ruby recursion (bytes; the pages are only used when touched); where so many addresses are not
/// to be had (`ulimit -v`), on the largest half, quarter and so on that is. A panic in it is an error.
pub fn on_large_stack<R>(bytes: usize, body: impl FnOnce() -> R) -> std::io::Result<R> {
    const SMALLEST: usize = 8 << 20;
    note_panics();
    let mut bytes = bytes;
    let stack = loop {
        match DefaultStack::new(bytes) {
            Err(_) if bytes / 2 >= SMALLEST => bytes /= 2,
            made => break made?,
        }
    };
    let outer = MAIN_STACK.replace(bytes - STACK_RESERVE / 4);
    // what the body has is gone when it panics: nothing half-done is seen
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| corosensei::on_stack(stack, body)));
    MAIN_STACK.set(outer);
    done.map_err(|_| std::io::Error::other("the main program panicked"))
}

/// From now on panics that will be caught by `Vm::protect` print nothing themselves and leave their place for the exception.
fn note_panics() {
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
