//! Garbage collection of cycles: cells that are only referenced by each other.
//!
//! Reference counts free unreferenced cells, but not cycles. A collection compares the count of every cell with the number of handles in other cells
//! ([`Heap::trace`]): a cell with more is referenced from outside (a native stack, a suspended coroutine, a constant, a closure), and everything
//! reachable from such cells is in use. The rest is garbage. So no roots need to be known, and a handle that is not traced only keeps cells alive.
//!
//! Garbage is not freed here: its cells drop their handles, and the counts do the rest. A `trace` that visits handles it does not own can thus make
//! an object lose its contents, but never leave a handle to freed memory.

use super::pool::{self, Kind};
use super::{Cellar, Collections, DEAD, FIRST_BYTES, Gc, Header, Heap, SMALL_GROWTH, Visit, WEAK};
use crate::Vm;
use crate::frame::{Cref, Definee, Env, Home, RProc};
use crate::value::{RArray, RHash, RObject, RRange, trace_data};
use indexmap::IndexMap;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::rc::Rc;

/// The mark of a cell in use.
const USED: u32 = u32::MAX;
/// The mark of a cell in use for which there was no space among the open ones: it has to be traced.
const UNTRACED: u32 = USED - 1;
/// The mark of a cell that nothing in use references, until it is freed.
const GARBAGE: u32 = USED - 2;
/// Maximum number of open cells, so that a collection needs little memory of its own when an Array has many elements.
const MOST_OPEN: usize = 8 << 10;
/// Number of cells up to which a heap is small: what it takes matters next to the rest of the process, and a collection is quick.
const SMALL: usize = 96 << 10;
/// Growth in per cent of the cells left by a collection until the next one, in a larger heap; [`SMALL_GROWTH`] in a small one.
const GROWTH: usize = 100;
/// The growth doubles up to this while collections of a larger heap find little garbage.
const MOST_GROWTH: usize = 700;
/// After a collection that found little garbage among some thousand cells, the next one waits for as many slots of a kind.
const PATIENCE: usize = 48 << 10;

impl Drop for Collections {
    /// This is the last field of the VM, so everything else has been dropped.
    fn drop(&mut self) {
        sweep();
    }
}

/// Calls `$function::<T>(…)` with the type of a kind.
macro_rules! of_kind {
    ($kind:expr, $function:ident($($argument:expr),*)) => {
        match $kind {
            Kind::Array => $function::<RArray>($($argument),*),
            Kind::Hash => $function::<RHash>($($argument),*),
            Kind::Range => $function::<RRange>($($argument),*),
            Kind::Proc => $function::<RProc>($($argument),*),
            Kind::Object => $function::<RObject>($($argument),*),
            Kind::Env => $function::<Env>($($argument),*),
            Kind::Home => $function::<Home>($($argument),*),
        }
    };
}

/// A cell of any kind; not counted as a handle.
#[derive(Clone, Copy)]
struct Any {
    at: NonNull<Header>,
    kind: Kind,
}

/// A lexical scope that references an object.
struct Scope {
    at: Rc<Cref>,
    /// The number of handles in cells and other scopes.
    seen: usize,
    used: bool,
}
type Scopes = IndexMap<*const Cref, Scope, rustc_hash::FxBuildHasher>;

/// Whether a scope references an object; others need not be traced.
fn holds(scope: &Cref) -> bool {
    matches!(scope.definee, Definee::SingletonOf(_))
}

/// Visits the handles of a scope.
fn trace_scope<V: Visit>(scope: &Cref, visit: &mut V) {
    if let Definee::SingletonOf(object) = &scope.definee {
        visit.value(object);
    }
    if let Some(outer) = &scope.outer {
        visit.scope(outer);
    }
}

/// Counts the handles that cells have to each other, in the marks.
struct Count<'a>(&'a mut Scopes);

impl Visit for Count<'_> {
    #[inline]
    fn cell<T: Heap>(&mut self, cell: &Gc<T>) {
        let mark = &cell.header().mark;
        mark.set(mark.get().saturating_add(1));
    }
    fn scope(&mut self, scope: &Rc<Cref>) {
        if !holds(scope) {
            return;
        }
        if let Some(known) = self.0.get_mut(&Rc::as_ptr(scope)) {
            known.seen += 1;
            return;
        }
        self.0.insert(Rc::as_ptr(scope), Scope { at: scope.clone(), seen: 1, used: false });
        trace_scope(scope, self);
    }
}

/// Marks the cells in use.
struct Reach<'a> {
    scopes: &'a mut Scopes,
    /// Marked cells that have not been traced yet.
    open: Vec<Any>,
    /// Whether there are cells with the mark [`UNTRACED`].
    more: bool,
}

