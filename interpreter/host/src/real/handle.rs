//! Handles with a file descriptor.

use super::wait_for;
use crate::error::{HostError, Result};
use crate::files::{FileHandle, LockKind, OpenFlags, Seek, SetTime, Stat, Time};
use crate::network::Socket;
use crate::sys::socket as sys;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use nix::poll::PollFlags;
use nix::sys::stat::{UtimensatFlags, futimens};
use nix::sys::time::TimeSpec;
use nix::unistd::Whence;
use std::fs::{File, Permissions};
use std::io::{Read, Seek as _, SeekFrom, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::time::Duration;

pub(crate) struct RealHandle {
    file: File,
    /// The descriptor number to report: a handle for a standard stream is a duplicate.
    number: i32,
    is_socket: bool,
}

impl RealHandle {
    pub(crate) fn new(file: File) -> Self {
        let number = file.as_raw_fd();
        Self { file, number, is_socket: false }
    }

    pub(crate) fn numbered(file: File, number: i32) -> Self {
        Self { file, number, is_socket: false }
    }

    pub(super) fn socket(file: File) -> Self {
        Self { is_socket: true, ..Self::new(file) }
    }

    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Writes as much as is taken at once, without a wait for the reader.
    fn write_ready(&self, data: &[u8]) -> Result<usize> {
        if self.is_socket {
            return sys::send(self.descriptor(), data, libc::MSG_DONTWAIT, None).map_err(Self::fail("write"));
        }
        if self.file.metadata().is_ok_and(|file| file.is_file()) {
            return (&self.file).write(data).map_err(Self::fail("write"));
        }
        // A pipe that is ready takes at least `PIPE_BUF` bytes; more could block.
        let mut written = 0;
        for piece in data.chunks(libc::PIPE_BUF) {
            if written > 0 && wait_for(self.descriptor(), PollFlags::POLLOUT, Duration::ZERO, "write").is_err() {
                break;
            }
            match (&self.file).write(piece) {
                Ok(count) => written += count,
                Err(_) if written > 0 => break,
                Err(error) => return Err(Self::fail("write")(error)),
            }
        }
        Ok(written)
    }

    fn fail(op: &'static str) -> impl Fn(std::io::Error) -> HostError {
        move |error| HostError::from_io(&error, op, None)
    }
}

impl FileHandle for RealHandle {
    fn read(&self, buffer: &mut [u8], timeout: Option<Duration>) -> Result<usize> {
        if let Some(timeout) = timeout {
            wait_for(self.file.as_fd(), PollFlags::POLLIN, timeout, "read")?;
        }
        (&self.file).read(buffer).map_err(Self::fail("read"))
    }

    fn write(&self, data: &[u8], timeout: Option<Duration>) -> Result<usize> {
        let Some(timeout) = timeout else { return (&self.file).write(data).map_err(Self::fail("write")) };
        wait_for(self.file.as_fd(), PollFlags::POLLOUT, timeout, "write")?;
        self.write_ready(data)
    }

    fn pread(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        self.file.read_at(buffer, offset).map_err(Self::fail("pread"))
    }

    fn pwrite(&self, data: &[u8], offset: u64) -> Result<usize> {
        self.file.write_at(data, offset).map_err(Self::fail("pwrite"))
    }

    fn seek(&self, to: Seek) -> Result<u64> {
        let to = match to {
            Seek::Set(at) => SeekFrom::Start(at),
            Seek::Current(by) => SeekFrom::Current(by),
            Seek::End(by) => SeekFrom::End(by),
            Seek::Data(from) | Seek::Hole(from) => {
                let whence = if matches!(to, Seek::Data(_)) { Whence::SeekData } else { Whence::SeekHole };
                let at = nix::unistd::lseek(&self.file, from, whence);
                return at.map(|at| at as u64).map_err(|errno| HostError::new(errno as i32, "lseek"));
            }
        };
        (&self.file).seek(to).map_err(Self::fail("lseek"))
    }

    fn truncate(&self, length: u64) -> Result<()> {
        self.file.set_len(length).map_err(Self::fail("ftruncate"))
    }

    fn sync(&self, data_only: bool) -> Result<()> {
        let result = if data_only { self.file.sync_data() } else { self.file.sync_all() };
        result.map_err(Self::fail("fsync"))
    }

    fn stat(&self) -> Result<Stat> {
        self.file.metadata().map(|meta| stat_of(&meta)).map_err(Self::fail("fstat"))
    }

    fn chmod(&self, mode: u32) -> Result<()> {
        self.file.set_permissions(Permissions::from_mode(mode & 0o7777)).map_err(Self::fail("fchmod"))
    }

    fn chown(&self, uid: Option<u32>, gid: Option<u32>) -> Result<()> {
        std::os::unix::fs::fchown(&self.file, uid, gid).map_err(Self::fail("fchown"))
    }

    fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<()> {
        futimens(self.file.as_fd(), &timespec(atime), &timespec(mtime))
            .map_err(|e| HostError::new(e as i32, "futimens"))
    }

    fn flock(&self, kind: LockKind, block: bool) -> Result<bool> {
        use std::fs::TryLockError;
        let tried = match (kind, block) {
            (LockKind::Unlock, _) => return self.file.unlock().map(|()| true).map_err(Self::fail("flock")),
            (LockKind::Shared, true) => return self.file.lock_shared().map(|()| true).map_err(Self::fail("flock")),
            (LockKind::Exclusive, true) => return self.file.lock().map(|()| true).map_err(Self::fail("flock")),
            (LockKind::Shared, false) => self.file.try_lock_shared(),
            (LockKind::Exclusive, false) => self.file.try_lock(),
        };
        match tried {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(Self::fail("flock")(error)),
        }
    }

    fn open_flags(&self) -> Option<OpenFlags> {
        fcntl(&self.file, FcntlArg::F_GETFL).ok().map(OpenFlags)
    }

    fn fd(&self) -> Option<i32> {
        Some(self.number)
    }

    fn dup(&self) -> Result<Box<dyn FileHandle>> {
        self.file
            .try_clone()
            .map(|file| Box::new(Self { is_socket: self.is_socket, ..Self::new(file) }) as _)
            .map_err(Self::fail("dup"))
    }

    fn xattrs(&self) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
        let fail = |errno: rustix::io::Errno| HostError::new(errno.raw_os_error(), "fgetxattr");
        let mut names = vec![0; 65_536];
        let length = match rustix::fs::flistxattr(&self.file, &mut names[..]) {
            Err(rustix::io::Errno::NOTSUP) => return Ok(Vec::new()),
            other => other.map_err(fail)?,
        };
        let mut found = Vec::new();
        for name in names[..length].split(|&b| b == 0).filter(|name| !name.is_empty()) {
            let mut value = vec![0; 65_536];
            match rustix::fs::fgetxattr(&self.file, name, &mut value[..]) {
                Ok(length) => {
                    value.truncate(length);
                    found.push((name.to_vec(), value));
                }
                // removed in the meantime, or not readable for this user
                Err(rustix::io::Errno::NODATA | rustix::io::Errno::PERM | rustix::io::Errno::NOTSUP) => {}
                Err(errno) => return Err(fail(errno)),
            }
        }
        Ok(found)
    }

    fn set_xattr(&self, name: &[u8], value: &[u8]) -> Result<()> {
        rustix::fs::fsetxattr(&self.file, name, value, rustix::fs::XattrFlags::empty())
            .map_err(|errno| HostError::new(errno.raw_os_error(), "fsetxattr"))
    }

    fn is_tty(&self) -> bool {
        std::io::IsTerminal::is_terminal(&self.file)
    }

    fn pending(&self) -> Result<u64> {
        rustix::io::ioctl_fionread(&self.file).map_err(|errno| HostError::new(errno.raw_os_error(), "ioctl"))
    }

    fn window_size(&self) -> Option<(u16, u16)> {
        crate::sys::window_size(self.file.as_fd())
    }

    fn control(&self, request: u64, argument: i64) -> Result<i32> {
        crate::sys::control(self.file.as_fd(), request, argument).map_err(Self::fail("ioctl"))
    }

    fn control_bytes(&self, request: u64, argument: &mut [u8]) -> Result<i32> {
        crate::sys::control_bytes(self.file.as_fd(), request, argument).map_err(Self::fail("ioctl"))
    }

    fn fcntl(&self, command: i32, argument: i64) -> Result<i32> {
        crate::sys::fcntl(self.file.as_fd(), command, argument).map_err(Self::fail("fcntl"))
    }

    fn fcntl_bytes(&self, command: i32, argument: &mut [u8]) -> Result<i32> {
        crate::sys::fcntl_bytes(self.file.as_fd(), command, argument).map_err(Self::fail("fcntl"))
    }

    fn as_socket(&self) -> Option<&dyn Socket> {
        self.is_socket.then_some(self)
    }
}

pub(crate) fn stat_of(meta: &std::fs::Metadata) -> Stat {
    let time = |secs, nanos| Time { secs, nanos: nanos as u32 };
    Stat {
        dev: meta.dev(),
        ino: meta.ino(),
        mode: meta.mode(),
        nlink: meta.nlink(),
        uid: meta.uid(),
        gid: meta.gid(),
        rdev: meta.rdev(),
        size: meta.size(),
        blksize: meta.blksize(),
        blocks: meta.blocks(),
        atime: time(meta.atime(), meta.atime_nsec()),
        mtime: time(meta.mtime(), meta.mtime_nsec()),
        ctime: time(meta.ctime(), meta.ctime_nsec()),
    }
}

pub(super) fn timespec(time: SetTime) -> TimeSpec {
    match time {
        SetTime::Now => TimeSpec::UTIME_NOW,
        SetTime::Omit => TimeSpec::UTIME_OMIT,
        SetTime::At(time) => TimeSpec::new(time.secs, i64::from(time.nanos)),
    }
}

pub(super) fn no_follow(follow: bool) -> UtimensatFlags {
    if follow { UtimensatFlags::FollowSymlink } else { UtimensatFlags::NoFollowSymlink }
}
