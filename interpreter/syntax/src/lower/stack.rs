//! The stack that parsing and lowering run on: callers may be on a small one (a fiber's, a thread's).

use corosensei::stack::{DefaultStack, Stack};
use std::cell::Cell;

/// Address space only; pages are touched as they are needed. prism's 10,000 levels of the deepest construct fit.
const SIZE: usize = 256 << 20;
/// What must remain below the lowering's own frames.
const RESERVE: usize = 256 << 10;

thread_local! {
    static SPARE: Cell<Option<DefaultStack>> = const { Cell::new(None) };
}

/// Runs `work` on a large stack, giving it the lowest address that it may use. None when the stack cannot be had.
pub(super) fn on_large_stack<R>(work: impl FnOnce(usize) -> R) -> Option<R> {
    let spare = SPARE.try_with(Cell::take).ok().flatten();
    let mut stack = match spare {
        Some(stack) => stack,
        None => DefaultStack::new(SIZE).ok()?,
    };
    let limit = stack.limit().get() + RESERVE;
    let result = corosensei::on_stack(&mut stack, || work(limit));
    let _ = SPARE.try_with(|cell| cell.set(Some(stack)));
    Some(result)
}

/// Whether the native stack has come below an address.
#[inline(always)]
pub(super) fn is_below(limit: usize) -> bool {
    let marker = 0u8;
    (&raw const marker) as usize <= limit
}
