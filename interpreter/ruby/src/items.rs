//! Elements of an Array: a vector with constant-time removal at the front, so that an Array can be used as a queue.

use std::ops::{Deref, DerefMut, RangeBounds};

/// Elements of an Array. Dereferences to a slice; the first `head` elements of the vector have been removed (they hold default values).
pub struct Items<T> {
    all: Vec<T>,
    head: usize,
}

/// Removed elements are cut off if there are at least this many, and more than remaining ones.
const SLACK: usize = 32;

/// Makes space in a full vector for some more elements: for a half more of many, as MRI does, where a vector by itself doubles.
#[cold]
#[inline(never)]
pub(crate) fn grow<T>(full: &mut Vec<T>) {
    let more = full.len() / 2;
    if more >= SLACK {
        full.reserve_exact(more);
    } else {
        full.reserve(1);
    }
}

impl<T> Default for Items<T> {
    fn default() -> Items<T> {
        Items { all: Vec::new(), head: 0 }
    }
}

impl<T: Clone + Default> Items<T> {
    /// The vector, after cutting off removed elements.
    #[inline]
    pub fn vec(&mut self) -> &mut Vec<T> {
        if self.head > 0 {
            self.all.drain(..self.head);
            self.head = 0;
        }
        &mut self.all
    }
    /// A copy of the elements as a vector.
    #[allow(clippy::should_implement_trait)] // a copy is plain elements, not another owner of the slack
    pub fn clone(&self) -> Vec<T> {
        self.to_vec()
    }
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        self
    }
    /// Removes the first element in amortised constant time.
    #[inline]
    pub fn shift(&mut self) -> Option<T> {
        let first = std::mem::take(self.all.get_mut(self.head)?);
        self.head += 1;
        if self.head >= SLACK && self.head * 2 >= self.all.len() {
            self.vec();
        }
        Some(first)
    }
    /// Inserts elements at the front; constant time if elements were shifted before.
    pub fn unshift(&mut self, values: &[T]) {
        if let Some(head) = self.head.checked_sub(values.len()) {
            self.all[head..self.head].clone_from_slice(values);
            self.head = head;
        } else {
            // reserve space in proportion to the length, so that repeated insertion at the front is amortised
            let room = if self.len() < SLACK { 0 } else { self.len() / 2 };
            let front = std::iter::repeat_n(T::default(), room).chain(values.iter().cloned());
            self.all.splice(..self.head, front);
            self.head = room;
        }
    }
    #[inline]
    pub fn push(&mut self, value: T) {
        if self.all.len() == self.all.capacity() {
            grow(&mut self.all);
        }
        self.all.push(value);
    }
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if self.all.len() == self.head { None } else { self.all.pop() }
    }
    pub fn extend_from_slice(&mut self, values: &[T]) {
        self.all.extend_from_slice(values);
    }
    pub fn insert(&mut self, at: usize, value: T) {
        self.vec().insert(at, value);
    }
    pub fn remove(&mut self, at: usize) -> T {
        self.vec().remove(at)
    }
    pub fn clear(&mut self) {
        (self.head, _) = (0, self.all.clear());
    }
    pub fn truncate(&mut self, len: usize) {
        self.all.truncate(self.head + len);
    }
    pub fn resize(&mut self, len: usize, value: T) {
        self.all.resize(self.head + len, value);
    }
    pub fn reserve_exact(&mut self, more: usize) {
        self.all.reserve_exact(more);
    }
    pub fn retain(&mut self, wanted: impl FnMut(&T) -> bool) {
        self.vec().retain(wanted);
    }
    pub fn drain(&mut self, range: impl RangeBounds<usize>) -> std::vec::Drain<'_, T> {
        self.vec().drain(range)
    }
    pub fn split_off(&mut self, at: usize) -> Vec<T> {
        self.all.split_off(self.head + at)
    }
    pub fn splice<I: IntoIterator<Item = T>>(
        &mut self,
        range: impl RangeBounds<usize>,
        with: I,
    ) -> std::vec::Splice<'_, I::IntoIter> {
        self.vec().splice(range, with)
    }
}

impl<T> Deref for Items<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.all[self.head..]
    }
}
impl<T> DerefMut for Items<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[self.head..]
    }
}
impl<T> From<Vec<T>> for Items<T> {
    #[inline]
    fn from(all: Vec<T>) -> Items<T> {
        Items { all, head: 0 }
    }
}
impl<T: Clone + Default> From<Items<T>> for Vec<T> {
    fn from(mut items: Items<T>) -> Vec<T> {
        std::mem::take(items.vec())
    }
}
impl<T> Extend<T> for Items<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        self.all.extend(values);
    }
}
impl<'a, T> IntoIterator for &'a Items<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
impl<T: Clone + Default> IntoIterator for Items<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        Vec::from(self).into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn numbers(items: &Items<Value>) -> Vec<i64> {
        items.iter().map(|value| if let Value::Int(number) = value { *number } else { -1 }).collect()
    }

    #[test]
    fn a_queue_keeps_its_order() {
        let mut items = Items::from((0..100).map(Value::Int).collect::<Vec<_>>());
        for expected in 0..70 {
            assert!(matches!(items.shift(), Some(Value::Int(number)) if number == expected));
            items.push(Value::Int(100 + expected));
        }
        assert_eq!(numbers(&items), (70..170).collect::<Vec<_>>());
        items.unshift(&[Value::Int(68), Value::Int(69)]);
        assert_eq!(numbers(&items), (68..170).collect::<Vec<_>>());
        items.truncate(2);
        assert_eq!(items.split_off(1).len(), 1);
        assert!(items.pop().is_some() && items.pop().is_none() && items.shift().is_none());
    }
}
