//! [`Files`]: paths, handles and metadata. Paths are bytes, as in Ruby; relative paths start at the host's own virtual working directory (that of the
//! process never changes).

use crate::directory::Directory;
use crate::error::{HostError, Result};
use crate::network::Socket;
use nix::libc;
use std::ops::BitOr;
use std::time::Duration;

/// Calls on paths. Methods named like a system call behave like it. Errors have the path as the caller gave it.
pub trait Files {
    /// open(2); a new file gets `mode` without the bits of the umask. Handles are close-on-exec.
    fn open(&self, path: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>>;
    /// stat(2): follows symlinks.
    fn stat(&self, path: &[u8]) -> Result<Stat>;
    /// lstat(2): does not follow a symlink at the end of the path.
    fn lstat(&self, path: &[u8]) -> Result<Stat>;
    /// The creation time, if the file system stores it.
    fn birthtime(&self, path: &[u8]) -> Result<Time>;
    /// mkdir(2); the directory gets `mode` without the bits of the umask.
    fn mkdir(&self, path: &[u8], mode: u32) -> Result<()>;
    fn rmdir(&self, path: &[u8]) -> Result<()>;
    fn unlink(&self, path: &[u8]) -> Result<()>;
    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()>;
    /// symlink(2): makes `path` point at `target`.
    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()>;
    /// link(2): adds the name `path` for `target`, which is not followed.
    fn link(&self, target: &[u8], path: &[u8]) -> Result<()>;
    fn readlink(&self, path: &[u8]) -> Result<Vec<u8>>;
    /// chmod(2): follows symlinks; permission bits up to 0o7777.
    fn chmod(&self, path: &[u8], mode: u32) -> Result<()>;
    /// chown(2), or lchown(2) unless `follow`; `None` leaves an id unchanged.
    fn chown(&self, path: &[u8], uid: Option<u32>, gid: Option<u32>, follow: bool) -> Result<()>;
    /// utimensat(2).
    fn set_times(&self, path: &[u8], atime: SetTime, mtime: SetTime, follow: bool) -> Result<()>;
    /// The entries except `.` and `..`, sorted by name.
    fn readdir(&self, path: &[u8]) -> Result<Vec<DirEntry>>;
    fn mkfifo(&self, path: &[u8], mode: u32) -> Result<()>;
    /// access(2), with the effective ids if `effective`; `Ok` if everything requested is allowed.
    fn access(&self, path: &[u8], want: Access, effective: bool) -> Result<()>;
    /// The absolute path without symlinks, `.` or `..`; every component must exist.
    fn realpath(&self, path: &[u8]) -> Result<Vec<u8>>;
    /// statvfs(3).
    fn statfs(&self, path: &[u8]) -> Result<StatFs>;
    /// umask(2): sets it and returns the previous one; `None` only reads it.
    fn umask(&self, mask: Option<u32>) -> u32;
    fn chdir(&self, path: &[u8]) -> Result<()>;
    /// The host's working directory, absolute and without symlinks.
    fn getcwd(&self) -> Result<Vec<u8>>;
    /// Opens the parent directory of `path`; returns it and the name in it. With `follow` a symbolic link at the end is followed; its target need not
    /// exist.
    fn open_parent(&self, path: &[u8], follow: bool) -> Result<(Box<dyn Directory + '_>, Vec<u8>)>;
    /// The part of names of temporary files in `dir` that identifies this run: if the run is killed, a later run removes these files.
    fn staging(&self, dir: &[u8]) -> Result<String>;
    /// Whether written files are to be synced to disk.
    fn durable(&self) -> bool;
    /// Syncs the directories changed since the last call; done before commands are started.
    fn settle(&self);
}

/// Commands of fcntl(2).
pub mod fcntl {
    use nix::libc;

    pub const GET_FD: i32 = libc::F_GETFD;
    pub const SET_FD: i32 = libc::F_SETFD;
    pub const GET_FLAGS: i32 = libc::F_GETFL;
    pub const SET_FLAGS: i32 = libc::F_SETFL;
}

/// An open file, pipe, socket or terminal. Closed when dropped.
pub trait FileHandle {
    /// read(2); 0 at the end. Waits at most `timeout` (`None`: indefinitely), then fails with `EAGAIN`.
    fn read(&self, buffer: &mut [u8], timeout: Option<Duration>) -> Result<usize>;
    /// write(2); may write less. Waits like `read`, with a `timeout` only until some can be written.
    fn write(&self, data: &[u8], timeout: Option<Duration>) -> Result<usize>;
    fn pread(&self, buffer: &mut [u8], offset: u64) -> Result<usize>;
    fn pwrite(&self, data: &[u8], offset: u64) -> Result<usize>;
    /// lseek(2): returns the new offset.
    fn seek(&self, to: Seek) -> Result<u64>;
    /// ftruncate(2).
    fn truncate(&self, length: u64) -> Result<()>;
    /// fsync(2), or fdatasync(2) when `data_only`.
    fn sync(&self, data_only: bool) -> Result<()>;
    /// fstat(2).
    fn stat(&self) -> Result<Stat>;
    /// fchmod(2).
    fn chmod(&self, mode: u32) -> Result<()>;
    /// fchown(2).
    fn chown(&self, uid: Option<u32>, gid: Option<u32>) -> Result<()>;
    /// futimens(3).
    fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<()>;
    /// flock(2); `Ok(false)` if another process holds the lock and `block` is false.
    fn flock(&self, kind: LockKind, block: bool) -> Result<bool>;
    /// The file descriptor; `None` for a file in memory.
    fn fd(&self) -> Option<i32>;
    /// F_GETFL: how it was opened; `None` if that is not known.
    fn open_flags(&self) -> Option<OpenFlags> {
        None
    }
    /// dup(2), close-on-exec; the offset is shared.
    fn dup(&self) -> Result<Box<dyn FileHandle>>;
    /// The extended attributes, including ACLs and the security label; empty if the file system does not support them.
    fn xattrs(&self) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
        Ok(Vec::new())
    }
    /// fsetxattr(2).
    fn set_xattr(&self, _name: &[u8], _value: &[u8]) -> Result<()> {
        Err(HostError::new(libc::ENOTSUP, "fsetxattr"))
    }
    fn is_tty(&self) -> bool;
    /// FIONREAD: how many bytes can be read without waiting.
    fn pending(&self) -> Result<u64> {
        Ok(self.stat()?.size.saturating_sub(self.seek(Seek::Current(0))?))
    }
    /// Rows and columns of the terminal.
    fn window_size(&self) -> Option<(u16, u16)> {
        None
    }
    /// ioctl(2) with a number as its argument; `ENOTTY` if there is no device.
    fn control(&self, _request: u64, _argument: i64) -> Result<i32> {
        Err(HostError::new(libc::ENOTTY, "ioctl"))
    }
    /// ioctl(2) with a structure as its argument, which the device reads and writes. At least as long as any structure of the request.
    fn control_bytes(&self, _request: u64, _argument: &mut [u8]) -> Result<i32> {
        Err(HostError::new(libc::ENOTTY, "ioctl"))
    }
    /// fcntl(2) with a number as its argument; `ENOSYS` for a file in memory.
    fn fcntl(&self, _command: i32, _argument: i64) -> Result<i32> {
        Err(HostError::new(libc::ENOSYS, "fcntl"))
    }
    /// fcntl(2) with a structure as its argument, at least as long as any that a command knows.
    fn fcntl_bytes(&self, _command: i32, _argument: &mut [u8]) -> Result<i32> {
        Err(HostError::new(libc::ENOSYS, "fcntl"))
    }
    /// The socket, if it is one.
    fn as_socket(&self) -> Option<&dyn Socket> {
        None
    }
}

/// Flags of open(2), with Linux's numbers (as `File::RDONLY` in Ruby).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFlags(pub i32);

impl OpenFlags {
    pub const RDONLY: Self = Self(libc::O_RDONLY);
    pub const WRONLY: Self = Self(libc::O_WRONLY);
    pub const RDWR: Self = Self(libc::O_RDWR);
    pub const APPEND: Self = Self(libc::O_APPEND);
    pub const CREAT: Self = Self(libc::O_CREAT);
    pub const EXCL: Self = Self(libc::O_EXCL);
    pub const TRUNC: Self = Self(libc::O_TRUNC);
    pub const NONBLOCK: Self = Self(libc::O_NONBLOCK);
    pub const NOCTTY: Self = Self(libc::O_NOCTTY);
    pub const SYNC: Self = Self(libc::O_SYNC);
    pub const DSYNC: Self = Self(libc::O_DSYNC);
    pub const NOFOLLOW: Self = Self(libc::O_NOFOLLOW);
    pub const DIRECTORY: Self = Self(libc::O_DIRECTORY);
    pub const DIRECT: Self = Self(libc::O_DIRECT);
    pub const NOATIME: Self = Self(libc::O_NOATIME);
    pub const TMPFILE: Self = Self(libc::O_TMPFILE);

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn readable(self) -> bool {
        self.0 & libc::O_ACCMODE != libc::O_WRONLY
    }

