//! Instance variables of an object: their names and values, in order of first assignment, in one block of memory.
//!
//! The block has the values in its upper part and the names, four bytes each, in its lower part in reverse order, so that the name and value of an index
//! are found from one address: a variable takes 20 bytes, an object without variables no block.
#![allow(unsafe_code)] // names and values in one block

use rchef_syntax::Symbol;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::ptr::{self, NonNull};

/// Instance variables of an object; V is the type of a value.
pub struct Ivars<V> {
    /// The address of the first value, with the number of its name before it. Dangling if the capacity is zero.
    values: NonNull<V>,
    len: u32,
    capacity: u32,
    owns: PhantomData<V>,
}

/// The number of a name, as [`Symbol::id`] has it.
type NameId = u32;

/// Minimum capacity of a block that is made because a variable is added: it fills 64 bytes.
const LEAST: u32 = 3;

/// The layout of a block, and the offset of its first value in bytes.
fn layout<V>(capacity: u32) -> (Layout, usize) {
    let names = (capacity as usize * size_of::<NameId>()).next_multiple_of(align_of::<V>());
    let size = names + capacity as usize * size_of::<V>();
    match Layout::from_size_align(size, align_of::<V>()) {
        Ok(layout) => (layout, names),
        // the size is below 2^37
        Err(_) => handle_alloc_error(Layout::new::<V>()),
    }
}

impl<V> Ivars<V> {
    pub const fn new() -> Ivars<V> {
        // names lie before the address of a value
        const { assert!(align_of::<V>() >= align_of::<NameId>()) };
        Ivars { values: NonNull::dangling(), len: 0, capacity: 0, owns: PhantomData }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len as usize
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The address of the name of an index.
    ///
    /// # Safety
    /// The index is below the capacity.
    #[inline(always)]
    unsafe fn name_at(&self, index: usize) -> *mut NameId {
        // SAFETY: the block has as many names before the first value as its capacity says.
        unsafe { self.values.as_ptr().cast::<NameId>().sub(index + 1) }
    }

    /// Whether the variable with this index has this name.
    #[inline(always)]
    fn is_at(&self, index: usize, name: Symbol) -> bool {
        // SAFETY: the index is below the length, so the name has been written.
        index < self.len() && unsafe { *self.name_at(index) } == name.id()
    }

    /// The value with this index, if it has this name.
    #[inline(always)]
    pub fn at(&self, index: usize, name: Symbol) -> Option<&V> {
        // SAFETY: `is_at` has compared the index with the length.
        self.is_at(index, name).then(|| unsafe { &*self.values.as_ptr().add(index) })
    }
    /// [`Ivars::at`], mutable.
    #[inline(always)]
    pub fn at_mut(&mut self, index: usize, name: Symbol) -> Option<&mut V> {
        // SAFETY: as in `at`; `self` is borrowed mutably.
        self.is_at(index, name).then(|| unsafe { &mut *self.values.as_ptr().add(index) })
    }

    /// The index of a name.
    pub fn position(&self, name: Symbol) -> Option<usize> {
        (0..self.len()).find(|index| self.is_at(*index, name))
    }
    pub fn get(&self, name: Symbol) -> Option<&V> {
        self.at(self.position(name)?, name)
    }
    pub fn get_mut(&mut self, name: Symbol) -> Option<&mut V> {
        self.at_mut(self.position(name)?, name)
    }

    #[inline]
    pub fn values(&self) -> &[V] {
        // SAFETY: the values below the length have been written; a dangling address is aligned, and fine for no values.
        unsafe { std::slice::from_raw_parts(self.values.as_ptr(), self.len()) }
    }
    pub fn names(&self) -> impl ExactSizeIterator<Item = Symbol> + '_ {
        // SAFETY: the names below the length have been written.
        (0..self.len()).map(|index| Symbol::of_id(unsafe { *self.name_at(index) }))
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Symbol, &V)> {
        self.names().zip(self.values())
    }

    /// Adds a variable; its name must be absent.
    #[inline]
    pub fn push(&mut self, name: Symbol, value: V) {
        if self.len == self.capacity {
            self.grow();
        }
        let index = self.len();
        // SAFETY: the length is below the capacity, and nothing is there yet.
        unsafe {
            self.name_at(index).write(name.id());
            self.values.as_ptr().add(index).write(value);
        }
        self.len += 1;
    }

    /// Removes the variable with this index, which must exist, and returns its value.
    pub fn remove(&mut self, index: usize) -> V {
        assert!(index < self.len(), "no such variable");
        let after = self.len() - index - 1;
        // SAFETY: the index is below the length; the variables after it are moved over it, and the last one is forgotten.
        unsafe {
            let at = self.values.as_ptr().add(index);
            let value = at.read();
            ptr::copy(at.add(1), at, after);
            let last = self.name_at(self.len() - 1);
            ptr::copy(last, last.add(1), after);
            self.len -= 1;
            value
        }
    }

