//! What lies under the overlay: the whole machine, or an empty root through which chosen prefixes of it show.

use super::tree::Sys;
use crate::error::HostError;
use crate::files::{DirEntry, FileHandle, OpenFlags, Stat, join};
use crate::host::Host;
use nix::libc;
use std::cell::RefCell;
use std::rc::Rc;

pub(super) struct Base {
    pub(super) machine: Rc<dyn Host>,
    /// Whether everything shows.
    pub(super) whole: bool,
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
    pub(super) fn new(machine: Rc<dyn Host>, whole: bool) -> Self {
        Self { machine, whole, prefixes: RefCell::new(Vec::new()) }
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

    pub(super) fn lstat(&self, path: &[u8]) -> Sys<Option<Stat>> {
        if !(self.whole || self.passes(path) || self.leads_to_prefix(path)) {
            return Ok(None);
        }
        match self.machine.lstat(path) {
            Ok(stat) => Ok(Some(stat)),
            Err(error) if matches!(error.errno, libc::ENOENT | libc::ENOTDIR) => Ok(None),
            Err(error) => Err(error.errno),
        }
    }

    pub(super) fn readdir(&self, path: &[u8]) -> Sys<Vec<DirEntry>> {
        if self.whole || self.passes(path) {
            return self.machine.readdir(path).map_err(errno);
        }
        // Only what leads to the prefixes shows.
        let mut entries: Vec<DirEntry> = Vec::new();
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
        let target = self.machine.readlink(path).map_err(errno)?;
        // A link inside the chef-repo may lead out of it: what it names belongs to the repository.
        if !self.whole
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
        self.machine.open(path, flags, 0).map(Rc::from).map_err(errno)
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
