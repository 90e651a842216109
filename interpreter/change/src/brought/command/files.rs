//! Files, directories and links: `mkdir`, `install`, `cp`, `ucf`, `ln`, `touch`, `rm`.

use super::access;
use crate::brought::done::{Done, each};
use crate::brought::dpkg::sum;
use crate::{LARGE, Result};
use rchef_host::compose::{self, Finish};
use rchef_host::files::{basename, dirname, join};
use rchef_host::options::parsed;
use rchef_host::{Files, OpenFlags, OverlayHost};

fn is_directory(overlay: &OverlayHost, path: &[u8]) -> bool {
    overlay.stat(path).is_ok_and(|stat| stat.is_dir())
}

/// Whether two paths are the same file.
fn is_same(overlay: &OverlayHost, one: &[u8], other: &[u8]) -> bool {
    let of = |path: &[u8]| overlay.stat(path).ok().map(|stat| (stat.dev, stat.ino));
    of(one).is_some_and(|one| of(other) == Some(one))
}

pub(super) fn directories(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let Some(given) = parsed("pvm:", "parents verbose mode=", false, words) else { return Ok(Done::NotKnown) };
    let mode = match given.value(&["m", "mode"]) {
        Some(value) => match access::octal(value) {
            Some(mode) => Some(mode),
            None => return Ok(Done::NotKnown),
        },
        None => None,
    };
    let parents = given.has(&["p", "parents"]);
    each(&given.operands, |path| {
        let path = path.trim_end_matches('/').as_bytes();
        if overlay.lstat(path).is_ok() {
            return Ok(Done::status(i32::from(!(parents && is_directory(overlay, path)))));
        }
        if parents {
            compose::create_dir_all(overlay, dirname(path), 0o755)?;
        } else if !is_directory(overlay, dirname(path)) {
            return Ok(Done::status(1));
        }
        overlay.mkdir(path, 0o755)?;
        compose::set_access(overlay, path, Finish { mode, ..Finish::default() }, true)?;
        Ok(Done::Changed)
    })
}

/// `install` of files and directories.
pub(super) fn install(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    const LONG: &str = "directory verbose owner= group= mode= preserve-timestamps no-target-directory";
    let Some(given) = parsed("cdDpvTo:g:m:", LONG, false, words) else { return Ok(Done::NotKnown) };
    let value = |names: &[&str]| given.value(names).unwrap_or_default();
    let named = value(&["m", "mode"]);
    let told = access::named(overlay, value(&["o", "owner"]), value(&["g", "group"]), named)?;
    let Some(told) = told else { return Ok(Done::NotKnown) };
    let told = Finish { mode: told.mode.or(Some(0o755)), ..told };
    if given.has(&["d", "directory"]) {
        return each(&given.operands, |path| {
            if overlay.stat(path.as_bytes()).is_ok_and(|stat| !stat.is_dir()) {
                return Ok(Done::status(1));
            }
            compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
            let kept = if named.is_empty() { 0 } else { access::kept(named, &overlay.stat(path.as_bytes())?) };
            let told = Finish { mode: told.mode.map(|mode| mode | kept), ..told };
            compose::set_access(overlay, path.as_bytes(), told, true)?;
            Ok(Done::Changed)
        });
    }
    let [from, to] = given.operands[..] else { return Ok(Done::NotKnown) };
    let is_whole = given.has(&["T", "no-target-directory"]);
    each(&[to], |to| {
        let Some((target, content)) = copied(overlay, from, to, is_whole)? else { return Ok(Done::NotKnown) };
        let Some(content) = content else { return Ok(Done::status(1)) };
        if given.has(&["D"]) {
            compose::create_dir_all(overlay, dirname(&target), 0o755)?;
        } else if !is_directory(overlay, dirname(&target)) {
            return Ok(Done::status(1));
        }
        // an existing file or link is replaced
        if overlay.lstat(&target).is_ok() {
            overlay.unlink(&target)?;
        }
        compose::write_file(overlay, &target, &content, 0o600)?;
        compose::set_access(overlay, &target, told, true)?;
        Ok(Done::Changed)
    })
}

