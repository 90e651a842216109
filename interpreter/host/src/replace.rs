//! The one way to write a file: its new content appears whole, with its final owner, mode and attributes, or not at all.
//!
//! The content goes into a temporary file of mode 0600 beside the target. Owner, extended attributes (ACLs, the SELinux label, capabilities) and mode are
//! set through its descriptor, it is synced, and one rename puts it in place. Everything after the walk to the directory goes through that
//! directory's descriptor, so nobody who may write there can lead the run elsewhere.

use crate::Files;
use crate::compose::{lstat_opt, stream_file, write_all};
use crate::directory::Directory;
use crate::error::{HostError, Result};
use crate::files::{FileHandle, OpenFlags, Stat};
use nix::libc;

/// How a written file is finished. `None` keeps what the replaced file had; a new file gets the process's ids and 0666 less the umask.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finish {
    /// Permission bits.
    pub mode: Option<u32>,
    pub uid: Option<u32>,
    pub gid: Option<u32>,
    /// Sync the file and its directory even where the host was told not to.
    pub sync: bool,
}

/// What could not be done to a file that was written all the same: the run has no right to give it that owner or attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Why, each with the path.
    pub refused: Vec<HostError>,
}

/// What a file is filled with.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    Bytes(&'a [u8]),
    /// What the file of this path has, a part at a time.
    File(&'a [u8]),
}

impl Source<'_> {
    /// An error of writing `path` with that path; one of reading the source has its own.
    fn named(&self, error: HostError, path: &[u8]) -> HostError {
        match self {
            Source::File(source) if error.path.as_deref() == Some(*source) => error,
            _ => HostError::at(error.errno, error.op, path),
        }
    }
}

impl<'a> From<&'a [u8]> for Source<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Source::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Source<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Source::Bytes(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Source<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Source::Bytes(bytes)
    }
}

/// Writes all of a source; an error of reading it names its path.
pub fn pour(host: &(impl Files + ?Sized), handle: &dyn FileHandle, source: Source<'_>) -> Result<()> {
    match source {
        Source::Bytes(data) => write_all(handle, data),
        Source::File(path) => stream_file(host, path, &mut |part| write_all(handle, part)),
    }
}

/// [`replace`] for callers to whom a refused owner is an error.
pub fn atomic_write<'a>(
    host: &(impl Files + ?Sized),
    path: &[u8],
    data: impl Into<Source<'a>>,
    finish: Finish,
) -> Result<()> {
    match replace(host, path, data, finish)?.refused.into_iter().next() {
        Some(error) if finish.uid.is_some() || finish.gid.is_some() => Err(error),
        _ => Ok(()),
    }
}

/// Replaces the content of `path` in one step. A symbolic link is followed, so that what it names is replaced. Nothing is left behind on an error.
///
/// Files that the kernel makes up (/proc, /sys), files that are mounted by themselves, and files in directories where nothing may be created are written in
/// place, since there is no other way.
pub fn replace<'a>(
    host: &(impl Files + ?Sized),
    path: &[u8],
    data: impl Into<Source<'a>>,
    finish: Finish,
) -> Result<Written> {
    let data = data.into();
    let named = |error: HostError| data.named(error, path);
    let (dir, name) = host.open_parent(path, true)?;
    let old = match dir.lstat(&name) {
        Ok(stat) if stat.is_dir() => return Err(HostError::at(libc::EISDIR, "open", path)),
        Ok(stat) => Some(stat),
        Err(error) if error.errno == libc::ENOENT => None,
        Err(error) => return Err(named(error)),
    };
    let in_place = || write_in_place(host, &*dir, &name, data, finish).map_err(named);
    let regular = old.as_ref().is_some_and(Stat::is_file);
    if regular && dir.is_pseudo() {
        return in_place();
    }
    let (staged, handle) = match stage(host, &*dir, &name) {
        Err(error) if regular && matches!(error.errno, libc::EACCES | libc::EPERM | libc::EROFS) => {
            // the file may be writable where its directory is not; if it is not either, the first error tells more
            return in_place().map_err(|_| named(error));
        }
        other => other.map_err(named)?,
    };
    let filled = fill(host, &*dir, &*handle, &name, data, old.as_ref(), finish);
    drop(handle);
    let placed = filled.and_then(|written| dir.rename(&staged, &name).map(|()| written));
    let written = match placed {
        Ok(written) => written,
        Err(error) => {
            let _ = dir.unlink(&staged);
            // a file that is mounted by itself, as containers have /etc/hosts
            return if error.errno == libc::EBUSY && regular { in_place() } else { Err(named(error)) };
        }
    };
    dir.changed();
    if finish.sync {
        host.settle();
    }
    Ok(named_all(written, path))
}

