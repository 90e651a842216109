//! Contents of a Hash: entries in insertion order, with an index if there are more than a few.
//!
//! Keys of core types are hashed and compared here, without calling Ruby; for other keys `hash` and `eql?` are called (see [`crate::Vm::hash_get`]).

pub use crate::value::RHash;
use hashbrown::HashTable;

/// Tables with at most this many slots have no index.
const LINEAR: usize = 8;

/// The type of keys and values.
pub trait Element: Clone + Default {
    /// The key of a deleted slot; no key is equal to it.
    const DELETED: Self;
    /// Whether this is [`Element::DELETED`].
    fn is_deleted(&self) -> bool;
}

/// The number of a key in the index, which looks at the uppermost bits: those of a number that `hash` has returned are copies of its sign.
#[inline(always)]
fn spread(hash: u64) -> u64 {
    hash.rotate_left(2)
}

/// A key and its value.
#[derive(Clone)]
pub struct Entry<V> {
    pub hash: u64,
    /// The key; [`Element::DELETED`] in a deleted slot.
    pub key: V,
    pub value: V,
}

/// Contents of a Hash; those of Ruby's are [`RHash`].
#[derive(Default)]
pub struct Table<V> {
    entries: Vec<Entry<V>>,
    index: Option<HashTable<u32>>,
    live: usize,
    /// The default value.
    pub default: V,
    /// `default_proc`, or nil.
    pub default_proc: V,
    /// The number of running iterations: adding a key is an error then.
    pub iterating: u32,
    /// All slots before this one are deleted, so that a queue (`shift`, `delete(first)`) does not pass over them again and again.
    front: u32,
}

impl<V: Element> Clone for Table<V> {
    /// Copies the table; no iteration runs over the copy.
    fn clone(&self) -> Table<V> {
        let (default, default_proc) = (self.default.clone(), self.default_proc.clone());
        let mut copy = Table {
            entries: self.entries.clone(),
            index: self.index.clone(),
            live: self.live,
            default,
            default_proc,
            iterating: 0,
            front: self.front,
        };
        if copy.live < copy.entries.len() {
            copy.compact();
        }
        copy
    }
}

