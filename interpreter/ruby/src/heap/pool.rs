//! Memory of cells: each kind of cell that can reference others has its own chunks, so that all cells of a kind can be visited.
//!
//! A chunk is an array of slots. A cell can be any type whose first four bytes are a count (`Cell<u32>`), which is zero exactly while the slot is
//! free; free slots form a linked list. Cells without references (Strings, big Integers) are not visited and come from the allocator.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::mem::{align_of, size_of};
use std::ptr::{self, NonNull};

/// Size of a chunk in bytes; slightly less than 16 KiB, so that the allocator's own data fits without waste.
const CHUNK: usize = (16 << 10) - 64;
/// The number of slots of a kind before the first collection: about a megabyte.
pub(super) const FIRST_LIMIT: usize = 8 << 10;
/// Offset of the first slot in a chunk.
const FIRST: usize = 16;

/// The kinds of cells that can reference others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Array,
    Hash,
    Range,
    Proc,
    Object,
    Env,
    /// The data of a method that its captured scopes use.
    Home,
}

impl Kind {
    /// All kinds, in the order of their discriminants.
    pub(super) const ALL: [Kind; 7] =
        [Kind::Array, Kind::Hash, Kind::Range, Kind::Proc, Kind::Object, Kind::Env, Kind::Home];
}

/// The kind of a type's cells; None for cells without references. Only the parent module implements this, for one type per kind.
pub trait Pooled {
    const KIND: Option<Kind>;
}

/// A free slot, with the layout of the start of a cell's header.
#[repr(C)]
struct Slot {
    header: [u32; 4],
    next: *mut Slot,
}

/// The header of a chunk.
struct Chunk {
    next: *mut Chunk,
}

/// The slots of one kind.
struct Pool {
    /// Free slots that were used before.
    free: Cell<*mut Slot>,
    /// The first unused slot of the latest chunk, and the end of the chunk.
    unused: Cell<*mut u8>,
    end: Cell<*mut u8>,
    /// All chunks, latest first.
    chunks: Cell<*mut Chunk>,
    /// The number of slots in all chunks.
    slots: Cell<usize>,
    /// A collection is due when there are more slots; 0 before the first chunk.
    limit: Cell<usize>,
}

struct Pools {
    pools: [Pool; Kind::ALL.len()],
    /// Whether a pool has exceeded its limit.
    due: Cell<bool>,
}

impl Pool {
    const fn new() -> Pool {
        Pool {
            free: Cell::new(ptr::null_mut()),
            unused: Cell::new(ptr::null_mut()),
            end: Cell::new(ptr::null_mut()),
            chunks: Cell::new(ptr::null_mut()),
            slots: Cell::new(0),
            limit: Cell::new(0),
        }
    }
}

thread_local! {
    // no destructor, so that it can be used whenever a cell is dropped
    static POOLS: Pools = const { Pools { pools: [const { Pool::new() }; Kind::ALL.len()], due: Cell::new(false) } };
}

/// The number of cells of a type in a chunk.
const fn per_chunk<C>() -> usize {
    assert!(align_of::<C>() <= FIRST && size_of::<C>() >= size_of::<Slot>());
    (CHUNK - FIRST) / size_of::<C>()
}

fn layout() -> Layout {
    // SAFETY: the alignment is a power of two, and the size is far below the maximum.
    unsafe { Layout::from_size_align_unchecked(CHUNK, FIRST) }
}

/// Memory for a cell of a kind. The caller must write a cell with a count above zero to it at once.
#[inline(always)]
pub(super) fn take<C>(kind: Kind) -> NonNull<C> {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        let free = pool.free.get();
        if let Some(slot) = NonNull::new(free) {
            // SAFETY: a slot in the list is free, belongs to this pool, and was linked by `give` or `sweep`.
            pool.free.set(unsafe { (*free).next });
            return slot.cast();
        }
        let unused = pool.unused.get();
        match NonNull::new(unused) {
            Some(slot) if unused != pool.end.get() => {
                pool.unused.set(unused.wrapping_add(size_of::<C>()));
                slot.cast()
            }
            _ => grow::<C>(pools, kind),
        }
    })
}

/// Adds a chunk to a pool and takes its first slot.
#[cold]
#[inline(never)]
fn grow<C>(pools: &Pools, kind: Kind) -> NonNull<C> {
    let pool = &pools.pools[kind as usize];
    // SAFETY: the layout is not empty.
    let chunk: *mut Chunk = unsafe { alloc(layout()) }.cast();
    let Some(start) = NonNull::new(chunk) else { handle_alloc_error(layout()) };
    // SAFETY: the block is new, aligned to `FIRST` and larger than the head.
    unsafe { chunk.write(Chunk { next: pool.chunks.get() }) };
    pool.chunks.set(chunk);
    // SAFETY: the chunk has room for `FIRST` bytes and the slots.
    let first = unsafe { start.cast::<u8>().add(FIRST) };
    let (size, count) = (size_of::<C>(), const { per_chunk::<C>() });
    pool.unused.set(first.as_ptr().wrapping_add(size));
    pool.end.set(first.as_ptr().wrapping_add(size * count));
    pool.slots.set(pool.slots.get() + count);
    if pool.limit.get() == 0 {
        pool.limit.set(FIRST_LIMIT);
    }
    if pool.slots.get() > pool.limit.get() {
        pools.due.set(true);
    }
    first.cast()
}

