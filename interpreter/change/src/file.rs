//! Files: content, times, removal, backups (SPEC-converge 3.1).

use crate::access::AccessChange;
use crate::time;
use crate::{Applied, Description, Result, Why, lossy};
use rchef_host::compose::{self, Finish, Source};
use rchef_host::{FileKind, Host, HostError, OverlayHost, SetTime, Time, files, replace};
use rchef_text::digest::hex;
use std::borrow::Cow;

/// EISDIR on Linux.
const EISDIR: i32 = 21;

/// SHA-256 in hexadecimal.
pub fn checksum(data: &[u8]) -> String {
    // OpenSSL's one-shot function looks up the digest on every call
    let mut hasher = openssl::sha::Sha256::new();
    hasher.update(data);
    hex(&hasher.finish())
}

/// SHA-256 of a file in hexadecimal.
///
/// # Errors
/// The file cannot be read.
pub fn digest_file(host: &dyn Host, path: &[u8]) -> Result<String> {
    let mut hasher = openssl::sha::Sha256::new();
    compose::stream_file(host, path, &mut |part| {
        hasher.update(part);
        Ok(())
    })?;
    Ok(hex(&hasher.finish()))
}

/// The maximum size in bytes of content that is held in memory: Chef's default limit for diffs.
pub const HELD: u64 = 10_000_000;

#[derive(Clone, Debug)]
pub enum Content {
    Held(Vec<u8>),
    /// Content that is too large for memory, in its file.
    Long {
        path: Vec<u8>,
        size: u64,
        /// SHA-256 in hexadecimal.
        sum: String,
    },
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        Content::Held(bytes)
    }
}

impl Content {
    /// The content of a file whose size is known.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_file(host: &dyn Host, path: &[u8], size: u64) -> Result<Content> {
        if size <= HELD {
            return Ok(Content::Held(compose::read_sized(host, path, size)?));
        }
        Ok(Content::Long { path: path.to_vec(), size, sum: digest_file(host, path)? })
    }
    pub fn size(&self) -> u64 {
        match self {
            Content::Held(bytes) => bytes.len() as u64,
            Content::Long { size, .. } => *size,
        }
    }
    /// SHA-256 in hexadecimal.
    pub fn checksum(&self) -> String {
        match self {
            Content::Held(bytes) => checksum(bytes),
            Content::Long { sum, .. } => sum.clone(),
        }
    }
    /// The bytes, if they are held in memory.
    pub fn held(&self) -> Option<&[u8]> {
        match self {
            Content::Held(bytes) => Some(bytes),
            Content::Long { .. } => None,
        }
    }
    /// The bytes, read from the file if necessary.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn bytes(&self, host: &dyn Host) -> Result<Cow<'_, [u8]>> {
        Ok(match self {
            Content::Held(bytes) => Cow::Borrowed(bytes),
            Content::Long { path, .. } => Cow::Owned(compose::read_file(host, path)?),
        })
    }
    /// The source for writing it to another file.
    pub fn source(&self) -> Source<'_> {
        match self {
            Content::Held(bytes) => Source::Bytes(bytes),
            Content::Long { path, .. } => Source::File(path),
        }
    }
    /// Whether two contents are equal.
    pub fn is(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Held(ours), Content::Held(theirs)) => ours == theirs,
            (Content::Long { size, sum, .. }, Content::Long { size: other_size, sum: other_sum, .. }) => {
                size == other_size && sum == other_sum
            }
            (Content::Held(bytes), Content::Long { size, sum, .. })
            | (Content::Long { size, sum, .. }, Content::Held(bytes)) => {
                bytes.len() as u64 == *size && checksum(bytes) == *sum
            }
        }
    }
}

/// The backups of a replaced file.
#[derive(Clone, Debug, Default)]
pub struct Backup {
    /// The number of backups to keep for a path; 0 for none.
    pub keep: usize,
    /// The directory of the backups, which mirrors the original paths.
    pub root: Vec<u8>,
}

impl Backup {
    /// Copies a file with its mode, owner (if permitted) and times, and removes the oldest copies.
    fn take(&self, host: &dyn Host, path: &[u8]) -> Result<()> {
        if self.keep == 0 {
            return Ok(());
        }
        let stat = host.stat(path)?;
        if stat.is_dir() {
            // the error that Chef's copy raises
            return Err(HostError::at(EISDIR, "read", b"read").into());
        }
        let between: &[u8] = if self.root.is_empty() || path.starts_with(b"/") { b"" } else { b"/" };
        let prefix = [&self.root, between, path, b".chef-"].concat();
        let dir = files::dirname(&prefix).to_vec();
        compose::create_dir_all(host, &dir, 0o777)?;
        let copy = [&prefix[..], time::backup_stamp(host).as_bytes()].concat();
        let exact = Finish { mode: Some(stat.perm()), uid: Some(stat.uid), gid: Some(stat.gid), sync: false };
        if compose::atomic_write(host, &copy, Source::File(path), exact).is_err() {
            let own = Finish { mode: Some(stat.perm()), ..Finish::default() };
            compose::atomic_write(host, &copy, Source::File(path), own)?;
        }
        host.set_times(&copy, SetTime::At(stat.atime), SetTime::At(stat.mtime), true)?;
        let base = files::basename(&prefix).to_vec();
        let mut old: Vec<Vec<u8>> =
            host.readdir(&dir)?.into_iter().map(|entry| entry.name).filter(|name| name.starts_with(&base)).collect();
        old.sort();
        let extra = old.len().saturating_sub(self.keep);
        for name in &old[..extra] {
            host.unlink(&files::join(&dir, name))?;
        }
        Ok(())
    }
}

