//! Open directories, and the path resolution that finds them.

use super::RealHost;
use super::handle::{RealHandle, stat_of};
use crate::directory::Directory;
use crate::error::{HostError, Result};
use crate::files::{FileHandle, OpenFlags, Stat, basename, dirname, join};
use nix::libc;
use nix::unistd::geteuid;
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, ResolveFlags, Uid};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};

/// Maximum number of symlinks in a path, as in the kernel.
const LINKS: usize = 40;

/// Magic numbers of kernel file systems in statfs(2): proc, sysfs, cgroup, cgroup2, securityfs, debugfs, tracefs, configfs, efivarfs, selinuxfs, bpf.
const PSEUDO: [rustix::fs::FsWord; 11] = [
    0x9fa0,
    0x6265_6572,
    0x0027_e0eb,
    0x6367_7270,
    0x7363_6673,
    0x6462_6720,
    0x7472_6163,
    0x6265_6570,
    0xde5e_81e4,
    0xf97c_ff8c,
    0xcafe_4a11,
];

/// An open directory, with its path for messages.
pub(super) struct RealDirectory<'a> {
    host: &'a RealHost,
    fd: OwnedFd,
    path: Vec<u8>,
}

impl RealHost {
    /// Opens the parent directory of `path`; returns it and the name in it. With `follow` a symbolic link at the end is followed; its target need not
    /// exist.
    ///
    /// A link owned by another unprivileged user is followed only to files of the same user: otherwise the owner of a directory could make a
    /// privileged run write elsewhere. A refused link is `EPERM` with the operation "follow".
    pub(super) fn parent_of(&self, path: &[u8], follow: bool) -> Result<(RealDirectory<'_>, Vec<u8>)> {
        let fail = |errno: Errno, op| HostError::at(errno.raw_os_error(), op, path);
        let at = self.at(path).into_owned();
        let (dir, name) = (dirname(&at).to_vec(), basename(&at).to_vec());
        if name.is_empty() || matches!(name.as_slice(), b"/" | b"." | b"..") {
            return Err(HostError::at(libc::EISDIR, "open", path));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match rustix::fs::openat2(CWD, dir.as_slice(), flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            Ok(fd) => {
                let found = RealDirectory { host: self, fd, path: dir };
                if !follow || !found.lstat(&name).is_ok_and(|stat| stat.is_symlink()) {
                    return Ok((found, name));
                }
            }
            // there are links, a directory that can be searched but not read, or the kernel has no openat2: resolved component by component below
            Err(Errno::LOOP | Errno::ACCESS | Errno::NOSYS | Errno::PERM | Errno::INVAL) => {}
            Err(errno) => return Err(fail(errno, "open")),
        }
        walk(&at, follow)
            .map_err(|errno| match errno {
                Refused::Errno(errno) => fail(errno, "open"),
                Refused::Link => HostError::at(libc::EPERM, "follow", path),
            })
            .map(|(fd, dir, name)| (RealDirectory { host: self, fd, path: dir }, name))
    }
}

enum Refused {
    Errno(Errno),
    Link,
}

impl From<Errno> for Refused {
    fn from(errno: Errno) -> Self {
        Self::Errno(errno)
    }
}

/// Resolves a path one component at a time. Returns the descriptor and path of the last directory, and the last component.
fn walk(path: &[u8], follow: bool) -> std::result::Result<(OwnedFd, Vec<u8>, Vec<u8>), Refused> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let start = |absolute: bool| {
        let dir: &[u8] = if absolute { b"/" } else { b"." };
        rustix::fs::openat(CWD, dir, flags, Mode::empty()).map(|fd| (fd, dir.to_vec()))
    };
    let (mut here, mut shown) = start(path.first() == Some(&b'/'))?;
    let parts = |path: &[u8]| -> Vec<Vec<u8>> {
        path.split(|&b| b == b'/').filter(|part| !part.is_empty() && *part != b".").map(<[u8]>::to_vec).collect()
    };
    let mut left: VecDeque<Vec<u8>> = parts(path).into();
    let own = geteuid().as_raw();
    let mut strangers: Vec<u32> = Vec::new();
    let mut links = 0;
    while let Some(part) = left.pop_front() {
        let last = left.is_empty();
        if part == b".." {
            here = rustix::fs::openat(&here, "..", flags, Mode::empty())?;
            shown = dirname(&shown).to_vec();
            continue;
        }
        let as_link = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let entry = match rustix::fs::openat(&here, part.as_slice(), as_link, Mode::empty()) {
            Err(Errno::NOENT) if last => return finish(here, shown, part, &strangers, None),
            other => other?,
        };
        let stat = rustix::fs::fstat(&entry)?;
        let is_link = stat.st_mode & libc::S_IFMT == libc::S_IFLNK;
        if is_link && (!last || follow) {
            links += 1;
            if links > LINKS {
                return Err(Errno::LOOP.into());
            }
            if stat.st_uid != 0 && stat.st_uid != own {
                strangers.push(stat.st_uid);
            }
            let target = rustix::fs::readlinkat(&entry, "", Vec::new())?.into_bytes();
            if target.first() == Some(&b'/') {
                (here, shown) = start(true)?;
            }
            for part in parts(&target).into_iter().rev() {
                left.push_front(part);
            }
            if left.is_empty() {
                return Err(Errno::ISDIR.into());
            }
            continue;
        }
        if last {
            return finish(here, shown, part, &strangers, Some(stat.st_uid));
        }
        here = rustix::fs::openat(&here, part.as_slice(), flags, Mode::empty())?;
        shown = join(&shown, &part);
    }
    Err(Errno::ISDIR.into())
}