impl Reach<'_> {
    /// Marks a cell as used, to be traced.
    #[inline]
    fn add(&mut self, any: Any, mark: &Cell<u32>) {
        if self.open.len() < MOST_OPEN {
            mark.set(USED);
            self.open.push(any);
        } else {
            mark.set(UNTRACED);
            self.more = true;
        }
    }
}

impl Visit for Reach<'_> {
    #[inline]
    fn cell<T: Heap>(&mut self, cell: &Gc<T>) {
        let Some(kind) = T::KIND else { return };
        let mark = &cell.header().mark;
        if mark.get() < UNTRACED {
            self.add(Any { at: cell.at.cast(), kind }, mark);
        }
    }
    fn scope(&mut self, scope: &Rc<Cref>) {
        if let Some(known) = self.scopes.get_mut(&Rc::as_ptr(scope))
            && !std::mem::replace(&mut known.used, true)
        {
            trace_scope(scope, self);
        }
    }
}

/// Visits the handles of a cell.
///
/// # Safety
/// The cell is live and of this type, and nobody writes to it: the caller has exclusive access to the VM.
#[inline]
unsafe fn trace_cell<T: Heap, V: Visit>(at: NonNull<Cellar<T>>, visit: &mut V) {
    // SAFETY: guaranteed by the caller; writing to contents needs `&mut Vm`, which the caller has.
    let (contents, ext) = unsafe { (&*at.as_ref().contents.get(), &*at.as_ref().header.ext.get()) };
    contents.trace(visit);
    if let Some(ext) = ext {
        ext.ivars.values().iter().for_each(|value| visit.value(value));
        if let Some(data) = &ext.data {
            trace_data(&**data, visit);
        }
    }
}

fn count_kind<T: Heap>(kind: Kind, count: &mut Count<'_>) {
    // SAFETY: visited cells are live and of their kind's type; `Vm::collect_cycles` has exclusive access to the VM.
    pool::each::<Cellar<T>>(kind, |at| unsafe { trace_cell(at, count) });
}

fn reach_kind<T: Heap>(kind: Kind, reach: &mut Reach<'_>) {
    pool::each::<Cellar<T>>(kind, |at| {
        // SAFETY: visited cells are live.
        let header = unsafe { &at.as_ref().header };
        let mark = header.mark.get();
        // there are more handles than those in cells: it is referenced from outside
        let outside = mark < UNTRACED && mark != header.count.get();
        if outside || mark == UNTRACED {
            debug_assert!(!outside || mark < header.count.get(), "a cell is traced more often than it has handles");
            reach.add(Any { at: at.cast(), kind }, &header.mark);
            follow(reach);
        }
    });
}

fn follow(reach: &mut Reach<'_>) {
    while let Some(any) = reach.open.pop() {
        of_kind!(any.kind, follow_cell(any, reach));
    }
}
fn follow_cell<T: Heap>(any: Any, reach: &mut Reach<'_>) {
    let at: NonNull<Cellar<T>> = any.at.cast();
    // SAFETY: the cell was visited or has a handle, and `any` has its kind.
    unsafe {
        if at.as_ref().header.flags.get() & WEAK == 0 {
            trace_cell(at, reach);
        }
    }
}

/// Clears the marks of used cells; marks the others as garbage, with the flag [`DEAD`] and a handle of their own. Returns the numbers of both.
fn unmark_kind<T: Heap>(kind: Kind) -> (usize, usize) {
    let (mut used, mut dead) = (0, 0);
    pool::each::<Cellar<T>>(kind, |at| {
        // SAFETY: visited cells are live.
        let header = unsafe { &at.as_ref().header };
        if header.mark.get() == USED {
            header.mark.set(0);
            used += 1;
        } else {
            header.mark.set(GARBAGE);
            header.flags.set(header.flags.get() | DEAD);
            header.retain();
            dead += 1;
        }
    });
    (used, dead)
}

/// Makes the garbage drop its handles.
fn hollow_kind<T: Heap>(kind: Kind) {
    pool::each::<Cellar<T>>(kind, |at| {
        // SAFETY: visited cells are live; `Vm::collect_cycles` has exclusive access to the VM, so nobody borrows contents, and dropping values does not
        // read the contents of cells that still have handles, as all garbage does.
        let ext = unsafe {
            let cell = at.as_ref();
            if cell.header.mark.get() != GARBAGE {
                return;
            }
            (*cell.contents.get()).hollow();
            (*cell.header.ext.get()).take()
        };
        drop(ext);
    });
}

/// Drops the handles that [`unmark_kind`] counted, which frees the garbage unless a [`WEAK`] cell references it.
fn release_kind<T: Heap>(kind: Kind) {
    pool::each::<Cellar<T>>(kind, |at| {
        // SAFETY: visited cells are live.
        let mark = unsafe { &at.as_ref().header.mark };
        if mark.get() == GARBAGE {
            mark.set(0);
            drop(Gc::<T> { at, owns: PhantomData });
        }
    });
}

