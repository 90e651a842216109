//! The allocator: counts what this thread has allocated, for the limit on memory, and keeps small blocks in lists by size. A program that wants
//! either makes [`Counting`] its global allocator; without it nothing is counted and the limit never trips.
//!
//! Ruby programs make and drop small objects all the time, on the one thread where the machine runs. Small blocks come from one reserved
//! range of addresses, so that a block's address tells where it goes back to whichever thread frees it; [`keep_small_blocks`] turns that on
//! for a thread, others allocate from the system.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Bytes between the sizes of the lists, and every block's alignment.
const STEP: usize = 16;
/// The largest small block.
const LARGEST: usize = 512;
/// Addresses that are reserved; pages are only used when touched.
const RANGE: usize = 16 << 30;
/// A block of so many bytes makes the machine look at its limit on memory at the next step, and not some hundred steps later.
const LARGE: usize = 1 << 20;
/// How many bytes a list takes from the range at a time.
const REFILL: usize = 16 << 10;

/// A free block: the first word leads to the next one.
struct Free {
    next: *mut Free,
}

/// Free blocks by size of the thread that keeps small blocks.
struct Lists {
    heads: [Cell<*mut Free>; LARGEST / STEP + 1],
    active: Cell<bool>,
}

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static GREW: Cell<bool> = const { Cell::new(false) };
    static LISTS: Lists = const { Lists { heads: [const { Cell::new(ptr::null_mut()) }; LARGEST / STEP + 1], active: Cell::new(false) } };
}

/// First address of the range; 0 while there is none.
static START: AtomicUsize = AtomicUsize::new(0);
/// First address of the range that was not given out.
static UNUSED: AtomicUsize = AtomicUsize::new(0);
/// Blocks of the range that other threads freed, by size.
static RETURNED: [AtomicPtr<Free>; LARGEST / STEP + 1] =
    [const { AtomicPtr::new(ptr::null_mut()) }; LARGEST / STEP + 1];

/// The system's allocator with lists of small blocks and a count of live bytes for each thread. The machine and all its objects stay on one
/// thread, so its count is theirs.
pub struct Counting;

/// From now on this thread keeps small blocks in lists. Only one thread of a process can; a second one goes on with the system's allocator,
/// and so does the first when the range cannot be reserved.
pub fn keep_small_blocks() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    if ASKED.swap(true, Ordering::Relaxed) {
        return;
    }
    let Some(start) = rchef_host::reserve(RANGE) else { return };
    UNUSED.store(start, Ordering::Relaxed);
    START.store(start, Ordering::Release);
    let _ = LISTS.try_with(|lists| lists.active.set(true));
}

#[inline(always)]
fn add(bytes: i64) {
    let _ = LIVE.try_with(|live| live.set(live.get() + bytes));
}

#[inline(always)]
fn is_small(layout: Layout) -> bool {
    layout.size() <= LARGEST && layout.align() <= STEP
}

#[inline(always)]
fn class_of(size: usize) -> usize {
    size.div_ceil(STEP).max(1)
}

#[inline(always)]
fn in_range(at: *mut u8) -> bool {
    let start = START.load(Ordering::Relaxed);
    start != 0 && (at as usize).wrapping_sub(start) < RANGE
}

/// A small block of this thread's lists; None where the system's allocator serves.
#[inline(always)]
fn take(layout: Layout) -> Option<NonNull<u8>> {
    if !is_small(layout) {
        return None;
    }
    LISTS
        .try_with(|lists| {
            let class = class_of(layout.size());
            let head = &lists.heads[class];
            let block = head.get();
            match NonNull::new(block) {
                Some(block) => {
                    // SAFETY: blocks in a list are free, at least a word long, and were linked by `give` or `refill`.
                    head.set(unsafe { (*block.as_ptr()).next });
                    Some(block.cast())
                }
                None if lists.active.get() => refill(head, class),
                None => None,
            }
        })
        .ok()
        .flatten()
}

