//! Open files of the overlay, in-memory pipes, and standard devices.

use super::effect::EffectKind;
use super::tree::{Inode, Sys};
use super::walk::Core;
use crate::error::{HostError, Result};
use crate::files::{FileHandle, FileKind, LockKind, OpenFlags, Seek, SetTime, Stat, Time};
use nix::libc;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

/// An open file description, shared by duplicated handles.
pub(super) struct Description {
    core: Rc<Core>,
    inode: Rc<Inode>,
    path: Vec<u8>,
    flags: OpenFlags,
    offset: Cell<u64>,
    id: u64,
    /// Whether writes through it have not been recorded yet.
    unrecorded: Cell<bool>,
    device: Option<Device>,
}

/// Character devices that need no machine.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Device {
    Null,
    Zero,
    Full,
    Random,
}

impl Device {
    /// The device with Linux's number for it.
    pub(super) fn of(stat: &Stat) -> Option<Self> {
        if stat.kind() != FileKind::CharDevice || major(stat.rdev) != 1 {
            return None;
        }
        match stat.rdev & 0xff {
            3 => Some(Self::Null),
            5 => Some(Self::Zero),
            7 => Some(Self::Full),
            8 | 9 => Some(Self::Random),
            _ => None,
        }
    }
}

pub(super) fn major(rdev: u64) -> u64 {
    rdev >> 8 & 0xfff
}

impl Drop for Description {
    fn drop(&mut self) {
        self.inode.locks.borrow_mut().retain(|lock| lock.0 != self.id);
    }
}

pub(super) struct OverlayHandle(Rc<Description>);

impl OverlayHandle {
    /// `recorded`: whether opening it already recorded the write.
    pub(super) fn new(
        core: &Rc<Core>,
        inode: Rc<Inode>,
        path: Vec<u8>,
        flags: OpenFlags,
        device: Option<Device>,
        recorded: bool,
    ) -> Self {
        let id = core.fresh_id();
        Self(Rc::new(Description {
            core: Rc::clone(core),
            inode,
            path,
            flags,
            offset: Cell::new(0),
            id,
            unrecorded: Cell::new(!recorded),
            device,
        }))
    }

    fn read_checked(&self, buffer: &mut [u8], offset: u64) -> Sys<usize> {
        let this = &*self.0;
        if !this.flags.readable() {
            return Err(libc::EBADF);
        }
        match this.device {
            Some(Device::Null) => Ok(0),
            Some(Device::Zero | Device::Full) => {
                buffer.fill(0);
                Ok(buffer.len())
            }
            Some(Device::Random) => {
                this.core.fill(buffer).map_err(|e| e.errno)?;
                Ok(buffer.len())
            }
            None => this.inode.read_at(&this.core.base, buffer, offset),
        }
    }

    fn write_checked(&self, data: &[u8], offset: u64) -> Sys<usize> {
        let this = &*self.0;
        if !this.flags.writable() {
            return Err(libc::EBADF);
        }
        match this.device {
            Some(Device::Full) => return Err(libc::ENOSPC),
            Some(_) => return Ok(data.len()),
            None => {}
        }
        if data.is_empty() {
            return Ok(0);
        }
        let count = this.inode.write_at(&this.core.base, data, offset)?;
        self.wrote();
        Ok(count)
    }

    /// Updates times and set-id bits after a write, and records it.
    fn wrote(&self) {
        let this = &*self.0;
        let now = this.core.now();
        let mut meta = this.inode.meta.borrow_mut();
        (meta.mtime, meta.ctime) = (now, now);
        if this.core.identity.uid != 0 {
            meta.mode = without_set_id(meta.mode);
        }
        drop(meta);
        this.inode.changed();
        if this.unrecorded.replace(false) {
            this.core.recorder.record(EffectKind::Write, &this.path, "");
        }
    }
}

/// A mode without the bits that a change of owner or contents clears.
pub(super) fn without_set_id(mode: u32) -> u32 {
    let mut mode = mode & !libc::S_ISUID;
    if mode & 0o010 != 0 {
        mode &= !libc::S_ISGID;
    }
    mode
}

