//! The register of secrets that must not be shown: decrypted values and sensitive properties.
//!
//! Each secret has a [`Grade`]. One that hardly occurs by chance is searched everywhere, in all its encodings ([`forms`]). One that may be an
//! ordinary word (`deploy`, `prod`, a short number) is recognized only as a whole value, so that names and other text stay readable: a password
//! `postgres` must not hide the user `postgres`.

mod forms;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Replaces a secret in a text.
pub const HIDDEN: &str = "{SENSITIVE}";

/// Minimum length of a secret in bytes.
const SHORTEST: usize = 3;
/// Shorter secrets are only recognized as whole values.
const SHORTEST_PART: usize = 6;
/// Shorter lower-case words are considered common.
const LONG_WORD: usize = 12;
/// Common values in encrypted items that are not secrets; hiding them would only confuse.
const PLAIN: [&str; 16] = [
    "true",
    "false",
    "null",
    "nil",
    "none",
    "yes",
    "off",
    "root",
    "admin",
    "user",
    "default",
    "enabled",
    "disabled",
    "localhost",
    "127.0.0.1",
    "0.0.0.0",
];

/// What the key or property of a value says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The name is that of a secret: `password`, `api_key`.
    Secret,
    /// The name is that of an identity: `username`, `host`.
    Identity,
    Other,
}

/// Where a secret is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Only as a whole value.
    Whole,
    /// Inside values.
    Value,
    /// In all output, including names and messages.
    Everywhere,
}

/// What a key says about the values below it.
pub fn named(key: &str) -> Named {
    const SECRET: [&str; 13] = [
        "passw",
        "passphrase",
        "secret",
        "token",
        "credential",
        "private",
        "api_key",
        "apikey",
        "access_key",
        "accesskey",
        "pwd",
        "ssl_key",
        "encryption_key",
    ];
    const IDENTITY: [&str; 30] = [
        "user",
        "username",
        "login",
        "name",
        "host",
        "hostname",
        "server",
        "port",
        "db",
        "database",
        "path",
        "file",
        "owner",
        "group",
        "uid",
        "gid",
        "email",
        "mail",
        "domain",
        "region",
        "zone",
        "environment",
        "env",
        "type",
        "kind",
        "service",
        "role",
        "id",
        "fqdn",
        "version",
    ];
    let key = key.to_lowercase().replace(['-', ' ', '.'], "_");
    if SECRET.iter().any(|name| key.contains(name)) || matches!(key.as_str(), "pass" | "key" | "pin" | "auth") {
        return Named::Secret;
    }
    match key.rsplit('_').next() {
        Some(last) if IDENTITY.contains(&last) => Named::Identity,
        _ => Named::Other,
    }
}