/// Checks the targets of links owned by other users, and opens the directory for reading if permitted (fsync needs it).
fn finish(
    here: OwnedFd,
    shown: Vec<u8>,
    name: Vec<u8>,
    strangers: &[u32],
    owner: Option<u32>,
) -> std::result::Result<(OwnedFd, Vec<u8>, Vec<u8>), Refused> {
    if !strangers.is_empty() {
        let dir = rustix::fs::fstat(&here)?.st_uid;
        if strangers.iter().any(|uid| dir != *uid || owner.is_some_and(|owner| owner != *uid)) {
            return Err(Refused::Link);
        }
    }
    let readable = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = match rustix::fs::openat(&here, ".", readable, Mode::empty()) {
        Ok(fd) => fd,
        Err(_) => here,
    };
    Ok((fd, shown, name))
}

impl RealDirectory<'_> {
    fn call<T>(&self, op: &'static str, name: &[u8], result: rustix::io::Result<T>) -> Result<T> {
        result.map_err(|errno| HostError::at(errno.raw_os_error(), op, &join(&self.path, name)))
    }

    fn entry(&self, op: &'static str, name: &[u8]) -> Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        self.call(op, name, rustix::fs::openat(&self.fd, name, flags, Mode::empty()))
    }
}

impl Directory for RealDirectory<'_> {
    fn path(&self) -> &[u8] {
        &self.path
    }

    fn open(&self, name: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>> {
        let flags = OFlags::from_bits_retain(flags.0 as u32) | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = self.call("open", name, rustix::fs::openat(&self.fd, name, flags, Mode::from_raw_mode(mode)))?;
        Ok(Box::new(RealHandle::new(File::from(fd))))
    }

    fn lstat(&self, name: &[u8]) -> Result<Stat> {
        let file = File::from(self.entry("lstat", name)?);
        file.metadata()
            .map(|meta| stat_of(&meta))
            .map_err(|e| HostError::from_io(&e, "lstat", Some(&join(&self.path, name))))
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()> {
        self.call("rename", to, rustix::fs::renameat(&self.fd, from, &self.fd, to))
    }

    fn unlink(&self, name: &[u8]) -> Result<()> {
        self.call("unlink", name, rustix::fs::unlinkat(&self.fd, name, AtFlags::empty()))
    }

    fn chmod(&self, name: &[u8], mode: u32) -> Result<()> {
        // fchmod(2) does not work with O_PATH descriptors, and the owner may be unable to open the file; the link in /proc refers to the same inode.
        let entry = self.entry("chmod", name)?;
        if rustix::fs::fstat(&entry).is_ok_and(|stat| stat.st_mode & libc::S_IFMT == libc::S_IFLNK) {
            return Err(HostError::at(libc::ELOOP, "chmod", &join(&self.path, name)));
        }
        use std::os::fd::AsRawFd;
        let by_number = format!("/proc/self/fd/{}", entry.as_raw_fd());
        let mode = Mode::from_raw_mode(mode & 0o7777);
        match rustix::fs::chmod(by_number.as_str(), mode) {
            // /proc is not mounted
            Err(Errno::NOENT) => {
                let flags = OpenFlags::RDONLY | OpenFlags::NONBLOCK;
                self.open(name, flags, 0)?.chmod(mode.as_raw_mode())
            }
            other => self.call("chmod", name, other),
        }
    }

    fn chown(&self, name: &[u8], uid: Option<u32>, gid: Option<u32>) -> Result<()> {
        let entry = self.entry("chown", name)?;
        let (uid, gid) = (uid.map(Uid::from_raw), gid.map(Gid::from_raw));
        self.call("chown", name, rustix::fs::chownat(&entry, "", uid, gid, AtFlags::EMPTY_PATH))
    }

    fn is_pseudo(&self) -> bool {
        rustix::fs::fstatfs(&self.fd).is_ok_and(|found| PSEUDO.contains(&found.f_type))
    }

    fn changed(&self) {
        self.host.syncs.later(self.fd.as_fd());
    }
}
