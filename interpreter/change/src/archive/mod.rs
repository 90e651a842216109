//! Extracting archives into a directory.
//!
//! Nothing is written outside of the directory: names that lead out of it or contain `..` are refused, and so are names that lead through a
//! symbolic link. Set-id bits and owners are dropped unless they are asked for.

pub mod read;

use crate::access::unknown;
use crate::command::Account;
use crate::describe::{Description, Why};
use crate::error::ChangeError;
use rchef_host::compose::{self, Finish};
use rchef_host::{Host, OpenFlags, SetTime, Stat, files};
use read::{Entry, Kind};
use std::io::Read;

type Result<T> = std::result::Result<T, ChangeError>;

/// Which properties of entries are restored, and which existing files are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Owner and group.
    pub owner: bool,
    /// All permission bits; otherwise the process's umask applies.
    pub permissions: bool,
    /// Modification time.
    pub time: bool,
    /// Keep existing files.
    pub keep: bool,
    /// Keep existing files that are newer.
    pub keep_newer: bool,
}

#[derive(Clone, Debug)]
pub struct Extract {
    pub archive: Vec<u8>,
    /// The directory to extract into, as shown.
    pub destination: Vec<u8>,
    /// Create the directory with this mode.
    pub makes_destination: Option<u32>,
    /// Write the entries.
    pub unpacks: bool,
    pub restored: Restored,
    /// Number of leading path components to drop.
    pub strip: usize,
    /// Change owner and group of the extracted files to these.
    pub owner: Option<(Option<Account>, Option<Account>)>,
}

impl Extract {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        let root = files::lexical(&files::absolute(&host.getcwd()?, &self.destination));
        if let Some(mode) = self.makes_destination {
            for path in compose::create_dir_all(host, &root, 0o777)? {
                host.chmod(&path, mode)?;
            }
        }
        if self.unpacks {
            unpack(host, &self.archive, self.strip, (&root, self.restored), &mut |_| true)?;
        }
        if let Some((user, group)) = &self.owner {
            let uid = user.as_ref().map(|user| user.user_id(host)?.ok_or_else(|| unknown(user, true))).transpose()?;
            let gid =
                group.as_ref().map(|group| group.group_id(host)?.ok_or_else(|| unknown(group, false))).transpose()?;
            self.each(host, &mut |entry, _| {
                let Some(path) = inside(&root, &entry.name) else { return Ok(()) };
                Ok(compose::set_access(host, &path, Finish { uid, gid, ..Finish::default() }, false)?)
            })?;
        }
        Ok(())
    }

    /// Reads the entries with their names in the destination.
    fn each(&self, host: &dyn Host, visit: read::Visit<'_>) -> Result<()> {
        each_stripped(host, &self.archive, self.strip, visit)
    }

    pub(crate) fn describe(&self) -> Description {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let why = if self.makes_destination.is_some() { Why::Absent } else { Why::Differs };
        let mut description = Description::new("extract", text(&self.destination), why);
        if self.unpacks {
            description = description.with("archive", None, Some(text(&self.archive)));
        }
        if let Some((user, group)) = &self.owner {
            for (name, account) in [("owner", user), ("group", group)] {
                if let Some(account) = account {
                    description = description.with(name, None, Some(account.shown()));
                }
            }
        }
        description
    }
}

/// Unpacks the entries that are wanted into an existing directory, whose path is absolute.
///
/// # Errors
/// As [`read::each_entry`], and what writing gives.
pub fn unpack(
    host: &dyn Host,
    archive: &[u8],
    strip: usize,
    (root, restored): (&[u8], Restored),
    wanted: &mut dyn FnMut(&Entry) -> bool,
) -> Result<()> {
    let mut unpacking = Unpacking { host, root, restored, late: Vec::new() };
    each_stripped(host, archive, strip, &mut |entry, content| {
        if wanted(entry) { unpacking.entry(entry, content) } else { Ok(()) }
    })?;
    unpacking.finish()
}

/// Reads the entries with `strip` leading components dropped from their names; entries with no further component are skipped.
///
/// # Errors
/// As [`read::each_entry`].
pub fn each_stripped(host: &dyn Host, archive: &[u8], strip: usize, visit: read::Visit<'_>) -> Result<()> {
    read::each_entry(host, archive, &mut |entry, content| {
        if strip == 0 {
            return visit(entry, content);
        }
        let mut entry = entry.clone();
        entry.name = stripped(&entry.name, strip);
        if let Kind::HardLink(to) = &mut entry.kind {
            *to = stripped(to, strip);
            if to.is_empty() {
                return Ok(());
            }
        }
        if entry.name.is_empty() { Ok(()) } else { visit(&entry, content) }
    })
}

