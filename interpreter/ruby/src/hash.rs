//! Contents of a Hash: entries in order of insertion, found through an index once there are more than a few.
//!
//! Keys of core types hash and compare here, without calling Ruby; others get their hash and answers from `hash` and `eql?`
//! (see [`crate::Vm::hash_get`] and its like).

pub use crate::value::RHash;
use hashbrown::HashTable;

/// Up to this many slots no index is kept.
const LINEAR: usize = 8;

/// What a table holds: keys and values alike.
pub trait Element: Clone + Default {
    /// Stands for the key of a slot that is deleted; no key is equal to it.
    const DELETED: Self;
    /// Whether this is [`Element::DELETED`].
    fn is_deleted(&self) -> bool;
}

/// A key and its value.
#[derive(Clone)]
pub struct Entry<V> {
    /// Hash of the key.
    pub hash: u64,
    /// Key; [`Element::DELETED`] when the slot is deleted.
    pub key: V,
    pub value: V,
}

/// Contents of a Hash: of Ruby's, as [`RHash`].
#[derive(Default)]
pub struct Table<V> {
    entries: Vec<Entry<V>>,
    index: Option<HashTable<u32>>,
    live: usize,
    /// `default=`
    pub default: V,
    /// `default_proc`; nil when there is none.
    pub default_proc: V,
    /// How many iterations are under way: adding a key is then an error.
    pub iterating: u32,
}

impl<V: Element> Clone for Table<V> {
    /// A copy that no iteration goes over.
    fn clone(&self) -> Table<V> {
        let (default, default_proc) = (self.default.clone(), self.default_proc.clone());
        let mut copy = Table {
            entries: self.entries.clone(),
            index: self.index.clone(),
            live: self.live,
            default,
            default_proc,
            iterating: 0,
        };
        if copy.live < copy.entries.len() {
            copy.compact();
        }
        copy
    }
}

impl<V: Element> Table<V> {
    /// Empty, with room.
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
    /// Number of slots, live or deleted: for iteration by position while the hash may change.
    pub fn slots(&self) -> usize {
        self.entries.len()
    }
    /// The entry in a slot, unless it is deleted or beyond the end.
    #[inline]
    pub fn slot(&self, index: usize) -> Option<&Entry<V>> {
        self.entries.get(index).filter(|entry| !entry.key.is_deleted())
    }
    /// The live entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&V, &V)> {
        self.entries.iter().filter(|entry| !entry.key.is_deleted()).map(|entry| (&entry.key, &entry.value))
    }
    /// The live entries in order, with their hashes.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry<V>> {
        self.entries.iter().filter(|entry| !entry.key.is_deleted())
    }
    /// Values for writing, in order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().filter(|entry| !entry.key.is_deleted()).map(|entry| &mut entry.value)
    }
    /// The slot whose key has this hash and satisfies `eq`.
    #[inline]
    pub fn find(&self, hash: u64, mut eq: impl FnMut(&V) -> bool) -> Option<usize> {
        match &self.index {
            None => {
                self.entries.iter().position(|entry| entry.hash == hash && !entry.key.is_deleted() && eq(&entry.key))
            }
            Some(index) => index
                .find(hash, |&slot| {
                    let entry = &self.entries[slot as usize];
                    entry.hash == hash && eq(&entry.key)
                })
                .map(|&slot| slot as usize),
        }
    }
    /// All live slots with this hash, oldest first.
    pub fn candidates(&self, hash: u64) -> Vec<usize> {
        match &self.index {
            None => (0..self.entries.len())
                .filter(|&at| self.entries[at].hash == hash && !self.entries[at].key.is_deleted())
                .collect(),
            Some(index) => {
                let mut found: Vec<usize> =
                    index.iter_hash(hash).map(|&at| at as usize).filter(|&at| self.entries[at].hash == hash).collect();
                found.sort_unstable();
                found
            }
        }
    }
    /// The value in a live slot.
    pub fn value_at(&self, slot: usize) -> Option<&V> {
        self.slot(slot).map(|entry| &entry.value)
    }
    /// Replaces the value in a live slot.
    pub fn set_value_at(&mut self, slot: usize, value: V) {
        if let Some(entry) = self.entries.get_mut(slot) {
            entry.value = value;
        }
    }
    /// Appends a pair whose key is known to be absent.
    pub fn push(&mut self, hash: u64, key: V, value: V) {
        if self.entries.len() >= 32 && self.live * 2 < self.entries.len() && self.iterating == 0 {
            self.compact();
        }
        let slot = self.entries.len() as u32;
        self.entries.push(Entry { hash, key, value });
        self.live += 1;
        if let Some(index) = &mut self.index {
            let entries = &self.entries;
            index.insert_unique(hash, slot, |&at| entries[at as usize].hash);
        } else if self.entries.len() > LINEAR {
            self.reindex();
        }
    }
    /// Deletes a live slot and gives its pair.
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
            && let Ok(found) = index.find_entry(hash, |&at| at as usize == slot)
        {
            found.remove();
        }
        if self.iterating == 0 {
            while self.entries.last().is_some_and(|entry| entry.key.is_deleted()) {
                self.entries.pop();
            }
            // a queue (`shift` in a loop) must not walk over what it has deleted
            if self.live * 2 < self.entries.len() && self.entries.len() >= 32 {
                self.compact();
            }
        }
        Some((key, value))
    }
    /// The first live slot.
    pub fn first_slot(&self) -> Option<usize> {
        self.entries.iter().position(|entry| !entry.key.is_deleted())
    }
    /// Deletes every pair; defaults stay.
    pub fn clear(&mut self) {
        if self.iterating > 0 {
            for slot in 0..self.entries.len() {
                self.remove_at(slot);
            }
        } else {
            self.entries.clear();
            self.index = None;
            self.live = 0;
        }
    }
    /// Takes all pairs out, in order.
    pub fn take_entries(&mut self) -> Vec<Entry<V>> {
        self.index = None;
        self.live = 0;
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain(|entry| !entry.key.is_deleted());
        entries
    }
    fn compact(&mut self) {
        self.entries.retain(|entry| !entry.key.is_deleted());
        if self.entries.len() > LINEAR {
            self.reindex();
        } else {
            self.index = None;
        }
    }
    fn reindex(&mut self) {
        let mut index = HashTable::with_capacity(self.entries.len() * 2);
        let entries = &self.entries;
        for (slot, entry) in entries.iter().enumerate() {
            if !entry.key.is_deleted() {
                index.insert_unique(entry.hash, slot as u32, |&at| entries[at as usize].hash);
            }
        }
        self.index = Some(index);
    }
}
