//! Removal of temporary files that killed runs have left, by means of journals.
//!
//! Before a run creates its first temporary file in a directory it writes the directory's path to its own journal, a locked file in the cache whose
//! name is part of the names of all its temporary files. A journal that is not locked belongs to a run that has ended.

use super::RealHost;
use crate::error::{HostError, Result};
use crate::files::Files;
use crate::{Randomness, compose};
use std::cell::{OnceCell, RefCell};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The journal of this process.
#[derive(Default)]
pub(super) struct Journal {
    folder: OnceCell<PathBuf>,
    mark: OnceCell<String>,
    open: RefCell<Option<Open>>,
}

struct Open {
    file: File,
    path: PathBuf,
    noted: Vec<Vec<u8>>,
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Journal {
    /// The part of the names of temporary files that identifies this process.
    fn mark(&self, host: &RealHost) -> Result<&str> {
        if let Some(mark) = self.mark.get() {
            return Ok(mark);
        }
        let mut random = [0; 10];
        host.fill(&mut random)?;
        Ok(self.mark.get_or_init(|| compose::letters(&random)))
    }

    /// Records that temporary files will be created in `dir`; returns the identifying part of their names.
    pub(super) fn staging(&self, host: &RealHost, dir: &[u8]) -> Result<&str> {
        let mark = self.mark(host)?;
        let Some(folder) = self.folder.get() else { return Ok(mark) };
        let mut open = self.open.borrow_mut();
        if open.is_none() {
            let path = folder.join(mark);
            let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path);
            let file = file.and_then(|file| file.lock().map(|()| file));
            let file = file.map_err(|e| HostError::from_io(&e, "open", Some(path.as_os_str().as_bytes())))?;
            *open = Some(Open { file, path, noted: Vec::new() });
        }
        if let Some(journal) = open.as_mut()
            && !journal.noted.iter().any(|known| known == dir)
        {
            let real = host.realpath(dir)?;
            let line = [real.as_slice(), b"\0"].concat();
            journal
                .file
                .write_all(&line)
                .map_err(|e| HostError::from_io(&e, "write", Some(journal.path.as_os_str().as_bytes())))?;
            journal.noted.push(dir.to_vec());
        }
        Ok(mark)
    }

    /// Removes the journal: this process has left no temporary files.
    pub(super) fn close(&self) {
        self.open.borrow_mut().take();
    }
}

impl RealHost {
    /// Starts a journal of temporary files in `folder` (created if necessary), and removes the files of killed runs. Returns the removed paths.
    ///
    /// An error if the folder cannot be created; temporary files that cannot be removed are left for the next run.
    pub fn keep_journal(&self, folder: &[u8]) -> Result<Vec<Vec<u8>>> {
        compose::create_dir_all(self, folder, 0o700)?;
        let at = self.at(folder).into_owned();
        let path = Path::new(OsStr::from_bytes(&at)).to_path_buf();
        let mut removed = Vec::new();
        for entry in self.readdir(folder)? {
            removed.extend(self.clean_after(&path.join(OsStr::from_bytes(&entry.name)), &entry.name));
        }
        let _ = self.journal.folder.set(path);
        Ok(removed)
    }

    /// Removes the journal at the end of the run.
    pub fn close_journal(&self) {
        self.journal.close();
    }

    fn clean_after(&self, journal: &Path, mark: &[u8]) -> Vec<Vec<u8>> {
        let mut removed = Vec::new();
        let Ok(mut file) = OpenOptions::new().read(true).custom_flags(nix::libc::O_NOFOLLOW).open(journal) else {
            return removed;
        };
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return removed;
        }
        let mut noted = Vec::new();
        let _ = file.read_to_end(&mut noted);
        let mut all_gone = true;
        for dir in noted.split(|&b| b == 0).filter(|dir| !dir.is_empty()) {
            match self.remove_strays(dir, mark) {
                Ok(paths) => removed.extend(paths),
                Err(error) => all_gone &= error.name() == Some("ENOENT"),
            }
        }
        if all_gone {
            let _ = std::fs::remove_file(journal);
        }
        removed
    }

    fn remove_strays(&self, dir: &[u8], mark: &[u8]) -> Result<Vec<Vec<u8>>> {
        let mut removed = Vec::new();
        for entry in self.readdir(dir)? {
            if compose::is_staged(&entry.name, mark) {
                let path = crate::files::join(dir, &entry.name);
                let (held, name) = self.parent_of(&path, false)?;
                crate::directory::Directory::unlink(&held, &name)?;
                removed.push(path);
            }
        }
        Ok(removed)
    }
}
