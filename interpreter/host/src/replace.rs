//! Replaces files atomically: the new contents appear as a whole, with their final owner, mode and attributes, or not at all.
//!
//! The contents are written to a temporary file of mode 0600 in the same directory. Owner, extended attributes (ACLs, the SELinux label,
//! capabilities) and mode are set through its descriptor, it is synced, and a rename puts it in place. All steps after finding the directory use that
//! directory's descriptor, so that nobody with write access on the path can redirect the write.

use crate::Files;
use crate::compose::{lstat_opt, stream_file, write_all};
use crate::directory::Directory;
use crate::error::{HostError, Result};
use crate::files::{FileHandle, OpenFlags, Stat};
use nix::libc;

/// Attributes of a written file. `None` keeps those of the replaced file; a new file gets the ids of the process and mode 0666 without the bits of
/// the umask.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finish {
    pub mode: Option<u32>,
    pub uid: Option<u32>,
    pub gid: Option<u32>,
    /// Whether to sync the file and its directory even if the host does not sync by default.
    pub sync: bool,
}

/// Attributes that could not be set on a file that was written nevertheless, because the run lacks the permission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The errors, each with the path.
    pub refused: Vec<HostError>,
}

/// The new contents of a file.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    Bytes(&'a [u8]),
    /// The contents of the file with this path, copied in chunks.
    File(&'a [u8]),
}

impl Source<'_> {
    /// Adds `path` to a write error; a read error already has the path of the source.
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

/// Writes the contents to a handle; a read error has the path of the source.
pub fn pour(host: &(impl Files + ?Sized), handle: &dyn FileHandle, source: Source<'_>) -> Result<()> {
    match source {
        Source::Bytes(data) => write_all(handle, data),
        Source::File(path) => stream_file(host, path, &mut |part| write_all(handle, part)),
    }
}

/// [`replace`], but an owner that cannot be set is an error.
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

/// Atomically replaces the contents of `path`. A symbolic link is followed: its target is replaced. Nothing remains after an error.
///
/// Files in kernel file systems (/proc, /sys), files that are mount points, and files in directories where nothing can be created are written in
/// place instead.
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
            // the file may be writable even if its directory is not; otherwise the first error is more helpful
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
            // the file is a mount point, as /etc/hosts in containers
            return if error.errno == libc::EBUSY && regular { in_place() } else { Err(named(error)) };
        }
    };
    dir.changed();
    if finish.sync {
        host.settle();
    }
    Ok(named_all(written, path))
}

/// Replaces the contents of an existing file in place, as requested by Chef's `atomic_update false`; readers may see part of it.
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

/// Sets owner, group and mode, in that order, if different; of a link itself unless `follow`. Links have no mode.
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
        // changing the owner clears the set-id bits
        Some(mode) if !now.is_symlink() && (mode != now.perm() || uid.is_some() || gid.is_some()) => {
            dir.chmod(&name, mode).map_err(named)
        }
        _ => Ok(()),
    }
}

/// Removes anything but a directory; a symbolic link itself, not its target.
pub fn unlink(host: &(impl Files + ?Sized), path: &[u8]) -> Result<()> {
    let (dir, name) = host.open_parent(path, false)?;
    dir.unlink(&name).map_err(|error| HostError::at(error.errno, error.op, path))?;
    dir.changed();
    Ok(())
}

/// Whether it is the name of a temporary file with this mark.
pub fn is_staged(name: &[u8], mark: &[u8]) -> bool {
    let part = [b".rchef-", mark, b"-"].concat();
    name.first() == Some(&b'.') && memchr::memmem::find(name, &part).is_some()
}

/// Creates a temporary file for `name`: `.NAME.rchef-MARK-N`, mode 0600.
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
        // with set-id bits the file would run with the rights of the wrong owner
        mode &= 0o1777;
    }
    handle.chmod(mode)?;
    if finish.sync || host.durable() {
        handle.sync(false)?;
    }
    Ok(written)
}

/// Sets owner and group. If not permitted, a requested owner is recorded as refused; one that should only be kept is ignored.
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
            // setting only the group is often permitted
            if uid.is_some() && gid.is_some() {
                let _ = handle.chown(None, gid);
            }
            Ok(())
        }
        other => other,
    }
}

/// Copies the extended attributes of the replaced file: ACLs, labels, capabilities, user attributes.
fn keep_attributes(dir: &dyn Directory, name: &[u8], handle: &dyn FileHandle, written: &mut Written) {
    let flags = OpenFlags::RDONLY | OpenFlags::NONBLOCK;
    // attributes of an unreadable file are not copied; owner and mode are known from its stat
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

/// Resolves a path whose last component may be a link, for hosts without other users. The target of the link need not exist.
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