/// Frees the slot of a cell.
///
/// # Safety
/// The cell came from [`take`] for this kind, its count is zero and its contents have been dropped.
#[inline(always)]
pub(super) unsafe fn give<C>(kind: Kind, at: NonNull<C>) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        let slot: *mut Slot = at.as_ptr().cast();
        // SAFETY: the caller gives up the slot, which is larger than a `Slot`; the count, which is zero, is unchanged.
        unsafe { (&raw mut (*slot).next).write(pool.free.get()) };
        pool.free.set(slot);
    });
}

/// Whether enough cells were created since the last collection for another one.
pub(super) fn is_due() -> bool {
    POOLS.with(|pools| pools.due.get())
}

/// The number of slots.
pub(super) fn slots() -> usize {
    POOLS.with(|pools| pools.pools.iter().map(|pool| pool.slots.get()).sum())
}

/// Sets the number of slots of a kind at which the next collection is due; free slots are used first, and until then the pool does not grow.
pub(super) fn set_limit(kind: Kind, limit: usize) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        pool.limit.set(limit.max(pool.slots.get()));
        pools.due.set(false);
    });
}

/// The slots of a chunk that have ever been used.
fn used<C>(pool: &Pool, chunk: *mut Chunk) -> impl Iterator<Item = *mut u8> + use<C> {
    let size = size_of::<C>();
    let first = chunk.cast::<u8>().wrapping_add(FIRST);
    let count = if ptr::eq(chunk, pool.chunks.get()) {
        (pool.unused.get() as usize - first as usize) / size
    } else {
        const { per_chunk::<C>() }
    };
    (0..count).map(move |index| first.wrapping_add(index * size))
}

/// Whether a slot holds a cell.
///
/// # Safety
/// The slot is one of those returned by [`used`].
unsafe fn is_taken(slot: *mut u8) -> bool {
    // SAFETY: a slot that was used begins with a count, which is kept when the slot is freed.
    unsafe { (*slot.cast::<Cell<u32>>()).get() != 0 }
}

/// Visits every cell of a kind. Cells may be dropped meanwhile, but none created, and no chunk freed.
pub(super) fn each<C>(kind: Kind, mut visit: impl FnMut(NonNull<C>)) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        let mut chunk = pool.chunks.get();
        while !chunk.is_null() {
            for slot in used::<C>(pool, chunk) {
                // SAFETY: `used` has returned the slot.
                if unsafe { is_taken(slot) }
                    && let Some(cell) = NonNull::new(slot.cast())
                {
                    visit(cell);
                }
            }
            // SAFETY: chunks in the list are live.
            chunk = unsafe { (*chunk).next };
        }
    });
}

/// Frees empty chunks, and links the free slots of the others in the order of their addresses.
pub(super) fn sweep<C>(kind: Kind) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        pool.free.set(ptr::null_mut());
        let mut before: *mut Chunk = ptr::null_mut();
        let mut chunk = pool.chunks.get();
        while !chunk.is_null() {
            // SAFETY: chunks in the list are live.
            let next = unsafe { (*chunk).next };
            let (tail, mut last, mut taken) = (pool.free.get(), ptr::null_mut::<Slot>(), false);
            for slot in used::<C>(pool, chunk) {
                // SAFETY: `used` has returned the slot.
                if unsafe { is_taken(slot) } {
                    taken = true;
                    continue;
                }
                let slot: *mut Slot = slot.cast();
                // SAFETY: both are free slots of this pool, which are larger than a `Slot`.
                unsafe {
                    (&raw mut (*slot).next).write(tail);
                    if last.is_null() { pool.free.set(slot) } else { (&raw mut (*last).next).write(slot) }
                }
                last = slot;
            }
            // the latest chunk is kept, because it has unused slots
            if taken || before.is_null() {
                before = chunk;
            } else {
                pool.free.set(tail);
                pool.slots.set(pool.slots.get() - const { per_chunk::<C>() });
                // SAFETY: the previous chunk is live; this one came from `alloc` with this layout, has no cell, and no list refers to it any more.
                unsafe {
                    (*before).next = next;
                    dealloc(chunk.cast(), layout());
                }
            }
            chunk = next;
        }
    });
}
