//! Files: content, times, removal, backups (SPEC-converge 3.1).

use crate::access::AccessChange;
use crate::time;
use crate::{Applied, Description, Result, Why, lossy};
use rchef_host::compose::{self, Finish, Source};
use rchef_host::{FileKind, Host, HostError, OverlayHost, SetTime, Time, files, replace};
use rchef_text::digest::hex;
use std::borrow::Cow;

/// "Is a directory", as Linux numbers it.
const EISDIR: i32 = 21;

/// SHA-256 in hexadecimal.
pub fn checksum(data: &[u8]) -> String {
    // in one step OpenSSL looks the digest up each time
    let mut hasher = openssl::sha::Sha256::new();
    hasher.update(data);
    hex(&hasher.finish())
}

/// SHA-256 of a file, in hexadecimal.
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

/// Bytes above which a content stays in its file: Chef's usual limit of what differences are shown of.
pub const HELD: u64 = 10_000_000;

/// The content of a file.
#[derive(Clone, Debug)]
pub enum Content {
    Held(Vec<u8>),
    /// What a file has that is too long to be held in memory.
    Long {
        path: Vec<u8>,
        size: u64,
        /// Its SHA-256 in hexadecimal.
        sum: String,
    },
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        Content::Held(bytes)
    }
}

impl Content {
    /// What a file has whose size was just looked up.
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
    /// All of it, where it is held.
    pub fn held(&self) -> Option<&[u8]> {
        match self {
            Content::Held(bytes) => Some(bytes),
            Content::Long { .. } => None,
        }
    }
    /// All of it.
    ///
    /// # Errors
    /// The file that has it cannot be read.
    pub fn bytes(&self, host: &dyn Host) -> Result<Cow<'_, [u8]>> {
        Ok(match self {
            Content::Held(bytes) => Cow::Borrowed(bytes),
            Content::Long { path, .. } => Cow::Owned(compose::read_file(host, path)?),
        })
    }
    /// How it is written elsewhere.
    pub fn source(&self) -> Source<'_> {
        match self {
            Content::Held(bytes) => Source::Bytes(bytes),
            Content::Long { path, .. } => Source::File(path),
        }
    }
    /// Whether two are the same.
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

/// Copies that are kept of what a change replaces.
#[derive(Clone, Debug, Default)]
pub struct Backup {
    /// How many of a path; 0: none are made.
    pub keep: usize,
    /// The directory below which they lie, each at its own path.
    pub root: Vec<u8>,
}

impl Backup {
    /// Copies a file, with its mode, owner (where the process may set it) and times, and removes the oldest copies.
    fn take(&self, host: &dyn Host, path: &[u8]) -> Result<()> {
        if self.keep == 0 {
            return Ok(());
        }
        let stat = host.stat(path)?;
        if stat.is_dir() {
            // as the copy fails that Chef makes
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

/// The content that a write replaces.
#[derive(Clone, Debug)]
pub struct Replaced {
    pub content: Content,
    /// When it was last changed.
    pub modified: Time,
}

/// Gives a file its content, owner, group and mode in one step.
#[derive(Clone, Debug)]
pub struct WriteFile {
    /// The path as the resource has it.
    pub path: Vec<u8>,
    /// The file itself: where a managed symbolic link leads.
    pub target: Vec<u8>,
    /// The content; absent: an empty file is made whose content nobody manages.
    pub content: Option<Content>,
    /// What it replaces; absent for a new file.
    pub replaces: Option<Replaced>,
    /// Owner, group and mode that come with it.
    pub access: AccessChange,
    /// By a temporary file that takes the name, not in place.
    pub atomic: bool,
    /// Copies of what is replaced.
    pub backup: Backup,
    /// The content is not shown anywhere.
    pub sensitive: bool,
}

impl WriteFile {
    /// SHA-256 of what is replaced.
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
            // what the replaced file had and the run has no right to give
            warnings.push(format!("Could not keep the owner or attributes of {}: {error}", lossy(&self.path)));
        }
        Ok(Applied { checksum: self.content.as_ref().map(Content::checksum), warnings })
    }

    /// Backups are not part of the state that later resources look at.
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
            // a whole checksum would let short secrets be guessed
            let shown = |sum: String| if self.sensitive { short(sum) } else { sum };
            description = description.with("content", self.old_checksum().map(shown), Some(shown(content.checksum())));
        }
        self.access.describe(description)
    }
}

/// As much of a checksum as Chef shows.
pub(crate) fn short(mut sum: String) -> String {
    sum.truncate(6);
    sum
}

/// Sets a file's times to the present.
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

/// Removes what is in the way of a file: a link, a socket, a directory with all that is in it.
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

/// Removes a file.
#[derive(Clone, Debug)]
pub struct DeleteFile {
    pub path: Vec<u8>,
    /// Copies of what is removed.
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

/// Chef's name of what is at a path where there is something other than a regular file.
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
