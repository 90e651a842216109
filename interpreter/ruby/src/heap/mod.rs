//! Counted heap cells: the only place where contents are reached through a raw pointer.
//!
//! Cells that refer to each other in a cycle are found by [`collect`]; [`pool`] is where cells lie.
//!
//! Ownership is by count; *access* is by the owner cell idea: contents are read with `&Vm` and written with `&mut Vm`, so the compiler forbids
//! holding a borrow of an object across a call into Ruby. This is sound because a thread has at most one live `Vm` ([`crate::Vm::new`] enforces
//! it) and cells never leave their thread (`Gc` is `!Send`).

mod collect;
mod list;
mod pool;

pub use pool::{Kind, Pooled};

use crate::Vm;
use crate::class::ClassId;
use crate::frame::{Cref, Env, Home, RProc};
use crate::string::RString;
use crate::value::{NativeData, RArray, RBig, RHash, RObject, RRange, Value};
use rchef_syntax::Symbol;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::rc::Rc;

/// What can live on the heap.
pub trait Heap: Pooled + 'static {
    /// Visits every handle that the contents own, each once for each time that they own it. A handle that is left out keeps what it refers to alive
    /// for ever if it is part of a cycle; one that others own as well must be left out.
    fn trace<V: Visit>(&self, visit: &mut V);
    /// Gives up all handles that are visited.
    fn hollow(&mut self);
}

/// Looks at the handles that a cell owns.
pub trait Visit {
    /// A handle of a cell.
    fn cell<T: Heap>(&mut self, cell: &Gc<T>);
    /// A lexical scope, which may hold the object of an `instance_eval`.
    fn scope(&mut self, scope: &Rc<Cref>);
    #[inline]
    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(cell) => self.cell(cell),
            Value::Hash(cell) => self.cell(cell),
            Value::Range(cell) => self.cell(cell),
            Value::Proc(cell) => self.cell(cell),
            Value::Object(cell) => self.cell(cell),
            // cells of these kinds refer to nothing
            Value::Str(_) | Value::Big(_) => {}
            Value::Nil
            | Value::True
            | Value::False
            | Value::Int(_)
            | Value::Float(_)
            | Value::Sym(_)
            | Value::Class(_)
            | Value::Undef => {}
        }
    }
}

macro_rules! kinds {
    ($($type:ty = $kind:expr;)*) => { $(impl Pooled for $type { const KIND: Option<Kind> = $kind; })* };
}
// one type for each kind: `pool` relies on it
kinds! {
    RArray = Some(Kind::Array);
    RHash = Some(Kind::Hash);
    RRange = Some(Kind::Range);
    RProc = Some(Kind::Proc);
    RObject = Some(Kind::Object);
    Env = Some(Kind::Env);
    Home = Some(Kind::Home);
    RString = None;
    RBig = None;
}

impl Heap for RString {
    fn trace<V: Visit>(&self, _visit: &mut V) {}
    fn hollow(&mut self) {}
}

impl Heap for RHash {
    fn trace<V: Visit>(&self, visit: &mut V) {
        for (key, value) in self.iter() {
            visit.value(key);
            visit.value(value);
        }
        visit.value(&self.default);
        visit.value(&self.default_proc);
    }
    fn hollow(&mut self) {
        let gone = std::mem::take(self);
        drop(gone);
    }
}

/// So many bytes are in use before their number alone calls for a collection.
const FIRST_BYTES: usize = 128 << 20;

/// When collections of cycles run, and what they did.
pub(crate) struct Collections {
    /// How many there were.
    pub(crate) runs: u64,
    /// How many cells they freed.
    pub(crate) freed: u64,
    /// How many cells the last one left.
    pub(crate) left: usize,
    /// Whether only those that are asked for run.
    pub(crate) disabled: bool,
    /// Collect every so many steps; 0: when the heap has grown.
    every: u64,
    /// The step of the last one of those.
    last: u64,
    factor: usize,
    /// More bytes than these call for a collection.
    bytes: usize,
}

