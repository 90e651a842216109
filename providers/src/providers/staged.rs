//! Temporary files for downloads and for content that is being verified.

use rchef_host::{FileHandle, Host, OpenFlags, Result, compose, files};
use std::rc::Rc;

/// A temporary file with mode 0600, removed on drop.
pub(crate) struct Staged {
    host: Rc<dyn Host>,
    pub path: Vec<u8>,
}

impl Staged {
    /// A file `.LABEL.rchef-MARK-…SUFFIX` in a directory that the run may write to. If the run is killed, the next run removes it.
    ///
    /// # Errors
    /// The file cannot be created.
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

    /// A file in the directory for temporary files, for runs that change nothing else. It remains if the run is killed.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(crate) fn elsewhere(host: &Rc<dyn Host>, label: &[u8], suffix: &[u8]) -> Result<(Staged, Box<dyn FileHandle>)> {
        let prefix = [b"rchef-", label, b"-"].concat();
        let (path, handle) = compose::temp_file(&**host, &compose::temp_dir(&**host), &prefix, suffix)?;
        Ok((Staged { host: host.clone(), path }, handle))
    }

    /// A file in the overlay of a plan. Its name is always the same, since no other run uses that overlay.
    ///
    /// # Errors
    /// The file cannot be created.
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
        // a file that cannot be removed is removed by the next run
        let _ = self.host.unlink(&self.path);
    }
}
