//! Operations based on the traits: whole files, temporary files, directory trees.

use crate::error::{HostError, Result};
use crate::files::{Access, FileHandle, Files, OpenFlags, Seek, Stat, dirname, join};
pub use crate::replace::{
    Finish, Source, Written, atomic_write, is_staged, overwrite, pour, replace, set_access, unlink,
};
use crate::{Processes, Randomness};
use nix::libc;

/// Buffer size of copies and checksums in bytes.
const CHUNK: usize = 64 * 1024;

/// The contents of a file. A directory is `EISDIR`.
pub fn read_file(files: &(impl Files + ?Sized), path: &[u8]) -> Result<Vec<u8>> {
    let handle = files.open(path, OpenFlags::RDONLY, 0)?;
    read_all(&*handle).map_err(|error| HostError::at(error.errno, error.op, path))
}

/// The contents of a regular file whose size was just looked up.
pub fn read_sized(files: &(impl Files + ?Sized), path: &[u8], size: u64) -> Result<Vec<u8>> {
    let named = |error: HostError| HostError::at(error.errno, error.op, path);
    let handle = files.open(path, OpenFlags::RDONLY, 0)?;
    let size = size.min(1 << 30) as usize;
    let mut data = vec![0; size + 1];
    loop {
        match handle.read(&mut data, None) {
            // exactly the expected size
            Ok(count) if count == size => {
                data.truncate(size);
                return Ok(data);
            }
            // the size has changed since
            Ok(count) => {
                data.truncate(count);
                data.extend(read_all(&*handle).map_err(named)?);
                return Ok(data);
            }
            Err(error) if error.errno == libc::EINTR => {}
            Err(error) => return Err(named(error)),
        }
    }
}

/// Reads from the current offset to the end.
pub fn read_all(handle: &dyn FileHandle) -> Result<Vec<u8>> {
    let mut data = vec![0; 4096];
    let mut filled = 0;
    loop {
        if filled == data.len() {
            // most files are short; for a longer one the size is only a hint, because files in /proc have size 0
            let hint = if filled == 4096 { handle.stat().map_or(0, |stat| stat.size).min(1 << 30) as usize } else { 0 };
            data.resize((hint + 1).max(filled + filled.min(1 << 24)), 0);
        }
        match handle.read(&mut data[filled..], None) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.errno == libc::EINTR => {}
            Err(error) => return Err(error),
        }
    }
    data.truncate(filled);
    Ok(data)
}

/// Writes all of `data`, with as many calls as needed.
pub fn write_all(handle: &dyn FileHandle, mut data: &[u8]) -> Result<()> {
    while !data.is_empty() {
        match handle.write(data, None) {
            Ok(0) => return Err(HostError::new(libc::EIO, "write")),
            Ok(count) => data = &data[count..],
            Err(error) if error.errno == libc::EINTR => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Replaces the contents in place (not atomically); a new file gets `mode` without the bits of the umask.
pub fn write_file(files: &(impl Files + ?Sized), path: &[u8], data: &[u8], mode: u32) -> Result<()> {
    let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC;
    let handle = files.open(path, flags, mode)?;
    write_all(&*handle, data).map_err(|error| HostError::at(error.errno, error.op, path))
}

/// Whether the path exists (symlinks are followed).
pub fn exists(files: &(impl Files + ?Sized), path: &[u8]) -> bool {
    files.stat(path).is_ok()
}

/// The path of a program: in the first directory that has an executable file of this name. Empty directory names are ignored.
pub fn program<'a>(
    files: &(impl Files + ?Sized),
    folders: impl IntoIterator<Item = &'a [u8]>,
    name: &str,
) -> Option<Vec<u8>> {
    let mut paths = folders.into_iter().filter(|folder| !folder.is_empty()).map(|folder| join(folder, name.as_bytes()));
    paths.find(|path| {
        files.stat(path).is_ok_and(|stat| stat.is_file()) && files.access(path, Access::EXECUTE, true).is_ok()
    })
}

/// `lstat`; `None` if the path does not exist.
pub fn lstat_opt(files: &(impl Files + ?Sized), path: &[u8]) -> Result<Option<Stat>> {
    absent_ok(files.lstat(path))
}

/// `stat`; `None` if the path does not exist.
pub fn stat_opt(files: &(impl Files + ?Sized), path: &[u8]) -> Result<Option<Stat>> {
    absent_ok(files.stat(path))
}

/// [`read_file`]; `None` if the path does not exist.
pub fn read_opt(files: &(impl Files + ?Sized), path: &[u8]) -> Result<Option<Vec<u8>>> {
    absent_ok(read_file(files, path))
}

fn absent_ok<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.errno, libc::ENOENT | libc::ENOTDIR) => Ok(None),
        Err(error) => Err(error),
    }
}

/// `TMPDIR` or `/tmp`.
pub fn temp_dir(host: &(impl Processes + ?Sized)) -> Vec<u8> {
    host.env(b"TMPDIR").filter(|dir| !dir.is_empty()).unwrap_or_else(|| b"/tmp".to_vec())
}

/// Creates a file in `dir` named `prefix` + random + `suffix`, with mode 0600; returns its path and a handle for reading and writing.
pub fn temp_file(
    host: &(impl Files + Randomness + ?Sized),
    dir: &[u8],
    prefix: &[u8],
    suffix: &[u8],
) -> Result<(Vec<u8>, Box<dyn FileHandle>)> {
    let flags = OpenFlags::RDWR | OpenFlags::CREAT | OpenFlags::EXCL | OpenFlags::NOFOLLOW;
    loop {
        let path = temp_name(host, dir, prefix, suffix)?;
        match host.open(&path, flags, 0o600) {
            Ok(handle) => return Ok((path, handle)),
            Err(error) if error.errno == libc::EEXIST => {}
            Err(error) => return Err(error),
        }
    }
}

