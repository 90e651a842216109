//! The unified diff that goes with a change of content (SPEC-converge 3.3).

use crate::time::{self, Civil};
use crate::{WriteFile, lossy};
use rchef_host::{Host, Time, files};
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// What is shown of a change of content.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// No diffs at all.
    pub disabled: bool,
    /// Bytes of a file above which there is none.
    pub file_size: usize,
    /// Characters of a diff above which it is left out.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { disabled: false, file_size: 10_000_000, output: 1_000_000 }
    }
}

fn is_binary(data: &[u8]) -> bool {
    match std::str::from_utf8(data) {
        Ok(text) => text.chars().any(|c| c.is_control() && !c.is_whitespace()),
        Err(_) => true,
    }
}

/// The lines that show a write: a diff with its head, or one line that says why there is none.
pub fn lines(host: &dyn Host, write: &WriteFile, limits: &Limits) -> Vec<String> {
    if limits.disabled {
        return vec!["(diff output suppressed by config)".into()];
    }
    let before = write.replaces.as_ref().map_or(&b""[..], |old| &old.content);
    let after = write.content.as_deref().unwrap_or_default();
    let size = limits.file_size;
    if before.len() > size || after.len() > size {
        return vec![format!("(file sizes exceed {size} bytes, diff output suppressed)")];
    }
    if is_binary(before) {
        return vec!["(current file is binary, diff output suppressed)".into()];
    }
    if is_binary(after) {
        return vec!["(new content is binary, diff output suppressed)".into()];
    }
    let lines = hunks(&lossy(before), &lossy(after));
    if lines.is_empty() {
        return vec!["(no diff)".into()];
    }
    let output = limits.output;
    if lines.iter().map(|line| line.len() + 1).sum::<usize>() > output {
        return vec![format!("(long diff of over {output} characters, diff output suppressed)")];
    }
    head(host, write).into_iter().chain(lines).collect()
}

fn hunks(from: &str, to: &str) -> Vec<String> {
    let changes = TextDiff::configure().timeout(Duration::from_secs(2)).diff_lines(from, to);
    let mut lines = Vec::new();
    for hunk in changes.unified_diff().context_radius(3).iter_hunks() {
        lines.push(hunk.header().to_string());
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            lines.push(format!("{sign}{}", change.value().trim_end_matches(['\n', '\r'])));
        }
    }
    lines
}

/// The two lines that name the file as it was, and the temporary file that Chef would compare it with.
fn head(host: &dyn Host, write: &WriteFile) -> [String; 2] {
    let now = Time::from_ns(host.wall_ns());
    let path = &write.target;
    let modified = write.replaces.as_ref().map_or(now, |old| old.modified);
    let (dir, base) = (lossy(files::dirname(path)), lossy(files::basename(path)));
    let (stem, ext) = base.split_at(base.get(1..).and_then(|rest| rest.find('.')).map_or(base.len(), |at| at + 1));
    let staged = format!(
        "{}/.chef-{stem}{}-{}-{}{ext}",
        dir.trim_end_matches('/'),
        Civil::local(host, now.secs).compact(),
        host.pid(),
        letters(now.nanos)
    );
    [
        format!("--- {}\t{}", lossy(path), time::diff_stamp(host, modified)),
        format!("+++ {staged}\t{}", time::diff_stamp(host, now)),
    ]
}

/// Six letters and digits, as the names of temporary files have.
fn letters(number: u32) -> String {
    let digit = |place: u32| char::from_digit(number / 36u32.pow(place) % 36, 36).unwrap_or('0');
    (0..6).map(digit).collect()
}
