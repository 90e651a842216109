//! Libraries that `require` loads without a file.

pub use crate::vm::{Library, NativeLibrary};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The text of an embedded Ruby source.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    Plain(&'static str),
    /// Compressed with deflate, without a header: most libraries are never required, and a compressed one takes a third of the space in the binary.
    Deflated(&'static [u8]),
}

impl Text {
    /// The source as Ruby reads it. One that cannot be read is an error of the build, which a test of rchef-stdlib looks for.
    pub fn bytes(self) -> Result<Cow<'static, [u8]>, &'static str> {
        match self {
            Text::Plain(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Text::Deflated(bytes) => miniz_oxide::inflate::decompress_to_vec(bytes)
                .map(Cow::Owned)
                .map_err(|_| "an embedded source is damaged"),
        }
    }
}

/// The libraries of a VM ([`Library`]), by feature name without extension.
pub struct Libraries<L: 'static> {
    named: FxHashMap<&'static str, L>,
    tables: Vec<&'static [(&'static str, L)]>,
    /// Space-separated names that share a library; the last list has precedence.
    lists: Vec<(&'static str, L)>,
}

impl<L> Default for Libraries<L> {
    fn default() -> Libraries<L> {
        Libraries { named: FxHashMap::default(), tables: Vec::new(), lists: Vec::new() }
    }
}

impl<L: Copy> Libraries<L> {
    /// Adds or replaces a library.
    pub fn insert(&mut self, name: &'static str, library: L) {
        self.named.insert(name, library);
    }

    /// Adds a table of libraries in the order of their names' bytes, which takes no time. Libraries added with [`Libraries::insert`] have precedence.
    pub fn add_table(&mut self, table: &'static [(&'static str, L)]) {
        debug_assert!(table.is_sorted_by(|one, other| one.0 < other.0));
        self.tables.push(table);
    }

    /// Adds a library under many space-separated names, which are only parsed by lookups. Libraries that are added in other ways have precedence.
    pub fn insert_all(&mut self, names: &'static str, library: L) {
        self.lists.push((names, library));
    }

    pub fn get(&self, name: &str) -> Option<L> {
        if let Some(library) = self.named.get(name) {
            return Some(*library);
        }
        for table in &self.tables {
            if let Ok(at) = table.binary_search_by(|(known, _)| known.cmp(&name)) {
                return Some(table[at].1);
            }
        }
        // paths are not feature names
        if name.starts_with(['/', '.', '~']) {
            return None;
        }
        let listed = |(names, _): &&(&'static str, L)| names.split_ascii_whitespace().any(|one| one == name);
        self.lists.iter().rev().find(listed).map(|(_, library)| *library)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All names, in no particular order; a name may occur more than once.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let listed = self.lists.iter().flat_map(|(names, _)| names.split_ascii_whitespace());
        let tabled = self.tables.iter().flat_map(|table| table.iter().map(|(name, _)| *name));
        self.named.keys().copied().chain(tabled).chain(listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_its_own_comes_before_tables_and_these_before_lists_of_which_the_last_counts() {
        static TABLE: &[(&str, Library)] =
            &[("b", Library::Source(Text::Plain("table"))), ("c", Library::Source(Text::Plain("table")))];
        let mut libraries = Libraries::default();
        libraries.add_table(TABLE);
        libraries.insert_all("a b c d e", Library::Source(Text::Plain("first")));
        libraries.insert_all("b c e", Library::Source(Text::Plain("second")));
        libraries.insert("c", Library::Source(Text::Plain("own")));
        let source = |name| match libraries.get(name) {
            Some(Library::Source(Text::Plain(text))) => text,
            _ => "none",
        };
        let found = ["a", "b", "c", "d", "e", "f", "a b"].map(source);
        assert_eq!(found, ["first", "table", "own", "first", "second", "none", "none"]);
    }
}
