//! The native stack of the main program, and information about panics on it.

use corosensei::stack::DefaultStack;
use std::cell::{Cell, RefCell};
use std::sync::Once;

/// Bytes of native stack kept free for error handling.
pub const STACK_RESERVE: usize = 512 * 1024;

thread_local! {
    /// Size of the main program's stack in bytes.
    static MAIN_STACK: Cell<usize> = const { Cell::new(1 << 20) };
    /// The place of this thread's last panic: file and line of rchef's source.
    pub(crate) static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The number of running calls of `Vm::protect`.
    pub(crate) static PROTECTED: Cell<u32> = const { Cell::new(0) };
}

/// The lowest address of this thread's native stack that the main program may use.
pub(crate) fn stack_limit() -> usize {
    let here = 0u8;
    let here = std::ptr::from_ref(&here) as usize;
    here.saturating_sub(MAIN_STACK.with(Cell::get)).saturating_add(STACK_RESERVE)
}

/// Runs `body` on a stack of `bytes` for deep Ruby recursion (pages are only used when touched). If that much address space is not available (`ulimit
/// -v`), tries a half, a quarter and so on. A panic in `body` is an error.
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
    // everything owned by the body is dropped when it panics, so no inconsistent state can be observed
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| corosensei::on_stack(stack, body)));
    MAIN_STACK.set(outer);
    done.map_err(|_| std::io::Error::other("the main program panicked"))
}

/// Makes panics that `Vm::protect` will catch print nothing, and record their place for the exception.
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
/// A source path without the directories of the build machine.
fn source(path: &str) -> &str {
    path.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/')).map_or(path, |(_, file)| file)
}
