//! Path resolution across the layers, permission checks, and bringing files into memory.

use super::base::Base;
use super::effect::{EffectKind, Recorder};
use super::simulated_clock::SimulatedClock;
use super::tree::{Content, Data, Entry, Found, Inode, Origin, Sys};
use crate::error::Result;
use crate::files::{DirEntry, FileKind, Stat, Time, absolute, dirname, join, lexical};
use nix::libc;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

/// Maximum number of symlinks followed in one path, as in Linux.
const MAX_LINKS: u32 = 40;

/// The start of an effect's detail for a link whose target is not visible; the target follows.
pub const LEADS_OUTSIDE: &str = "leads outside, to";

/// The simulated user of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The real and effective user id.
    pub uid: u32,
    /// The real and effective group id.
    pub gid: u32,
    pub groups: Vec<u32>,
}

/// State shared by the host and its handles.
pub(super) struct Core {
    pub(super) base: Base,
    pub(super) root: Rc<Inode>,
    pub(super) cwd: RefCell<Vec<u8>>,
    pub(super) umask: Cell<u32>,
    pub(super) identity: Identity,
    /// Whether permissions are not checked: assumed changes do not depend on the user.
    pub(super) privileged: Cell<bool>,
    pub(super) recorder: Recorder,
    pub(super) next_id: Cell<u64>,
    /// `None` is the machine's clock.
    pub(super) clock: Option<SimulatedClock>,
    /// State of the random number generator; `None` is the machine's. On an empty root it is the same in every run, so that results can be compared.
    pub(super) random: Option<Cell<u64>>,
    /// Whether visited directories of the machine are kept in memory, because nobody removes them while a plan is made.
    pub(super) keeps_directories: bool,
    /// Whether a file is being opened to be read: one that is not there is then more than asked for.
    pub(super) reading: Cell<bool>,
    /// Open files of the machine, so that all handles of a file share its state.
    open: RefCell<BTreeMap<(u64, u64), Weak<Inode>>>,
    /// Files of the machine with several hard links that are in memory.
    linked: RefCell<BTreeMap<(u64, u64), Rc<Inode>>>,
}

/// The result of resolving a path.
pub(super) struct Walked {
    /// The canonical path of the file, which need not exist.
    pub(super) path: Vec<u8>,
    /// The canonical path of its parent directory; for the root, the root.
    pub(super) parent_path: Vec<u8>,
    pub(super) parent: Found,
    /// Its name in the parent; empty if the path ends in `.`, `..` or is the root.
    pub(super) name: Vec<u8>,
    pub(super) node: Option<Found>,
    /// Whether the path ends in a slash.
    pub(super) trailing: bool,
    /// The last component if it is `.` or `..`.
    pub(super) dots: Option<&'static str>,
}

impl Core {
    pub(super) fn new(base: Base, root: Rc<Inode>, cwd: Vec<u8>, umask: u32, identity: Identity) -> Self {
        Self {
            base,
            root,
            cwd: RefCell::new(cwd),
            umask: Cell::new(umask),
            identity,
            privileged: Cell::new(false),
            recorder: Recorder::default(),
            next_id: Cell::new(1 << 40),
            clock: None,
            random: None,
            keeps_directories: false,
            reading: Cell::new(false),
            open: RefCell::default(),
            linked: RefCell::default(),
        }
    }