    /// Makes space for more variables, and for no others.
    pub fn reserve_exact(&mut self, more: usize) {
        let wanted = u32::try_from(more).ok().and_then(|more| self.len.checked_add(more));
        match wanted {
            Some(wanted) if wanted <= self.capacity => {}
            Some(wanted) => self.grow_to(wanted),
            None => handle_alloc_error(Layout::new::<V>()),
        }
    }

    /// Makes space for some more variables.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        match self.capacity.checked_add((self.capacity / 2).max(1)) {
            Some(capacity) => self.grow_to(capacity.max(LEAST)),
            None => handle_alloc_error(Layout::new::<V>()),
        }
    }

    /// Moves the variables to a block with a capacity, which must be more than the present one.
    #[inline(never)]
    fn grow_to(&mut self, capacity: u32) {
        let ((block, first), len) = (layout::<V>(capacity), self.len());
        // SAFETY: the capacity is not zero, so the size is not. The new block has space for all names and values of the old one, which are moved and not
        // used there any more.
        unsafe {
            let start = alloc(block);
            let Some(values) = NonNull::new(start.add(first).cast::<V>()).filter(|_| !start.is_null()) else {
                handle_alloc_error(block)
            };
            values.as_ptr().copy_from_nonoverlapping(self.values.as_ptr(), len);
            let names = values.as_ptr().cast::<NameId>().sub(len);
            names.copy_from_nonoverlapping(self.values.as_ptr().cast::<NameId>().sub(len), len);
            self.free_block();
            self.values = values;
        }
        self.capacity = capacity;
    }

    /// Frees the block, if there is one.
    ///
    /// # Safety
    /// The values have been moved or dropped, and the address is not used again.
    unsafe fn free_block(&mut self) {
        if self.capacity > 0 {
            let (block, first) = layout::<V>(self.capacity);
            // SAFETY: `grow_to` has allocated the block with this layout; the first value lies at this offset.
            unsafe { dealloc(self.values.as_ptr().cast::<u8>().sub(first), block) };
        }
    }
}

impl<V> Default for Ivars<V> {
    fn default() -> Ivars<V> {
        Ivars::new()
    }
}

impl<V: Clone> Clone for Ivars<V> {
    fn clone(&self) -> Ivars<V> {
        let mut copy = Ivars::new();
        copy.reserve_exact(self.len());
        self.iter().for_each(|(name, value)| copy.push(name, value.clone()));
        copy
    }
}

impl<V> Drop for Ivars<V> {
    #[inline]
    fn drop(&mut self) {
        if self.capacity > 0 {
            // SAFETY: the values below the length are owned, and nobody uses them any more.
            unsafe {
                ptr::slice_from_raw_parts_mut(self.values.as_ptr(), self.len()).drop_in_place();
                self.free_block();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn name(at: usize) -> Symbol {
        Symbol::intern(&format!("@v{at}"))
    }

    #[test]
    fn variables_keep_their_order_and_values() {
        let counted = Rc::new(());
        let mut ivars = Ivars::default();
        for at in 0..40 {
            assert!(ivars.get(name(at)).is_none());
            ivars.push(name(at), (at, counted.clone()));
            assert_eq!(ivars.position(name(at)), Some(at));
        }
        assert_eq!(ivars.at(7, name(7)).map(|value| value.0), Some(7));
        assert!(ivars.at(7, name(8)).is_none() && ivars.at(40, name(40)).is_none());
        assert_eq!((ivars.remove(7).0, ivars.remove(0).0), (7, 0));
        assert_eq!((ivars.len(), ivars.position(name(8)), ivars.position(name(39))), (38, Some(6), Some(37)));
        ivars.get_mut(name(39)).unwrap().0 = 1000;
        let copy = ivars.clone();
        assert_eq!(Rc::strong_count(&counted), 1 + 2 * 38);
        drop(ivars);
        assert_eq!(Rc::strong_count(&counted), 1 + 38);
        let expected = (1..40).filter(|at| *at != 7).map(|at| (name(at), if at == 39 { 1000 } else { at }));
        assert_eq!(copy.iter().map(|(name, value)| (name, value.0)).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn reserved_space_is_exact() {
        let mut ivars = Ivars::new();
        ivars.reserve_exact(0);
        assert_eq!(ivars.capacity, 0);
        ivars.reserve_exact(5);
        (0..5).for_each(|at| ivars.push(name(at), at));
        assert_eq!((ivars.capacity, ivars.len()), (5, 5));
        ivars.push(name(5), 5);
        assert_eq!((ivars.capacity, ivars.len()), (7, 6));
        while !ivars.is_empty() {
            ivars.remove(ivars.len() - 1);
        }
        assert!(ivars.values().is_empty());
    }
}
