//! Directories whose fsync(2) is still to come: a thousand files in one directory cost one.

use rustix::fs::{OFlags, fstat};
use std::cell::{Cell, RefCell};
use std::os::fd::{BorrowedFd, OwnedFd};

/// How many descriptors may wait.
const MOST: usize = 64;

/// What waits to be made durable.
pub(super) struct Syncs {
    on: Cell<bool>,
    waiting: RefCell<Vec<((u64, u64), OwnedFd)>>,
}

impl Default for Syncs {
    fn default() -> Self {
        Self { on: Cell::new(true), waiting: RefCell::default() }
    }
}

impl Syncs {
    /// Whether files and directories are synced at all.
    pub(super) fn on(&self) -> bool {
        self.on.get()
    }

    pub(super) fn set(&self, on: bool) {
        self.on.set(on);
    }

    /// Puts a directory on the list, once.
    pub(super) fn later(&self, dir: BorrowedFd<'_>) {
        if !self.on.get() {
            return;
        }
        let Ok(stat) = fstat(dir) else { return };
        let key = (stat.st_dev, stat.st_ino);
        if self.waiting.borrow().iter().any(|(known, _)| *known == key) {
            return;
        }
        // a descriptor with O_PATH cannot be synced: the directory may not be read
        let readable = rustix::fs::fcntl_getfl(dir).is_ok_and(|flags| !flags.contains(OFlags::PATH));
        if let (true, Ok(kept)) = (readable, dir.try_clone_to_owned()) {
            self.waiting.borrow_mut().push((key, kept));
        }
        if self.waiting.borrow().len() >= MOST {
            self.settle();
        }
    }

    /// Syncs what waits. A file system that cannot sync directories says EINVAL, and the renames stand.
    pub(super) fn settle(&self) {
        for (_, dir) in self.waiting.take() {
            let _ = rustix::fs::fsync(dir);
        }
    }
}
