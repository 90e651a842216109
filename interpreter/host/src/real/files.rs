//! [`Files`](crate::files::Files) of the real file system.

use super::RealHost;
use super::handle::{RealHandle, no_follow, stat_of, timespec};
use crate::directory::Directory;
use crate::error::{HostError, Result};
use crate::files::{Access, DirEntry, FileHandle, FileKind, Files, OpenFlags, SetTime, Stat, StatFs, Time, absolute};
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag};
use nix::sys::stat::Mode;
use nix::unistd::AccessFlags;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, PermissionsExt};
use std::path::Path;

impl RealHost {
    /// The path for a system call: unchanged until `chdir` has made the working directory virtual.
    pub(super) fn at<'a>(&self, path: &'a [u8]) -> Cow<'a, [u8]> {
        if path.first().is_none_or(|&b| b == b'/') {
            return Cow::Borrowed(path);
        }
        match &*self.cwd.borrow() {
            None => Cow::Borrowed(path),
            Some(cwd) => Cow::Owned(absolute(cwd, path)),
        }
    }

    fn std<T>(&self, op: &'static str, path: &[u8], call: impl FnOnce(&Path) -> std::io::Result<T>) -> Result<T> {
        let at = self.at(path);
        call(Path::new(OsStr::from_bytes(&at))).map_err(|e| HostError::from_io(&e, op, Some(path)))
    }

    fn nix<T>(&self, op: &'static str, path: &[u8], call: impl FnOnce(&[u8]) -> nix::Result<T>) -> Result<T> {
        call(&self.at(path)).map_err(|e| HostError::at(e as i32, op, path))
    }
}

