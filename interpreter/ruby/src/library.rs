//! What `require` can load without a file.

pub use crate::vm::{Library, NativeLibrary};
use rustc_hash::FxHashMap;

/// The libraries of a machine ([`Library`]) by feature name without extension.
pub struct Libraries<L> {
    named: FxHashMap<&'static str, L>,
    /// Names that share a library, between spaces; the last list counts.
    lists: Vec<(&'static str, L)>,
}

impl<L> Default for Libraries<L> {
    fn default() -> Libraries<L> {
        Libraries { named: FxHashMap::default(), lists: Vec::new() }
    }
}

impl<L: Copy> Libraries<L> {
    /// Adds a library or replaces the one of this name.
    pub fn insert(&mut self, name: &'static str, library: L) {
        self.named.insert(name, library);
    }

    /// Adds one library under many names, given between spaces, which stay unread until one is asked for. A library with a name of its own
    /// comes before them.
    pub fn insert_all(&mut self, names: &'static str, library: L) {
        self.lists.push((names, library));
    }

    /// The library of this name.
    pub fn get(&self, name: &str) -> Option<L> {
        if let Some(library) = self.named.get(name) {
            return Some(*library);
        }
        // a path is none of ours
        if name.starts_with(['/', '.', '~']) {
            return None;
        }
        let listed = |(names, _): &&(&'static str, L)| names.split_ascii_whitespace().any(|one| one == name);
        self.lists.iter().rev().find(listed).map(|(_, library)| *library)
    }

    /// Whether there is a library of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All names, each once or more, in no order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let listed = self.lists.iter().flat_map(|(names, _)| names.split_ascii_whitespace());
        self.named.keys().copied().chain(listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_its_own_comes_before_lists_and_the_last_list_counts() {
        let mut libraries = Libraries::default();
        libraries.insert_all("a b c", Library::Source("first"));
        libraries.insert_all("b c", Library::Source("second"));
        libraries.insert("c", Library::Source("own"));
        let source = |name| match libraries.get(name) {
            Some(Library::Source(text)) => text,
            _ => "none",
        };
        assert_eq!(["a", "b", "c", "d", "a b"].map(source), ["first", "second", "own", "none", "none"]);
    }
}
