//! What lies under the overlay: the whole machine, or an empty root through which chosen prefixes of it show.

use super::tree::Sys;
use crate::error::HostError;
use crate::files::{DirEntry, FileHandle, OpenFlags, Stat, join};
use crate::host::Host;
use nix::libc;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// What shows of the machine beside the chosen prefixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Everything.
    Whole,
    /// What is below a directory, as if that were the root.
    Below(Vec<u8>),
    /// Nothing.
    Nothing,
}

pub(super) struct Base {
    pub(super) machine: Rc<dyn Host>,
    shown: Shown,
    /// Absolute paths that always show, with everything below.
    prefixes: RefCell<Vec<Vec<u8>>>,
}

fn errno(error: HostError) -> i32 {
    error.errno
}

/// Whether `path` is `prefix` or below it.
pub(super) fn below(path: &[u8], prefix: &[u8]) -> bool {
    match path.strip_prefix(prefix) {
        Some(rest) => rest.is_empty() || rest[0] == b'/' || prefix == b"/",
        None => false,
    }
}

impl Base {
    pub(super) fn new(machine: Rc<dyn Host>, shown: Shown) -> Self {
        Self { machine, shown, prefixes: RefCell::new(Vec::new()) }
    }

    /// Whether everything of the machine shows.
    pub(super) fn is_whole(&self) -> bool {
        self.shown == Shown::Whole
    }

    /// Lets a path of the machine show, as written and as it really is.
    pub(super) fn pass(&self, path: &[u8]) {
        let trimmed = match path.iter().rposition(|&b| b != b'/') {
            Some(end) => &path[..=end],
            None => b"/",
        };
        let real = self.machine.realpath(trimmed).ok();
        let mut prefixes = self.prefixes.borrow_mut();
        for path in [Some(trimmed.to_vec()), real].into_iter().flatten() {
            if !prefixes.contains(&path) {
                prefixes.push(path);
            }
        }
    }

    /// Whether a path shows by a prefix; such reads are not recorded.
    pub(super) fn passes(&self, path: &[u8]) -> bool {
        self.prefixes.borrow().iter().any(|prefix| below(path, prefix))
    }

    fn leads_to_prefix(&self, path: &[u8]) -> bool {
        self.prefixes.borrow().iter().any(|prefix| below(prefix, path))
    }

    /// Where on the machine a path of the overlay is; None when it does not show.
    pub(super) fn place<'a>(&self, path: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        match &self.shown {
            Shown::Whole => Some(Cow::Borrowed(path)),
            _ if self.passes(path) => Some(Cow::Borrowed(path)),
            Shown::Below(root) => Some(Cow::Owned(join(root, path.strip_prefix(b"/").unwrap_or(path)))),
            Shown::Nothing => None,
        }
    }

    /// Where on the machine a path is that was found there.
    fn on_machine<'a>(&self, path: &'a [u8]) -> Cow<'a, [u8]> {
        self.place(path).unwrap_or(Cow::Borrowed(path))
    }

    pub(super) fn lstat(&self, path: &[u8]) -> Sys<Option<Stat>> {
        let look = |path: &[u8]| match self.machine.lstat(path) {
            Ok(stat) => Ok(Some(stat)),
            Err(error) if matches!(error.errno, libc::ENOENT | libc::ENOTDIR) => Ok(None),
            Err(error) => Err(error.errno),
        };
        let found = match self.place(path) {
            Some(place) => look(&place)?,
            None => None,
        };
        if found.is_none() && self.leads_to_prefix(path) { look(path) } else { Ok(found) }
    }

    pub(super) fn readdir(&self, path: &[u8]) -> Sys<Vec<DirEntry>> {
        let mut entries: Vec<DirEntry> = match self.place(path) {
            Some(place) => match self.machine.readdir(&place) {
                Ok(entries) => entries,
                // only what leads to a prefix is there
                Err(_) if self.leads_to_prefix(path) && !self.passes(path) => Vec::new(),
                Err(error) => return Err(errno(error)),
            },
            None => Vec::new(),
        };
        if self.is_whole() || self.passes(path) {
            return Ok(entries);
        }
        // what leads to the prefixes shows too
        for prefix in self.prefixes.borrow().iter().filter(|prefix| below(prefix, path)) {
            let rest = prefix[path.len()..].split(|&b| b == b'/').find(|part| !part.is_empty());
            let Some(name) = rest.map(<[u8]>::to_vec) else { continue };
            if entries.iter().all(|entry| entry.name != name)
                && let Ok(stat) = self.machine.lstat(&join(path, &name))
            {
                entries.push(DirEntry { name, kind: stat.kind() });
            }
        }
        Ok(entries)
    }

    pub(super) fn readlink(&self, path: &[u8]) -> Sys<Vec<u8>> {
        let target = self.machine.readlink(&self.on_machine(path)).map_err(errno)?;
        // A link inside the chef-repo may lead out of it: what it names belongs to the repository.
        if !self.is_whole()
            && self.passes(path)
            && let Ok(real) = self.machine.realpath(path)
            && !self.passes(&real)
        {
            self.pass(&real);
        }
        Ok(target)
    }

    pub(super) fn open(&self, path: &[u8]) -> Sys<Rc<dyn FileHandle>> {
        let flags = OpenFlags::RDONLY | OpenFlags::NONBLOCK | OpenFlags::NOCTTY;
        self.machine.open(&self.on_machine(path), flags, 0).map(Rc::from).map_err(errno)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        assert!(below(b"/a/b", b"/a") && below(b"/a", b"/a") && below(b"/a", b"/"));
        assert!(!below(b"/ab", b"/a") && !below(b"/", b"/a"));
    }
}