fn sweep_kind<T: Heap>(kind: Kind) {
    pool::sweep::<Cellar<T>>(kind);
}
/// Frees the memory of empty chunks.
fn sweep() {
    for kind in Kind::ALL {
        of_kind!(kind, sweep_kind(kind));
    }
}

impl Vm {
    /// Collects cycles if the heap has grown enough.
    #[inline]
    pub(crate) fn collect_if_due(&mut self) {
        if (pool::is_due() || crate::memory::live() > self.collections.bytes) && !self.collections.disabled {
            self.collect_cycles();
        }
    }

    /// Collects cycles once per this many steps, for tests; 0: when the heap has grown.
    pub fn collect_every(&mut self, steps: u64) {
        self.collections.every = steps;
        if steps > 0 {
            crate::memory::look_soon();
        }
    }
    /// Whether [`Vm::collect_every`] is enabled; collects if it is due.
    pub(crate) fn collects_often(&mut self) -> bool {
        let every = self.collections.every;
        if every == 0 {
            return false;
        }
        crate::memory::look_soon();
        if self.steps.saturating_sub(self.collections.last) >= every {
            self.collections.last = self.steps;
            self.collect_cycles();
        }
        true
    }

    /// Frees cells that are only referenced by each other. Returns their number.
    pub fn collect_cycles(&mut self) -> usize {
        self.collect(false)
    }
    /// The same; `forced`: Ruby code asks for it.
    pub(crate) fn collect(&mut self, forced: bool) -> usize {
        if super::is_dropping() {
            return 0;
        }
        let begun = self.processor_ns();
        let mut scopes = Scopes::default();
        for kind in Kind::ALL {
            of_kind!(kind, count_kind(kind, &mut Count(&mut scopes)));
        }
        let mut reach = Reach { scopes: &mut scopes, open: Vec::new(), more: false };
        for index in 0..reach.scopes.len() {
            let held = reach.scopes.get_index(index).and_then(|(_, scope)| {
                // one handle is that of the table
                let outside = !scope.used && Rc::strong_count(&scope.at) - 1 > scope.seen;
                outside.then(|| scope.at.clone())
            });
            if let Some(scope) = held {
                reach.scope(&scope);
            }
        }
        follow(&mut reach);
        loop {
            for kind in Kind::ALL {
                of_kind!(kind, reach_kind(kind, &mut reach));
            }
            if !std::mem::take(&mut reach.more) {
                break;
            }
        }
        drop(scopes);
        let counts = Kind::ALL.map(|kind| (kind, of_kind!(kind, unmark_kind(kind))));
        let left = counts.map(|(kind, (used, _))| (kind, used));
        let freed = counts.iter().map(|(_, (_, dead))| dead).sum();
        if freed > 0 {
            for kind in Kind::ALL {
                of_kind!(kind, hollow_kind(kind));
            }
            for kind in Kind::ALL {
                of_kind!(kind, release_kind(kind));
            }
        }
        self.after_collection(left, freed);
        let took = self.processor_ns().saturating_sub(begun);
        let (cells, bytes) = (self.collections.left, crate::memory::live());
        let collections = &mut self.collections;
        collections.took += took;
        collections.forced = forced;
        if collections.profiled {
            collections.records.push(super::CollectionRecord { at: begun, took, cells, bytes, forced });
        }
        freed
    }

    /// The processor time of this process in nanoseconds.
    fn processor_ns(&self) -> u64 {
        const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
        self.host.clock_ns(CLOCK_PROCESS_CPUTIME_ID).map_or(0, |ns| ns as u64)
    }

    fn after_collection(&mut self, left: [(Kind, usize); Kind::ALL.len()], freed: usize) {
        let all: usize = left.iter().map(|(_, count)| count).sum();
        if all * 2 < pool::slots() {
            sweep();
        }
        let collections = &mut self.collections;
        collections.runs += 1;
        collections.freed += freed as u64;
        collections.left = all;
        // programs that create few cycles are checked less often
        let few = freed < all / 8;
        collections.growth = match (all > SMALL, few) {
            (false, _) => SMALL_GROWTH,
            (true, false) => GROWTH,
            (true, true) => (collections.growth * 2).clamp(GROWTH, MOST_GROWTH),
        };
        let least = if few && all > pool::FIRST_LIMIT / 2 { PATIENCE } else { pool::FIRST_LIMIT };
        for (kind, count) in left {
            pool::set_limit(kind, least.max(count + count * collections.growth / 100));
        }
        collections.bytes = (crate::memory::live() * 2).max(FIRST_BYTES);
    }
}