    pub fn writable(self) -> bool {
        self.0 & libc::O_ACCMODE != libc::O_RDONLY
    }
}

impl BitOr for OpenFlags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    Set(u64),
    Current(i64),
    End(i64),
    /// Where the next bytes are that the file has, not a hole.
    Data(i64),
    /// Where the next hole is; there is one at the end.
    Hole(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockKind {
    Shared,
    Exclusive,
    Unlock,
}

/// The access to check; all false checks existence only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub read: bool,
    pub write: bool,
    pub execute: bool,
}

impl Access {
    pub const EXISTS: Self = Self { read: false, write: false, execute: false };
    pub const READ: Self = Self { read: true, write: false, execute: false };
    pub const WRITE: Self = Self { read: false, write: true, execute: false };
    /// Execution, or search of a directory.
    pub const EXECUTE: Self = Self { read: false, write: false, execute: true };
}

/// A point in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Seconds since 1970-01-01 00:00 UTC.
    pub secs: i64,
    /// 0 to 999,999,999.
    pub nanos: u32,
}

impl Time {
    /// From nanoseconds since 1970.
    pub fn from_ns(ns: i64) -> Self {
        Self { secs: ns.div_euclid(1_000_000_000), nanos: ns.rem_euclid(1_000_000_000) as u32 }
    }
}

