//! Reference-counted heap cells: the only module that accesses contents through raw pointers.
//!
//! [`collect`] finds cycles of cells; [`pool`] has the memory of cells.
//!
//! Ownership is by reference count. Access is by an owner token: contents are read with `&Vm` and written with `&mut Vm`, so the compiler prevents
//! holding a borrow of an object across a call into Ruby. This is sound because a thread has at most one live `Vm` ([`crate::Vm::new`] enforces it)
//! and cells never leave their thread (`Gc` is `!Send`).

mod collect;
mod list;
mod pool;

pub use pool::{Kind, Pooled};

use crate::Vm;
use crate::class::ClassId;
use crate::frame::{Cref, Env, Home, RProc};
use crate::ivars::Ivars;
use crate::string::RString;
use crate::value::{NativeData, RArray, RBig, RHash, RObject, RRange, Value};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::ptr::NonNull;
use std::rc::Rc;

/// The contents of a heap cell.
pub trait Heap: Pooled + 'static {
    /// Visits every handle owned by the contents, once per reference. A handle that is omitted keeps its target alive for ever if it is part of a
    /// cycle; one that others own too must be omitted.
    fn trace<V: Visit>(&self, visit: &mut V);
    /// Drops all handles that `trace` visits.
    fn hollow(&mut self);
}

/// Visits the handles of a cell.
pub trait Visit {
    fn cell<T: Heap>(&mut self, cell: &Gc<T>);
    /// A lexical scope, which may reference the object of an `instance_eval`.
    fn scope(&mut self, scope: &Rc<Cref>);
    #[inline]
    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(cell) => self.cell(cell),
            Value::Hash(cell) => self.cell(cell),
            Value::Range(cell) => self.cell(cell),
            Value::Proc(cell) => self.cell(cell),
            Value::Object(cell) => self.cell(cell),
            // cells of these kinds have no handles
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
// exactly one type per kind: `pool` relies on it
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

/// Minimum number of allocated bytes that triggers a collection by itself.
const FIRST_BYTES: usize = 128 << 20;

/// Growth in per cent of the cells left by a collection until the next one, in a small heap.
const SMALL_GROWTH: usize = 25;

/// A collection that GC::Profiler has seen. Times are in nanoseconds of the processor, sizes in bytes after the collection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CollectionRecord {
    /// When it began, since the process began.
    pub(crate) at: u64,
    pub(crate) took: u64,
    pub(crate) cells: usize,
    pub(crate) bytes: usize,
    /// Asked for (`GC.start`).
    pub(crate) forced: bool,
}

/// When collections run, and their statistics.
pub(crate) struct Collections {
    /// The number of collections.
    pub(crate) runs: u64,
    /// The number of cells freed.
    pub(crate) freed: u64,
    /// The number of cells left by the last collection.
    pub(crate) left: usize,
    /// Processor time of all collections, in nanoseconds.
    pub(crate) took: u64,
    /// Whether the last collection was asked for.
    pub(crate) forced: bool,
    /// Whether GC::Profiler is enabled.
    pub(crate) profiled: bool,
    /// What it has recorded.
    pub(crate) records: Vec<CollectionRecord>,
    /// Whether collections only run on request.
    pub(crate) disabled: bool,
    /// Collect once per this many steps; 0: when the heap has grown.
    every: u64,
    /// The step of the last of these collections.
    last: u64,
    /// Growth until the next collection in per cent.
    growth: usize,
    /// A collection runs when more bytes than this are allocated.
    bytes: usize,
}

impl Default for Collections {
    fn default() -> Collections {
        Collections {
            runs: 0,
            freed: 0,
            took: 0,
            forced: false,
            profiled: false,
            records: Vec::new(),
            left: 0,
            disabled: false,
            every: 0,
            last: 0,
            growth: SMALL_GROWTH,
            bytes: FIRST_BYTES,
        }
    }
}