impl Default for Collections {
    fn default() -> Collections {
        Collections { runs: 0, freed: 0, left: 0, disabled: false, every: 0, last: 0, factor: 2, bytes: FIRST_BYTES }
    }
}

/// Object is frozen.
pub const FROZEN: u32 = 1;
/// Array or Hash: a hash that was made from keyword arguments (flagged for `ruby2_keywords`).
pub const KEYWORDS: u32 = 2;
/// Being inspected, compared or hashed: recursion guard of natives.
pub const BUSY: u32 = 4;
/// Hash compares keys by identity.
pub const BY_IDENTITY: u32 = 8;
/// What it refers to is not kept alive by that: the pairs of a WeakMap, the object of a WeakRef.
pub const WEAK: u32 = 16;
/// A frozen String that all of its contents share: it has no singleton class.
pub const INTERNED: u32 = 64;
/// A collection has found that nothing uses it: only what is [`WEAK`] still refers to it.
const DEAD: u32 = 32;
/// First flag free for the embedder (tainted attributes and so on).
pub const USER: u32 = 1 << 16;

/// What any heap object may have beside its contents.
#[derive(Default)]
pub struct Ext {
    /// Instance variables in order of first assignment.
    pub ivars: Vec<(Symbol, Value)>,
    /// Native payload of a subclass (a String, Array or Hash with native state).
    pub data: Option<Box<dyn NativeData>>,
    /// `object_id`, once asked for; 0 before.
    pub id: u64,
    /// The entry among the objects that no pool has and that were asked for their id.
    numbered: Option<Numbered>,
}

/// A String or big Integer, without a handle.
#[derive(Clone, Copy)]
enum Alone {
    Str(NonNull<Cellar<RString>>),
    Big(NonNull<Cellar<RBig>>),
}

thread_local! {
    static NUMBERED: RefCell<FxHashMap<u64, Alone>> = RefCell::default();
}

/// Keeps a cell among those that are found by their number for as long as the cell lives.
struct Numbered(u64);

impl Drop for Numbered {
    fn drop(&mut self) {
        // once the thread ends nobody asks any more
        let _ = NUMBERED.try_with(|all| all.borrow_mut().remove(&self.0));
    }
}

#[repr(C)]
struct Header {
    count: Cell<u32>,
    flags: Cell<u32>,
    class: Cell<ClassId>,
    /// Of a collection that is under way; zero otherwise.
    mark: Cell<u32>,
    ext: UnsafeCell<Option<Box<Ext>>>,
}

#[repr(C)]
struct Cellar<T> {
    header: Header,
    contents: UnsafeCell<T>,
}

/// A counted handle of a heap object. Cloning shares.
pub struct Gc<T: Heap> {
    at: NonNull<Cellar<T>>,
    owns: PhantomData<Cellar<T>>,
}

impl<T: Heap> Gc<T> {
    /// A new object of a class.
    #[inline]
    pub fn new(class: ClassId, contents: T) -> Gc<T> {
        let cell = Cellar {
            header: Header {
                count: Cell::new(1),
                flags: Cell::new(0),
                class: Cell::new(class),
                mark: Cell::new(0),
                ext: UnsafeCell::new(None),
            },
            contents: UnsafeCell::new(contents),
        };
        let at = match T::KIND {
            None => NonNull::from(Box::leak(Box::new(cell))),
            Some(kind) => {
                let at = pool::take::<Cellar<T>>(kind);
                // SAFETY: the room is for a cell of this type, as its kind says, and nobody else's.
                unsafe { at.write(cell) };
                at
            }
        };
        Gc { at, owns: PhantomData }
    }

    #[inline(always)]
    fn header(&self) -> &Header {
        // SAFETY: the cell lives while a handle does; the header is only changed through Cells.
        unsafe { &self.at.as_ref().header }
    }