/// Target of a copy and its content, which is None if the source does not exist; None if the result is not known.
type Copied = Option<(Vec<u8>, Option<Vec<u8>>)>;

fn copied(overlay: &OverlayHost, from: &str, to: &str, is_whole: bool) -> Result<Copied> {
    if !from.starts_with('/') || !to.starts_with('/') {
        return Ok(None);
    }
    let mut target = to.as_bytes().to_vec();
    if is_directory(overlay, &target) {
        if is_whole {
            return Ok(None);
        }
        target = join(&target, basename(from.as_bytes()));
    } else if to.ends_with('/') {
        return Ok(None);
    }
    if is_directory(overlay, &target) || is_same(overlay, from.as_bytes(), &target) {
        return Ok(None);
    }
    if from == "/dev/null" {
        return Ok(Some((target, Some(Vec::new()))));
    }
    Ok(match overlay.stat(from.as_bytes()) {
        Err(_) => Some((target, None)),
        Ok(stat) if stat.is_file() && stat.size <= LARGE => {
            let content = compose::read_file(overlay, from.as_bytes())?;
            Some((target, Some(content)))
        }
        Ok(_) => None,
    })
}

/// `cp` of a file.
pub(super) fn copy(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let Some(given) = parsed("apfvnT", "archive force verbose no-clobber", false, words) else {
        return Ok(Done::NotKnown);
    };
    let [from, to] = given.operands[..] else { return Ok(Done::NotKnown) };
    let keeps = given.has(&["a", "archive"]) || given.has(&["p"]);
    // the link itself would be copied
    if given.has(&["a", "archive"]) && overlay.lstat(from.as_bytes()).is_ok_and(|stat| stat.is_symlink()) {
        return Ok(Done::NotKnown);
    }
    let Some((target, content)) = copied(overlay, from, to, given.has(&["T"]))? else { return Ok(Done::NotKnown) };
    let Some(content) = content else { return Ok(Done::status(1)) };
    let source = overlay.stat(from.as_bytes())?;
    match compose::lstat_opt(overlay, &target)? {
        Some(_) if given.has(&["n", "no-clobber"]) => return Ok(Done::status(0)),
        Some(there) if !there.is_file() => return Ok(Done::NotKnown),
        None if !is_directory(overlay, dirname(&target)) => return Ok(Done::status(1)),
        _ => {}
    }
    let access = match overlay.lstat(&target) {
        _ if keeps => {
            Finish { mode: Some(source.perm()), uid: Some(source.uid), gid: Some(source.gid), ..Finish::default() }
        }
        Ok(_) => Finish::default(),
        Err(_) => Finish { mode: Some(source.perm() & 0o755), ..Finish::default() },
    };
    compose::write_file(overlay, &target, &content, 0o600)?;
    compose::set_access(overlay, &target, access, true)?;
    Ok(Done::Changed)
}

/// `ucf`, for a configuration file that does not exist yet.
pub(super) fn configuration(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let Some(given) = parsed("", "three-way debconf-ok", false, words) else { return Ok(Done::NotKnown) };
    let [from, to] = given.operands[..] else { return Ok(Done::NotKnown) };
    let Some((target, content)) = copied(overlay, from, to, true)? else { return Ok(Done::NotKnown) };
    let Some(content) = content else { return Ok(Done::status(2)) };
    match compose::lstat_opt(overlay, &target)? {
        Some(there) if there.is_file() && compose::read_file(overlay, &target)? == content => {}
        // ucf's decision depends on its records of the old content
        Some(_) => return Ok(Done::NotKnown),
        None if is_recorded(overlay, &target) => return Ok(Done::NotKnown),
        None => {
            let mode = overlay.stat(from.as_bytes())?.perm();
            compose::create_dir_all(overlay, dirname(&target), 0o755)?;
            compose::write_file(overlay, &target, &content, 0o644)?;
            compose::set_access(overlay, &target, Finish { mode: Some(mode), ..Finish::default() }, true)?;
        }
    }
    let Some(sum) = sum(&content).filter(|_| !is_recorded(overlay, &target)) else { return Ok(Done::Changed) };
    compose::create_dir_all(overlay, dirname(UCF), 0o755)?;
    let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND;
    let file = overlay.open(UCF, flags, 0o644)?;
    compose::write_all(&*file, &[sum.as_bytes(), b"  ", &target, b"\n"].concat())?;
    Ok(Done::Changed)
}

