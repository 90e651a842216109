//! [`Files`] of the overlay.

use super::OverlayHost;
use super::doubt::DoubtKind;
use super::effect::EffectKind;
use super::handle::{Device, OverlayHandle, major, resolve_time, without_set_id};
use super::tree::{Content, Data, Entry, Found, Inode, Origin, Sys};
use super::walk::{Core, Walked, inherited_gid};
use crate::directory::{ByPath, Directory};
use crate::error::{HostError, Result};
use crate::files::{
    Access, DirEntry, FileHandle, FileKind, Files, OpenFlags, SetTime, Stat, StatFs, Time, basename, dirname,
};
use crate::replace::{Finish, resolve};
use crate::streams::{StandardStream, Streams};
use nix::libc;
use std::collections::BTreeMap;
use std::rc::Rc;

fn border<T>(result: Sys<T>, op: &'static str, path: &[u8]) -> Result<T> {
    result.map_err(|errno| HostError::at(errno, op, path))
}

impl Core {
    pub(super) fn change_mode(&self, node: &Rc<Inode>, path: &[u8], mode: u32) -> Sys<()> {
        self.own(&Found::Node(Rc::clone(node)))?;
        let me = &self.identity;
        let mut meta = node.meta.borrow_mut();
        let mut mode = mode & 0o7777;
        if me.uid != 0 && me.gid != meta.gid && !me.groups.contains(&meta.gid) {
            mode &= !libc::S_ISGID;
        }
        meta.mode = meta.mode & libc::S_IFMT | mode;
        meta.ctime = self.now();
        drop(meta);
        node.changed();
        self.recorder.record(EffectKind::Mode, path, format!("{mode:04o}"));
        Ok(())
    }

    pub(super) fn change_owner(&self, node: &Rc<Inode>, path: &[u8], uid: Option<u32>, gid: Option<u32>) -> Sys<()> {
        let me = &self.identity;
        let mut meta = node.meta.borrow_mut();
        let may_group = |gid| meta.uid == me.uid && (me.gid == gid || me.groups.contains(&gid));
        if me.uid != 0 {
            let uid_fine = uid.is_none_or(|uid| uid == meta.uid && me.uid == uid);
            if !uid_fine || gid.is_some_and(|gid| !may_group(gid)) {
                return Err(libc::EPERM);
            }
        }
        meta.uid = uid.unwrap_or(meta.uid);
        meta.gid = gid.unwrap_or(meta.gid);
        if meta.is_file() {
            meta.mode = without_set_id(meta.mode);
        }
        meta.ctime = self.now();
        drop(meta);
        node.changed();
        let id = |id: Option<u32>| id.map_or(String::new(), |id| id.to_string());
        self.recorder.record(EffectKind::Owner, path, format!("{}:{}", id(uid), id(gid)));
        Ok(())
    }

    pub(super) fn change_times(&self, node: &Rc<Inode>, path: &[u8], atime: SetTime, mtime: SetTime) -> Sys<()> {
        let found = Found::Node(Rc::clone(node));
        if let Err(errno) = self.own(&found) {
            if (atime, mtime) != (SetTime::Now, SetTime::Now) {
                return Err(errno);
            }
            self.allow(&found, 2)?;
        }
        let now = self.now();
        let mut meta = node.meta.borrow_mut();
        meta.atime = resolve_time(atime, meta.atime, now);
        meta.mtime = resolve_time(mtime, meta.mtime, now);
        meta.ctime = now;
        drop(meta);
        node.changed();
        self.recorder.record(EffectKind::Times, path, "");
        Ok(())
    }

    /// Adds an entry to the parent directory, which is brought into memory.
    fn add(&self, walked: &Walked, node: Rc<Inode>) -> Sys<()> {
        let parent = self.upper_dir(&walked.parent_path)?;
        self.insert(&parent, &walked.name, node);
        Ok(())
    }

