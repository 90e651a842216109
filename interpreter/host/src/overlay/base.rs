//! The lower layer of the overlay: the whole machine, or an empty root in which selected paths of the machine are visible.

use super::tree::Sys;
use crate::error::HostError;
use crate::files::{DirEntry, FileHandle, FileKind, OpenFlags, Stat, join, lexical};
use crate::host::Host;
use nix::libc;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// What is visible of the machine, apart from the selected paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Whole,
    /// A directory that takes the place of the root.
    Below(Vec<u8>),
    Nothing,
}

pub(super) struct Base {
    pub(super) machine: Rc<dyn Host>,
    shown: Shown,
    prefixes: RefCell<Vec<Prefix>>,
}

/// A path of the machine that is visible with everything below it.
struct Prefix {
    /// Absolute, without `.` and `..`.
    path: Vec<u8>,
    /// Whether reads below it are recorded.
    recorded: bool,
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

    /// Whether the whole machine is visible.
    pub(super) fn is_whole(&self) -> bool {
        self.shown == Shown::Whole
    }

    /// Makes a path visible that the user named: as written, and its real path. Below a path that is visible already nothing changes, so that a link
    /// there cannot make more visible.
    pub(super) fn pass(&self, path: &[u8], recorded: bool) {
        let path = lexical(path);
        if self.shows(&path) {
            return;
        }
        if let Ok(real) = self.machine.realpath(&path)
            && real != path
        {
            self.add(real, recorded);
        }
        self.add(path, recorded);
    }

    /// Makes a path visible as written; if it is a link, its target is not made visible.
    pub(super) fn pass_as_written(&self, path: &[u8]) {
        self.add(lexical(path), false);
    }

    fn add(&self, path: Vec<u8>, recorded: bool) {
        self.prefixes.borrow_mut().push(Prefix { path, recorded });
    }

    /// Whether a path is visible and its reads are not recorded.
    pub(super) fn passes(&self, path: &[u8]) -> bool {
        self.prefixes.borrow().iter().any(|prefix| !prefix.recorded && below(path, &prefix.path))
    }

    /// Whether a path is below a visible one.
    pub(super) fn shows(&self, path: &[u8]) -> bool {
        self.prefixes.borrow().iter().any(|prefix| below(path, &prefix.path))
    }

    fn leads_to_prefix(&self, path: &[u8]) -> bool {
        self.prefixes.borrow().iter().any(|prefix| below(&prefix.path, path))
    }

    /// The location on the machine of a path of the overlay; None if it is not visible.
    pub(super) fn place<'a>(&self, path: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        match &self.shown {
            Shown::Whole => Some(Cow::Borrowed(path)),
            _ if self.shows(path) => Some(Cow::Borrowed(path)),
            Shown::Below(root) => Some(Cow::Owned(join(root, path.strip_prefix(b"/").unwrap_or(path)))),
            Shown::Nothing => None,
        }
    }

    /// The location on the machine of a path that was found there.
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
        Ok(if found.is_none() && self.leads_to_prefix(path) { Some(way(path)) } else { found })
    }

    pub(super) fn readdir(&self, path: &[u8]) -> Sys<Vec<DirEntry>> {
        let mut entries: Vec<DirEntry> = match self.place(path) {
            Some(place) => match self.machine.readdir(&place) {
                Ok(entries) => entries,
                // only ancestors of visible paths exist
                Err(_) if self.leads_to_prefix(path) && !self.shows(path) => Vec::new(),
                Err(error) => return Err(errno(error)),
            },
            None => Vec::new(),
        };
        if self.is_whole() || self.shows(path) {
            return Ok(entries);
        }
        // the ancestors of visible paths are visible as well
        for prefix in self.prefixes.borrow().iter().map(|prefix| &prefix.path).filter(|prefix| below(prefix, path)) {
            let rest = prefix[path.len()..].split(|&b| b == b'/').find(|part| !part.is_empty());
            let Some(name) = rest.map(<[u8]>::to_vec) else { continue };
            if entries.iter().any(|entry| entry.name == name) {
                continue;
            }
            let at = join(path, &name);
            let kind = if at != *prefix {
                Some(FileKind::Directory)
            } else {
                self.machine.lstat(&at).ok().map(|stat| stat.kind())
            };
            entries.extend(kind.map(|kind| DirEntry { name, kind }));
        }
        Ok(entries)
    }

    pub(super) fn readlink(&self, path: &[u8]) -> Sys<Vec<u8>> {
        self.machine.readlink(&self.on_machine(path)).map_err(errno)
    }

    pub(super) fn open(&self, path: &[u8]) -> Sys<Rc<dyn FileHandle>> {
        // paths are resolved here, link by link: a link at this point was created in the meantime
        let flags = OpenFlags::RDONLY | OpenFlags::NONBLOCK | OpenFlags::NOCTTY | OpenFlags::NOFOLLOW;
        self.machine.open(&self.on_machine(path), flags, 0).map(Rc::from).map_err(errno)
    }
}

/// The metadata of a directory that is only an ancestor of a visible path: nothing of the machine's own directory is shown.
fn way(path: &[u8]) -> Stat {
    let hash =
        path.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    Stat {
        dev: 1 << 32,
        ino: 1 << 48 | hash >> 16,
        mode: libc::S_IFDIR | 0o755,
        nlink: 2,
        size: 4096,
        blksize: 4096,
        ..Stat::default()
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