pub(super) fn resolve_time(time: SetTime, old: Time, now: Time) -> Time {
    match time {
        SetTime::Now => now,
        SetTime::At(time) => time,
        SetTime::Omit => old,
    }
}

fn border<T>(result: Sys<T>, op: &'static str) -> Result<T> {
    result.map_err(|errno| HostError::new(errno, op))
}

impl FileHandle for OverlayHandle {
    fn read(&self, buffer: &mut [u8], _timeout: Option<Duration>) -> Result<usize> {
        let count = border(self.read_checked(buffer, self.0.offset.get()), "read")?;
        self.0.offset.set(self.0.offset.get() + count as u64);
        Ok(count)
    }

    fn write(&self, data: &[u8], _timeout: Option<Duration>) -> Result<usize> {
        let this = &*self.0;
        if this.flags.has(OpenFlags::APPEND) && this.device.is_none() {
            this.offset.set(this.inode.stat().size);
        }
        let count = border(self.write_checked(data, this.offset.get()), "write")?;
        this.offset.set(this.offset.get() + count as u64);
        Ok(count)
    }

    fn pread(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        border(self.read_checked(buffer, offset), "pread")
    }

    fn pwrite(&self, data: &[u8], offset: u64) -> Result<usize> {
        // With O_APPEND Linux appends regardless of the offset.
        let append = self.0.flags.has(OpenFlags::APPEND);
        border(self.write_checked(data, if append { self.0.inode.stat().size } else { offset }), "pwrite")
    }

    fn seek(&self, to: Seek) -> Result<u64> {
        let this = &*self.0;
        let (from, by) = match to {
            Seek::Set(at) => (0, i64::try_from(at).map_err(|_| HostError::new(libc::EINVAL, "lseek"))?),
            Seek::Current(by) => (this.offset.get(), by),
            Seek::End(by) => (this.inode.stat().size, by),
            // what is held in memory has no hole but that at its end
            Seek::Data(from) | Seek::Hole(from) => {
                let size = this.inode.stat().size;
                let within = u64::try_from(from).ok().filter(|from| *from < size);
                let from = within.ok_or_else(|| HostError::new(libc::ENXIO, "lseek"))?;
                (if matches!(to, Seek::Data(_)) { from } else { size }, 0)
            }
        };
        let at = from.checked_add_signed(by).filter(|&at| i64::try_from(at).is_ok());
        let at = at.ok_or_else(|| HostError::new(libc::EINVAL, "lseek"))?;
        let at = if this.device.is_some() { 0 } else { at };
        this.offset.set(at);
        Ok(at)
    }

    fn truncate(&self, length: u64) -> Result<()> {
        let this = &*self.0;
        if !this.flags.writable() || this.device.is_some() {
            return Err(HostError::new(libc::EINVAL, "ftruncate"));
        }
        border(this.inode.truncate(&this.core.base, length), "ftruncate")?;
        self.wrote();
        Ok(())
    }

    fn sync(&self, _data_only: bool) -> Result<()> {
        match self.0.device {
            Some(_) => Err(HostError::new(libc::EINVAL, "fsync")),
            None => Ok(()),
        }
    }

    fn stat(&self) -> Result<Stat> {
        Ok(self.0.inode.stat())
    }

    fn chmod(&self, mode: u32) -> Result<()> {
        let this = &*self.0;
        border(this.core.change_mode(&this.inode, &this.path, mode), "fchmod")
    }

    fn chown(&self, uid: Option<u32>, gid: Option<u32>) -> Result<()> {
        let this = &*self.0;
        border(this.core.change_owner(&this.inode, &this.path, uid, gid), "fchown")
    }

    fn set_times(&self, atime: SetTime, mtime: SetTime) -> Result<()> {
        let this = &*self.0;
        border(this.core.change_times(&this.inode, &this.path, atime, mtime), "futimens")
    }

