//! The allocator: counts the bytes allocated by each thread, for the memory limit, and keeps free lists of small blocks by size. A program that needs
//! either sets [`Counting`] as its global allocator; without it nothing is counted and the limit has no effect.
//!
//! Ruby programs allocate and free small objects all the time, on the one thread that runs the VM. Small blocks come from a reserved address range,
//! so that any thread that frees a block can tell from its address where it belongs; [`keep_small_blocks`] enables that for a thread, other threads
//! allocate from the system.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering};

/// Difference between the block sizes of adjacent lists, and the alignment of all blocks, in bytes.
const STEP: usize = 16;
/// Maximum size of a small block in bytes.
const LARGEST: usize = 512;
/// Size of the reserved address range in bytes; pages are only used when touched.
const RANGE: usize = 16 << 30;
/// Allocating a block of at least this size makes the VM check the memory limit at the next step, instead of some hundred steps later.
const LARGE: usize = 1 << 20;
/// Bytes that a list takes from the range at a time.
const REFILL: usize = 16 << 10;

/// A free block; its first word is the link to the next one.
struct Free {
    next: *mut Free,
}

/// Free blocks by size, for the thread that keeps small blocks.
struct Lists {
    heads: [Cell<*mut Free>; LARGEST / STEP + 1],
    active: Cell<bool>,
}

/// The number of large blocks that the process has allocated. One for all threads, because a step of Ruby code then reads it without looking for
/// the thread's own data.
static GROWTHS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static LISTS: Lists = const { Lists { heads: [const { Cell::new(ptr::null_mut()) }; LARGEST / STEP + 1], active: Cell::new(false) } };
}

/// The start of the range; 0 if there is none.
static START: AtomicUsize = AtomicUsize::new(0);
/// The start of the part of the range that has not been used yet.
static UNUSED: AtomicUsize = AtomicUsize::new(0);
/// Blocks of the range freed by other threads, by size.
static RETURNED: [AtomicPtr<Free>; LARGEST / STEP + 1] =
    [const { AtomicPtr::new(ptr::null_mut()) }; LARGEST / STEP + 1];

/// The system's allocator with free lists of small blocks and a count of live bytes per thread. A VM and all its objects stay on one thread, so the
/// thread's count is the VM's.
pub struct Counting;

/// Makes this thread keep small blocks in lists. Only one thread of a process can do so; other threads keep using the system's allocator, and so does
/// the first if the range cannot be reserved.
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

/// A small block from this thread's lists; None if the system's allocator has to be used.
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

/// Refills an empty list with blocks freed by other threads or from the range, and takes its first block.
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
        // SAFETY: `from` is in the range that begins at `start`, as checked above.
        unsafe { rchef_host::map_ahead(start, from) };
        for index in (0..REFILL / size).rev() {
            let block = (from + index * size) as *mut Free;
            // SAFETY: the part of the range from `from` on is mapped, has not been used, and has room for this many blocks of this size; the range
            // begins on a page and sizes are multiples of `STEP`, so each block is aligned.
            unsafe { block.write(Free { next: first }) };
            first = block;
        }
    }
    let block = NonNull::new(first)?;
    // SAFETY: as in `take`.
    head.set(unsafe { (*block.as_ptr()).next });
    Some(block.cast())
}

/// Frees a block of the range.
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

/// Frees a block on a thread without lists, for the thread that has them.
#[cold]
fn give_elsewhere(block: *mut Free, class: usize) {
    let list = &RETURNED[class];
    let mut head = list.load(Ordering::Relaxed);
    loop {
        // SAFETY: the block is the caller's until the exchange below succeeds.
        unsafe { (*block).next = head };
        // readers take the whole list, so there is no ABA problem
        match list.compare_exchange_weak(head, block, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => head = now,
        }
    }
}

// SAFETY: a block comes either unchanged from the system's allocator, or from the reserved range, whose blocks have the size of their class, are
// aligned to `STEP`, and are in at most one list; the address tells which of the two it is. The thread-locals are const-initialised and have no
// destructor, so accessing them neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as i64);
        match take(layout) {
            Some(block) => block.as_ptr(),
            None => {
                note_size(layout.size());
                // SAFETY: the caller's guarantee about `layout` is passed on.
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
            // SAFETY: `at` is not in the range, so it came from `System`, with this layout.
            unsafe { System.dealloc(at, layout) }
        }
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as i64);
        match take(layout) {
            Some(block) => {
                // SAFETY: the block has at least the size of `layout`.
                unsafe { block.as_ptr().write_bytes(0, layout.size()) };
                block.as_ptr()
            }
            None => {
                note_size(layout.size());
                // SAFETY: as in `alloc`.
                unsafe { System.alloc_zeroed(layout) }
            }
        }
    }
    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !in_range(at) {
            add(size as i64 - layout.size() as i64);
            note_size(size);
            // SAFETY: `at` came from `System` with this layout; the caller guarantees `size`.
            return unsafe { System.realloc(at, layout, size) };
        }
        if size <= LARGEST && class_of(size) == class_of(layout.size()) {
            add(size as i64 - layout.size() as i64);
            return at;
        }
        // SAFETY: the caller guarantees that the size forms a layout with the old alignment; the new block is a different one, and both are at least
        // as large as the copied part.
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

/// Records the allocation of a large block.
#[inline(always)]
fn note_size(size: usize) {
    if size >= LARGE {
        look_soon();
    }
}

/// A number that changes when a large block has been allocated: the next step then checks the limits.
#[inline(always)]
pub(crate) fn growths() -> u32 {
    GROWTHS.load(Ordering::Relaxed)
}
/// Makes the next step check limits, garbage collection and interrupts.
pub(crate) fn look_soon() {
    GROWTHS.fetch_add(1, Ordering::Relaxed);
}

/// Bytes that this thread has allocated and not freed; 0 without [`Counting`].
pub fn live() -> usize {
    usize::try_from(LIVE.try_with(Cell::get).unwrap_or(0)).unwrap_or(0)
}