/// Creates a directory, named like `temp_file` does, with mode 0700.
pub fn temp_subdir(
    host: &(impl Files + Randomness + ?Sized),
    dir: &[u8],
    prefix: &[u8],
    suffix: &[u8],
) -> Result<Vec<u8>> {
    loop {
        let path = temp_name(host, dir, prefix, suffix)?;
        match host.mkdir(&path, 0o700) {
            Ok(()) => return Ok(path),
            Err(error) if error.errno == libc::EEXIST => {}
            Err(error) => return Err(error),
        }
    }
}

fn temp_name(host: &(impl Randomness + ?Sized), dir: &[u8], prefix: &[u8], suffix: &[u8]) -> Result<Vec<u8>> {
    let mut random = [0u8; 10];
    host.fill(&mut random)?;
    let mut name = prefix.to_vec();
    name.extend_from_slice(letters(&random).as_bytes());
    name.extend_from_slice(suffix);
    Ok(join(dir, &name))
}

/// A letter or digit for each byte, without characters that look alike.
pub(crate) fn letters(random: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    random.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// mkdir -p: new directories get `mode` without the bits of the umask. Returns the created paths, topmost first.
pub fn create_dir_all(files: &(impl Files + ?Sized), path: &[u8], mode: u32) -> Result<Vec<Vec<u8>>> {
    let mut missing = Vec::new();
    let mut at = path;
    loop {
        match files.mkdir(at, mode) {
            Ok(()) => break,
            Err(error) if error.errno == libc::ENOENT && dirname(at) != at => {
                missing.push(at);
                at = dirname(at);
            }
            Err(error) if error.errno == libc::EEXIST => {
                if files.stat(at)?.is_dir() {
                    return make(files, missing, Vec::new(), mode);
                }
                return Err(HostError::at(libc::EEXIST, "mkdir", at));
            }
            Err(error) => return Err(error),
        }
    }
    make(files, missing, vec![at.to_vec()], mode)
}

fn make(files: &(impl Files + ?Sized), missing: Vec<&[u8]>, mut made: Vec<Vec<u8>>, mode: u32) -> Result<Vec<Vec<u8>>> {
    for dir in missing.into_iter().rev() {
        match files.mkdir(dir, mode) {
            Ok(()) => made.push(dir.to_vec()),
            Err(error) if error.errno == libc::EEXIST && files.stat(dir)?.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(made)
}

/// rm -r: symlinks are removed, not followed. A missing path is `ENOENT`.
pub fn remove_dir_all(files: &(impl Files + ?Sized), path: &[u8]) -> Result<()> {
    if !files.lstat(path)?.is_dir() {
        return files.unlink(path);
    }
    // A work list of directories (to be listed, or to be removed), so that the depth is not limited by the stack.
    let mut work = vec![(path.to_vec(), false)];
    while let Some((dir, listed)) = work.pop() {
        if listed {
            files.rmdir(&dir)?;
            continue;
        }
        let entries = files.readdir(&dir)?;
        work.push((dir.clone(), true));
        for entry in entries {
            let path = join(&dir, &entry.name);
            if files.lstat(&path)?.is_dir() {
                work.push((path, false));
            } else {
                files.unlink(&path)?;
            }
        }
    }
    Ok(())
}

/// Copies the contents (symlinks are followed); a new file gets the source's permissions without the bits of the umask. Returns the number of bytes.
pub fn copy(files: &(impl Files + ?Sized), from: &[u8], to: &[u8]) -> Result<u64> {
    let source = files.open(from, OpenFlags::RDONLY, 0)?;
    let stat = source.stat()?;
    let target = files.open(to, OpenFlags::WRONLY | OpenFlags::CREAT, stat.perm())?;
    let now = target.stat()?;
    if (now.dev, now.ino) == (stat.dev, stat.ino) {
        return Err(HostError::at(libc::EINVAL, "copy", to));
    }
    if now.is_file() {
        target.truncate(0)?;
    }
    let mut total = 0;
    each_chunk(&*source, from, &mut |chunk| {
        total += chunk.len() as u64;
        write_all(&*target, chunk)
    })?;
    Ok(total)
}

/// Passes a file's contents to `take` in chunks. Read errors have the path; errors of `take` are returned unchanged.
pub fn stream_file(
    files: &(impl Files + ?Sized),
    path: &[u8],
    take: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let handle = files.open(path, OpenFlags::RDONLY, 0)?;
    each_chunk(&*handle, path, take)
}

fn each_chunk(handle: &dyn FileHandle, path: &[u8], take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        match handle.read(&mut buffer, None) {
            Ok(0) => return Ok(()),
            Ok(count) => take(&buffer[..count])?,
            Err(error) if error.errno == libc::EINTR => {}
            Err(error) => return Err(HostError::at(error.errno, error.op, path)),
        }
    }
}

/// Renames, or copies and removes if the paths are on different file systems (regular files only).
pub fn move_file(host: &(impl Files + Randomness + ?Sized), from: &[u8], to: &[u8]) -> Result<()> {
    match host.rename(from, to) {
        Err(error) if error.errno == libc::EXDEV => {}
        other => return other,
    }
    let stat = host.lstat(from)?;
    if !stat.is_file() {
        return Err(HostError::at(libc::EXDEV, "rename", from));
    }
    let handle = host.open(from, OpenFlags::RDONLY, 0)?;
    handle.seek(Seek::Set(0))?;
    let data = read_all(&*handle)?;
    let finish = Finish { mode: Some(stat.perm()), uid: Some(stat.uid), gid: Some(stat.gid), sync: false };
    atomic_write(host, to, &data, finish)?;
    host.unlink(from)
}