    /// Creates a file with contents and attributes; false if the path exists or the run may not create it.
    fn put_new(&self, path: &[u8], data: &[u8], finish: Finish) -> Sys<bool> {
        let walked = self.walk(path, true)?;
        if self.identity.uid != 0 || walked.trailing || self.vacant(&walked).is_err() {
            return Ok(false);
        }
        let node = self.new_file(&walked.parent, finish.mode.unwrap_or(0o666));
        {
            let mut meta = node.meta.borrow_mut();
            meta.mode = finish.mode.map_or(meta.mode, |mode| libc::S_IFREG | mode & 0o7777);
            meta.uid = finish.uid.unwrap_or(meta.uid);
            meta.gid = finish.gid.unwrap_or(meta.gid);
        }
        *node.content.borrow_mut() = file_content(data);
        let mode = node.meta.borrow().perm();
        self.add(&walked, node)?;
        self.recorder.record(EffectKind::Create, &walked.path, format!("{mode:04o}"));
        Ok(true)
    }

    /// Checks that the path does not exist and may be created.
    fn vacant(&self, walked: &Walked) -> Sys<()> {
        if walked.node.is_some() {
            return Err(libc::EEXIST);
        }
        self.allow_change(&walked.parent, None)
    }

    fn mkdir(&self, path: &[u8], mode: u32) -> Sys<()> {
        let walked = self.walk(path, false)?;
        self.vacant(&walked)?;
        let gid = inherited_gid(&walked.parent);
        let set_gid = if gid.is_some() { libc::S_ISGID } else { 0 };
        let mode = libc::S_IFDIR | set_gid | mode & 0o1777 & !self.umask.get();
        let node = self.fresh(mode, Content::Dir { entries: BTreeMap::new(), base: None }, gid);
        self.add(&walked, node)?;
        self.recorder.record(EffectKind::Mkdir, &walked.path, format!("{:04o}", mode & 0o7777));
        Ok(())
    }

    fn rmdir(&self, path: &[u8]) -> Sys<()> {
        let (walked, found) = self.find(path, false)?;
        match walked.dots {
            Some(".") => return Err(libc::EINVAL),
            Some(_) => return Err(libc::ENOTEMPTY),
            None if walked.path == b"/" => return Err(libc::EBUSY),
            None => {}
        }
        self.allow_change(&walked.parent, Some(&found))?;
        if !found.is_dir() {
            return Err(libc::ENOTDIR);
        }
        if !self.list(&found)?.is_empty() {
            return Err(libc::ENOTEMPTY);
        }
        self.take_out(&walked, &found)
    }

    fn unlink(&self, path: &[u8]) -> Sys<()> {
        let (walked, found) = self.find(path, false)?;
        if found.is_dir() {
            return Err(libc::EISDIR);
        }
        self.allow_change(&walked.parent, Some(&found))?;
        self.take_out(&walked, &found)
    }