/// Fills an empty list, from what other threads gave back or else from the range, and takes its first block.
#[cold]
#[inline(never)]
fn refill(head: &Cell<*mut Free>, class: usize) -> Option<NonNull<u8>> {
    let mut first = RETURNED[class].swap(ptr::null_mut(), Ordering::Acquire);
    if first.is_null() {
        let (start, size) = (START.load(Ordering::Relaxed), class * STEP);
        let from = UNUSED.load(Ordering::Relaxed);
        if from + REFILL > start + RANGE {
            return None;
        }
        UNUSED.store(from + REFILL, Ordering::Relaxed);
        // SAFETY: `from` lies in the range that begins at `start`, as was just seen.
        unsafe { rchef_host::map_ahead(start, from) };
        for index in (0..REFILL / size).rev() {
            let block = (from + index * size) as *mut Free;
            // SAFETY: the piece of the range from `from` on is mapped, was never given out, and holds this many blocks of this size; the
            // range begins on a page and sizes are multiples of `STEP`, so each is aligned.
            unsafe { block.write(Free { next: first }) };
            first = block;
        }
    }
    let block = NonNull::new(first)?;
    // SAFETY: as in `take`.
    head.set(unsafe { (*block.as_ptr()).next });
    Some(block.cast())
}

/// Puts a block of the range back.
#[inline(always)]
fn give(at: *mut u8, size: usize) {
    let class = class_of(size);
    let block: *mut Free = at.cast();
    let mine = LISTS.try_with(|lists| {
        if !lists.active.get() {
            return false;
        }
        // SAFETY: the caller gives up the block, which is at least a word long.
        unsafe { (*block).next = lists.heads[class].get() };
        lists.heads[class].set(block);
        true
    });
    if mine != Ok(true) {
        give_elsewhere(block, class);
    }
}

/// A thread without lists gives a block back to the one that has them.
#[cold]
fn give_elsewhere(block: *mut Free, class: usize) {
    let list = &RETURNED[class];
    let mut head = list.load(Ordering::Relaxed);
    loop {
        // SAFETY: the block is the caller's until the exchange below succeeds.
        unsafe { (*block).next = head };
        // takers take the whole list, so that a head that comes back is the same list
        match list.compare_exchange_weak(head, block, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => head = now,
        }
    }
}

// SAFETY: a block is served either by the system's allocator, as it came, or from the reserved range, whose blocks are as large as their class
// says, aligned to `STEP`, and in at most one list; an address tells which of the two it is. The thread-locals are initialised at compile
// time and have no destructor, so that this neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as i64);
        match take(layout) {
            Some(block) => block.as_ptr(),
            None => {
                note_size(layout.size());
                // SAFETY: the caller's promise about `layout` is passed on.
                unsafe { System.alloc(layout) }
            }
        }
    }
    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        add(-(layout.size() as i64));
        if in_range(at) {
            give(at, layout.size());
        } else {
            // SAFETY: `at` is not of the range, so that it came from `System`, with this layout.
            unsafe { System.dealloc(at, layout) }
        }
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as i64);
        match take(layout) {
            Some(block) => {
                // SAFETY: the block is as large as `layout` says.
                unsafe { block.as_ptr().write_bytes(0, layout.size()) };
                block.as_ptr()
            }
            None => {
                note_size(layout.size());
                // SAFETY: as `alloc`.
                unsafe { System.alloc_zeroed(layout) }
            }
        }
    }
    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !in_range(at) {
            add(size as i64 - layout.size() as i64);
            note_size(size);
            // SAFETY: `at` came from `System` with this layout; `size` is the caller's.
            return unsafe { System.realloc(at, layout, size) };
        }
        if size <= LARGEST && class_of(size) == class_of(layout.size()) {
            add(size as i64 - layout.size() as i64);
            return at;
        }
        // SAFETY: the caller promises a size that makes a layout with the old alignment; the new block is another one, and both are at
        // least as large as what is copied.
        unsafe {
            let made = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !made.is_null() {
                ptr::copy_nonoverlapping(at, made, layout.size().min(size));
                self.dealloc(at, layout);
            }
            made
        }
    }
}

/// Notes a block that is large.
#[inline(always)]
fn note_size(size: usize) {
    if size >= LARGE {
        let _ = GREW.try_with(|grew| grew.set(true));
    }
}

/// Whether this thread has allocated a large block since [`note_look`].
#[inline(always)]
pub(crate) fn grew() -> bool {
    GREW.with(Cell::get)
}
/// The next step looks at limits, collections and interrupts.
pub(crate) fn look_soon() {
    GREW.with(|grew| grew.set(true));
}
/// The limit on memory is looked at.
pub(crate) fn note_look() {
    GREW.with(|grew| grew.set(false));
}

/// Bytes that this thread has allocated and not freed; 0 without [`Counting`].
pub fn live() -> usize {
    usize::try_from(LIVE.try_with(Cell::get).unwrap_or(0)).unwrap_or(0)
}
