//! Lists live objects: those in pools, and Strings and big Integers whose `object_id` has been used.

use super::pool::{self, Kind};
use super::{Alone, Cellar, DEAD, Ext, Gc, Header, Heap, NUMBERED, Numbered, WEAK};
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

    /// The live object with this `object_id`.
    pub(crate) fn numbered_object(&self, id: u64) -> Option<Value> {
        let alone = NUMBERED.with(|all| all.borrow().get(&id).copied());
        match alone {
            // SAFETY: a cell is removed from the table before it is freed.
            Some(Alone::Str(at)) => unsafe { handle(at) }.map(Value::Str),
            // SAFETY: as above.
            Some(Alone::Big(at)) => unsafe { handle(at) }.map(Value::Big),
            None => self.pooled_objects(|_, ext| ext.is_some_and(|ext| ext.id == id)).pop(),
        }
    }

    /// Registers an object that is not in a pool under its new `object_id`.
    pub(crate) fn note_number(&mut self, value: &Value, id: u64) {
        let alone = match value {
            Value::Str(cell) => Alone::Str(cell.at),
            Value::Big(cell) => Alone::Big(cell.at),
            _ => return,
        };
        if let Some(ext) = super::make_ext(value, self) {
            ext.numbered = NonZeroU64::new(id).map(Numbered);
        }
        NUMBERED.with(|all| all.borrow_mut().insert(id, alone));
    }
}