/// Object is frozen.
pub const FROZEN: u32 = 1;
/// Array or Hash: created from keyword arguments, flagged for `ruby2_keywords`.
pub const KEYWORDS: u32 = 2;
/// Being inspected, compared or hashed: a guard against recursion in natives.
pub const BUSY: u32 = 4;
/// Hash whose keys are compared by identity.
pub const BY_IDENTITY: u32 = 8;
/// References in it do not keep their targets alive: the pairs of a WeakMap, the object of a WeakRef.
pub const WEAK: u32 = 16;
/// An interned frozen String, shared by all uses of the same contents: it has no singleton class.
pub const INTERNED: u32 = 64;
/// A collection has found that it is unused: only [`WEAK`] objects still reference it.
const DEAD: u32 = 32;
/// Keywords of a call that come from a Hash with [`KEYWORDS`] at the end of a splatted Array: a rest parameter keeps that mark (before Ruby 3.2).
pub const FROM_SPLAT: u32 = 128;
/// Data that any heap object may have besides its contents.
#[derive(Default)]
pub struct Ext {
    /// Instance variables; those of plain objects are in [`RObject`].
    pub ivars: Ivars<Value>,
    /// Native payload: the state of an exception, a method, a time, a file …, or of a String, Array or Hash of a native subclass.
    pub data: Option<Box<dyn NativeData>>,
    /// The `object_id`, or 0 if it has not been used.
    pub id: u64,
    /// The registration of an object that is not in a pool and whose id has been used.
    numbered: Option<Numbered>,
}

/// A cell that has a number, not counted as a handle.
#[derive(Clone, Copy)]
enum Noted {
    Str(NonNull<Cellar<RString>>),
    Big(NonNull<Cellar<RBig>>),
    Object(NonNull<Cellar<RObject>>),
    Array(NonNull<Cellar<RArray>>),
    Hash(NonNull<Cellar<RHash>>),
    Range(NonNull<Cellar<RRange>>),
    Proc(NonNull<Cellar<RProc>>),
}

