//! The tree in memory: inodes, directory entries with whiteouts, and contents that stay on the machine until written.

use super::base::Base;
use crate::files::{FileHandle, FileKind, LockKind, Stat, Time};
use nix::libc;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Results inside the overlay: the error is an errno; the public methods add the call's name and path.
pub(super) type Sys<T> = std::result::Result<T, i32>;

/// Maximum size of a file in memory in bytes; more is `EFBIG`.
const MAX_FILE: u64 = 1 << 30;

pub(super) struct Inode {
    /// Metadata; size and blocks are computed from the contents, and nlink of directories from the entries.
    pub(super) meta: RefCell<Stat>,
    pub(super) born: Cell<Time>,
    pub(super) content: RefCell<Content>,
    /// For directories: the number of subdirectories in memory.
    subdirs: Cell<u64>,
    pub(super) origin: Cell<Origin>,
    /// Whether it comes from the skeleton: removing it leaves a whiteout, as for a file of the machine.
    pub(super) planted: Cell<bool>,
    /// For files: whether the contents are unknown, and only the size is known.
    pub(super) blank: Cell<bool>,
    /// flock(2) locks: `(open file description, kind)`.
    pub(super) locks: RefCell<Vec<(u64, LockKind)>>,
}

/// The origin of an inode's current state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// As on the machine or in the skeleton: looking at it is recorded as a read.
    Base,
    /// From the machine or skeleton, and changed since.
    Changed,
    /// Created in the overlay.
    New,
}

pub(super) enum Content {
    Dir {
        entries: BTreeMap<Vec<u8>, Entry>,
        /// The directory of the machine below it.
        base: Option<Vec<u8>>,
    },
    File(Data),
    Symlink(Vec<u8>),
    /// A device, pipe or socket.
    Other,
}

pub(super) enum Entry {
    Node(Rc<Inode>),
    Whiteout,
}

pub(super) enum Data {
    Memory(Vec<u8>),
    /// The content is unknown and reads as zeros; only the size is known.
    Size(u64),
    /// On the machine, opened when needed.
    Base {
        path: Vec<u8>,
        handle: Option<Rc<dyn FileHandle>>,
    },
}

/// What a path refers to.
#[derive(Clone)]
pub(super) enum Found {
    Node(Rc<Inode>),
    /// A file of the machine that is not in memory.
    Lower {
        path: Vec<u8>,
        stat: Box<Stat>,
    },
}

impl Inode {
    pub(super) fn new(stat: Stat, content: Content, origin: Origin) -> Rc<Self> {
        Rc::new(Self {
            born: Cell::new(stat.ctime),
            meta: RefCell::new(stat),
            content: RefCell::new(content),
            subdirs: Cell::new(0),
            origin: Cell::new(origin),
            planted: Cell::new(false),
            blank: Cell::new(false),
            locks: RefCell::new(Vec::new()),
        })
    }

    /// An inode in memory for a file of the machine.
    pub(super) fn from_base(base: &Base, path: &[u8], stat: &Stat) -> Sys<Rc<Self>> {
        let content = match stat.kind() {
            FileKind::Directory => Content::Dir { entries: BTreeMap::new(), base: Some(path.to_vec()) },
            FileKind::File => Content::File(Data::Base { path: path.to_vec(), handle: None }),
            FileKind::Symlink => Content::Symlink(base.readlink(path)?),
            _ => Content::Other,
        };
        Ok(Self::new(stat.clone(), content, Origin::Base))
    }

    pub(super) fn kind(&self) -> FileKind {
        self.meta.borrow().kind()
    }

    pub(super) fn is_dir(&self) -> bool {
        self.kind() == FileKind::Directory
    }

    pub(super) fn changed(&self) {
        if self.origin.get() == Origin::Base {
            self.origin.set(Origin::Changed);
        }
    }

    /// Opens the contents on the machine, so that errors occur now.
    pub(super) fn open_base(&self, base: &Base) -> Sys<()> {
        if let Content::File(Data::Base { path, handle: handle @ None }) = &mut *self.content.borrow_mut() {
            *handle = Some(base.open(path)?);
        }
        Ok(())
    }

    fn base_handle(&self, base: &Base) -> Sys<Option<Rc<dyn FileHandle>>> {
        self.open_base(base)?;
        match &*self.content.borrow() {
            Content::File(Data::Base { handle, .. }) => Ok(handle.clone()),
            _ => Ok(None),
        }
    }

