//! Lists live objects: those in pools; finds those whose `object_id` has been used.

use super::pool::{self, Kind};
use super::{Cellar, DEAD, Ext, Gc, Header, Heap, NUMBERED, Noted, Numbered, POOLED_NOTED, WEAK};
use crate::Vm;
use crate::class::ClassId;
use crate::frame::RProc;
use crate::value::{RArray, RHash, RObject, RRange, Value};
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::ptr::NonNull;

/// Creates a handle of a cell; None if it has no handle left or is dead or weak.
///
/// # Safety
/// The cell has not been freed.
unsafe fn handle<T: Heap>(at: NonNull<Cellar<T>>) -> Option<Gc<T>> {
    // SAFETY: guaranteed by the caller.
    let header: &Header = unsafe { &at.as_ref().header };
    // a cell waiting to be dropped has no handle left
    if header.count.get() == 0 || header.flags.get() & (WEAK | DEAD) != 0 {
        return None;
    }
    let handle = Gc { at, owns: PhantomData };
    handle.retain();
    // this is the handle counted by `retain`
    Some(handle)
}

/// Adds the wanted cells of a kind.
fn list_kind<T: Heap>(
    vm: &Vm,
    kind: Kind,
    value: fn(Gc<T>) -> Value,
    wanted: &mut dyn FnMut(ClassId, Option<&Ext>) -> bool,
    found: &mut Vec<Value>,
) {
    pool::each::<Cellar<T>>(kind, |at| {
        // SAFETY: visited cells are live and of their kind's type.
        let Some(cell) = (unsafe { handle(at) }) else { return };
        if wanted(cell.class(), cell.ext(vm)) {
            found.push(value(cell));
        }
    });
}

impl Vm {
    /// The objects in pools (all but Strings, big Integers and immediates) for whose class and extension `wanted` is true.
    pub(crate) fn pooled_objects(&self, mut wanted: impl FnMut(ClassId, Option<&Ext>) -> bool) -> Vec<Value> {
        let mut found = Vec::new();
        list_kind::<RObject>(self, Kind::Object, Value::Object, &mut wanted, &mut found);
        list_kind::<RArray>(self, Kind::Array, Value::Array, &mut wanted, &mut found);
        list_kind::<RHash>(self, Kind::Hash, Value::Hash, &mut wanted, &mut found);
        list_kind::<RRange>(self, Kind::Range, Value::Range, &mut wanted, &mut found);
        list_kind::<RProc>(self, Kind::Proc, Value::Proc, &mut wanted, &mut found);
        found
    }

    /// The live object with this `object_id`. The first search goes through the pools; from then on new numbers are noted.
    pub(crate) fn numbered_object(&mut self, id: u64) -> Option<Value> {
        if !POOLED_NOTED.replace(true) {
            for value in self.pooled_objects(|_, ext| ext.is_some_and(|ext| ext.id != 0)) {
                let id = self.object_id(&value);
                self.note_number(&value, id as u64);
            }
        }
        let noted = NUMBERED.with(|all| all.borrow().get(&id).copied())?;
        // SAFETY: a cell is removed from the table before it is freed.
        unsafe {
            match noted {
                Noted::Str(at) => handle(at).map(Value::Str),
                Noted::Big(at) => handle(at).map(Value::Big),
                Noted::Object(at) => handle(at).map(Value::Object),
                Noted::Array(at) => handle(at).map(Value::Array),
                Noted::Hash(at) => handle(at).map(Value::Hash),
                Noted::Range(at) => handle(at).map(Value::Range),
                Noted::Proc(at) => handle(at).map(Value::Proc),
            }
        }
    }

    /// Registers an object under its new `object_id`, if it is not in a pool or pools are noted too.
    pub(crate) fn note_number(&mut self, value: &Value, id: u64) {
        let noted = match value {
            Value::Str(cell) => Noted::Str(cell.at),
            Value::Big(cell) => Noted::Big(cell.at),
            _ if !POOLED_NOTED.get() => return,
            Value::Object(cell) => Noted::Object(cell.at),
            Value::Array(cell) => Noted::Array(cell.at),
            Value::Hash(cell) => Noted::Hash(cell.at),
            Value::Range(cell) => Noted::Range(cell.at),
            Value::Proc(cell) => Noted::Proc(cell.at),
            _ => return,
        };
        if let Some(ext) = super::make_ext(value, self) {
            ext.numbered = NonZeroU64::new(id).map(Numbered);
        }
        NUMBERED.with(|all| all.borrow_mut().insert(id, noted));
    }
}