thread_local! {
    static NUMBERED: RefCell<FxHashMap<u64, Noted>> = RefCell::default();
    /// Whether cells in pools are noted as well: only programs that look for objects by their numbers need that.
    static POOLED_NOTED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps a cell registered under its number while the cell lives.
struct Numbered(NonZeroU64);

impl Drop for Numbered {
    fn drop(&mut self) {
        // fails when the thread ends, and then nobody uses the table any more
        let _ = NUMBERED.try_with(|all| all.borrow_mut().remove(&self.0.get()));
    }
}

#[repr(C)]
struct Header {
    count: Cell<u32>,
    flags: Cell<u32>,
    /// The number of the class.
    class: Cell<u32>,
    /// The mark of a running collection; otherwise zero.
    mark: Cell<u32>,
    ext: UnsafeCell<Option<Box<Ext>>>,
}

impl Header {
    /// Counts a new handle.
    #[inline(always)]
    fn retain(&self) {
        match self.count.get().checked_add(1) {
            Some(more) => self.count.set(more),
            None => too_many_handles(),
        }
    }
}

#[repr(C)]
struct Cellar<T> {
    header: Header,
    contents: UnsafeCell<T>,
}

// most cells of a program are of these
const _: () = assert!(size_of::<Cellar<RObject>>() == 40 && size_of::<Cellar<RArray>>() == 56);

/// A reference-counted handle to a heap object. Cloning shares the object.
pub struct Gc<T: Heap> {
    at: NonNull<Cellar<T>>,
    owns: PhantomData<Cellar<T>>,
}

impl<T: Heap> Gc<T> {
    /// Creates an object of a class.
    #[inline]
    pub fn new(class: ClassId, contents: T) -> Gc<T> {
        Gc::with_ext(class, contents, None)
    }
    /// Creates an object of a class with a native payload.
    pub fn with_data(class: ClassId, contents: T, data: Box<dyn NativeData>) -> Gc<T> {
        Gc::with_ext(class, contents, Some(Box::new(Ext { data: Some(data), ..Ext::default() })))
    }
    #[inline(always)]
    fn with_ext(class: ClassId, contents: T, ext: Option<Box<Ext>>) -> Gc<T> {
        let cell = Cellar {
            header: Header {
                count: Cell::new(1),
                flags: Cell::new(0),
                class: Cell::new(class.0 as u32),
                mark: Cell::new(0),
                ext: UnsafeCell::new(ext),
            },
            contents: UnsafeCell::new(contents),
        };
        let at = match T::KIND {
            None => NonNull::from(Box::leak(Box::new(cell))),
            Some(kind) => {
                let at = pool::take::<Cellar<T>>(kind);
                // SAFETY: the memory is for a cell of this type, as its kind says, and nobody else uses it.
                unsafe { at.write(cell) };
                at
            }
        };
        Gc { at, owns: PhantomData }
    }

    #[inline(always)]
    fn header(&self) -> &Header {
        // SAFETY: the cell lives while there is a handle; the header is only changed through Cells.
        unsafe { &self.at.as_ref().header }
    }

    #[inline(always)]
    fn retain(&self) {
        self.header().retain();
    }

    /// The contents; borrows the VM.
    #[inline(always)]
    pub fn get<'a>(&'a self, _vm: &'a Vm) -> &'a T {
        // SAFETY: writing needs `&mut Vm`, which the caller's `&Vm` excludes for 'a; `self` keeps the cell alive.
        unsafe { &*self.at.as_ref().contents.get() }
    }

    /// The contents, mutable; nothing else can be borrowed at the same time.
    #[inline(always)]
    pub fn get_mut<'a>(&'a self, _vm: &'a mut Vm) -> &'a mut T {
        // SAFETY: `&mut Vm` is unique on this thread, so no other borrow of any cell's contents exists for 'a.
        unsafe { &mut *self.at.as_ref().contents.get() }
    }

    /// The class or singleton class.
    #[inline(always)]
    pub fn class(&self) -> ClassId {
        ClassId(u64::from(self.header().class.get()))
    }
    /// Replaces the class (when a singleton class is created).
    pub fn set_class(&self, class: ClassId) {
        self.header().class.set(class.0 as u32);
    }
    #[inline(always)]
    pub fn flag(&self, flag: u32) -> bool {
        self.header().flags.get() & flag != 0
    }
    #[inline]
    pub fn set_flag(&self, flag: u32, on: bool) {
        let flags = self.header().flags.get();
        self.header().flags.set(if on { flags | flag } else { flags & !flag });
    }
    #[inline(always)]
    pub fn frozen(&self) -> bool {
        self.flag(FROZEN)
    }
    /// Instance variables, payload and id, if there are any.
    pub fn ext<'a>(&'a self, _vm: &'a Vm) -> Option<&'a Ext> {
        // SAFETY: as in `get`.
        unsafe { (*self.header().ext.get()).as_deref() }
    }
    #[inline(always)]
    pub fn same(&self, other: &Gc<T>) -> bool {
        self.at == other.at
    }
    /// A number that is unique among live objects.
    pub fn address(&self) -> usize {
        self.at.as_ptr() as usize
    }
    /// The number of handles.
    pub fn count(&self) -> u32 {
        self.header().count.get()
    }
    /// Moves the contents out if this is the only handle.
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

/// A count that wraps around would free a cell with handles. It takes 64 GiB of Values to get there, which the memory limit prevents.
#[cold]
#[inline(never)]
fn too_many_handles() -> ! {
    std::process::abort()
}

/// The number of handles of an object, 0 if only [`WEAK`] ones are left; None for values that are never freed.
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

/// The header of a value's cell. All cells have the same header at the same place, so this is a load. All variants are listed, so that a new variant
/// with a cell cannot be forgotten.
///
/// # Safety
/// The value has a cell ([`Value::is_cell`]).
#[inline(always)]
unsafe fn header_of(value: &Value) -> &Header {
    let at: *const Header = match value {
        Value::Str(gc) => gc.at.as_ptr().cast(),
        Value::Array(gc) => gc.at.as_ptr().cast(),
        Value::Hash(gc) => gc.at.as_ptr().cast(),
        Value::Big(gc) => gc.at.as_ptr().cast(),
        Value::Range(gc) => gc.at.as_ptr().cast(),
        Value::Proc(gc) => gc.at.as_ptr().cast(),
        Value::Object(gc) => gc.at.as_ptr().cast(),
        Value::Nil
        | Value::True
        | Value::False
        | Value::Int(_)
        | Value::Float(_)
        | Value::Sym(_)
        | Value::Class(_)
        // SAFETY: the caller guarantees that the value is none of these.
        | Value::Undef => unsafe { std::hint::unreachable_unchecked() },
    };
    // SAFETY: a cell begins with its header and lives while there is a handle, which the value is.
    unsafe { &*at }
}

/// The class or singleton class of a value's cell; None for immediates.
#[inline(always)]
pub(crate) fn class_of_cell(value: &Value) -> Option<ClassId> {
    // SAFETY: only called for a value with a cell.
    value.is_cell().then(|| ClassId(u64::from(unsafe { header_of(value) }.class.get())))
}

/// Instance variables, payload and id of a value's cell, if there are any; None for immediates.
#[inline]
pub(crate) fn ext_of<'a>(value: &'a Value, _vm: &'a Vm) -> Option<&'a Ext> {
    // SAFETY: the value has a cell, which it keeps alive; writing needs `&mut Vm`, which the caller's `&Vm` excludes for 'a.
    if value.is_cell() { unsafe { (*header_of(value).ext.get()).as_deref() } } else { None }
}
/// [`ext_of`], mutable.
#[inline]
pub(crate) fn ext_of_mut<'a>(value: &'a Value, _vm: &'a mut Vm) -> Option<&'a mut Ext> {
    // SAFETY: as in `ext_of`; `&mut Vm` is unique on this thread, so nothing of any cell is borrowed for 'a.
    if value.is_cell() { unsafe { (*header_of(value).ext.get()).as_deref_mut() } } else { None }
}
/// [`ext_of_mut`], created if there is none yet.
pub(crate) fn make_ext<'a>(value: &'a Value, _vm: &'a mut Vm) -> Option<&'a mut Ext> {
    // SAFETY: as in `ext_of_mut`.
    value.is_cell().then(|| unsafe { &mut **(*header_of(value).ext.get()).get_or_insert_default() })
}

/// Drops a value, without a function call unless it is the last handle of its cell.
#[inline(always)]
pub(crate) fn give_up(value: Value) {
    if value.is_cell() {
        // SAFETY: it has been checked that the value has a cell.
        let count = unsafe { &header_of(&value).count };
        if count.get() <= 1 {
            return drop_last(value);
        }
        count.set(count.get() - 1);
    }
    // the count has been lowered, or there is none
    std::mem::forget(value);
}

#[inline(never)]
fn drop_last(value: Value) {
    drop(value);
}

/// Copies a value bitwise, and counts the new handle of its cell.
#[inline(always)]
pub(crate) fn share(value: &Value) -> Value {
    if value.is_cell() {
        // SAFETY: it has been checked that the value has a cell.
        unsafe { header_of(value) }.retain();
    }
    // SAFETY: an immediate is plain bits, and the count of a cell was incremented for the new handle.
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
            // SAFETY: as in `ext`: nobody borrows an object without handles.
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
        // SAFETY: no handle is left, so the contents are dropped only here; `Gc::new` took the memory from the pool of this kind.
        Some(kind) => unsafe {
            at.drop_in_place();
            pool::give(kind, at);
        },
    }
}

/// A cell whose count is zero and whose contents have not been dropped yet.
struct Doomed {
    at: *mut u8,
    free: fn(*mut u8),
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static WAITING: Cell<bool> = const { Cell::new(false) };
    static WORKLIST: RefCell<Vec<Doomed>> = const { RefCell::new(Vec::new()) };
}

/// Drops nested more deeply are put on the worklist.
const MAX_DROP_DEPTH: u32 = 64;

/// Whether a cell is currently being dropped on this stack.
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
