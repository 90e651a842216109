//! Delays fsync(2) of directories, so that a thousand files in a directory need only one.

use rustix::fs::{OFlags, fstat};
use std::cell::{Cell, RefCell};
use std::os::fd::{BorrowedFd, OwnedFd};

/// Maximum number of waiting descriptors.
const MOST: usize = 64;

/// Directories to be synced.
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

    /// Adds a directory, once.
    pub(super) fn later(&self, dir: BorrowedFd<'_>) {
        if !self.on.get() {
            return;
        }
        let Ok(stat) = fstat(dir) else { return };
        let key = (stat.st_dev, stat.st_ino);
        if self.waiting.borrow().iter().any(|(known, _)| *known == key) {
            return;
        }
        // an O_PATH descriptor (of an unreadable directory) cannot be synced
        let readable = rustix::fs::fcntl_getfl(dir).is_ok_and(|flags| !flags.contains(OFlags::PATH));
        if let (true, Ok(kept)) = (readable, dir.try_clone_to_owned()) {
            self.waiting.borrow_mut().push((key, kept));
        }
        if self.waiting.borrow().len() >= MOST {
            self.settle();
        }
    }

    /// Syncs all directories. Errors are ignored: some file systems cannot sync directories (EINVAL).
    pub(super) fn settle(&self) {
        for (_, dir) in self.waiting.take() {
            let _ = rustix::fs::fsync(dir);
        }
    }
}