/// Checksums of the files that ucf has installed.
const UCF: &[u8] = b"/var/lib/ucf/hashfile";

fn is_recorded(overlay: &OverlayHost, path: &[u8]) -> bool {
    let rows = compose::read_file(overlay, UCF).unwrap_or_default();
    rows.split(|byte| *byte == b'\n')
        .any(|row| row.splitn(2, |byte| *byte == b' ').nth(1).is_some_and(|rest| rest.trim_ascii() == path))
}

/// The target of a link.
fn of_link(path: &[u8], to: &str) -> Vec<u8> {
    rchef_host::files::absolute(dirname(path), to.as_bytes())
}

pub(super) fn link(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    const LONG: &str = "symbolic force no-dereference verbose no-target-directory";
    let Some(given) = parsed("sfnvT", LONG, false, words) else { return Ok(Done::NotKnown) };
    let ([to, path], true) = (&given.operands[..], given.has(&["s", "symbolic"])) else { return Ok(Done::NotKnown) };
    each(&[path], |path| {
        let mut path = path.as_bytes().to_vec();
        let there = compose::lstat_opt(overlay, &path)?;
        let is_link = there.as_ref().is_some_and(|stat| stat.is_symlink());
        let itself = given.has(&["n", "no-dereference"]) && is_link || given.has(&["T", "no-target-directory"]);
        if is_directory(overlay, &path) && !itself {
            path = join(&path, basename(to.as_bytes()));
        } else if path.ends_with(b"/") {
            return Ok(Done::NotKnown);
        }
        match compose::lstat_opt(overlay, &path)? {
            Some(_) if !given.has(&["f", "force"]) => return Ok(Done::status(1)),
            Some(stat) if stat.is_dir() => return Ok(Done::status(1)),
            Some(stat) if !stat.is_symlink() && is_same(overlay, &of_link(&path, to), &path) => {
                return Ok(Done::NotKnown);
            }
            Some(_) => overlay.unlink(&path)?,
            None if !is_directory(overlay, dirname(&path)) => return Ok(Done::status(1)),
            None => {}
        }
        overlay.symlink(to.as_bytes(), &path)?;
        Ok(Done::Changed)
    })
}

pub(super) fn touch(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let Some(given) = parsed("", "", false, words) else { return Ok(Done::NotKnown) };
    each(&given.operands, |path| {
        let path = path.as_bytes();
        if !compose::exists(overlay, path) {
            if overlay.lstat(path).is_ok() || path.ends_with(b"/") {
                return Ok(Done::NotKnown);
            }
            if !is_directory(overlay, dirname(path)) {
                return Ok(Done::status(1));
            }
            compose::write_file(overlay, path, b"", 0o644)?;
        }
        Ok(Done::Changed)
    })
}

/// `rm` of anything but directories.
pub(super) fn remove(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let Some(given) = parsed("fvrR", "force verbose recursive", false, words) else { return Ok(Done::NotKnown) };
    if given.operands.is_empty() && given.has(&["f", "force"]) {
        return Ok(Done::status(0));
    }
    each(&given.operands, |path| {
        match compose::lstat_opt(overlay, path.as_bytes())? {
            Some(stat) if stat.is_dir() && given.has(&["r", "R", "recursive"]) => return Ok(Done::NotKnown),
            Some(stat) if stat.is_dir() => return Ok(Done::status(1)),
            Some(_) if path.ends_with('/') => return Ok(Done::NotKnown),
            Some(_) => overlay.unlink(path.as_bytes())?,
            None if given.has(&["f", "force"]) => return Ok(Done::status(0)),
            None => return Ok(Done::status(1)),
        }
        Ok(Done::Changed)
    })
}