fn stripped(name: &[u8], count: usize) -> Vec<u8> {
    let parts: Vec<&[u8]> = name.split(|byte| *byte == b'/').skip(count).collect();
    parts.join(&b'/')
}

/// The path of a name below a directory, resolved lexically; None if it leads elsewhere.
pub fn inside(root: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let resolved = files::lexical(&files::absolute(root, name));
    let root = files::lexical(root);
    let below = root == b"/" || resolved.strip_prefix(&root[..]).is_some_and(|rest| rest.is_empty() || rest[0] == b'/');
    below.then_some(resolved)
}

/// The extraction of an archive.
struct Unpacking<'a> {
    host: &'a dyn Host,
    root: &'a [u8],
    restored: Restored,
    /// Directories whose mode and time are set at the end, since writing into them would change or need these.
    late: Vec<(Vec<u8>, Entry)>,
}

impl Unpacking<'_> {
    fn entry(&mut self, entry: &Entry, content: &mut dyn Read) -> Result<()> {
        let path = self.place(&entry.name)?;
        let there = compose::lstat_opt(self.host, &path)?;
        if let Some(stat) = &there
            && (self.restored.keep || self.restored.keep_newer && stat.mtime > entry.modified)
            && entry.kind != Kind::Directory
        {
            return Ok(());
        }
        self.parents(&path)?;
        match &entry.kind {
            Kind::Directory => return self.directory(path, entry, there),
            Kind::File => self.file(&path, entry, content)?,
            Kind::Symlink(to) => {
                self.clear(&path)?;
                self.host.symlink(to, &path)?;
            }
            Kind::HardLink(to) => {
                let to = self.place(to)?;
                self.parents(&to)?;
                if to == path {
                    return Ok(());
                }
                self.clear(&path)?;
                self.host.link(&to, &path)?;
                return Ok(());
            }
            Kind::Special => return Err(refusal(&entry.name, "it is a device or a pipe, which rchef does not make")),
        }
        if entry.kind == Kind::File {
            return Ok(());
        }
        self.own(&path, entry)?;
        self.time(&path, entry)
    }

    /// The destination path of an entry.
    fn place(&self, name: &[u8]) -> Result<Vec<u8>> {
        let Some(path) = inside(self.root, name) else {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let resolved = files::lexical(&files::absolute(self.root, name));
            return Err(refusal(
                name,
                &format!(
                    "resolved path {:?} is outside destination {:?}. This archive may contain a path traversal attack.",
                    text(&resolved),
                    text(self.root)
                ),
            ));
        };
        if name.split(|byte| *byte == b'/').any(|part| part == b"..") {
            return Err(refusal(name, "its path contains '..'"));
        }
        if name.starts_with(b"/") {
            return Err(refusal(name, "its path is absolute"));
        }
        Ok(path)
    }

    /// Creates missing parent directories. Existing ones must not be symbolic links.
    fn parents(&self, path: &[u8]) -> Result<()> {
        let below = path.get(self.root.len()..).unwrap_or_default();
        let mut at = self.root.to_vec();
        let parts: Vec<&[u8]> = below.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
        for part in parts.iter().take(parts.len().saturating_sub(1)) {
            at = files::join(&at, part);
            match compose::lstat_opt(self.host, &at)? {
                None => self.host.mkdir(&at, 0o777)?,
                Some(stat) if stat.is_dir() => {}
                Some(stat) if stat.is_symlink() => {
                    return Err(refusal(below, "it would be written through a symbolic link"));
                }
                Some(_) => self.replace_by_directory(&at)?,
            }
        }
        Ok(())
    }

    fn replace_by_directory(&self, path: &[u8]) -> Result<()> {
        compose::unlink(self.host, path)?;
        Ok(self.host.mkdir(path, 0o777)?)
    }

    /// Removes what is in the place of a link.
    fn clear(&self, path: &[u8]) -> Result<()> {
        match compose::lstat_opt(self.host, path)? {
            None => Ok(()),
            Some(stat) if stat.is_dir() => Ok(self.host.rmdir(path)?),
            Some(_) => Ok(compose::unlink(self.host, path)?),
        }
    }

    fn directory(&mut self, path: Vec<u8>, entry: &Entry, there: Option<Stat>) -> Result<()> {
        match there {
            None => self.host.mkdir(&path, 0o777)?,
            Some(stat) if stat.is_dir() => {
                if self.restored.permissions || self.restored.time || self.restored.owner {
                    self.late.push((path, entry.clone()));
                }
                return Ok(());
            }
            Some(_) if path == self.root => {}
            Some(_) => self.replace_by_directory(&path)?,
        }
        self.late.push((path.clone(), entry.clone()));
        // a mode without write permission is only set at the end
        let mode = self.mode(entry);
        if mode & 0o700 != 0o700 {
            return Ok(());
        }
        Ok(self.host.chmod(&path, mode)?)
    }

    /// Writes a file relative to an open directory, so that nobody can redirect the path. A symbolic link of that name is replaced. Extracted files
    /// are not synced, since there may be many and the archive still exists.
    fn file(&self, path: &[u8], entry: &Entry, content: &mut dyn Read) -> Result<()> {
        let (dir, name) = self.host.open_parent(path, false)?;
        match dir.lstat(&name) {
            Ok(stat) if stat.is_dir() => self.host.rmdir(path)?,
            Ok(_) => dir.unlink(&name)?,
            Err(_) => {}
        }
        let handle = dir.open(&name, OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::EXCL, 0o600)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = content.read(&mut buffer).map_err(|error| {
                let text = format!("{}: {error}", String::from_utf8_lossy(&entry.name));
                ChangeError::raise("RuntimeError", format!("the archive cannot be read at {text}"))
            })?;
            if count == 0 {
                break;
            }
            compose::write_all(&*handle, &buffer[..count])?;
        }
        if self.restored.owner {
            let (uid, gid) = self.ids(entry)?;
            handle.chown(Some(uid), Some(gid))?;
        }
        handle.chmod(self.mode(entry))?;
        if self.restored.time {
            handle.set_times(SetTime::At(entry.modified), SetTime::At(entry.modified))?;
        }
        dir.changed();
        Ok(())
    }

    /// The mode of an entry: without `permissions`, reduced by the umask and without set-id bits.
    fn mode(&self, entry: &Entry) -> u32 {
        if self.restored.permissions { entry.mode } else { entry.mode & 0o777 & !self.host.umask(None) }
    }

    /// The IDs of an entry's user and group: by name if this machine knows it, else by number.
    fn ids(&self, entry: &Entry) -> Result<(u32, u32)> {
        let (mut uid, mut gid) = (entry.user.0, entry.group.0);
        if let Some(name) = &entry.user.1
            && let Some(user) = self.host.user_by_name(name)?
        {
            uid = user.uid;
        }
        if let Some(name) = &entry.group.1
            && let Some(group) = self.host.group_by_name(name)?
        {
            gid = group.gid;
        }
        Ok((uid, gid))
    }

    fn own(&self, path: &[u8], entry: &Entry) -> Result<()> {
        if !self.restored.owner {
            return Ok(());
        }
        let (uid, gid) = self.ids(entry)?;
        let finish = Finish { uid: Some(uid), gid: Some(gid), ..Finish::default() };
        Ok(compose::set_access(self.host, path, finish, false)?)
    }

    fn time(&self, path: &[u8], entry: &Entry) -> Result<()> {
        if !self.restored.time {
            return Ok(());
        }
        let at = SetTime::At(entry.modified);
        Ok(self.host.set_times(path, at, at, false)?)
    }

    /// Sets the modes and times of directories, inner ones first.
    fn finish(mut self) -> Result<()> {
        for (path, entry) in std::mem::take(&mut self.late).into_iter().rev() {
            self.own(&path, &entry)?;
            if self.restored.permissions || self.mode(&entry) & 0o700 != 0o700 {
                self.host.chmod(&path, self.mode(&entry))?;
            }
            self.time(&path, &entry)?;
        }
        self.host.settle();
        Ok(())
    }
}

fn refusal(name: &[u8], why: &str) -> ChangeError {
    let name = String::from_utf8_lossy(name);
    ChangeError::raise(
        "Chef::Exceptions::ValidationFailed",
        format!("Refusing to extract archive entry {name:?}: {why}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        for (name, path) in [
            ("a/b", Some("/d/a/b")),
            ("./a/", Some("/d/a")),
            ("a/../b", Some("/d/b")),
            ("../d/x", Some("/d/x")),
            ("..", None),
            ("../dd", None),
            ("/etc/passwd", None),
            ("a/../../x", None),
            (".", Some("/d")),
        ] {
            let found = inside(b"/d", name.as_bytes()).map(|path| String::from_utf8(path).unwrap());
            assert_eq!(found.as_deref(), path, "{name}");
        }
        assert_eq!(inside(b"/", b"x"), Some(b"/x".to_vec()));
    }

    #[test]
    fn leading_parts_are_dropped() {
        assert_eq!(stripped(b"a/b/c", 1), b"b/c");
        assert_eq!(stripped(b"a/", 1), b"");
        assert_eq!(stripped(b"a", 1), b"");
        assert_eq!(stripped(b"a/b/", 1), b"b/");
    }
}