    pub(super) fn read_at(&self, base: &Base, buffer: &mut [u8], offset: u64) -> Sys<usize> {
        if let Some(handle) = self.base_handle(base)? {
            return handle.pread(buffer, offset).map_err(|e| e.errno);
        }
        match &*self.content.borrow() {
            Content::File(Data::Size(size)) => {
                let count = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
                buffer[..count].fill(0);
                Ok(count)
            }
            Content::File(Data::Memory(data)) => {
                let rest = usize::try_from(offset).ok().and_then(|at| data.get(at..)).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
            Content::Dir { .. } => Err(libc::EISDIR),
            _ => Err(libc::EINVAL),
        }
    }

    /// Brings the contents into memory; if `keep` is 0 they become empty instead.
    fn load(&self, base: &Base, keep: u64) -> Sys<()> {
        if keep == 0 {
            if let Content::File(data @ (Data::Base { .. } | Data::Size(_))) = &mut *self.content.borrow_mut() {
                *data = Data::Memory(Vec::new());
            }
            return Ok(());
        }
        if let Content::File(data @ Data::Size(_)) = &mut *self.content.borrow_mut() {
            let size = if let Data::Size(size) = data { *size } else { 0 };
            if size > MAX_FILE {
                return Err(libc::EFBIG);
            }
            *data = Data::Memory(vec![0; size as usize]);
            return Ok(());
        }
        let Some(handle) = self.base_handle(base)? else { return Ok(()) };
        let mut data = Vec::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let count = handle.pread(&mut buffer, data.len() as u64).map_err(|e| e.errno)?;
            if count == 0 {
                break;
            }
            data.extend_from_slice(&buffer[..count]);
            if data.len() as u64 > MAX_FILE {
                return Err(libc::EFBIG);
            }
        }
        *self.content.borrow_mut() = Content::File(Data::Memory(data));
        Ok(())
    }

    pub(super) fn write_at(&self, base: &Base, bytes: &[u8], offset: u64) -> Sys<usize> {
        self.load(base, u64::MAX)?;
        let end = offset.checked_add(bytes.len() as u64).filter(|&end| end <= MAX_FILE).ok_or(libc::EFBIG)? as usize;
        match &mut *self.content.borrow_mut() {
            Content::File(Data::Memory(data)) => {
                if data.len() < end {
                    data.try_reserve(end - data.len()).map_err(|_| libc::ENOSPC)?;
                    data.resize(end, 0);
                }
                data[offset as usize..end].copy_from_slice(bytes);
                Ok(bytes.len())
            }
            _ => Err(libc::EINVAL),
        }
    }

    pub(super) fn truncate(&self, base: &Base, length: u64) -> Sys<()> {
        if length > MAX_FILE {
            return Err(libc::EFBIG);
        }
        self.load(base, length)?;
        match &mut *self.content.borrow_mut() {
            Content::File(Data::Memory(data)) => {
                let length = length as usize;
                data.try_reserve(length.saturating_sub(data.len())).map_err(|_| libc::ENOSPC)?;
                data.resize(length, 0);
                Ok(())
            }
            _ => Err(libc::EINVAL),
        }
    }

    /// Sets or removes an entry of a directory.
    pub(super) fn set_entry(&self, name: &[u8], entry: Option<Entry>) {
        let Content::Dir { entries, .. } = &mut *self.content.borrow_mut() else { return };
        let count = |entry: Option<&Entry>| u64::from(matches!(entry, Some(Entry::Node(node)) if node.is_dir()));
        let more = count(entry.as_ref());
        let before = match entry {
            Some(entry) => entries.insert(name.to_vec(), entry),
            None => entries.remove(name),
        };
        self.subdirs.set((self.subdirs.get() + more).saturating_sub(count(before.as_ref())));
    }

    pub(super) fn stat(&self) -> Stat {
        let mut stat = self.meta.borrow().clone();
        match &*self.content.borrow() {
            Content::File(Data::Memory(data)) => {
                stat.size = data.len() as u64;
                stat.blocks = stat.size.div_ceil(4096) * 8;
            }
            Content::File(Data::Size(size)) => (stat.size, stat.blocks) = (*size, size.div_ceil(4096) * 8),
            // The file on the machine (e.g. a log) may have grown.
            Content::File(Data::Base { handle: Some(handle), .. }) => {
                if let Ok(now) = handle.stat() {
                    (stat.size, stat.blocks) = (now.size, now.blocks);
                    if self.origin.get() == Origin::Base {
                        (stat.mtime, stat.ctime) = (now.mtime, now.ctime);
                    }
                }
            }
            Content::Symlink(target) => stat.size = target.len() as u64,
            Content::Dir { base: None, .. } => stat.nlink = 2 + self.subdirs.get(),
            Content::Dir { base: Some(_), .. } => {}
            Content::File(_) | Content::Other => {}
        }
        stat
    }
}

impl Found {
    pub(super) fn kind(&self) -> FileKind {
        match self {
            Self::Node(node) => node.kind(),
            Self::Lower { stat, .. } => stat.kind(),
        }
    }

    pub(super) fn is_dir(&self) -> bool {
        self.kind() == FileKind::Directory
    }

    pub(super) fn stat(&self) -> Stat {
        match self {
            Self::Node(node) => node.stat(),
            Self::Lower { stat, .. } => (**stat).clone(),
        }
    }

    /// Whether it is unchanged from the machine or the skeleton.
    pub(super) fn untouched(&self) -> bool {
        match self {
            Self::Node(node) => node.origin.get() == Origin::Base,
            Self::Lower { .. } => true,
        }
    }

    /// Whether both are the same file.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Node(a), Self::Node(b)) => Rc::ptr_eq(a, b),
            (Self::Lower { stat: a, .. }, Self::Lower { stat: b, .. }) => (a.dev, a.ino) == (b.dev, b.ino),
            _ => false,
        }
    }
}
