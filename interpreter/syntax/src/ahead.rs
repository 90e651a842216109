//! Parsing ahead: files that many runs of a program will evaluate are parsed once, on any thread, before the process forks copies of itself.
//!
//! A tree is handed out once and then belongs to its run, because runs keep their inline caches in it; parsing the same file again gives a new tree.

use crate::lower::{ParseKind, ParseRequest, Parsed};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Maximum number of trees kept for one path; a run may read a file several times, or its text may change.
const OF_ONE: usize = 16;

static THERE: AtomicBool = AtomicBool::new(false);
static TREES: Mutex<Option<HashMap<String, Kept>>> = Mutex::new(None);
/// Maximum size of the texts that are recorded as missed; a run that reads more has its other files parsed again in the next run.
const MOST: usize = 32 << 20;

static MISSED: Mutex<Vec<Missed>> = Mutex::new(Vec::new());
/// The size of the texts in `MISSED`.
static RECORDED: AtomicUsize = AtomicUsize::new(0);

#[derive(Default)]
struct Kept {
    trees: Vec<(ParseKind, Parsed)>,
    /// How often a tree of the path was requested.
    asked: usize,
}

impl Kept {
    fn find(&self, kind: ParseKind, source: &[u8]) -> Option<usize> {
        self.trees.iter().position(|tree| is(tree, kind, source))
    }
}

fn is((of, parsed): &(ParseKind, Parsed), kind: ParseKind, source: &[u8]) -> bool {
    *of == kind && parsed.code.file.source == source
}

/// A file that a run had to parse although other files had been parsed ahead. The process that forks the runs can parse it ahead for the next ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    pub path: String,
    pub kind: ParseKind,
    pub source: Vec<u8>,
    /// How often the path had been requested before.
    pub before: usize,
}

/// Parses a file and keeps the tree for the first request for the same text under the same path. A file with a syntax error is skipped: the request
/// reports it.
pub fn parse_ahead(path: &str, source: &[u8], kind: ParseKind) {
    keep(path, source, kind, usize::MAX);
}

/// Parses a missed file ahead, unless it has been parsed ahead since.
pub fn parse_missed(missed: &Missed) {
    keep(&missed.path, &missed.source, missed.kind, missed.before);
}

/// Keeps a tree unless more than `beside` trees of the same text are there already.
fn keep(path: &str, source: &[u8], kind: ParseKind, beside: usize) {
    let Ok(trees) = TREES.lock() else { return };
    if let Some(kept) = trees.as_ref().and_then(|trees| trees.get(path)) {
        let equal = kept.trees.iter().filter(|tree| is(tree, kind, source)).count();
        if equal > beside || kept.trees.len() >= OF_ONE {
            return;
        }
    }
    drop(trees);
    let Ok(parsed) = crate::lower::parse_anew(ParseRequest::file(source, path, kind)) else { return };
    let Ok(mut trees) = TREES.lock() else { return };
    trees.get_or_insert_default().entry(path.to_string()).or_default().trees.push((kind, parsed));
    THERE.store(true, Ordering::Release);
}

/// The files that were not parsed ahead, since the last call.
pub fn take_missed() -> Vec<Missed> {
    RECORDED.store(0, Ordering::Relaxed);
    MISSED.lock().map(|mut missed| std::mem::take(&mut *missed)).unwrap_or_default()
}

/// Drops all trees and the list of missed files.
pub fn forget_ahead() {
    take_missed();
    if let Ok(mut trees) = TREES.lock() {
        THERE.store(false, Ordering::Release);
        *trees = None;
    }
}

/// Takes the tree that was parsed ahead for a request, if there is one.
pub(crate) fn take(request: &ParseRequest<'_>) -> Option<Parsed> {
    let whole = request.first_line == 1 && request.scopes.is_empty() && request.method.is_none();
    let known = matches!(request.kind, ParseKind::File | ParseKind::Evaluated);
    if !THERE.load(Ordering::Acquire) || !whole || !known || request.frozen_string_literal.is_some() {
        return None;
    }
    let mut trees = TREES.lock().ok()?;
    let kept = trees.as_mut()?.entry(request.path.to_string()).or_default();
    let before = kept.asked;
    kept.asked += 1;
    if let Some(at) = kept.find(request.kind, request.source) {
        return Some(kept.trees.swap_remove(at).1);
    }
    drop(trees);
    // no more trees of a path are kept anyway
    if before >= OF_ONE || RECORDED.fetch_add(request.source.len(), Ordering::Relaxed) > MOST {
        return None;
    }
    if let Ok(mut missed) = MISSED.lock() {
        let (path, source) = (request.path.to_string(), request.source.to_vec());
        missed.push(Missed { path, kind: request.kind, source, before });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Missed, forget_ahead, parse_ahead, parse_missed, take, take_missed};
    use crate::lower::{ParseKind, ParseRequest};

    #[test]
    fn a_tree_is_handed_out_once_and_only_for_the_same_text() {
        parse_ahead("ahead/a.rb", b"a = 1", ParseKind::Evaluated);
        parse_ahead("ahead/broken.rb", b"a = (", ParseKind::Evaluated);
        let request = |text: &'static [u8], kind| ParseRequest::file(text, "ahead/a.rb", kind);
        assert!(take(&request(b"a = 2", ParseKind::Evaluated)).is_none());
        assert!(take(&request(b"a = 1", ParseKind::File)).is_none());
        assert!(take(&request(b"a = 1", ParseKind::Evaluated)).is_some());
        assert!(take(&request(b"a = 1", ParseKind::Evaluated)).is_none());
        assert!(take(&ParseRequest::file(b"a = (", "ahead/broken.rb", ParseKind::Evaluated)).is_none());
        let missed: Vec<Missed> =
            take_missed().into_iter().filter(|missed| missed.path.starts_with("ahead/")).collect();
        let told: Vec<(&[u8], usize)> = missed.iter().map(|missed| (&*missed.source, missed.before)).collect();
        assert_eq!(told, [(&b"a = 2"[..], 0), (b"a = 1", 1), (b"a = 1", 3), (b"a = (", 0)]);
        // two processes that missed the same file report it one after the other
        for _ in 0..2 {
            parse_missed(&Missed { before: 0, ..missed[2].clone() });
        }
        assert!(take(&request(b"a = 1", ParseKind::Evaluated)).is_some());
        assert!(take(&request(b"a = 1", ParseKind::Evaluated)).is_none());
        parse_ahead("ahead/a.rb", b"a = 1", ParseKind::Evaluated);
        forget_ahead();
        assert!(take(&request(b"a = 1", ParseKind::Evaluated)).is_none());
    }
}