    fn take_out(&self, walked: &Walked, found: &Found) -> Sys<()> {
        let parent = self.upper_dir(&walked.parent_path)?;
        self.unlinked(walked, found)?;
        self.remove(&parent, &walked.name)?;
        self.recorder.record(EffectKind::Remove, &walked.path, "");
        Ok(())
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> Sys<()> {
        let (source, moved) = self.find(from, false)?;
        let target = self.walk(to, false)?;
        if source.dots.is_some() || target.dots.is_some() || source.path == b"/" || target.path == b"/" {
            return Err(libc::EBUSY);
        }
        if target.trailing && !moved.is_dir() {
            return Err(libc::ENOTDIR);
        }
        self.allow_change(&source.parent, Some(&moved))?;
        self.allow_change(&target.parent, target.node.as_ref())?;
        if moved.is_dir() && super::base::below(&target.path, &source.path) && target.path != source.path {
            return Err(libc::EINVAL);
        }
        if let Some(old) = &target.node {
            if super::base::below(&source.path, &target.path) && source.path != target.path {
                return Err(libc::ENOTEMPTY);
            }
            if old.same(&moved) || source.path == target.path {
                return Ok(());
            }
            match (moved.is_dir(), old.is_dir()) {
                (true, false) => return Err(libc::ENOTDIR),
                (false, true) => return Err(libc::EISDIR),
                (true, true) if !self.list(old)?.is_empty() => return Err(libc::ENOTEMPTY),
                _ => self.unlinked(&target, old)?,
            }
        }
        let node = self.upper(&source)?;
        let old_parent = self.upper_dir(&source.parent_path)?;
        let new_parent = self.upper_dir(&target.parent_path)?;
        self.remove(&old_parent, &source.name)?;
        node.meta.borrow_mut().ctime = self.now();
        node.planted.set(false);
        node.changed();
        self.insert(&new_parent, &target.name, node);
        self.recorder.record(EffectKind::Rename, &source.path, String::from_utf8_lossy(&target.path));
        Ok(())
    }

    fn symlink(&self, target: &[u8], path: &[u8]) -> Sys<()> {
        if target.is_empty() {
            return Err(libc::ENOENT);
        }
        let walked = self.walk(path, false)?;
        self.vacant(&walked)?;
        if walked.trailing {
            return Err(libc::ENOENT);
        }
        let gid = inherited_gid(&walked.parent);
        let node = self.fresh(libc::S_IFLNK | 0o777, Content::Symlink(target.to_vec()), gid);
        self.add(&walked, node)?;
        self.recorder.record(EffectKind::Symlink, &walked.path, String::from_utf8_lossy(target));
        Ok(())
    }

    fn link(&self, target: &[u8], path: &[u8]) -> Sys<()> {
        let (source, found) = self.find(target, false)?;
        let walked = self.walk(path, false)?;
        self.vacant(&walked)?;
        if walked.trailing {
            return Err(libc::ENOENT);
        }
        if found.is_dir() {
            return Err(libc::EPERM);
        }
        let node = self.upper(&source)?;
        let mut meta = node.meta.borrow_mut();
        meta.nlink += 1;
        meta.ctime = self.now();
        drop(meta);
        node.changed();
        self.add(&walked, node)?;
        self.recorder.record(EffectKind::Link, &walked.path, String::from_utf8_lossy(&source.path));
        Ok(())
    }

    fn mkfifo(&self, path: &[u8], mode: u32) -> Sys<()> {
        let walked = self.walk(path, false)?;
        self.vacant(&walked)?;
        if walked.trailing {
            return Err(libc::ENOENT);
        }
        let mode = libc::S_IFIFO | mode & 0o7777 & !self.umask.get();
        let node = self.fresh(mode, Content::Other, inherited_gid(&walked.parent));
        self.add(&walked, node)?;
        self.recorder.record(EffectKind::Fifo, &walked.path, format!("{:04o}", mode & 0o7777));
        Ok(())
    }

    /// The path and the in-memory inode for a change of metadata; `allowed` checks permission.
    fn changing(&self, path: &[u8], follow: bool, allowed: impl Fn(&Found) -> Sys<()>) -> Sys<(Vec<u8>, Rc<Inode>)> {
        let (walked, found) = self.find(path, follow)?;
        allowed(&found)?;
        Ok((walked.path.clone(), self.upper(&walked)?))
    }
}

impl OverlayHost {
    /// Creates a file with the result of [`crate::replace::replace`], but without the temporary file. False if the path exists or its parent is not a
    /// directory.
    pub fn put_new(&self, path: &[u8], data: &[u8], finish: Finish) -> bool {
        self.core.put_new(path, data, finish).unwrap_or(false)
    }