    #[inline(always)]
    fn retain(&self) {
        let count = &self.header().count;
        match count.get().checked_add(1) {
            Some(more) => count.set(more),
            None => too_many_handles(),
        }
    }

    /// Its contents, for as long as the machine is only read.
    #[inline(always)]
    pub fn get<'a>(&'a self, _vm: &'a Vm) -> &'a T {
        // SAFETY: writing needs `&mut Vm`, which the caller's `&Vm` excludes for 'a; `self` keeps the cell alive.
        unsafe { &*self.at.as_ref().contents.get() }
    }

    /// Its contents for writing; nothing else can be borrowed meanwhile.
    #[inline(always)]
    pub fn get_mut<'a>(&'a self, _vm: &'a mut Vm) -> &'a mut T {
        // SAFETY: `&mut Vm` is unique on this thread, so no other borrow of any cell's contents exists for 'a.
        unsafe { &mut *self.at.as_ref().contents.get() }
    }

    /// Class (or singleton class).
    #[inline(always)]
    pub fn class(&self) -> ClassId {
        self.header().class.get()
    }
    /// Replaces the class (when a singleton class is made).
    pub fn set_class(&self, class: ClassId) {
        self.header().class.set(class);
    }
    /// Whether a flag is set.
    #[inline(always)]
    pub fn flag(&self, flag: u32) -> bool {
        self.header().flags.get() & flag != 0
    }
    /// Sets or clears a flag.
    #[inline]
    pub fn set_flag(&self, flag: u32, on: bool) {
        let flags = self.header().flags.get();
        self.header().flags.set(if on { flags | flag } else { flags & !flag });
    }
    #[inline(always)]
    pub fn frozen(&self) -> bool {
        self.flag(FROZEN)
    }
    /// Instance variables, payload and id, if it has any.
    pub fn ext<'a>(&'a self, _vm: &'a Vm) -> Option<&'a Ext> {
        // SAFETY: as `get`.
        unsafe { (*self.header().ext.get()).as_deref() }
    }
    /// The same for writing, made now if there are none.
    pub fn ext_mut<'a>(&'a self, _vm: &'a mut Vm) -> &'a mut Ext {
        // SAFETY: as `get_mut`.
        unsafe { (*self.header().ext.get()).get_or_insert_with(Default::default) }
    }
    /// Whether both are the same object.
    #[inline(always)]
    pub fn same(&self, other: &Gc<T>) -> bool {
        self.at == other.at
    }
    /// A number that no other live object has.
    pub fn address(&self) -> usize {
        self.at.as_ptr() as usize
    }
    /// How many handles there are.
    pub fn count(&self) -> u32 {
        self.header().count.get()
    }
    /// Moves the contents out when this is the only handle.
    pub fn try_take(self) -> Result<T, Gc<T>>
    where
        T: Default,
    {
        if self.count() != 1 {
            return Err(self);
        }
        // SAFETY: the only handle is `self`, which is consumed, so nobody borrows the contents.
        Ok(unsafe { std::mem::take(&mut *self.at.as_ref().contents.get()) })
    }
}

/// A count that wrapped would free a cell that has handles. Only 64 GiB of Values hold so many, which limits on memory refuse before.
#[cold]
#[inline(never)]
fn too_many_handles() -> ! {
    std::process::abort()
}

/// How many handles an object has, 0 if only [`WEAK`] ones are left; None for what is never freed.
pub fn holders(value: &Value) -> Option<u32> {
    fn of<T: Heap>(cell: &Gc<T>) -> Option<u32> {
        Some(if cell.flag(DEAD) { 0 } else { cell.count() })
    }
    match value {
        Value::Str(cell) => of(cell),
        Value::Array(cell) => of(cell),
        Value::Hash(cell) => of(cell),
        Value::Big(cell) => of(cell),
        Value::Range(cell) => of(cell),
        Value::Proc(cell) => of(cell),
        Value::Object(cell) => of(cell),
        Value::Nil
        | Value::True
        | Value::False
        | Value::Int(_)
        | Value::Float(_)
        | Value::Sym(_)
        | Value::Class(_)
        | Value::Undef => None,
    }
}