    pub(super) fn fresh_id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        id
    }

    pub(super) fn wall_ns(&self) -> i64 {
        self.clock.as_ref().map_or_else(|| self.base.machine.wall_ns(), SimulatedClock::wall_ns)
    }

    /// Random bytes from SplitMix64 or from the machine.
    pub(super) fn fill(&self, buffer: &mut [u8]) -> Result<()> {
        let Some(state) = &self.random else { return self.base.machine.fill(buffer) };
        for chunk in buffer.chunks_mut(8) {
            state.set(state.get().wrapping_add(0x9E37_79B9_7F4A_7C15));
            // the finalizer of SplitMix64
            let mut mixed = state.get();
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^= mixed >> 31;
            chunk.copy_from_slice(&mixed.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }

    pub(super) fn now(&self) -> Time {
        Time::from_ns(self.wall_ns())
    }

    /// A new inode owned by the user of the run.
    pub(super) fn fresh(&self, mode: u32, content: Content, gid: Option<u32>) -> Rc<Inode> {
        let now = self.now();
        let stat = Stat {
            dev: 1 << 32,
            ino: self.fresh_id(),
            mode,
            nlink: 1,
            uid: self.identity.uid,
            gid: gid.unwrap_or(self.identity.gid),
            size: if matches!(content, Content::Dir { .. }) { 4096 } else { 0 },
            blksize: 4096,
            atime: now,
            mtime: now,
            ctime: now,
            ..Stat::default()
        };
        Inode::new(stat, content, Origin::New)
    }

    /// The entry of a directory.
    pub(super) fn child(&self, dir: &Found, name: &[u8]) -> Sys<Option<Found>> {
        let path = match dir {
            Found::Lower { path, .. } => join(path, name),
            Found::Node(node) => match &*node.content.borrow() {
                Content::Dir { entries, base } => match (entries.get(name), base) {
                    (Some(Entry::Node(node)), _) => return Ok(Some(Found::Node(Rc::clone(node)))),
                    (Some(Entry::Whiteout), _) | (None, None) => return Ok(None),
                    (None, Some(base)) => join(base, name),
                },
                _ => return Err(libc::ENOTDIR),
            },
        };
        let Some(stat) = self.base.lstat(&path)? else { return Ok(None) };
        if stat.is_file() {
            let key = (stat.dev, stat.ino);
            if let Some(node) = self.linked.borrow().get(&key) {
                return Ok(Some(Found::Node(Rc::clone(node))));
            }
            if let Some(node) = self.open.borrow().get(&key).and_then(Weak::upgrade) {
                return Ok(Some(Found::Node(node)));
            }
        }
        Ok(Some(Found::Lower { path, stat: Box::new(stat) }))
    }

    /// Resolves a path; the last component need not exist.
    pub(super) fn walk(&self, path: &[u8], follow: bool) -> Sys<Walked> {
        if path.is_empty() {
            return Err(libc::ENOENT);
        }
        if path.contains(&0) {
            return Err(libc::EINVAL);
        }
        if path.len() >= libc::PATH_MAX as usize {
            return Err(libc::ENAMETOOLONG);
        }
        let full = absolute(&self.cwd.borrow(), path);
        let mut trailing = full.ends_with(b"/");
        let mut todo = parts(&full);
        let mut stack = vec![(Vec::new(), Found::Node(Rc::clone(&self.root)))];
        let mut links = 0;
        let mut dots = None;
        while let Some(name) = todo.pop() {
            let last = todo.is_empty();
            let Some((_, here)) = stack.last() else { return Err(libc::ENOENT) };
            if !here.is_dir() {
                return Err(libc::ENOTDIR);
            }
            self.allow(here, 1)?;
            dots = None;
            if name == b"." || name == b".." {
                dots = Some(if name == b"." { "." } else { ".." });
                if name == b".." && stack.len() > 1 {
                    stack.pop();
                }
                continue;
            }
            if name.len() > 255 {
                return Err(libc::ENAMETOOLONG);
            }
            match self.child(here, &name)? {
                None if last => {
                    let parent = here.clone();
                    let parent_path = canonical(&stack);
                    let path = join(&parent_path, &name);
                    return Ok(Walked { path, parent_path, parent, name, node: None, trailing, dots });
                }
                None => {
                    // what was asked for, not the topmost folder that is not there
                    let rest = todo.iter().rev().fold(join(&canonical(&stack), &name), |path, part| join(&path, part));
                    self.missing(&lexical(&rest));
                    return Err(libc::ENOENT);
                }
                Some(found) if found.kind() == FileKind::Symlink && (!last || follow || trailing) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(libc::ELOOP);
                    }
                    let target = self.target(&found)?;
                    self.note_leaving(&join(&canonical(&stack), &name), &target);
                    if target.is_empty() {
                        return Err(libc::ENOENT);
                    }
                    if target[0] == b'/' {
                        stack.truncate(1);
                    }
                    trailing |= last && target.ends_with(b"/");
                    todo.extend(parts(&target));
                }
                Some(found) => {
                    let found = self.kept(here, &name, found)?;
                    stack.push((name, found));
                }
            }
        }
        self.arrived(stack, trailing, dots)
    }

    /// Puts a visited directory of the machine into memory if that is enabled, except in /proc, /dev and /run, which change.
    fn kept(&self, parent: &Found, name: &[u8], found: Found) -> Sys<Found> {
        const PASSING: [&[u8]; 3] = [b"/proc", b"/dev", b"/run"];
        match (parent, &found) {
            (Found::Node(parent), Found::Lower { path, stat })
                if self.keeps_directories && stat.is_dir() && !PASSING.iter().any(|folder| path == folder) =>
            {
                let node = Inode::from_base(&self.base, path, stat)?;
                parent.set_entry(name, Some(Entry::Node(Rc::clone(&node))));
                Ok(Found::Node(node))
            }
            _ => Ok(found),
        }
    }

    fn arrived(&self, mut stack: Vec<(Vec<u8>, Found)>, trailing: bool, dots: Option<&'static str>) -> Sys<Walked> {
        let path = canonical(&stack);
        let Some((name, node)) = stack.pop() else { return Err(libc::ENOENT) };
        if trailing && !node.is_dir() {
            return Err(libc::ENOTDIR);
        }
        let parent = stack.last().map_or_else(|| node.clone(), |(_, parent)| parent.clone());
        let parent_path = canonical(&stack);
        Ok(Walked { path, parent_path, parent, name, node: Some(node), trailing, dots })
    }

    /// Resolves a path; the last component must exist.
    pub(super) fn find(&self, path: &[u8], follow: bool) -> Sys<(Walked, Found)> {
        let walked = self.walk(path, follow)?;
        match walked.node.clone() {
            Some(found) => Ok((walked, found)),
            None => {
                self.missing(&walked.path);
                Err(libc::ENOENT)
            }
        }
    }

    /// The target of a symlink.
    pub(super) fn target(&self, link: &Found) -> Sys<Vec<u8>> {
        match link {
            Found::Lower { path, .. } => self.base.readlink(path),
            Found::Node(node) => match &*node.content.borrow() {
                Content::Symlink(target) => Ok(target.clone()),
                _ => Err(libc::EINVAL),
            },
        }
    }

    /// Records that a link in a visible path was followed to a target that is not visible.
    fn note_leaving(&self, link: &[u8], target: &[u8]) {
        if self.base.is_whole() || !self.base.shows(link) {
            return;
        }
        if !self.base.shows(&lexical(&absolute(dirname(link), target))) {
            let detail = format!("{LEADS_OUTSIDE} {}", String::from_utf8_lossy(target));
            self.recorder.record(EffectKind::ReadLink, link, detail);
        }
    }

    /// Records a lookup of a path that does not exist.
    fn missing(&self, path: &[u8]) {
        if !self.base.passes(path) && !self.removed(path) {
            let kind = if self.reading.get() { EffectKind::ReadFile } else { EffectKind::ReadStat };
            self.recorder.record(kind, path, "absent");
        }
    }

    /// Whether the overlay itself removed the path; its absence then says nothing about the machine.
    fn removed(&self, path: &[u8]) -> bool {
        let mut node = Rc::clone(&self.root);
        for part in parts(path).iter().rev() {
            let next = match &*node.content.borrow() {
                Content::Dir { entries, base } => match entries.get(part) {
                    Some(Entry::Node(next)) => Rc::clone(next),
                    Some(Entry::Whiteout) => return true,
                    None => return base.is_none(),
                },
                _ => return false,
            };
            node = next;
        }
        false
    }

    /// Records a read of something that is unchanged from the base.
    pub(super) fn looked(&self, kind: EffectKind, path: &[u8], found: &Found) {
        if found.untouched() && !self.base.passes(path) {
            self.recorder.record(kind, path, "");
        }
    }

    /// `EACCES` if the identity lacks the permission (4 read, 2 write, 1 search or execute).
    pub(super) fn allow(&self, found: &Found, want: u32) -> Sys<()> {
        let me = &self.identity;
        let (mode, uid, gid) = match found {
            Found::Node(node) => {
                let meta = node.meta.borrow();
                (meta.mode, meta.uid, meta.gid)
            }
            Found::Lower { stat, .. } => (stat.mode, stat.uid, stat.gid),
        };
        let granted = if me.uid == 0 || self.privileged.get() {
            let executable = mode & 0o111 != 0 || FileKind::of_mode(mode) == FileKind::Directory;
            6 | u32::from(executable)
        } else if me.uid == uid {
            mode >> 6
        } else if me.gid == gid || me.groups.contains(&gid) {
            mode >> 3
        } else {
            mode
        };
        if granted & want == want { Ok(()) } else { Err(libc::EACCES) }
    }

    /// `EACCES` or `EPERM` if the identity may not add or remove entries of a directory; `victim` matters if it is sticky.
    pub(super) fn allow_change(&self, dir: &Found, victim: Option<&Found>) -> Sys<()> {
        self.allow(dir, 3)?;
        if let Some(victim) = victim {
            let (dir, victim, me) = (dir.stat(), victim.stat(), self.identity.uid);
            if dir.mode & libc::S_ISVTX != 0 && me != 0 && me != victim.uid && me != dir.uid {
                return Err(libc::EPERM);
            }
        }
        Ok(())
    }

    /// `EPERM` unless the identity is the owner or root.
    pub(super) fn own(&self, found: &Found) -> Sys<()> {
        let me = self.identity.uid;
        if me == 0 || found.stat().uid == me { Ok(()) } else { Err(libc::EPERM) }
    }

    /// Brings a directory, given by its canonical path, and its ancestors into memory.
    pub(super) fn upper_dir(&self, path: &[u8]) -> Sys<Rc<Inode>> {
        let mut node = Rc::clone(&self.root);
        for part in parts(path).iter().rev() {
            node = self.upper_child(&node, part)?;
        }
        Ok(node)
    }

    /// Brings an entry of a directory into memory.
    fn upper_child(&self, dir: &Rc<Inode>, name: &[u8]) -> Sys<Rc<Inode>> {
        let found = self.child(&Found::Node(Rc::clone(dir)), name)?.ok_or(libc::ENOENT)?;
        let node = match found {
            Found::Node(node) => node,
            Found::Lower { path, stat } => Inode::from_base(&self.base, &path, &stat)?,
        };
        let meta = node.meta.borrow();
        if meta.nlink > 1 && meta.is_file() && node.origin.get() != Origin::New {
            self.linked.borrow_mut().insert((meta.dev, meta.ino), Rc::clone(&node));
        }
        drop(meta);
        let is_known = match &*dir.content.borrow() {
            Content::Dir { entries, .. } => matches!(entries.get(name), Some(Entry::Node(_))),
            _ => true,
        };
        if !is_known {
            dir.set_entry(name, Some(Entry::Node(Rc::clone(&node))));
        }
        Ok(node)
    }

    /// Brings a resolved file into memory, to be changed.
    pub(super) fn upper(&self, walked: &Walked) -> Sys<Rc<Inode>> {
        if walked.path == b"/" {
            return Ok(Rc::clone(&self.root));
        }
        // If the path ends in `.` or `..` only the canonical path has the file's own name.
        let name = crate::files::basename(&walked.path);
        self.upper_child(&self.upper_dir(crate::files::dirname(&walked.path))?, name)
    }

    /// The inode of a regular file to be read, shared by all its handles.
    pub(super) fn opened(&self, found: &Found) -> Sys<Rc<Inode>> {
        let node = match found {
            Found::Node(node) => Rc::clone(node),
            Found::Lower { path, stat } => {
                let node = Inode::from_base(&self.base, path, stat)?;
                let mut open = self.open.borrow_mut();
                if open.len() > 64 {
                    open.retain(|_, node| node.strong_count() > 0);
                }
                open.insert((stat.dev, stat.ino), Rc::downgrade(&node));
                node
            }
        };
        node.open_base(&self.base)?;
        Ok(node)
    }

    /// Adds an inode to a directory.
    pub(super) fn insert(&self, dir: &Rc<Inode>, name: &[u8], node: Rc<Inode>) {
        dir.set_entry(name, Some(Entry::Node(node)));
        self.touch_dir(dir);
    }

    /// Removes an entry of a directory, leaving a whiteout if the entry exists in the base.
    pub(super) fn remove(&self, dir: &Rc<Inode>, name: &[u8]) -> Sys<()> {
        let hides = match &*dir.content.borrow() {
            Content::Dir { entries, base: Some(base) } => {
                matches!(entries.get(name), Some(Entry::Node(node)) if node.planted.get())
                    || self.base.lstat(&join(base, name))?.is_some()
            }
            _ => false,
        };
        dir.set_entry(name, hides.then_some(Entry::Whiteout));
        self.touch_dir(dir);
        Ok(())
    }

    fn touch_dir(&self, dir: &Rc<Inode>) {
        let now = self.now();
        let mut meta = dir.meta.borrow_mut();
        (meta.mtime, meta.ctime) = (now, now);
    }

    /// Decrements the link count before a name is removed; a file of the machine with other names is brought into memory for that.
    pub(super) fn unlinked(&self, walked: &Walked, found: &Found) -> Sys<()> {
        let node = match found {
            Found::Node(node) => Rc::clone(node),
            Found::Lower { stat, .. } if stat.is_file() && stat.nlink > 1 => self.upper(walked)?,
            Found::Lower { .. } => return Ok(()),
        };
        let mut meta = node.meta.borrow_mut();
        meta.nlink = meta.nlink.saturating_sub(1);
        meta.ctime = self.now();
        Ok(())
    }

    /// The merged entries, by name.
    pub(super) fn list(&self, dir: &Found) -> Sys<Vec<DirEntry>> {
        let node = match dir {
            Found::Lower { path, .. } => return self.base.readdir(path),
            Found::Node(node) => node,
        };
        let content = node.content.borrow();
        let Content::Dir { entries, base } = &*content else { return Err(libc::ENOTDIR) };
        let mut names: BTreeMap<Vec<u8>, FileKind> = BTreeMap::new();
        if let Some(base) = base
            && self.base.lstat(base)?.is_some()
        {
            names.extend(self.base.readdir(base)?.into_iter().map(|entry| (entry.name, entry.kind)));
        }
        for (name, entry) in entries {
            match entry {
                Entry::Node(node) => {
                    names.insert(name.clone(), node.kind());
                }
                Entry::Whiteout => {
                    names.remove(name);
                }
            }
        }
        Ok(names.into_iter().map(|(name, kind)| DirEntry { name, kind }).collect())
    }

    /// A new empty regular file with the attributes that a directory gives it.
    pub(super) fn new_file(&self, parent: &Found, mode: u32) -> Rc<Inode> {
        let mode = libc::S_IFREG | mode & 0o7777 & !self.umask.get();
        self.fresh(mode, Content::File(Data::Memory(Vec::new())), inherited_gid(parent))
    }
}

/// The group that a set-group-id directory gives to new entries.
pub(super) fn inherited_gid(parent: &Found) -> Option<u32> {
    let stat = parent.stat();
    (stat.mode & libc::S_ISGID != 0).then_some(stat.gid)
}

/// The components of a path, last first.
pub(super) fn parts(path: &[u8]) -> Vec<Vec<u8>> {
    path.split(|&b| b == b'/').filter(|part| !part.is_empty()).map(<[u8]>::to_vec).rev().collect()
}

fn canonical(stack: &[(Vec<u8>, Found)]) -> Vec<u8> {
    let mut path = Vec::new();
    for (name, _) in stack.iter().skip(1) {
        path.push(b'/');
        path.extend_from_slice(name);
    }
    if path.is_empty() {
        path.push(b'/');
    }
    path
}
