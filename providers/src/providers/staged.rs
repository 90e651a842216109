//! Temporary files that hold contents on their way: downloads, and copies for checks. They go when nobody needs them any more.

use rchef_host::{FileHandle, Host, OpenFlags, Result, compose, files};
use std::rc::Rc;

/// A temporary file, mode 0600, which is removed when this is dropped.
pub(crate) struct Staged {
    host: Rc<dyn Host>,
    /// Where it is.
    pub path: Vec<u8>,
}

impl Staged {
    /// A file in a directory that the run may write to, `.LABEL.rchef-MARK-…SUFFIX`: the next run removes one that a killed run leaves.
    ///
    /// # Errors
    /// It cannot be created.
    pub(crate) fn inside(
        host: &Rc<dyn Host>,
        directory: &[u8],
        label: &[u8],
        suffix: &[u8],
    ) -> Result<(Staged, Box<dyn FileHandle>)> {
        let mark = host.staging(directory)?;
        let prefix = [b".", label, b".rchef-", mark.as_bytes(), b"-"].concat();
        let (path, handle) = compose::temp_file(&**host, directory, &prefix, suffix)?;
        Ok((Staged { host: host.clone(), path }, handle))
    }

    /// A file in the directory for temporary files, for runs that change nothing else. It stays where such a run is killed.
    ///
    /// # Errors
    /// It cannot be created.
    pub(crate) fn elsewhere(host: &Rc<dyn Host>, label: &[u8], suffix: &[u8]) -> Result<(Staged, Box<dyn FileHandle>)> {
        let prefix = [b"rchef-", label, b"-"].concat();
        let (path, handle) = compose::temp_file(&**host, &compose::temp_dir(&**host), &prefix, suffix)?;
        Ok((Staged { host: host.clone(), path }, handle))
    }

    /// A file of a plan, on whose overlay no other run has one: the same name each time.
    ///
    /// # Errors
    /// It cannot be created.
    pub(crate) fn planned(
        host: &Rc<dyn Host>,
        directory: &[u8],
        label: &[u8],
        suffix: &[u8],
    ) -> Result<(Staged, Box<dyn FileHandle>)> {
        let path = files::join(directory, &[b".", label, suffix].concat());
        let handle = host.open(&path, OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC, 0o600)?;
        Ok((Staged { host: host.clone(), path }, handle))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // one that stays is removed by the next run
        let _ = self.host.unlink(&self.path);
    }
}
