//! Where cells lie: each kind of cell that can refer to others has chunks of its own, so that all cells of a kind can be visited.
//!
//! A chunk is an array of slots. A cell is any type whose first four bytes are a count (`Cell<u32>`), which is zero exactly while the slot is
//! free; free slots are linked to a list. What refers to nothing (Strings, big Integers) is not visited and comes from the allocator.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::mem::{align_of, size_of};
use std::ptr::{self, NonNull};

/// Bytes of a chunk; a little less than 16 KiB, so that the system's allocator adds its own words without waste.
const CHUNK: usize = (16 << 10) - 64;
/// Where a chunk's slots begin.
const FIRST: usize = 16;

/// The kinds of cells that refer to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Array,
    Hash,
    Range,
    Proc,
    Object,
    Env,
    /// What a method gives to the scopes captured in it.
    Home,
}

impl Kind {
    /// All of them, in the order of their numbers.
    pub(super) const ALL: [Kind; 7] =
        [Kind::Array, Kind::Hash, Kind::Range, Kind::Proc, Kind::Object, Kind::Env, Kind::Home];

    /// So many slots are used before the first collection: scopes and Procs are what most cycles are made of.
    fn first_limit(self) -> usize {
        match self {
            Kind::Proc | Kind::Env | Kind::Home => 16 << 10,
            Kind::Array | Kind::Hash | Kind::Range | Kind::Object => 96 << 10,
        }
    }
}

/// The kind that a type's cells have; None for what refers to nothing. Only this module's parent says which, one type for each kind.
pub trait Pooled {
    const KIND: Option<Kind>;
}

/// A slot without a cell: laid out like the beginning of a cell's header.
#[repr(C)]
struct Slot {
    header: [u32; 4],
    next: *mut Slot,
}

/// The head of a chunk.
struct Chunk {
    next: *mut Chunk,
}

/// The slots of one kind.
struct Pool {
    /// Free slots that were used before.
    free: Cell<*mut Slot>,
    /// The first slot of the latest chunk that was never used, and where the chunk ends.
    unused: Cell<*mut u8>,
    end: Cell<*mut u8>,
    /// All chunks, the latest first.
    chunks: Cell<*mut Chunk>,
    /// How many slots the chunks have.
    slots: Cell<usize>,
    /// More slots than these call for a collection; 0 before the first chunk.
    limit: Cell<usize>,
}

struct Pools {
    pools: [Pool; Kind::ALL.len()],
    /// A pool has passed its limit.
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
    // without a destructor, so that it is there whenever a cell is dropped
    static POOLS: Pools = const { Pools { pools: [const { Pool::new() }; Kind::ALL.len()], due: Cell::new(false) } };
}

/// How many cells of a type a chunk holds.
const fn per_chunk<C>() -> usize {
    assert!(align_of::<C>() <= FIRST && size_of::<C>() >= size_of::<Slot>());
    (CHUNK - FIRST) / size_of::<C>()
}

fn layout() -> Layout {
    // SAFETY: a power of two, and far from the largest size.
    unsafe { Layout::from_size_align_unchecked(CHUNK, FIRST) }
}

/// Room for a cell of a kind. The caller writes a cell with a count above zero there at once.
#[inline(always)]
pub(super) fn take<C>(kind: Kind) -> NonNull<C> {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        let free = pool.free.get();
        if let Some(slot) = NonNull::new(free) {
            // SAFETY: a slot in the list is free, of this pool, and was linked by `give` or `sweep`.
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
    // SAFETY: the chunk has room for `FIRST` bytes and so many slots.
    let first = unsafe { start.cast::<u8>().add(FIRST) };
    let (size, count) = (size_of::<C>(), const { per_chunk::<C>() });
    pool.unused.set(first.as_ptr().wrapping_add(size));
    pool.end.set(first.as_ptr().wrapping_add(size * count));
    pool.slots.set(pool.slots.get() + count);
    if pool.limit.get() == 0 {
        pool.limit.set(kind.first_limit());
    }
    if pool.slots.get() > pool.limit.get() {
        pools.due.set(true);
    }
    first.cast()
}

/// Gives the slot of a cell back.
///
/// # Safety
/// The cell came from [`take`] for this kind, its count is zero and its contents were dropped.
#[inline(always)]
pub(super) unsafe fn give<C>(kind: Kind, at: NonNull<C>) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        let slot: *mut Slot = at.as_ptr().cast();
        // SAFETY: the slot is the caller's to give up, and larger than a `Slot`; the count, which is zero, stays as it is.
        unsafe { (&raw mut (*slot).next).write(pool.free.get()) };
        pool.free.set(slot);
    });
}

/// Whether so many cells were made since the last collection that there should be another.
pub(super) fn is_due() -> bool {
    POOLS.with(|pools| pools.due.get())
}

/// How many slots there are.
pub(super) fn slots() -> usize {
    POOLS.with(|pools| pools.pools.iter().map(|pool| pool.slots.get()).sum())
}

/// After a collection that left so many cells of a kind: the next one is due when there are `factor` times as many.
pub(super) fn set_limit(kind: Kind, live: usize, factor: usize) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        // slots that are free are used up first: until then the pool does not grow
        pool.limit.set(pool.slots.get().max(live.saturating_mul(factor)).max(kind.first_limit()));
        pools.due.set(false);
    });
}

/// The slots of a chunk that have been used so far.
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
/// The slot is one of those that [`used`] gives.
unsafe fn is_taken(slot: *mut u8) -> bool {
    // SAFETY: a slot that was used begins with a count, which stays when it is given back.
    unsafe { (*slot.cast::<Cell<u32>>()).get() != 0 }
}

/// Visits every cell of a kind. None may be dropped meanwhile.
pub(super) fn each<C>(kind: Kind, mut visit: impl FnMut(NonNull<C>)) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        let mut chunk = pool.chunks.get();
        while !chunk.is_null() {
            for slot in used::<C>(pool, chunk) {
                // SAFETY: the slot is a used one.
                if unsafe { is_taken(slot) }
                    && let Some(cell) = NonNull::new(slot.cast())
                {
                    visit(cell);
                }
            }
            // SAFETY: chunks of the list are live.
            chunk = unsafe { (*chunk).next };
        }
    });
}

/// Gives back the chunks that hold no cell any more, and puts the free slots of the others in the order of their addresses.
pub(super) fn sweep<C>(kind: Kind) {
    POOLS.with(|pools| {
        let pool = &pools.pools[kind as usize];
        pool.free.set(ptr::null_mut());
        let mut before: *mut Chunk = ptr::null_mut();
        let mut chunk = pool.chunks.get();
        while !chunk.is_null() {
            // SAFETY: chunks of the list are live.
            let next = unsafe { (*chunk).next };
            let (tail, mut last, mut taken) = (pool.free.get(), ptr::null_mut::<Slot>(), false);
            for slot in used::<C>(pool, chunk) {
                // SAFETY: the slot is a used one.
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
            // the latest chunk stays: it has slots that were never used
            if taken || before.is_null() {
                before = chunk;
            } else {
                pool.free.set(tail);
                pool.slots.set(pool.slots.get() - const { per_chunk::<C>() });
                // SAFETY: the chunk before is live; this one came from `alloc` with this layout, holds no cell, and no list leads to it any more.
                unsafe {
                    (*before).next = next;
                    dealloc(chunk.cast(), layout());
                }
            }
            chunk = next;
        }
    });
}