    fn flock(&self, kind: LockKind, block: bool) -> Result<bool> {
        let this = &*self.0;
        let mut locks = this.inode.locks.borrow_mut();
        if kind == LockKind::Unlock {
            locks.retain(|lock| lock.0 != this.id);
            return Ok(true);
        }
        let conflict = locks
            .iter()
            .any(|lock| lock.0 != this.id && (kind == LockKind::Exclusive || lock.1 == LockKind::Exclusive));
        if conflict {
            // The lock is held by this process itself, so waiting would never end.
            return if block { Err(HostError::new(libc::EDEADLK, "flock")) } else { Ok(false) };
        }
        locks.retain(|lock| lock.0 != this.id);
        locks.push((this.id, kind));
        Ok(true)
    }

    fn fd(&self) -> Option<i32> {
        None
    }

    fn dup(&self) -> Result<Box<dyn FileHandle>> {
        Ok(Box::new(Self(Rc::clone(&self.0))))
    }

    fn is_tty(&self) -> bool {
        false
    }
}

/// An in-memory pipe, for answers to commands and captured standard streams.
#[derive(Clone, Default)]
pub(super) struct MemoryPipe(pub(super) Rc<RefCell<Buffer>>);

#[derive(Default)]
pub(super) struct Buffer {
    pub(super) data: Vec<u8>,
    read: usize,
}

impl MemoryPipe {
    pub(super) fn holding(data: &[u8]) -> Self {
        Self(Rc::new(RefCell::new(Buffer { data: data.to_vec(), read: 0 })))
    }

    fn unsupported<T>(op: &'static str, errno: i32) -> Result<T> {
        Err(HostError::new(errno, op))
    }
}

impl FileHandle for MemoryPipe {
    fn read(&self, buffer: &mut [u8], _timeout: Option<Duration>) -> Result<usize> {
        let mut pipe = self.0.borrow_mut();
        let count = buffer.len().min(pipe.data.len() - pipe.read);
        buffer[..count].copy_from_slice(&pipe.data[pipe.read..pipe.read + count]);
        pipe.read += count;
        Ok(count)
    }

    fn write(&self, data: &[u8], _timeout: Option<Duration>) -> Result<usize> {
        self.0.borrow_mut().data.extend_from_slice(data);
        Ok(data.len())
    }

    fn pread(&self, _buffer: &mut [u8], _offset: u64) -> Result<usize> {
        Self::unsupported("pread", libc::ESPIPE)
    }

    fn pwrite(&self, _data: &[u8], _offset: u64) -> Result<usize> {
        Self::unsupported("pwrite", libc::ESPIPE)
    }

    fn seek(&self, _to: Seek) -> Result<u64> {
        Self::unsupported("lseek", libc::ESPIPE)
    }

    fn truncate(&self, _length: u64) -> Result<()> {
        Self::unsupported("ftruncate", libc::EINVAL)
    }

    fn sync(&self, _data_only: bool) -> Result<()> {
        Self::unsupported("fsync", libc::EINVAL)
    }

    fn stat(&self) -> Result<Stat> {
        Ok(Stat { mode: libc::S_IFIFO | 0o600, nlink: 1, blksize: 4096, ..Stat::default() })
    }

    fn chmod(&self, _mode: u32) -> Result<()> {
        Ok(())
    }

    fn chown(&self, _uid: Option<u32>, _gid: Option<u32>) -> Result<()> {
        Ok(())
    }

    fn set_times(&self, _atime: SetTime, _mtime: SetTime) -> Result<()> {
        Ok(())
    }

    fn flock(&self, _kind: LockKind, _block: bool) -> Result<bool> {
        Self::unsupported("flock", libc::EBADF)
    }

    fn fd(&self) -> Option<i32> {
        None
    }

    fn dup(&self) -> Result<Box<dyn FileHandle>> {
        Ok(Box::new(self.clone()))
    }

    fn is_tty(&self) -> bool {
        false
    }
}
