//! Unified diffs: of a file's content (SPEC-converge 3.3), and of any two texts.

use crate::file::Content;
use crate::time::{self, Civil};
use crate::{WriteFile, lcs, lossy};
use rchef_host::{Host, Time, compose, files};
use similar::DiffTag;
use similar::algorithms::{Capture, Replace, myers};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Chef's limits on diffs.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Make no diffs.
    pub disabled: bool,
    /// Maximum size of a file in bytes.
    pub file_size: usize,
    /// Maximum size of a diff in characters.
    pub output: usize,
    /// The new content is named as a file of the directory for temporary files, as in a why-run; else as one beside the target.
    pub staged_apart: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { disabled: false, file_size: 10_000_000, output: 1_000_000, staged_apart: false }
    }
}

fn is_binary(data: &[u8]) -> bool {
    match std::str::from_utf8(data) {
        Ok(text) => text.chars().any(|c| c.is_control() && !c.is_whitespace()),
        Err(_) => true,
    }
}

/// The lines for a write: the diff with its header, or one line with the reason why there is none.
pub fn lines(host: &dyn Host, write: &WriteFile, limits: &Limits) -> Vec<String> {
    if limits.disabled {
        return vec!["(diff output suppressed by config)".into()];
    }
    let size = limits.file_size;
    let old = write.replaces.as_ref().map(|old| &old.content);
    let new = write.content.as_ref();
    if [old, new].into_iter().flatten().any(|content| content.size() > size as u64) {
        return vec![format!("(file sizes exceed {size} bytes, diff output suppressed)")];
    }
    let nothing = Content::Held(Vec::new());
    let (old, new) = (old.unwrap_or(&nothing).bytes(host), new.unwrap_or(&nothing).bytes(host));
    let (Ok(before), Ok(after)) = (old, new) else {
        return vec!["(a file cannot be read, diff output suppressed)".into()];
    };
    let (before, after) = (&before[..], &after[..]);
    if is_binary(before) {
        return vec!["(current file is binary, diff output suppressed)".into()];
    }
    if is_binary(after) {
        return vec!["(new content is binary, diff output suppressed)".into()];
    }
    let lines = hunks(&split(&lossy(before)), &split(&lossy(after)));
    if lines.is_empty() {
        return vec!["(no diff)".into()];
    }
    let output = limits.output;
    if lines.iter().map(|line| line.len() + 1).sum::<usize>() > output {
        return vec![format!("(long diff of over {output} characters, diff output suppressed)")];
    }
    head(host, write, limits.staged_apart).into_iter().chain(lines).collect()
}

/// Number of equal lines around a change.
const CONTEXT: usize = 3;

/// A block of changed lines: the ranges of old and new lines.
struct Block {
    old: Range<usize>,
    new: Range<usize>,
}

/// The lines of a text without line endings. Like Chef, this ignores whether the last line has one.
fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n')
        .map(|line| {
            let line = line.strip_suffix('\n').unwrap_or(line);
            line.strip_suffix('\r').unwrap_or(line)
        })
        .collect()
}

fn blocks(old: &[&str], new: &[&str]) -> Vec<Block> {
    let Some(matches) = lcs::matches(old, new) else { return quick_blocks(old, new) };
    let mut blocks = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    for (at, to) in matches.iter().enumerate().filter_map(|(at, to)| Some((at, (*to)?))) {
        if at > old_at || to > new_at {
            blocks.push(Block { old: old_at..at, new: new_at..to });
        }
        (old_at, new_at) = (at + 1, to + 1);
    }
    if old_at < old.len() || new_at < new.len() {
        blocks.push(Block { old: old_at..old.len(), new: new_at..new.len() });
    }
    blocks
}

/// Compares texts with very many equal lines in bounded time.
fn quick_blocks(old: &[&str], new: &[&str]) -> Vec<Block> {
    let mut changes = Replace::new(Capture::new());
    #[expect(clippy::disallowed_methods, reason = "the crate takes its deadline as an Instant")]
    let deadline = Instant::now() + Duration::from_secs(2);
    let Ok(()) = myers::diff_deadline(&mut changes, old, 0..old.len(), new, 0..new.len(), Some(deadline));
    let changes = changes.into_inner().into_ops();
    let differing = changes.iter().filter(|op| op.tag() != DiffTag::Equal);
    differing.map(|op| Block { old: op.old_range(), new: op.new_range() }).collect()
}

/// A range in a hunk header, `-1,2`: the first line (from 1), and the number of lines unless it is one.
fn range(sign: char, lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{sign}{},0", lines.start),
        1 => format!("{sign}{}", lines.start + 1),
        count => format!("{sign}{},{count}", lines.start + 1),
    }
}

