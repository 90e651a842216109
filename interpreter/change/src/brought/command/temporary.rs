//! `systemd-tmpfiles --create`: directories that files in tmpfiles.d declare.

use super::access;
use crate::Result;
use crate::brought::done::{Done, configured};
use rchef_host::OverlayHost;
use rchef_host::compose::{self, Finish};
use rchef_host::options::parsed;

pub(super) fn make(overlay: &OverlayHost, words: &[&str]) -> Result<Done> {
    let Some(given) = parsed("", "create", false, words) else { return Ok(Done::NotKnown) };
    if !given.has(&["create"]) || given.operands.is_empty() {
        return Ok(Done::NotKnown);
    }
    let mut known = true;
    for name in given.operands {
        match configured(overlay, "tmpfiles.d", name) {
            Some(text) => {
                for row in text.lines() {
                    known &= line(overlay, row)?;
                }
            }
            None => known = false,
        }
    }
    Ok(if known { Done::Changed } else { Done::NotKnown })
}

/// Creates what a line declares; gives whether the line is supported.
fn line(overlay: &OverlayHost, row: &str) -> Result<bool> {
    let words: Vec<&str> = row.split_whitespace().collect();
    let [kind, path, rest @ ..] = &words[..] else { return Ok(words.is_empty() || words[0].starts_with('#')) };
    let (letter, marks) = kind.split_at(kind.chars().next().map_or(0, char::len_utf8));
    let kept = ["x", "X", "r", "R"].contains(&letter) || marks.contains('!');
    if letter == "#" || kept && marks.chars().all(|mark| "!-".contains(mark)) {
        return Ok(true);
    }
    let is_plain = !row.contains(['%', '"', '\'', '\\']) && marks.chars().all(|mark| mark == '-');
    if !["d", "D", "v", "q", "Q"].contains(&letter) || !is_plain || !path.starts_with('/') {
        return Ok(false);
    }
    let field = |at: usize| rest.get(at).copied().filter(|field| *field != "-").unwrap_or_default();
    let Some(told) = access::named(overlay, field(1), field(2), field(0))? else { return Ok(false) };
    let told = match compose::lstat_opt(overlay, path.as_bytes())? {
        Some(there) if !there.is_dir() => return Ok(false),
        Some(_) => told,
        None => Finish { mode: told.mode.or(Some(0o755)), ..told },
    };
    compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
    compose::set_access(overlay, path.as_bytes(), told, true)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::*;
    use crate::brought::machine;

    #[test]
    fn kinds_of_lines() {
        let host = machine();
        for (row, known) in
            [("d /srv/a", true), ("x /srv/a", true), ("f /srv/b", false), ("\u{e9} /srv/b", false), ("", true)]
        {
            assert_eq!(line(&host, row).unwrap(), known, "{row}");
        }
    }
}