/// Where to look for a text under such a key; `None` if it is not worth hiding.
pub fn grade(text: &str, named: Named) -> Option<Grade> {
    let text = text.trim();
    if text.len() < SHORTEST || PLAIN.contains(&text.to_lowercase().as_str()) {
        return None;
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits && text.len() < SHORTEST_PART && named != Named::Secret {
        // e.g. a port or a year
        return None;
    }
    Some(match named {
        _ if text.len() < SHORTEST_PART => Grade::Whole,
        Named::Secret if is_plain_word(text) && text.len() < LONG_WORD => Grade::Value,
        Named::Secret => Grade::Everywhere,
        Named::Identity => Grade::Whole,
        Named::Other if is_plain_word(text) => Grade::Whole,
        Named::Other => Grade::Everywhere,
    })
}

/// Whether a text is a short lower-case word: if it was hidden, names containing it would be unreadable.
fn is_plain_word(text: &str) -> bool {
    text.len() < 16 && text.bytes().all(|byte| byte.is_ascii_lowercase() || b"-_./".contains(&byte))
}

/// Whether a Hash key looks like a name: an identifier, a host, a word with a number.
pub fn is_name(key: &str) -> bool {
    let digits = key.bytes().filter(u8::is_ascii_digit).count();
    let identifier = key.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_' || byte.is_ascii_digit());
    let small =
        key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_. /:@".contains(&byte));
    let words = key.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-_. /:@".contains(&byte));
    key.len() < SHORTEST_PART || words || identifier && digits <= 2 || small && digits <= 4
}

/// The registered secrets.
#[derive(Default)]
pub struct Secrets {
    whole: BTreeSet<String>,
    /// Secrets that were added to a matcher.
    matched: BTreeSet<(Grade, String)>,
    /// Set when the user wants to see secrets: nothing is hidden.
    pub revealed: bool,
    in_values: RefCell<Matcher>,
    everywhere: RefCell<Matcher>,
}

/// Aho-Corasick automatons for the forms of secrets, built when a text is searched. New secrets get an automaton of their own, so that a run that
/// learns secrets while it prints does not rebuild everything each time.
#[derive(Default)]
struct Matcher {
    made: Vec<AhoCorasick>,
    /// Forms that are in no automaton yet.
    waiting: Vec<String>,
    /// All forms, for the single automaton that replaces many.
    all: Vec<String>,
}

/// When there are this many automatons, a single one replaces them.
const AUTOMATONS: usize = 8;

impl Matcher {
    fn prepare(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let new = std::mem::take(&mut self.waiting);
        self.all.extend_from_slice(&new);
        if self.made.len() == AUTOMATONS {
            self.made.clear();
        }
        let forms = if self.made.is_empty() { &self.all } else { &new };
        let built = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(forms);
        // the build fails only with more than 2^31 states, far above the memory limit
        self.made.extend(built);
    }

    /// The ranges of secrets in a text, in order; adjacent or overlapping ones are merged.
    fn spans(&mut self, text: &[u8]) -> Vec<(usize, usize)> {
        self.prepare();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for automaton in &self.made {
            let mut zeros = Zeros::default();
            for place in automaton.find_iter(text) {
                let (start, end) = (place.start(), place.end());
                if !is_inside_number(text, start, end, &mut zeros) {
                    found.push((start, end));
                }
            }
        }
        found.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::with_capacity(found.len());
        for (start, end) in found {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        merged
    }
}

/// The last run of zeros that was looked at, so that the matches of a long run do not each walk back to its start.
#[derive(Default)]
struct Zeros {
    start: usize,
    end: usize,
}

impl Zeros {
    /// Where the run of zeros before `at` starts. Places are asked for from left to right.
    fn before(&mut self, text: &[u8], at: usize) -> usize {
        let mut start = at;
        while start > 0 && text[start - 1] == b'0' {
            start -= 1;
            if start < self.end && start >= self.start {
                start = self.start;
                break;
            }
        }
        (self.start, self.end) = (start, at);
        start
    }
}

/// Whether the match is digits within a longer number, where they occur by chance. Zeros before it (`%010d`) make no longer number.
fn is_inside_number(text: &[u8], start: usize, end: usize, zeros: &mut Zeros) -> bool {
    if !text[start..end].iter().all(u8::is_ascii_digit) {
        return false;
    }
    if text.get(end).is_some_and(u8::is_ascii_digit) {
        return true;
    }
    let first = zeros.before(text, start);
    first > 0 && text[first - 1].is_ascii_digit()
}

impl Secrets {
    /// Registers a value; `named` is what its key says about it.
    pub fn add(&mut self, text: &str, named: Named) {
        if let Some(grade) = grade(text, named) {
            self.add_as(text, grade);
        }
    }

    /// Registers a secret.
    pub fn add_as(&mut self, text: &str, grade: Grade) {
        self.add_whole(text);
        if let Some(matcher) = self.matcher_for(text, grade) {
            matcher.waiting.extend(forms::of(text));
        }
    }

    /// Registers a document that contains secrets: its single lines are not secrets, and a plain sentence may also be a name.
    pub fn add_document(&mut self, text: &str) {
        let Some(found) = grade(text, Named::Other) else { return };
        self.add_whole(text);
        let found = if forms::is_words(&text.trim().to_lowercase()) { found.min(Grade::Value) } else { found };
        if let Some(matcher) = self.matcher_for(text, found) {
            matcher.waiting.extend(forms::of_whole(text));
        }
    }

    /// The matcher for a grade, unless the text was added to it before.
    fn matcher_for(&mut self, text: &str, grade: Grade) -> Option<&mut Matcher> {
        if grade == Grade::Whole || !self.matched.insert((grade, text.to_string())) {
            return None;
        }
        Some(if grade == Grade::Value { self.in_values.get_mut() } else { self.everywhere.get_mut() })
    }

    fn add_whole(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() && !self.whole.contains(text) {
            self.whole.insert(text.to_string());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() || self.revealed
    }

    /// Whether a value must not be shown: it is or contains a secret.
    pub fn tells(&self, text: &str) -> bool {
        let is_in = |matcher: &RefCell<Matcher>| !matcher.borrow_mut().spans(text.as_bytes()).is_empty();
        !self.is_empty() && (self.is_secret(text) || is_in(&self.everywhere) || is_in(&self.in_values))
    }

    /// Whether the whole text is a secret.
    pub fn is_secret(&self, text: &str) -> bool {
        self.whole.contains(text.trim())
    }

    /// Replaces the secrets in a name or message.
    pub fn without<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.without_bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// The same as [`without`](Secrets::without) for bytes.
    pub fn without_bytes<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let spans = self.everywhere.borrow_mut().spans(text);
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = Vec::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in spans {
            out.extend_from_slice(&text[done..start]);
            out.extend_from_slice(HIDDEN.as_bytes());
            done = end;
        }
        out.extend_from_slice(&text[done..]);
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests;