    /// Opens a path; the flags determine whether it must exist.
    fn open_path(&self, path: &[u8], flags: OpenFlags, mode: u32) -> Sys<Box<dyn FileHandle>> {
        let reads = flags.readable() && !flags.has(OpenFlags::CREAT) && !flags.has(OpenFlags::DIRECTORY);
        let outer = self.core.reading.replace(reads);
        let opened = self.open_at(path, flags, mode);
        self.core.reading.set(outer);
        opened
    }

    fn open_at(&self, path: &[u8], flags: OpenFlags, mode: u32) -> Sys<Box<dyn FileHandle>> {
        let core = &self.core;
        if let Some(stream) = stream_path(path) {
            return self.standard(stream).map_err(|error| error.errno);
        }
        if flags.has(OpenFlags::TMPFILE) {
            let (walked, dir) = core.find(path, true)?;
            core.allow_change(&dir, None)?;
            let node = core.new_file(&dir, mode);
            node.meta.borrow_mut().nlink = 0;
            return Ok(Box::new(OverlayHandle::new(core, node, walked.path, flags, None, true)));
        }
        let create = flags.has(OpenFlags::CREAT);
        let exclusive = create && flags.has(OpenFlags::EXCL);
        if create && path.len() > 1 && path.ends_with(b"/") {
            // Linux refuses to create a name that ends in a slash, whatever exists there.
            let end = path.iter().rposition(|&b| b != b'/').map_or(1, |at| at + 1);
            return core.walk(&path[..end], false).and(Err(libc::EISDIR));
        }
        let walked = core.walk(path, !flags.has(OpenFlags::NOFOLLOW) && !exclusive)?;
        match walked.node.clone() {
            None if create => self.create(&walked, flags, mode),
            None => core.find(path, true).and(Err(libc::ENOENT)),
            Some(_) if exclusive => Err(libc::EEXIST),
            Some(found) => self.open_found(&walked, &found, flags),
        }
    }

    fn create(&self, walked: &Walked, flags: OpenFlags, mode: u32) -> Sys<Box<dyn FileHandle>> {
        let core = &self.core;
        if walked.trailing {
            return Err(libc::EISDIR);
        }
        core.allow_change(&walked.parent, None)?;
        let node = core.new_file(&walked.parent, mode);
        let mode = node.meta.borrow().perm();
        core.add(walked, Rc::clone(&node))?;
        core.recorder.record(EffectKind::Create, &walked.path, format!("{mode:04o}"));
        Ok(Box::new(OverlayHandle::new(core, node, walked.path.clone(), flags, None, true)))
    }

    fn open_found(&self, walked: &Walked, found: &Found, flags: OpenFlags) -> Sys<Box<dyn FileHandle>> {
        let core = &self.core;
        let kind = found.kind();
        let create = flags.has(OpenFlags::CREAT);
        if kind == FileKind::Symlink {
            return Err(if flags.has(OpenFlags::DIRECTORY) { libc::ENOTDIR } else { libc::ELOOP });
        }
        if kind == FileKind::Directory && (create || flags.writable()) {
            return Err(libc::EISDIR);
        }
        if kind != FileKind::Directory && flags.has(OpenFlags::DIRECTORY) {
            return Err(libc::ENOTDIR);
        }
        let want = if flags.readable() { 4 } else { 0 } | if flags.writable() { 2 } else { 0 };
        core.allow(found, want)?;
        let device = match kind {
            FileKind::File | FileKind::Directory => None,
            _ => return self.open_special(walked, found, flags),
        };
        if let Found::Node(node) = found
            && node.blank.get()
        {
            if flags.has(OpenFlags::TRUNC) && flags.writable() {
                node.blank.set(false);
            } else if flags.readable() {
                let path = String::from_utf8_lossy(&walked.path).into_owned();
                self.doubt(DoubtKind::Contents, format!("the text of {path}, of which only the size is").as_bytes());
            }
        }
        if flags.readable() && kind == FileKind::File {
            core.looked(EffectKind::ReadFile, &walked.path, found);
        }
        if !flags.writable() {
            let node = core.opened(found)?;
            return Ok(Box::new(OverlayHandle::new(core, node, walked.path.clone(), flags, device, true)));
        }
        let truncate = flags.has(OpenFlags::TRUNC);
        // Keep the shared inode alive while it is linked into the tree, so that handles already open see the writes. An unreadable file can still be
        // truncated.
        let shared = core.opened(found);
        if !truncate {
            shared.as_ref().map_err(|&errno| errno)?;
        }
        let node = core.upper(walked)?;
        drop(shared);
        let handle = OverlayHandle::new(core, node, walked.path.clone(), flags, device, false);
        if truncate {
            handle.truncate(0).map_err(|error| error.errno)?;
        }
        Ok(Box::new(handle))
    }

