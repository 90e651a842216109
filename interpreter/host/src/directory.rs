//! [`Directory`]: an open directory, so that names in it are reached without resolving a path that somebody may change in between.

use crate::error::{HostError, Result};
use crate::files::{FileHandle, Files, OpenFlags, Stat, join};
use nix::libc;

/// An open directory. Names are single path components; symbolic links are never followed. Errors have the full path.
pub trait Directory {
    /// The path, for messages and the journal of temporary files.
    fn path(&self) -> &[u8];
    /// openat(2) with `O_NOFOLLOW`: a symbolic link is `ELOOP`.
    fn open(&self, name: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>>;
    /// fstatat(2) without following links.
    fn lstat(&self, name: &[u8]) -> Result<Stat>;
    /// renameat(2) within the directory.
    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()>;
    /// unlinkat(2), not for directories.
    fn unlink(&self, name: &[u8]) -> Result<()>;
    /// Sets permission bits, without following links.
    fn chmod(&self, name: &[u8], mode: u32) -> Result<()>;
    /// Sets owner and group; of a link itself, because links are not followed.
    fn chown(&self, name: &[u8], uid: Option<u32>, gid: Option<u32>) -> Result<()>;
    /// Whether it is in a kernel file system (/proc, /sys, cgroups), where nothing can be created or renamed.
    fn is_pseudo(&self) -> bool {
        false
    }
    /// Requests fsync(2) of the directory, to be done when [`Files::settle`] is called at the latest.
    fn changed(&self) {}
}

/// A directory in a host whose paths nobody else changes (an overlay in memory): all calls use paths.
pub(crate) struct ByPath<'a> {
    files: &'a dyn Files,
    path: Vec<u8>,
}

impl<'a> ByPath<'a> {
    /// `path` must be a directory.
    pub(crate) fn new(files: &'a dyn Files, path: &[u8]) -> Result<Self> {
        if !files.stat(path)?.is_dir() {
            return Err(HostError::at(libc::ENOTDIR, "open", path));
        }
        Ok(Self { files, path: path.to_vec() })
    }

    fn no_link(&self, op: &'static str, name: &[u8]) -> Result<Vec<u8>> {
        let path = join(&self.path, name);
        match self.files.lstat(&path) {
            Ok(stat) if stat.is_symlink() => Err(HostError::at(libc::ELOOP, op, &path)),
            _ => Ok(path),
        }
    }
}

impl Directory for ByPath<'_> {
    fn path(&self) -> &[u8] {
        &self.path
    }

    fn open(&self, name: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>> {
        self.files.open(&join(&self.path, name), flags | OpenFlags::NOFOLLOW, mode)
    }

    fn lstat(&self, name: &[u8]) -> Result<Stat> {
        self.files.lstat(&join(&self.path, name))
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()> {
        self.files.rename(&join(&self.path, from), &join(&self.path, to))
    }

    fn unlink(&self, name: &[u8]) -> Result<()> {
        self.files.unlink(&join(&self.path, name))
    }

    fn chmod(&self, name: &[u8], mode: u32) -> Result<()> {
        self.files.chmod(&self.no_link("chmod", name)?, mode)
    }

    fn chown(&self, name: &[u8], uid: Option<u32>, gid: Option<u32>) -> Result<()> {
        self.files.chown(&join(&self.path, name), uid, gid, false)
    }
}