/// How to set a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetTime {
    Now,
    At(Time),
    Omit,
}

/// The result of stat(2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    pub dev: u64,
    pub ino: u64,
    /// File type and permission bits (`S_IFREG | 0o644`).
    pub mode: u32,
    /// The number of hard links.
    pub nlink: u64,
    pub uid: u32,
    pub gid: u32,
    /// The device number of a device file.
    pub rdev: u64,
    pub size: u64,
    /// Preferred I/O size in bytes.
    pub blksize: u64,
    /// Number of allocated 512-byte blocks.
    pub blocks: u64,
    pub atime: Time,
    /// The last modification of the contents.
    pub mtime: Time,
    /// The last change of the inode.
    pub ctime: Time,
}

impl Stat {
    pub fn kind(&self) -> FileKind {
        FileKind::of_mode(self.mode)
    }

    /// Permission bits, including set-id and sticky bits.
    pub fn perm(&self) -> u32 {
        self.mode & 0o7777
    }

    pub fn is_dir(&self) -> bool {
        self.kind() == FileKind::Directory
    }

    pub fn is_file(&self) -> bool {
        self.kind() == FileKind::File
    }

    pub fn is_symlink(&self) -> bool {
        self.kind() == FileKind::Symlink
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    File,
    Directory,
    Symlink,
    /// A named or unnamed pipe.
    Fifo,
    Socket,
    CharDevice,
    BlockDevice,
    Unknown,
}

impl FileKind {
    /// The kind in the type bits of a mode.
    pub fn of_mode(mode: u32) -> Self {
        match mode & libc::S_IFMT {
            libc::S_IFREG => Self::File,
            libc::S_IFDIR => Self::Directory,
            libc::S_IFLNK => Self::Symlink,
            libc::S_IFIFO => Self::Fifo,
            libc::S_IFSOCK => Self::Socket,
            libc::S_IFCHR => Self::CharDevice,
            libc::S_IFBLK => Self::BlockDevice,
            _ => Self::Unknown,
        }
    }

