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
pub struct Libraries<L> {
    named: FxHashMap<&'static str, L>,
    /// Space-separated names that share a library; the last list has precedence.
    lists: Vec<(&'static str, L)>,
}

impl<L> Default for Libraries<L> {
    fn default() -> Libraries<L> {
        Libraries { named: FxHashMap::default(), lists: Vec::new() }
    }
}

impl<L: Copy> Libraries<L> {
    /// Adds or replaces a library.
    pub fn insert(&mut self, name: &'static str, library: L) {
        self.named.insert(name, library);
    }

    /// Adds a library under many space-separated names, which are only parsed by lookups. Libraries added with [`Libraries::insert`] have precedence.
    pub fn insert_all(&mut self, names: &'static str, library: L) {
        self.lists.push((names, library));
    }

    pub fn get(&self, name: &str) -> Option<L> {
        if let Some(library) = self.named.get(name) {
            return Some(*library);
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
        self.named.keys().copied().chain(listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_its_own_comes_before_lists_and_the_last_list_counts() {
        let mut libraries = Libraries::default();
        libraries.insert_all("a b c", Library::Source(Text::Plain("first")));
        libraries.insert_all("b c", Library::Source(Text::Plain("second")));
        libraries.insert("c", Library::Source(Text::Plain("own")));
        let source = |name| match libraries.get(name) {
            Some(Library::Source(Text::Plain(text))) => text,
            _ => "none",
        };
        assert_eq!(["a", "b", "c", "d", "a b"].map(source), ["first", "second", "own", "none", "none"]);
    }
}
