//! The stack on which trees are parsed, lowered and dropped: callers may be on a small one (a fiber's, a thread's).

use corosensei::stack::{DefaultStack, Stack};
use std::cell::Cell;

/// Bytes of address space; pages are only used when touched. prism's 10,000 levels take about 10 MB.
const SIZE: usize = 64 << 20;
/// Bytes that the lowering leaves free for the functions it calls.
const RESERVE: usize = 256 << 10;

thread_local! {
    static SPARE: Cell<Option<DefaultStack>> = const { Cell::new(None) };
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a large stack; its argument is the lowest address it may use. None when the stack cannot be allocated.
pub(crate) fn on_large_stack<R>(work: impl FnOnce(usize) -> R) -> Option<R> {
    let spare = SPARE.try_with(Cell::take).ok().flatten();
    let mut stack = match spare {
        Some(stack) => stack,
        None => DefaultStack::new(SIZE).ok()?,
    };
    let limit = stack.limit().get() + RESERVE;
    let outer = HERE.try_with(|here| here.replace(true)).unwrap_or(false);
    let result = corosensei::on_stack(&mut stack, || work(limit));
    let _ = HERE.try_with(|here| here.set(outer));
    let _ = SPARE.try_with(|cell| cell.set(Some(stack)));
    Some(result)
}

/// Whether the stack pointer is at or below an address.
#[inline(always)]
pub(crate) fn is_below(limit: usize) -> bool {
    let marker = 0u8;
    (&raw const marker) as usize <= limit
}

/// Drops a value that may be nested as deeply as source can be.
pub(crate) fn drop_deep<T>(value: T) {
    let here = HERE.try_with(Cell::get).unwrap_or(false);
    if here {
        return;
    }
    let mut value = Some(value);
    if on_large_stack(|_| drop(value.take())).is_none() {
        // Without memory for a stack, a leak is better than a stack overflow.
        std::mem::forget(value);
    }
}