/// Replaces the content of an existing file in place, for resources that ask for it (Chef's `atomic_update false`): readers can see half of it.
pub fn overwrite<'a>(
    host: &(impl Files + ?Sized),
    path: &[u8],
    data: impl Into<Source<'a>>,
    finish: Finish,
) -> Result<Written> {
    let data = data.into();
    let (dir, name) = host.open_parent(path, true)?;
    let written = write_in_place(host, &*dir, &name, data, finish);
    written.map(|written| named_all(written, path)).map_err(|error| data.named(error, path))
}

/// Sets owner, group and mode of what is there, in that order, each where it differs; of a link itself unless `follow`. A link has no mode.
pub fn set_access(host: &(impl Files + ?Sized), path: &[u8], finish: Finish, follow: bool) -> Result<()> {
    let (dir, name) = host.open_parent(path, follow)?;
    let named = |error: HostError| HostError::at(error.errno, error.op, path);
    let now = dir.lstat(&name).map_err(named)?;
    let uid = finish.uid.filter(|&uid| uid != now.uid);
    let gid = finish.gid.filter(|&gid| gid != now.gid);
    if uid.is_some() || gid.is_some() {
        dir.chown(&name, uid, gid).map_err(named)?;
    }
    match finish.mode {
        // a change of owner drops the set-id bits
        Some(mode) if !now.is_symlink() && (mode != now.perm() || uid.is_some() || gid.is_some()) => {
            dir.chmod(&name, mode).map_err(named)
        }
        _ => Ok(()),
    }
}

/// Removes what is no directory; a symbolic link itself, not what it leads to.
pub fn unlink(host: &(impl Files + ?Sized), path: &[u8]) -> Result<()> {
    let (dir, name) = host.open_parent(path, false)?;
    dir.unlink(&name).map_err(|error| HostError::at(error.errno, error.op, path))?;
    dir.changed();
    Ok(())
}

/// Whether a name is that of a temporary file with this mark.
pub fn is_staged(name: &[u8], mark: &[u8]) -> bool {
    let part = [b".rchef-", mark, b"-"].concat();
    name.first() == Some(&b'.') && memchr::memmem::find(name, &part).is_some()
}