    /// Opens a device: stateless ones work in memory; terminals are the machine's if the whole machine is visible; others cannot be opened.
    fn open_special(&self, walked: &Walked, found: &Found, flags: OpenFlags) -> Sys<Box<dyn FileHandle>> {
        let core = &self.core;
        let stat = found.stat();
        if let Some(device) = Device::of(&stat) {
            let node = match found {
                Found::Node(node) => Rc::clone(node),
                Found::Lower { path, stat } => Inode::from_base(&core.base, path, stat)?,
            };
            let path = walked.path.clone();
            return Ok(Box::new(OverlayHandle::new(core, node, path, flags, Some(device), true)));
        }
        // /dev/ptmx (5, 2) is excluded, since opening it would create a new terminal
        let terminal = stat.kind() == FileKind::CharDevice
            && matches!((major(stat.rdev), stat.rdev & 0xff), (5, 0 | 1) | (136..=143, _));
        if let (true, Found::Lower { path, .. }) = (terminal && core.base.is_whole(), found) {
            let flags = OpenFlags(flags.0 & !libc::O_CREAT & !libc::O_TRUNC);
            return core
                .base
                .machine
                .open(&core.base.place(path).unwrap_or(path.into()), flags, 0)
                .map_err(|error| error.errno);
        }
        Err(libc::ENXIO)
    }
}

/// The file system of a simulated node: 64 GiB, half of it free.
const SIMULATED_FILE_SYSTEM: StatFs = StatFs {
    block_size: 4096,
    blocks: 16 << 20,
    free: 8 << 20,
    available: 8 << 20,
    inodes: 4 << 20,
    inodes_free: 2 << 20,
    name_max: 255,
};

/// Paths of the standard streams.
fn stream_path(path: &[u8]) -> Option<StandardStream> {
    match path {
        b"/dev/stdin" | b"/dev/fd/0" | b"/proc/self/fd/0" => Some(StandardStream::Input),
        b"/dev/stdout" | b"/dev/fd/1" | b"/proc/self/fd/1" => Some(StandardStream::Output),
        b"/dev/stderr" | b"/dev/fd/2" | b"/proc/self/fd/2" => Some(StandardStream::Error),
        _ => None,
    }
}

impl Files for OverlayHost {
    fn open(&self, path: &[u8], flags: OpenFlags, mode: u32) -> Result<Box<dyn FileHandle>> {
        border(self.open_path(path, flags, mode), "open", path)
    }

    fn stat(&self, path: &[u8]) -> Result<Stat> {
        let (walked, found) = border(self.core.find(path, true), "stat", path)?;
        self.core.looked(EffectKind::ReadStat, &walked.path, &found);
        Ok(found.stat())
    }

    fn lstat(&self, path: &[u8]) -> Result<Stat> {
        let (walked, found) = border(self.core.find(path, false), "lstat", path)?;
        self.core.looked(EffectKind::ReadStat, &walked.path, &found);
        Ok(found.stat())
    }

    fn open_parent(&self, path: &[u8], follow: bool) -> Result<(Box<dyn Directory + '_>, Vec<u8>)> {
        let target = resolve(self, path, follow)?;
        Ok((Box::new(ByPath::new(self, dirname(&target))?), basename(&target).to_vec()))
    }

