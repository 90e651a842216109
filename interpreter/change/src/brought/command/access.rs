//! Owners, groups and modes: `chown`, `chgrp`, `chmod`, `dpkg-statoverride`.

use crate::Result;
use crate::brought::done::{Done, each};
use rchef_host::compose::{self, Finish};
use rchef_host::options::parsed;
use rchef_host::{Files, OpenFlags, OverlayHost, Stat, Users};

/// dpkg's list of owners and modes that override those of packages.
const OVERRIDES: &[u8] = b"/var/lib/dpkg/statoverride";

/// Set-id bits, which a numeric mode of up to four digits leaves unchanged on a directory.
const SET_IDS: u32 = 0o6000;

/// The bits that a numeric mode leaves unchanged.
pub(super) fn kept(mode: &str, there: &Stat) -> u32 {
    if there.is_dir() && mode.len() < 5 { there.perm() & SET_IDS } else { 0 }
}

/// Parses a uid or gid.
pub(in crate::brought) fn id(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|id| digits && *id < u32::MAX)
}

/// The uid of a user and its primary gid, if known; None for an unknown name.
fn user(overlay: &OverlayHost, name: &str) -> Result<Option<(u32, Option<u32>)>> {
    if let Some(user) = overlay.user_by_name(name.as_bytes())? {
        return Ok(Some((user.uid, Some(user.gid))));
    }
    Ok(id(name).map(|id| (id, None)))
}

fn group(overlay: &OverlayHost, name: &str) -> Result<Option<u32>> {
    Ok(overlay.group_by_name(name.as_bytes())?.map(|group| group.gid).or_else(|| id(name)))
}

/// Parses an octal mode.
pub(super) fn octal(mode: &str) -> Option<u32> {
    let digits = mode.bytes().all(|byte| byte.is_ascii_digit());
    u32::from_str_radix(mode, 8).ok().filter(|mode| digits && *mode <= 0o7777)
}

/// Owner, group and mode as ids; an empty name leaves that part unset. None if a name is unknown.
pub(in crate::brought) fn named(overlay: &OverlayHost, owner: &str, of: &str, mode: &str) -> Result<Option<Finish>> {
    let mut access = Finish::default();
    if !owner.is_empty() {
        let Some((uid, _)) = user(overlay, owner)? else { return Ok(None) };
        access.uid = Some(uid);
    }
    if !of.is_empty() {
        let Some(gid) = group(overlay, of)? else { return Ok(None) };
        access.gid = Some(gid);
    }
    if !mode.is_empty() {
        let Some(mode) = octal(mode) else { return Ok(None) };
        access.mode = Some(mode);
    }
    Ok(Some(access))
}

/// `chown`, `chgrp` and `chmod`.
pub(super) fn change(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<Done> {
    let (short, long) = match program {
        "chmod" => ("cfv", "changes silent quiet verbose"),
        _ => ("cfvh", "changes silent quiet verbose no-dereference dereference"),
    };
    let Some(given) = parsed(short, long, false, words) else { return Ok(Done::NotKnown) };
    let [named_as, paths @ ..] = &given.operands[..] else { return Ok(Done::NotKnown) };
    let of_links = given.has(&["h", "no-dereference"]);
    let wanted = match program {
        "chmod" => named(overlay, "", "", named_as)?,
        "chgrp" => named(overlay, "", named_as, "")?,
        _ => match named_as.split_once([':', '.']) {
            None => named(overlay, named_as, "", "")?,
            Some((owner, "")) => match user(overlay, owner)? {
                Some((uid, Some(gid))) => Some(Finish { uid: Some(uid), gid: Some(gid), ..Finish::default() }),
                _ => None,
            },
            Some((owner, of)) => named(overlay, owner, of, "")?,
        },
    };
    let Some(wanted) = wanted else { return Ok(Done::NotKnown) };
    each(paths, |path| {
        let found = if of_links { overlay.lstat(path.as_bytes()) } else { overlay.stat(path.as_bytes()) };
        let Ok(found) = found else { return Ok(Done::status(1)) };
        let wanted = Finish { mode: wanted.mode.map(|mode| mode | kept(named_as, &found)), ..wanted };
        compose::set_access(overlay, path.as_bytes(), wanted, !of_links)?;
        Ok(Done::Changed)
    })
}

/// `dpkg-statoverride --add`; with `--update` also changes an existing file.
pub(super) fn overridden(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    const FORCE: [&str; 3] = ["force", "force-all", "force-statoverride-add"];
    let Some(given) = parsed("", &format!("add update quiet {}", FORCE.join(" ")), false, words) else {
        return Ok(Done::NotKnown);
    };
    let [owner, of, mode, path] = given.operands[..] else { return Ok(Done::NotKnown) };
    let path = path.trim_end_matches('/');
    if !given.has(&["add"]) || !path.starts_with('/') {
        return Ok(Done::NotKnown);
    }
    let Some(wanted) = named(overlay, owner, of, mode)? else { return Ok(Done::NotKnown) };
    let kept = compose::read_opt(overlay, OVERRIDES)?.unwrap_or_default();
    let kept = String::from_utf8_lossy(&kept).into_owned();
    if kept.lines().any(|row| row.splitn(4, ' ').nth(3) == Some(path)) {
        return Ok(if given.has(&FORCE) { Done::NotKnown } else { Done::status(2) });
    }
    let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND;
    compose::create_dir_all(overlay, b"/var/lib/dpkg", 0o755)?;
    let file = overlay.open(OVERRIDES, flags, 0o644)?;
    compose::write_all(&*file, format!("{owner} {of} {:o} {path}\n", wanted.mode.unwrap_or_default()).as_bytes())?;
    if given.has(&["update"]) && overlay.lstat(path.as_bytes()).is_ok() {
        compose::set_access(overlay, path.as_bytes(), wanted, true)?;
    }
    Ok(Done::Changed)
}