impl<V: Element> Table<V> {
    pub fn with_capacity(capacity: usize) -> Table<V> {
        Table { entries: Vec::with_capacity(capacity), ..Table::default() }
    }
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.live
    }
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }
    /// Number of slots, live or deleted, for iteration by index while the Hash may change.
    pub fn slots(&self) -> usize {
        self.entries.len()
    }
    /// The entry in a slot; None if it is deleted or out of range.
    #[inline]
    pub fn slot(&self, index: usize) -> Option<&Entry<V>> {
        self.entries.get(index).filter(|entry| !entry.key.is_deleted())
    }
    /// The pairs in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&V, &V)> {
        self.entries().map(|entry| (&entry.key, &entry.value))
    }
    /// The entries in order, with their hashes.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry<V>> {
        self.entries[self.front as usize..].iter().filter(|entry| !entry.key.is_deleted())
    }
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().filter(|entry| !entry.key.is_deleted()).map(|entry| &mut entry.value)
    }
    /// The slot with this hash whose key satisfies `eq`.
    #[inline]
    pub fn find(&self, hash: u64, mut eq: impl FnMut(&V) -> bool) -> Option<usize> {
        match &self.index {
            None => {
                self.entries.iter().position(|entry| entry.hash == hash && !entry.key.is_deleted() && eq(&entry.key))
            }
            Some(index) => index
                .find(spread(hash), |&slot| {
                    let entry = &self.entries[slot as usize];
                    entry.hash == hash && eq(&entry.key)
                })
                .map(|&slot| slot as usize),
        }
    }
    /// All slots with this hash, oldest first.
    pub fn candidates(&self, hash: u64) -> Vec<usize> {
        match &self.index {
            None => (0..self.entries.len())
                .filter(|&at| self.entries[at].hash == hash && !self.entries[at].key.is_deleted())
                .collect(),
            Some(index) => {
                let mut found: Vec<usize> = index
                    .iter_hash(spread(hash))
                    .map(|&at| at as usize)
                    .filter(|&at| self.entries[at].hash == hash)
                    .collect();
                found.sort_unstable();
                found
            }
        }
    }
    pub fn value_at(&self, slot: usize) -> Option<&V> {
        self.slot(slot).map(|entry| &entry.value)
    }
    pub fn set_value_at(&mut self, slot: usize, value: V) {
        if let Some(entry) = self.entries.get_mut(slot) {
            entry.value = value;
        }
    }
    /// Appends a pair; the key must be absent.
    pub fn push(&mut self, hash: u64, key: V, value: V) {
        if self.entries.len() >= 32 && self.live * 2 < self.entries.len() && self.iterating == 0 {
            self.compact();
        }
        if self.entries.len() == self.entries.capacity() {
            crate::items::grow(&mut self.entries);
        }
        let slot = self.entries.len() as u32;
        self.entries.push(Entry { hash, key, value });
        self.live += 1;
        if let Some(index) = &mut self.index {
            let entries = &self.entries;
            index.insert_unique(spread(hash), slot, |&at| spread(entries[at as usize].hash));
        } else if self.entries.len() > LINEAR {
            self.reindex(self.entries.capacity());
        }
    }
    /// Deletes a slot and returns its pair.
    pub fn remove_at(&mut self, slot: usize) -> Option<(V, V)> {
        let entry = self.entries.get_mut(slot)?;
        if entry.key.is_deleted() {
            return None;
        }
        let hash = entry.hash;
        let key = std::mem::replace(&mut entry.key, V::DELETED);
        let value = std::mem::take(&mut entry.value);
        self.live -= 1;
        if let Some(index) = &mut self.index
            && let Ok(found) = index.find_entry(spread(hash), |&at| at as usize == slot)
        {
            found.remove();
        }
        while self.entries.get(self.front as usize).is_some_and(|entry| entry.key.is_deleted()) {
            self.front += 1;
        }
        if self.iterating == 0 {
            while self.entries.last().is_some_and(|entry| entry.key.is_deleted()) {
                self.entries.pop();
            }
            self.front = self.front.min(self.entries.len() as u32);
            // compact often enough that a queue (`shift` in a loop) does not iterate over deleted slots
            if self.live * 2 < self.entries.len() && self.entries.len() >= 32 {
                self.compact();
            }
        }
        Some((key, value))
    }
    /// The first live slot.
    pub fn first_slot(&self) -> Option<usize> {
        (self.live > 0).then_some(self.front as usize)
    }
    /// Deletes all pairs, but not the default value or proc.
    pub fn clear(&mut self) {
        if self.iterating > 0 {
            for slot in 0..self.entries.len() {
                self.remove_at(slot);
            }
        } else {
            self.entries.clear();
            self.index = None;
            self.live = 0;
            self.front = 0;
        }
    }
    /// Removes and returns all entries, in order.
    pub fn take_entries(&mut self) -> Vec<Entry<V>> {
        self.index = None;
        self.live = 0;
        self.front = 0;
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain(|entry| !entry.key.is_deleted());
        entries
    }
    fn compact(&mut self) {
        self.front = 0;
        self.entries.retain(|entry| !entry.key.is_deleted());
        if self.entries.len() > LINEAR {
            self.reindex(self.entries.len() * 2);
        } else {
            self.index = None;
        }
    }
    /// Makes the index, with space for a number of slots.
    fn reindex(&mut self, slots: usize) {
        let mut index = HashTable::with_capacity(slots);
        let entries = &self.entries;
        for (slot, entry) in entries.iter().enumerate() {
            if !entry.key.is_deleted() {
                index.insert_unique(spread(entry.hash), slot as u32, |&at| spread(entries[at as usize].hash));
            }
        }
        self.index = Some(index);
    }
}