/// The old content that a write replaces.
#[derive(Clone, Debug)]
pub struct Replaced {
    pub content: Content,
    /// Its modification time.
    pub modified: Time,
}

/// Writes a file with its content, owner, group and mode in one step.
#[derive(Clone, Debug)]
pub struct WriteFile {
    /// The path as given in the resource.
    pub path: Vec<u8>,
    /// The path to write to: the target of a managed symbolic link.
    pub target: Vec<u8>,
    /// None: create an empty file whose content is not managed.
    pub content: Option<Content>,
    /// None for a new file.
    pub replaces: Option<Replaced>,
    /// The owner, group and mode to set.
    pub access: AccessChange,
    /// Write a temporary file and rename it, instead of writing in place.
    pub atomic: bool,
    pub backup: Backup,
    /// Show the content nowhere.
    pub sensitive: bool,
}

impl WriteFile {
    /// SHA-256 of the old content.
    pub fn old_checksum(&self) -> Option<String> {
        self.replaces.as_ref().map(|old| old.content.checksum())
    }

    pub(crate) fn apply(&self, host: &dyn Host) -> Result<Applied> {
        if self.replaces.is_some() {
            self.backup.take(host, &self.target)?;
        }
        self.put(host)
    }

    fn put(&self, host: &dyn Host) -> Result<Applied> {
        let data = self.content.as_ref().map_or(Source::Bytes(b""), Content::source);
        let finish = self.access.finish();
        let written = if self.atomic || self.replaces.is_none() {
            replace::replace(host, &self.target, data, finish)?
        } else {
            compose::overwrite(host, &self.target, data, finish)?
        };
        let asked = finish.uid.is_some() || finish.gid.is_some();
        let mut warnings = Vec::new();
        for error in written.refused {
            if asked {
                return Err(error.into());
            }
            // the run may lack the permission to set the old file's owner or attributes
            warnings.push(format!("Could not keep the owner or attributes of {}: {error}", lossy(&self.path)));
        }
        Ok(Applied { checksum: self.content.as_ref().map(Content::checksum), warnings })
    }

    /// Backups are not written to the overlay: no later resource looks at them.
    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        let held = self.content.as_ref().map_or(Some(&b""[..]), Content::held);
        if self.replaces.is_none()
            && held.is_some_and(|content| overlay.put_new(&self.target, content, self.access.finish()))
        {
            return Ok(());
        }
        self.put(overlay).map(drop)
    }

    pub(crate) fn describe(&self) -> Description {
        let why = if self.replaces.is_some() { Why::Differs } else { Why::Absent };
        let mut description = Description::new("write_file", lossy(&self.path), why);
        if let Some(content) = &self.content {
            // short secrets could be guessed from a full checksum
            let shown = |sum: String| if self.sensitive { short(sum) } else { sum };
            description = description.with("content", self.old_checksum().map(shown), Some(shown(content.checksum())));
        }
        self.access.describe(description)
    }
}

/// Shortens a checksum as Chef does.
pub(crate) fn short(mut sum: String) -> String {
    sum.truncate(6);
    sum
}

/// Sets a file's times to the current time.
#[derive(Clone, Debug)]
pub struct TouchFile {
    pub path: Vec<u8>,
}

impl TouchFile {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        Ok(host.set_times(&self.path, SetTime::Now, SetTime::Now, true)?)
    }
    pub(crate) fn describe(&self) -> Description {
        Description::new("touch_file", lossy(&self.path), Why::Asked)
    }
}

/// Removes what is in the place of a file: a link, a socket, a directory with its contents.
#[derive(Clone, Debug)]
pub struct Unlink {
    pub path: Vec<u8>,
    pub kind: FileKind,
}

impl Unlink {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        Ok(compose::remove_dir_all(host, &self.path)?)
    }
    pub(crate) fn describe(&self) -> Description {
        Description::new("unlink", lossy(&self.path), Why::Present).with(
            "type",
            Some(kind_name(self.kind).into()),
            None,
        )
    }
}

#[derive(Clone, Debug)]
pub struct DeleteFile {
    pub path: Vec<u8>,
    pub backup: Backup,
}

impl DeleteFile {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        self.backup.take(host, &self.path)?;
        self.assume_on(host)
    }
    fn assume_on(&self, host: &dyn Host) -> Result<()> {
        Ok(compose::unlink(host, &self.path)?)
    }
    pub(crate) fn assume(&self, overlay: &OverlayHost) -> Result<()> {
        self.assume_on(overlay)
    }
    pub(crate) fn describe(&self) -> Description {
        Description::new("delete_file", lossy(&self.path), Why::Present)
    }
}

/// Chef's name for a type of file that is not regular.
pub fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::BlockDevice => "block device",
        FileKind::CharDevice => "char device",
        FileKind::Directory => "directory",
        FileKind::Fifo => "pipe",
        FileKind::Socket => "socket",
        FileKind::Symlink => "symlink",
        FileKind::File | FileKind::Unknown => "unknown filetype",
    }
}