impl Files for RealHost {
    fn open(&self, path: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>> {
        let flags = OFlag::from_bits_retain(flags.0) | OFlag::O_CLOEXEC;
        let fd = self.nix("open", path, |at| nix::fcntl::open(at, flags, Mode::from_bits_truncate(mode)))?;
        Ok(Box::new(RealHandle::new(File::from(fd))))
    }

    fn stat(&self, path: &[u8]) -> Result<Stat> {
        self.std("stat", path, |at| fs::metadata(at)).map(|meta| stat_of(&meta))
    }

    fn lstat(&self, path: &[u8]) -> Result<Stat> {
        self.std("lstat", path, |at| fs::symlink_metadata(at)).map(|meta| stat_of(&meta))
    }

    fn birthtime(&self, path: &[u8]) -> Result<Time> {
        let created = self.std("statx", path, |at| fs::metadata(at)?.created())?;
        let since = created.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Ok(Time { secs: since.as_secs() as i64, nanos: since.subsec_nanos() })
    }

    fn mkdir(&self, path: &[u8], mode: u32) -> Result<()> {
        self.std("mkdir", path, |at| fs::DirBuilder::new().mode(mode).create(at))
    }

    fn rmdir(&self, path: &[u8]) -> Result<()> {
        self.std("rmdir", path, |at| fs::remove_dir(at))
    }

    fn unlink(&self, path: &[u8]) -> Result<()> {
        self.std("unlink", path, |at| fs::remove_file(at))
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()> {
        let target = self.at(to);
        self.std("rename", from, |at| fs::rename(at, OsStr::from_bytes(&target)))
    }

    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()> {
        self.std("symlink", path, |at| std::os::unix::fs::symlink(OsStr::from_bytes(target), at))
    }

    fn link(&self, target: &[u8], path: &[u8]) -> Result<()> {
        let old = self.at(target);
        self.std("link", path, |at| fs::hard_link(OsStr::from_bytes(&old), at))
    }

    fn readlink(&self, path: &[u8]) -> Result<Vec<u8>> {
        self.nix("readlink", path, nix::fcntl::readlink).map(OsStringExt::into_vec)
    }

    fn chmod(&self, path: &[u8], mode: u32) -> Result<()> {
        self.std("chmod", path, |at| fs::set_permissions(at, Permissions::from_mode(mode & 0o7777)))
    }

    fn chown(&self, path: &[u8], uid: Option<u32>, gid: Option<u32>, follow: bool) -> Result<()> {
        self.std(if follow { "chown" } else { "lchown" }, path, |at| {
            if follow { std::os::unix::fs::chown(at, uid, gid) } else { std::os::unix::fs::lchown(at, uid, gid) }
        })
    }

    fn set_times(&self, path: &[u8], atime: SetTime, mtime: SetTime, follow: bool) -> Result<()> {
        self.nix("utimensat", path, |at| {
            nix::sys::stat::utimensat(AT_FDCWD, at, &timespec(atime), &timespec(mtime), no_follow(follow))
        })
    }

    fn readdir(&self, path: &[u8]) -> Result<Vec<DirEntry>> {
        let mut entries = self.std("opendir", path, |at| {
            fs::read_dir(at)?
                .map(|entry| {
                    let entry = entry?;
                    let kind = entry.file_type().map_or(FileKind::Unknown, kind_of);
                    Ok(DirEntry { name: entry.file_name().into_vec(), kind })
                })
                .collect::<std::io::Result<Vec<_>>>()
        })?;
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn mkfifo(&self, path: &[u8], mode: u32) -> Result<()> {
        self.nix("mkfifo", path, |at| nix::unistd::mkfifo(at, Mode::from_bits_truncate(mode)))
    }

    fn access(&self, path: &[u8], want: Access, effective: bool) -> Result<()> {
        let mut flags = AccessFlags::F_OK;
        flags.set(AccessFlags::R_OK, want.read);
        flags.set(AccessFlags::W_OK, want.write);
        flags.set(AccessFlags::X_OK, want.execute);
        let by = if effective { AtFlags::AT_EACCESS } else { AtFlags::empty() };
        self.nix("access", path, |at| nix::unistd::faccessat(AT_FDCWD, at, flags, by))
    }

    fn realpath(&self, path: &[u8]) -> Result<Vec<u8>> {
        self.std("realpath", path, |at| fs::canonicalize(at)).map(|real| real.into_os_string().into_vec())
    }

    fn statfs(&self, path: &[u8]) -> Result<StatFs> {
        let stat = self.nix("statvfs", path, nix::sys::statvfs::statvfs)?;
        Ok(StatFs {
            block_size: stat.fragment_size(),
            blocks: stat.blocks(),
            free: stat.blocks_free(),
            available: stat.blocks_available(),
            inodes: stat.files(),
            inodes_free: stat.files_free(),
            name_max: stat.name_max(),
        })
    }

    fn open_parent(&self, path: &[u8], follow: bool) -> Result<(Box<dyn Directory + '_>, Vec<u8>)> {
        let (dir, name) = self.parent_of(path, follow)?;
        Ok((Box::new(dir), name))
    }

    fn staging(&self, dir: &[u8]) -> Result<String> {
        self.journal.staging(self, dir).map(str::to_string)
    }

    fn durable(&self) -> bool {
        self.syncs.on()
    }

    fn settle(&self) {
        self.syncs.settle();
    }

    fn umask(&self, mask: Option<u32>) -> u32 {
        let old = self.umask.get().unwrap_or_else(current_umask);
        if let Some(mask) = mask {
            nix::sys::stat::umask(Mode::from_bits_truncate(mask & 0o777));
        }
        self.umask.set(Some(mask.map_or(old, |mask| mask & 0o777)));
        old
    }

    fn chdir(&self, path: &[u8]) -> Result<()> {
        let fail = |error: HostError| HostError::at(error.errno, "chdir", path);
        // A trailing slash makes the system call return ENOTDIR.
        let mut dir = path.to_vec();
        if !dir.is_empty() {
            dir.push(b'/');
        }
        let real = self.realpath(&dir).map_err(fail)?;
        self.access(&real, Access::EXECUTE, true).map_err(fail)?;
        *self.cwd.borrow_mut() = Some(real);
        Ok(())
    }

    fn getcwd(&self) -> Result<Vec<u8>> {
        let virtual_cwd = self.cwd.borrow().clone();
        match virtual_cwd {
            Some(cwd) => match self.stat(&cwd) {
                Ok(stat) if stat.is_dir() => Ok(cwd),
                _ => Err(HostError::new(nix::libc::ENOENT, "getcwd")),
            },
            None => std::env::current_dir()
                .map(|dir| dir.into_os_string().into_vec())
                .map_err(|e| HostError::from_io(&e, "getcwd", None)),
        }
    }
}

/// The process's umask: read from /proc if possible, because umask(2) can only return it by setting another.
fn current_umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or_else(|| {
        let mask = nix::sys::stat::umask(Mode::from_bits_truncate(0o077));
        nix::sys::stat::umask(mask);
        mask.bits()
    })
}

fn kind_of(kind: fs::FileType) -> FileKind {
    match kind {
        _ if kind.is_file() => FileKind::File,
        _ if kind.is_dir() => FileKind::Directory,
        _ if kind.is_symlink() => FileKind::Symlink,
        _ if kind.is_fifo() => FileKind::Fifo,
        _ if kind.is_socket() => FileKind::Socket,
        _ if kind.is_char_device() => FileKind::CharDevice,
        _ if kind.is_block_device() => FileKind::BlockDevice,
        _ => FileKind::Unknown,
    }
}
