//! `update-alternatives --install` of a name without alternatives.

use crate::Result;
use crate::brought::done::Done;
use rchef_host::{Files, OverlayHost, compose, files};

/// Creates the links of the first alternative and of its slaves.
pub(super) fn install(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let [_, link, name, path, _, slaves @ ..] = words else { return Ok(Done::NotKnown) };
    let mut links = vec![(*link, *name, *path)];
    let mut rest = slaves;
    while let ["--slave", link, name, path, after @ ..] = rest {
        // slaves without their file get no link
        if compose::exists(overlay, path.as_bytes()) {
            links.push((link, name, path));
        }
        rest = after;
    }
    let known = format!("/var/lib/dpkg/alternatives/{name}").into_bytes();
    let is_new = links.iter().all(|(link, name, path)| {
        let choice = format!("/etc/alternatives/{name}");
        [link, &choice.as_str()].iter().all(|path| overlay.lstat(path.as_bytes()).is_err())
            && path.starts_with('/')
            && compose::exists(overlay, path.as_bytes())
            && overlay.stat(files::dirname(link.as_bytes())).is_ok_and(|stat| stat.is_dir())
    });
    if !rest.is_empty() || !is_new || overlay.lstat(&known).is_ok() {
        return Ok(Done::NotKnown);
    }
    compose::create_dir_all(overlay, b"/etc/alternatives", 0o755)?;
    compose::create_dir_all(overlay, b"/var/lib/dpkg/alternatives", 0o755)?;
    for (link, name, path) in links {
        let choice = format!("/etc/alternatives/{name}").into_bytes();
        overlay.symlink(path.as_bytes(), &choice)?;
        overlay.symlink(&choice, link.as_bytes())?;
    }
    compose::write_file(overlay, &known, b"auto\n", 0o644)?;
    Ok(Done::Changed)
}
