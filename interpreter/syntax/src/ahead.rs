//! Trees that are made ahead: files that many runs of a program will evaluate are parsed once, on any thread, before copies of the process start.
//!
//! A tree is handed out once and then belongs to its run, for runs keep their inline caches in it; whoever parses the file again gets a new one.

use crate::lower::{ParseKind, ParseRequest, Parsed};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static THERE: AtomicBool = AtomicBool::new(false);
static TREES: Mutex<Option<HashMap<String, (ParseKind, Parsed)>>> = Mutex::new(None);

/// Parses a file and keeps the tree for the first who asks for the same text by the same path. What does not parse is left to who asks.
pub fn parse_ahead(path: &str, source: &[u8], kind: ParseKind) {
    let Ok(parsed) = crate::lower::parse(ParseRequest::file(source, path, kind)) else { return };
    if let Ok(mut trees) = TREES.lock() {
        trees.get_or_insert_default().insert(path.to_string(), (kind, parsed));
        THERE.store(true, Ordering::Release);
    }
}

/// Forgets all of them.
pub fn forget_ahead() {
    if let Ok(mut trees) = TREES.lock() {
        THERE.store(false, Ordering::Release);
        *trees = None;
    }
}

/// The tree of a request, if it was made ahead and nobody took it.
pub(crate) fn take(request: &ParseRequest<'_>) -> Option<Parsed> {
    if !THERE.load(Ordering::Acquire) || request.first_line != 1 || request.frozen_string_literal.is_some() {
        return None;
    }
    let mut trees = TREES.lock().ok()?;
    let trees = trees.as_mut()?;
    let (kind, parsed) = trees.get(request.path)?;
    if *kind != request.kind || parsed.code.file.source != request.source {
        return None;
    }
    trees.remove(request.path).map(|(_, parsed)| parsed)
}

#[cfg(test)]
mod tests {
    use super::{forget_ahead, parse_ahead, take};
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
        parse_ahead("ahead/a.rb", b"a = 1", ParseKind::Evaluated);
        forget_ahead();
        assert!(take(&request(b"a = 1", ParseKind::Evaluated)).is_none());
    }
}
