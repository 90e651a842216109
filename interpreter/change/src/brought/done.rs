//! What commands of installation scripts have done, and where the files are that they are told of.

use crate::shell::Told;
use crate::{Result, lossy};
use rchef_host::{OverlayHost, compose};

/// What a command has done.
#[derive(Debug, PartialEq)]
pub(super) enum Done {
    /// Nothing but to tell.
    Told(Told),
    /// It has changed what it says.
    Changed,
    /// That is not known, or not all of it.
    NotKnown,
}

impl Done {
    /// It tells what is not known.
    pub(super) fn something() -> Self {
        Self::Told(Told::default())
    }

    /// It ends with a status and has changed nothing.
    pub(super) fn status(code: i32) -> Self {
        Self::Told(Told { code: Some(code), text: Some(Vec::new()) })
    }
}

/// Does something with each of several paths; a command goes on after one that fails, and fails without any.
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

/// Where files of that kind are, the first ones before the others.
const FOLDERS: [&str; 4] = ["/etc", "/run", "/usr/local/lib", "/usr/lib"];

/// The text of a file of a kind (`tmpfiles.d`) by its name or path.
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