/// A copy of a value, by its bits: every kind of cell has the same header, so this is a test and a count. Every kind of value is named: one that is
/// added and holds a cell must be counted here.
#[inline(always)]
pub(crate) fn share(value: &Value) -> Value {
    match value {
        Value::Str(gc) => gc.retain(),
        Value::Array(gc) => gc.retain(),
        Value::Hash(gc) => gc.retain(),
        Value::Big(gc) => gc.retain(),
        Value::Range(gc) => gc.retain(),
        Value::Proc(gc) => gc.retain(),
        Value::Object(gc) => gc.retain(),
        Value::Nil
        | Value::True
        | Value::False
        | Value::Int(_)
        | Value::Float(_)
        | Value::Sym(_)
        | Value::Class(_)
        | Value::Undef => {}
    }
    // SAFETY: an immediate is plain bits, and the count of a cell was raised for the handle that this makes.
    unsafe { std::ptr::read(value) }
}

impl<T: Heap> Clone for Gc<T> {
    #[inline(always)]
    fn clone(&self) -> Gc<T> {
        self.retain();
        Gc { at: self.at, owns: PhantomData }
    }
}

impl<T: Heap> Drop for Gc<T> {
    #[inline(always)]
    fn drop(&mut self) {
        let count = &self.header().count;
        let left = count.get() - 1;
        count.set(left);
        if left == 0 {
            // SAFETY: as `ext`: nobody borrows what has no handle left.
            if T::KIND.is_none() && unsafe { (*self.header().ext.get()).is_none() } {
                free(self.at)
            } else {
                release(self.at)
            }
        }
    }
}

#[inline(never)]
fn free<T: Heap>(at: NonNull<Cellar<T>>) {
    match T::KIND {
        // SAFETY: the count reached zero, so no handle is left; the box was leaked in `Gc::new`.
        None => drop(unsafe { Box::from_raw(at.as_ptr()) }),
        // SAFETY: no handle is left, so this is the only one to drop the contents; `Gc::new` took the room from the pool of this kind.
        Some(kind) => unsafe {
            at.drop_in_place();
            pool::give(kind, at);
        },
    }
}

/// One cell whose count is zero and whose contents wait to be dropped.
struct Doomed {
    at: *mut u8,
    free: fn(*mut u8),
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static WAITING: Cell<bool> = const { Cell::new(false) };
    static WORKLIST: RefCell<Vec<Doomed>> = const { RefCell::new(Vec::new()) };
}

/// Nested drops beyond this depth go through the worklist.
const MAX_DROP_DEPTH: u32 = 64;

/// Whether a cell is being dropped further out on this stack.
fn is_dropping() -> bool {
    DEPTH.with(|depth| depth.get() > 0)
}

fn free_erased<T: Heap>(at: *mut u8) {
    if let Some(at) = NonNull::new(at.cast::<Cellar<T>>()) {
        free(at);
    }
}

#[inline(never)]
fn release<T: Heap>(at: NonNull<Cellar<T>>) {
    let depth = DEPTH.try_with(Cell::get).unwrap_or(0);
    if depth >= MAX_DROP_DEPTH {
        let doomed = Doomed { at: at.as_ptr().cast(), free: free_erased::<T> };
        if WORKLIST.try_with(|list| list.borrow_mut().push(doomed)).is_ok() {
            let _ = WAITING.try_with(|waiting| waiting.set(true));
            return;
        }
    }
    let _ = DEPTH.try_with(|cell| cell.set(depth + 1));
    free(at);
    if depth == 0 && WAITING.try_with(|waiting| waiting.replace(false)).unwrap_or(false) {
        while let Some(doomed) = WORKLIST.try_with(|list| list.borrow_mut().pop()).ok().flatten() {
            (doomed.free)(doomed.at);
        }
    }
    let _ = DEPTH.try_with(|cell| cell.set(depth));
}
