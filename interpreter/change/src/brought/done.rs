//! The outcome of commands in maintainer scripts, and the lookup of configuration files that they name.

use crate::shell::Told;
use crate::{Result, lossy};
use rchef_host::{OverlayHost, compose};

/// The outcome of a command.
#[derive(Debug, PartialEq)]
pub(super) enum Done {
    /// It changed nothing; its status and output.
    Told(Told),
    /// It succeeded and changed something.
    Changed,
    /// Its effect is not known, or not fully.
    NotKnown,
}

impl Done {
    /// The command changes nothing; its status and output are not known.
    pub(super) fn something() -> Self {
        Self::Told(Told::default())
    }

    /// The command changes nothing and prints nothing.
    pub(super) fn status(code: i32) -> Self {
        Self::Told(Told { code: Some(code), text: Some(Vec::new()) })
    }
}

/// Applies `step` to each path. A command continues after a path that fails, and fails without paths.
pub(super) fn each(paths: &[&str], mut step: impl FnMut(&str) -> Result<Done>) -> Result<Done> {
    let (mut changed, mut failed) = (false, None);
    if paths.is_empty() {
        return Ok(Done::status(1));
    }
    for path in paths {
        if !path.starts_with('/') {
            return Ok(Done::NotKnown);
        }
        match step(path)? {
            Done::Changed => changed = true,
            Done::Told(Told { code: Some(0), .. }) => {}
            Done::Told(Told { code: Some(code), .. }) => failed = Some(code),
            _ => return Ok(Done::NotKnown),
        }
    }
    Ok(match (changed, failed) {
        (_, None) => Done::Changed,
        (false, Some(code)) => Done::status(code),
        (true, Some(_)) => Done::NotKnown,
    })
}

/// Directories of such files, in order of precedence.
const FOLDERS: [&str; 4] = ["/etc", "/run", "/usr/local/lib", "/usr/lib"];

/// The text of a configuration file of a kind (`tmpfiles.d`) by its name or path.
pub(super) fn configured(overlay: &OverlayHost, kind: &str, name: &str) -> Option<String> {
    let read = |path: &str| compose::read_file(overlay, path.as_bytes()).ok().map(|text| lossy(&text));
    if name.starts_with('/') {
        return read(name);
    }
    if name.contains('/') {
        return None;
    }
    FOLDERS.iter().find_map(|folder| read(&format!("{folder}/{kind}/{name}")))
}