/// A diff in the format of `patch`, with a header if the names are given; empty if the texts are equal.
pub fn unified(from: &str, to: &str, names: Option<(&str, &str)>) -> String {
    let old: Vec<&str> = from.split_inclusive('\n').collect();
    let new: Vec<&str> = to.split_inclusive('\n').collect();
    let mut text = String::new();
    for line in hunks(&old, &new) {
        if let (true, Some((from, to))) = (text.is_empty(), names) {
            text = format!("--- {from}\n+++ {to}\n");
        }
        text.push_str(&line);
        if line.starts_with("@@") {
            text.push('\n');
        } else if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
    text
}

/// The lines of a diff without its header.
pub fn hunks(old: &[&str], new: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = &blocks(old, new)[..];
    while !rest.is_empty() {
        // blocks whose context lines overlap or touch form one hunk
        let near = |pair: &[Block]| pair[1].old.start - pair[0].old.end <= 2 * CONTEXT;
        let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (hunk, after) = rest.split_at(count);
        rest = after;
        let (first, last) = (&hunk[0], &hunk[count - 1]);
        let before = CONTEXT.min(first.old.start);
        let after = CONTEXT.min(old.len() - last.old.end);
        let header = [
            range('-', &(first.old.start - before..last.old.end + after)),
            range('+', &(first.new.start - before..last.new.end + after)),
        ];
        lines.push(format!("@@ {} @@", header.join(" ")));
        let mut at = first.old.start - before;
        for block in hunk {
            lines.extend(old[at..block.old.start].iter().map(|line| format!(" {line}")));
            lines.extend(old[block.old.clone()].iter().map(|line| format!("-{line}")));
            lines.extend(new[block.new.clone()].iter().map(|line| format!("+{line}")));
            at = block.old.end;
        }
        lines.extend(old[at..last.old.end + after].iter().map(|line| format!(" {line}")));
    }
    lines
}

/// The two header lines: the old file, and the temporary file that Chef would compare it with.
fn head(host: &dyn Host, write: &WriteFile, staged_apart: bool) -> [String; 2] {
    let now = Time::from_ns(host.wall_ns());
    let path = &write.target;
    let modified = write.replaces.as_ref().map_or(now, |old| old.modified);
    let dir = if staged_apart { lossy(&compose::temp_dir(host)) } else { lossy(files::dirname(path)) };
    let staged = format!("{}/{}", dir.trim_end_matches('/'), staged_name(host, path));
    [
        format!("--- {}\t{}", lossy(path), time::diff_stamp(host, modified)),
        format!("+++ {staged}\t{}", time::diff_stamp(host, now)),
    ]
}

/// The name of the temporary file that Chef would write new content of a file into: `.chef-` and the name, with time, process and letters before its extension.
pub fn staged_name(host: &dyn Host, path: &[u8]) -> String {
    let now = Time::from_ns(host.wall_ns());
    let base = lossy(files::basename(path));
    let (stem, ext) = base.split_at(base.get(1..).and_then(|rest| rest.find('.')).map_or(base.len(), |at| at + 1));
    format!(".chef-{stem}{}-{}-{}{ext}", Civil::local(host, now.secs).compact(), host.pid(), letters(now.nanos))
}

/// Six letters and digits, as in the names of temporary files.
fn letters(number: u32) -> String {
    let digit = |place: u32| char::from_digit(number / 36u32.pow(place) % 36, 36).unwrap_or('0');
    (0..6).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::{hunks, split, unified};

    fn of(from: &str, to: &str) -> Vec<String> {
        hunks(&split(from), &split(to))
    }

    #[test]
    fn a_last_line_without_its_end_is_no_change() {
        assert!(of("a\nb", "a\nb\n").is_empty());
        assert_eq!(of("a\nb", "a\nc\n"), ["@@ -1,2 +1,2 @@", " a", "-b", "+c"]);
    }

    #[test]
    fn blocks_whose_context_meets_are_one_hunk() {
        let text = |first: &str, equal: usize| format!("{first}\n{}{first}\n", "=\n".repeat(equal));
        let headers =
            |equal| of(&text("a", equal), &text("b", equal)).iter().filter(|line| line.starts_with("@@")).count();
        assert_eq!((headers(6), headers(7)), (1, 2));
        assert_eq!(of("", "x\n"), ["@@ -0,0 +1 @@", "+x"]);
    }

    #[test]
    fn very_many_equal_lines_are_compared_too() {
        let blank = "\n".repeat(5_000);
        let lines = of(&format!("{blank}a\n{blank}"), &format!("{blank}b\n{blank}"));
        assert_eq!(lines, ["@@ -4998,7 +4998,7 @@", " ", " ", " ", "-a", "+b", " ", " ", " "]);
        let lines = of(&format!("a\n{blank}b\n"), &format!("c\n{blank}d\n"));
        assert_eq!(
            lines,
            ["@@ -1,4 +1,4 @@", "-a", "+c", " ", " ", " ", "@@ -4999,4 +4999,4 @@", " ", " ", " ", "-b", "+d"]
        );
    }

    #[test]
    fn a_patch_tells_of_a_missing_end() {
        assert_eq!(unified("a\n", "a\n", Some(("x", "y"))), "");
        let expected = "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n";
        assert_eq!(unified("a\nb", "a\nb\n", Some(("x", "y"))), expected);
        assert_eq!(unified("", "@@\n", None), "@@ -0,0 +1 @@\n+@@\n");
    }
}