    /// The name in Ruby's `File.ftype`.
    pub fn ftype(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
            Self::Symlink => "link",
            Self::Fifo => "fifo",
            Self::Socket => "socket",
            Self::CharDevice => "characterSpecial",
            Self::BlockDevice => "blockSpecial",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// The name, without a directory.
    pub name: Vec<u8>,
    /// The kind; symlinks are not followed.
    pub kind: FileKind,
}

/// The result of statvfs(3); sizes are in units of `block_size`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatFs {
    /// Block size in bytes.
    pub block_size: u64,
    pub blocks: u64,
    pub free: u64,
    /// Blocks available to unprivileged users.
    pub available: u64,
    pub inodes: u64,
    pub inodes_free: u64,
    pub name_max: u64,
}

/// Makes `path` absolute relative to `cwd`, without resolving anything. An empty path stays empty (and fails with `ENOENT`).
pub fn absolute(cwd: &[u8], path: &[u8]) -> Vec<u8> {
    if path.is_empty() || path[0] == b'/' {
        return path.to_vec();
    }
    let mut joined = Vec::with_capacity(cwd.len() + 1 + path.len());
    joined.extend_from_slice(cwd);
    if joined.last() != Some(&b'/') {
        joined.push(b'/');
    }
    joined.extend_from_slice(path);
    joined
}

/// An absolute path without `.`, `..` and repeated slashes; symlinks are not considered.
pub fn lexical(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|&b| b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let mut plain = b"/".to_vec();
    plain.extend(parts.join(&b'/'));
    plain
}

/// The directory of a path, like dirname(1).
pub fn dirname(path: &[u8]) -> &[u8] {
    let trimmed = trim_slashes(path);
    match trimmed.iter().rposition(|&b| b == b'/') {
        None => b".",
        Some(at) => {
            let dir = trim_slashes(&trimmed[..at]);
            if dir.is_empty() { b"/" } else { dir }
        }
    }
}

/// The last component of a path, like basename(1).
pub fn basename(path: &[u8]) -> &[u8] {
    let trimmed = trim_slashes(path);
    if trimmed.is_empty() {
        return if path.is_empty() { b"" } else { b"/" };
    }
    match trimmed.iter().rposition(|&b| b == b'/') {
        None => trimmed,
        Some(at) => &trimmed[at + 1..],
    }
}

/// Joins `dir` and `name` with one slash.
pub fn join(dir: &[u8], name: &[u8]) -> Vec<u8> {
    let mut joined = dir.to_vec();
    if joined.last() != Some(&b'/') {
        joined.push(b'/');
    }
    joined.extend_from_slice(name);
    joined
}

fn trim_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&b| b != b'/').map_or(0, |at| at + 1);
    &path[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_parts() {
        for (path, dir, base) in [
            ("/a/b", "/a", "b"),
            ("/a", "/", "a"),
            ("a", ".", "a"),
            ("/a//b//", "/a", "b"),
            ("//", ".", "/"),
            ("a/b", "a", "b"),
        ] {
            if path != "//" {
                assert_eq!(dirname(path.as_bytes()), dir.as_bytes(), "{path}");
            }
            assert_eq!(basename(path.as_bytes()), base.as_bytes(), "{path}");
        }
        assert_eq!(absolute(b"/", b"x"), b"/x");
        assert_eq!(absolute(b"/c", b""), b"");
        assert_eq!(Time::from_ns(-1), Time { secs: -1, nanos: 999_999_999 });
    }
}