/// A new temporary file for `name`: `.NAME.rchef-MARK-N`, mode 0600.
fn stage(host: &(impl Files + ?Sized), dir: &dyn Directory, name: &[u8]) -> Result<(Vec<u8>, Box<dyn FileHandle>)> {
    let mark = host.staging(dir.path())?;
    let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::EXCL;
    let mut number = 0u32;
    loop {
        let mut staged = b".".to_vec();
        staged.extend_from_slice(name.get(..200).unwrap_or(name));
        staged.extend_from_slice(format!(".rchef-{mark}-{number}").as_bytes());
        match dir.open(&staged, flags, 0o600) {
            Ok(handle) => return Ok((staged, handle)),
            Err(error) if error.errno == libc::EEXIST && number < 10_000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn fill(
    host: &(impl Files + ?Sized),
    dir: &dyn Directory,
    handle: &dyn FileHandle,
    name: &[u8],
    data: Source<'_>,
    old: Option<&Stat>,
    finish: Finish,
) -> Result<Written> {
    pour(host, handle, data)?;
    let mut written = Written::default();
    own(handle, old, finish, &mut written)?;
    if old.is_some_and(Stat::is_file) {
        keep_attributes(dir, name, handle, &mut written);
    }
    let mut mode = finish.mode.or(old.map(Stat::perm)).unwrap_or_else(|| 0o666 & !host.umask(None));
    if !written.refused.is_empty() {
        // set-id bits would give the rights of an owner that was not meant
        mode &= 0o1777;
    }
    handle.chmod(mode)?;
    if finish.sync || host.durable() {
        handle.sync(false)?;
    }
    Ok(written)
}

/// Gives a file its owner and group. Where the run may not, that is noted when it was asked for, and left when it was only to be kept.
fn own(handle: &dyn FileHandle, old: Option<&Stat>, finish: Finish, written: &mut Written) -> Result<()> {
    let now = handle.stat()?;
    let uid = finish.uid.or(old.map(|old| old.uid)).filter(|&uid| uid != now.uid);
    let gid = finish.gid.or(old.map(|old| old.gid)).filter(|&gid| gid != now.gid);
    if uid.is_none() && gid.is_none() {
        return Ok(());
    }
    match handle.chown(uid, gid) {
        Err(error) if error.errno == libc::EPERM => {
            written.refused.push(error);
            // the group alone is often allowed
            if uid.is_some() && gid.is_some() {
                let _ = handle.chown(None, gid);
            }
            Ok(())
        }
        other => other,
    }
}

/// Copies the extended attributes of the file that is replaced: ACLs, labels, capabilities, what users put there.
fn keep_attributes(dir: &dyn Directory, name: &[u8], handle: &dyn FileHandle, written: &mut Written) {
    let flags = OpenFlags::RDONLY | OpenFlags::NONBLOCK;
    // a file that cannot be read shows no attributes; its owner and mode are kept from its stat
    let Ok(attributes) = dir.open(name, flags, 0).and_then(|old| old.xattrs()) else { return };
    for (attribute, value) in attributes {
        if let Err(error) = handle.set_xattr(&attribute, &value)
            && !matches!(error.errno, libc::ENOTSUP)
        {
            written.refused.push(error);
        }
    }
}

fn write_in_place(
    host: &(impl Files + ?Sized),
    dir: &dyn Directory,
    name: &[u8],
    data: Source<'_>,
    finish: Finish,
) -> Result<Written> {
    let handle = dir.open(name, OpenFlags::WRONLY | OpenFlags::NOCTTY | OpenFlags::TRUNC, 0)?;
    let now = handle.stat()?;
    let mut written = Written::default();
    own(&*handle, None, finish, &mut written)?;
    if let Some(mode) = finish.mode.filter(|&mode| mode != now.perm()) {
        handle.chmod(mode)?;
    }
    pour(host, &*handle, data)?;
    if now.is_file() && !dir.is_pseudo() && (finish.sync || host.durable()) {
        handle.sync(false)?;
    }
    Ok(written)
}

fn named_all(mut written: Written, path: &[u8]) -> Written {
    for error in &mut written.refused {
        *error = HostError::at(error.errno, error.op, path);
    }
    written
}

/// Where a link leads that a host without other users resolves by path: the directory and the name in it.
pub(crate) fn resolve(files: &(impl Files + ?Sized), path: &[u8], follow: bool) -> Result<Vec<u8>> {
    match lstat_opt(files, path)? {
        Some(stat) if stat.is_symlink() && follow => match files.realpath(path) {
            Ok(real) => Ok(real),
            Err(error) if error.errno == libc::ENOENT => {
                Ok(crate::files::absolute(crate::files::dirname(path), &files.readlink(path)?))
            }
            Err(error) => Err(error),
        },
        _ => Ok(path.to_vec()),
    }
}
