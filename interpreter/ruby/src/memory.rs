//! What this thread has allocated: an allocator that counts, for the limit on memory. A program that wants the limit makes [`Counting`] its global
//! allocator; without it nothing is counted and the limit never trips.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, with a count of live bytes for each thread. The machine and all its objects stay on one thread, so its count is theirs.
pub struct Counting;

#[inline(always)]
fn add(bytes: i64) {
    let _ = LIVE.try_with(|live| live.set(live.get() + bytes));
}

// SAFETY: every request goes to `System` as it came; the counter is initialised at compile time and has no destructor, so counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as i64);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }
    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        add(-(layout.size() as i64));
        // SAFETY: `at` came from `System` with this layout.
        unsafe { System.dealloc(at, layout) }
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as i64);
        // SAFETY: as `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }
    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size as i64 - layout.size() as i64);
        // SAFETY: `at` came from `System` with this layout; `size` is the caller's.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Bytes that this thread has allocated and not freed; 0 without [`Counting`].
pub fn live() -> usize {
    usize::try_from(LIVE.try_with(Cell::get).unwrap_or(0)).unwrap_or(0)
}
