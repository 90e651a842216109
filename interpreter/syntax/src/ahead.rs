//! Trees that are made ahead: files that many runs of a program will evaluate are parsed once, on any thread, before copies of the process start.
//!
//! A tree is handed out once and then belongs to its run, for runs keep their inline caches in it; whoever parses the file again gets a new one.

use crate::lower::{ParseKind, ParseRequest, Parsed};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most trees of one path: of a file that a run reads several times, or whose text changes.
const OF_ONE: usize = 16;

static THERE: AtomicBool = AtomicBool::new(false);
static TREES: Mutex<Option<HashMap<String, Kept>>> = Mutex::new(None);
static MISSED: Mutex<Vec<Missed>> = Mutex::new(Vec::new());

/// The trees of a path.
#[derive(Default)]
struct Kept {
    trees: Vec<(ParseKind, Parsed)>,
    /// How often one was asked for.
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

/// A file that had to be parsed though others had been parsed ahead: who makes further copies of the process may parse it for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    pub path: String,
    /// How it was parsed.
    pub kind: ParseKind,
    pub source: Vec<u8>,
    /// How often the path had been asked for before.
    pub before: usize,
}

/// Parses a file and keeps the tree for the first who asks for the same text by the same path. What does not parse is left to who asks.
pub fn parse_ahead(path: &str, source: &[u8], kind: ParseKind) {
    keep(path, source, kind, usize::MAX);
}

/// Parses what somebody missed, unless it has been parsed since.
pub fn parse_missed(missed: &Missed) {
    keep(&missed.path, &missed.source, missed.kind, missed.before);
}

/// Keeps a tree beside at most `beside` others of the same text.
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

/// The files that were not there, since this was asked last.
pub fn take_missed() -> Vec<Missed> {
    MISSED.lock().map(|mut missed| std::mem::take(&mut *missed)).unwrap_or_default()
}

/// Forgets all of them.
pub fn forget_ahead() {
    take_missed();
    if let Ok(mut trees) = TREES.lock() {
        THERE.store(false, Ordering::Release);
        *trees = None;
    }
}

/// The tree of a request, if it was made ahead and nobody took it.
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
        // two copies that missed the same tell it one after the other
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