    fn staging(&self, _dir: &[u8]) -> Result<String> {
        Ok("overlay".to_string())
    }

    fn durable(&self) -> bool {
        false
    }

    fn settle(&self) {}

    fn birthtime(&self, path: &[u8]) -> Result<Time> {
        let (walked, found) = border(self.core.find(path, true), "statx", path)?;
        self.core.looked(EffectKind::ReadStat, &walked.path, &found);
        match found {
            Found::Lower { path, .. } => {
                let base = &self.core.base;
                base.machine.birthtime(&base.place(&path).unwrap_or(path.as_slice().into()))
            }
            Found::Node(node) => Ok(node.born.get()),
        }
    }

    fn mkdir(&self, path: &[u8], mode: u32) -> Result<()> {
        border(self.core.mkdir(path, mode), "mkdir", path)
    }

    fn rmdir(&self, path: &[u8]) -> Result<()> {
        border(self.core.rmdir(path), "rmdir", path)
    }

    fn unlink(&self, path: &[u8]) -> Result<()> {
        border(self.core.unlink(path), "unlink", path)
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()> {
        border(self.core.rename(from, to), "rename", from)
    }

    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()> {
        border(self.core.symlink(target, path), "symlink", path)
    }

    fn link(&self, target: &[u8], path: &[u8]) -> Result<()> {
        border(self.core.link(target, path), "link", path)
    }

    fn readlink(&self, path: &[u8]) -> Result<Vec<u8>> {
        let (walked, found) = border(self.core.find(path, false), "readlink", path)?;
        if found.kind() != FileKind::Symlink {
            return Err(HostError::at(libc::EINVAL, "readlink", path));
        }
        self.core.looked(EffectKind::ReadLink, &walked.path, &found);
        border(self.core.target(&found), "readlink", path)
    }

    fn chmod(&self, path: &[u8], mode: u32) -> Result<()> {
        let changed = self
            .core
            .changing(path, true, |found| self.core.own(found))
            .and_then(|(at, node)| self.core.change_mode(&node, &at, mode));
        border(changed, "chmod", path)
    }

    fn chown(&self, path: &[u8], uid: Option<u32>, gid: Option<u32>, follow: bool) -> Result<()> {
        let changed = self
            .core
            .changing(path, follow, |_| Ok(()))
            .and_then(|(at, node)| self.core.change_owner(&node, &at, uid, gid));
        border(changed, if follow { "chown" } else { "lchown" }, path)
    }

    fn set_times(&self, path: &[u8], atime: SetTime, mtime: SetTime, follow: bool) -> Result<()> {
        let changed = self
            .core
            .changing(path, follow, |_| Ok(()))
            .and_then(|(at, node)| self.core.change_times(&node, &at, atime, mtime));
        border(changed, "utimensat", path)
    }

    fn readdir(&self, path: &[u8]) -> Result<Vec<DirEntry>> {
        let (walked, found) = border(self.core.find(path, true), "opendir", path)?;
        if !found.is_dir() {
            return Err(HostError::at(libc::ENOTDIR, "opendir", path));
        }
        border(self.core.allow(&found, 4), "opendir", path)?;
        self.core.looked(EffectKind::ReadDir, &walked.path, &found);
        border(self.core.list(&found), "opendir", path)
    }

    fn mkfifo(&self, path: &[u8], mode: u32) -> Result<()> {
        border(self.core.mkfifo(path, mode), "mkfifo", path)
    }

    fn access(&self, path: &[u8], want: Access, _effective: bool) -> Result<()> {
        let (walked, found) = border(self.core.find(path, true), "access", path)?;
        self.core.looked(EffectKind::ReadStat, &walked.path, &found);
        let bits = u32::from(want.read) << 2 | u32::from(want.write) << 1 | u32::from(want.execute);
        border(self.core.allow(&found, bits), "access", path)
    }

    fn realpath(&self, path: &[u8]) -> Result<Vec<u8>> {
        let (walked, found) = border(self.core.find(path, true), "realpath", path)?;
        self.core.looked(EffectKind::ReadStat, &walked.path, &found);
        Ok(walked.path)
    }

    fn statfs(&self, path: &[u8]) -> Result<StatFs> {
        let (walked, _) = border(self.core.find(path, true), "statvfs", path)?;
        let base = &self.core.base;
        if !base.is_whole() {
            return Ok(SIMULATED_FILE_SYSTEM);
        }
        // What exists only in memory belongs to the file system of the nearest directory on the machine.
        let mut at = walked.path.as_slice();
        while at != b"/" && border(base.lstat(at), "statvfs", path)?.is_none() {
            at = dirname(at);
        }
        match base.place(at) {
            Some(place) => base.machine.statfs(&place),
            None => Err(HostError::at(libc::ENOSYS, "statvfs", path)),
        }
    }

    fn umask(&self, mask: Option<u32>) -> u32 {
        let old = self.core.umask.get();
        if let Some(mask) = mask {
            self.core.umask.set(mask & 0o777);
        }
        old
    }

    fn chdir(&self, path: &[u8]) -> Result<()> {
        let (walked, found) = border(self.core.find(path, true), "chdir", path)?;
        if !found.is_dir() {
            return Err(HostError::at(libc::ENOTDIR, "chdir", path));
        }
        border(self.core.allow(&found, 1), "chdir", path)?;
        *self.core.cwd.borrow_mut() = walked.path;
        Ok(())
    }

    fn getcwd(&self) -> Result<Vec<u8>> {
        let cwd = self.core.cwd.borrow().clone();
        match self.core.walk(&cwd, true) {
            Ok(Walked { node: Some(found), .. }) if found.is_dir() => Ok(cwd),
            _ => Err(HostError::new(libc::ENOENT, "getcwd")),
        }
    }
}

/// Adds a file, link, directory or device of a skeleton to the tree, with its parent directories.
pub(super) fn plant(core: &Core, path: &[u8], stat: &Stat, content: Content) -> Sys<()> {
    let mut dir = Rc::clone(&core.root);
    let mut at = b"/".to_vec();
    for part in super::walk::parts(dirname(path)).iter().rev() {
        at = crate::files::join(&at, part);
        let next = planted(&dir, part);
        dir = match next {
            Some(node) => node,
            None => {
                let mode = libc::S_IFDIR | 0o755;
                let stat = Stat { mode, nlink: 2, size: 4096, ino: core.fresh_id(), uid: 0, gid: 0, ..stat.clone() };
                let content = Content::Dir { entries: BTreeMap::new(), base: Some(at.clone()) };
                let node = Inode::new(stat, content, Origin::Base);
                node.planted.set(true);
                core.insert(&dir, part, Rc::clone(&node));
                node
            }
        };
        if !dir.is_dir() {
            return Err(libc::ENOTDIR);
        }
    }
    let name = basename(path);
    match planted(&dir, name) {
        // The directory was already created as the parent of an earlier entry.
        Some(node) if node.is_dir() && stat.is_dir() => *node.meta.borrow_mut() = stat.clone(),
        _ => {
            let node = Inode::new(stat.clone(), content, Origin::Base);
            node.planted.set(true);
            core.insert(&dir, name, node);
        }
    }
    Ok(())
}

fn planted(dir: &Rc<Inode>, name: &[u8]) -> Option<Rc<Inode>> {
    match &*dir.content.borrow() {
        Content::Dir { entries, .. } => match entries.get(name) {
            Some(Entry::Node(node)) => Some(Rc::clone(node)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn file_content(data: &[u8]) -> Content {
    Content::File(Data::Memory(data.to_vec()))
}
