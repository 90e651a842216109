//! The Regexp itself.

use crate::ast::Node;
use crate::backtrack;
use crate::check;
use crate::class::Target;
use crate::error::{MatchError, RegexpError};
use crate::options::Options;
use crate::parse;
use crate::program::{self, Captures, Program, Search, Watch};
use crate::source::{self, SourceKind};
use memchr::memmem;

/// What the bytes of a text are known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    Ascii,
    /// Valid UTF-8 with something outside ASCII.
    Utf8Valid,
    /// Anything else: each byte counts as a character.
    BinaryOrBroken,
}

impl TextKind {
    /// The kind of a Rust string.
    pub fn of(text: &str) -> TextKind {
        if text.is_ascii() { TextKind::Ascii } else { TextKind::Utf8Valid }
    }
}

/// A pattern, checked; its programs are compiled when first needed.
#[derive(Debug)]
pub struct Regexp {
    source: Box<[u8]>,
    options: Options,
    root: Node,
    binary: bool,
    groups: usize,
    names: Vec<(String, Vec<usize>)>,
    warnings: Vec<String>,
    /// The bytes to find, where the pattern is only that.
    literal: Option<Box<[u8]>>,
    /// Bytes that every match contains.
    required: Option<memmem::Finder<'static>>,
    /// The pattern can only match at the start of the text.
    text_start: bool,
    bytes: Program,
    unicode: Program,
}

/// A Regexp for matching, with the function that a long match asks from time to time whether it may go on.
#[derive(Clone, Copy)]
pub struct Watched<'r> {
    regexp: &'r Regexp,
    watch: Watch<'r>,
}

impl Regexp {
    /// Reads a pattern as `Regexp.new` does; the error's text is MRI's.
    pub fn new(source: &[u8], options: Options, kind: SourceKind) -> Result<Regexp, RegexpError> {
        let read = source::read(source, options, kind)?;
        let mut parsed = parse::parse(&read, options)?;
        check::check(&mut parsed)?;
        let mut options = options;
        if read.non_ascii {
            options = options.with(Options::FIXED_ENCODING);
        }
        let literal = literal(&parsed.root, read.binary);
        let required = if literal.is_none() { required(&parsed.root, read.binary) } else { None };
        let text_start = starts_text(&parsed.root);
        let binary = read.binary && read.non_ascii;
        let bytes = Program::new(&parsed.root, Target::Bytes(binary));
        let unicode = Program::new(&parsed.root, Target::Unicode);
        Ok(Regexp {
            source: source.into(),
            options,
            root: parsed.root,
            binary,
            groups: parsed.groups,
            names: parsed.names,
            warnings: parsed.warnings,
            literal,
            required,
            text_start,
            bytes,
            unicode,
        })
    }

    /// The source as given.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The options, with `FIXED_ENCODING` where the source has characters outside ASCII.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The pattern's own characters outside ASCII are bytes, not UTF-8.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// The names of the groups in the order of their first use, each with the groups that bear it.
    pub fn named_groups(&self) -> &[(String, Vec<usize>)] {
        &self.names
    }

    /// How many groups capture, the whole match not counted.
    pub fn group_count(&self) -> usize {
        self.groups
    }

    /// What MRI warns of while it reads the pattern.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// For matches that ask `watch` when they take long.
    pub fn watched<'r>(&'r self, watch: Watch<'r>) -> Watched<'r> {
        Watched { regexp: self, watch }
    }
    /// For matches that only the limit of steps ends.
    pub fn unwatched(&self) -> Watched<'_> {
        self.watched(&|_| true)
    }

    /// The plain bytes that are all the pattern stands for.
    pub fn literal(&self) -> Option<&[u8]> {
        self.literal.as_deref()
    }

    /// Whether what every match contains does not occur from `start` on.
    #[inline]
    fn lacks_required(&self, text: &[u8], start: usize) -> bool {
        self.required.as_ref().is_some_and(|finder| finder.find(&text[start..]).is_none())
    }
}

impl Watched<'_> {
    /// Finds the first match that begins at `start` (a byte offset at a character) or after it.
    /// What precedes `start` is seen by look-behind, `\A` and `\b`; `\G` is `start`.
    ///
    /// # Errors
    /// The match takes more steps than the limit allows, the watch ends it ([`MatchError::Stopped`]), or the engine cannot run the pattern.
    pub fn match_at(
        &self,
        text: &[u8],
        kind: TextKind,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, MatchError> {
        if start > text.len() || (self.regexp.text_start && start > 0) {
            return Ok(false);
        }
        if let Some(needle) = &self.regexp.literal {
            return Ok(match memmem::find(&text[start..], needle) {
                None => false,
                Some(at) => {
                    captures.clear();
                    captures.push(Some((start + at, start + at + needle.len())));
                    true
                }
            });
        }
        if self.regexp.lacks_required(text, start) {
            return Ok(false);
        }
        self.search(
            kind,
            Search { text, start, anchored: false, search_start: start, watch: self.watch },
            Some(captures),
        )
    }

    /// Whether a match begins at `start` or after it.
    ///
    /// # Errors
    /// As [`Watched::match_at`].
    pub fn is_match_at(&self, text: &[u8], kind: TextKind, start: usize) -> Result<bool, MatchError> {
        if start > text.len() || (self.regexp.text_start && start > 0) {
            return Ok(false);
        }
        if let Some(needle) = &self.regexp.literal {
            return Ok(memmem::find(&text[start..], needle).is_some());
        }
        if self.regexp.lacks_required(text, start) {
            return Ok(false);
        }
        self.search(kind, Search { text, start, anchored: false, search_start: start, watch: self.watch }, None)
    }

    /// Matches at exactly `start`, seeing what precedes it. StringScanner does not: it passes the rest of its text.
    ///
    /// # Errors
    /// As [`Watched::match_at`].
    pub fn match_anchored_at(
        &self,
        text: &[u8],
        kind: TextKind,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, MatchError> {
        if start > text.len() {
            return Ok(false);
        }
        if let Some(needle) = &self.regexp.literal {
            let found = text[start..].starts_with(needle);
            if found {
                captures.clear();
                captures.push(Some((start, start + needle.len())));
            }
            return Ok(found);
        }
        self.search(
            kind,
            Search { text, start, anchored: true, search_start: start, watch: self.watch },
            Some(captures),
        )
    }

    /// Finds the last match that begins at `start` or before it, as `String#rindex` does.
    ///
    /// # Errors
    /// As [`Watched::match_at`].
    pub fn rmatch(
        &self,
        text: &[u8],
        kind: TextKind,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, MatchError> {
        let mut at = start.min(text.len());
        if let Some(needle) = &self.regexp.literal {
            let end = at.saturating_add(needle.len()).min(text.len());
            return Ok(match memmem::rfind(&text[..end], needle) {
                None => false,
                Some(at) => {
                    captures.clear();
                    captures.push(Some((at, at + needle.len())));
                    true
                }
            });
        }
        let fixed = backtrack::has_search_start(&self.regexp.root);
        let first = at;
        loop {
            let inside = kind == TextKind::Utf8Valid && text.get(at).is_some_and(|b| b & 0xc0 == 0x80);
            if !inside {
                let search_start = if fixed { first } else { at };
                let here = Search { text, start: at, anchored: true, search_start, watch: self.watch };
                if self.search(kind, here, Some(captures))? {
                    return Ok(true);
                }
            }
            if at == 0 {
                return Ok(false);
            }
            at -= 1;
        }
    }

    fn search(&self, kind: TextKind, search: Search<'_>, captures: Option<&mut Captures>) -> Result<bool, MatchError> {
        let program = match kind {
            TextKind::Utf8Valid if !self.regexp.binary => &self.regexp.unicode,
            _ => &self.regexp.bytes,
        };
        program.search(&self.regexp.root, self.regexp.groups, search, captures)
    }
}

/// The bytes of a pattern that is nothing but characters.
fn literal(root: &Node, binary: bool) -> Option<Box<[u8]>> {
    let nodes = match root {
        Node::Concat(v) => v.as_slice(),
        Node::Char { .. } => std::slice::from_ref(root),
        _ => return None,
    };
    let mut bytes = Vec::with_capacity(nodes.len());
    for node in nodes {
        let Node::Char { c, icase } = node else { return None };
        let ch = char::from_u32(*c)?;
        if *icase && (ch.is_alphabetic() || !ch.is_ascii()) {
            return None;
        }
        if binary {
            bytes.push(u8::try_from(*c).ok()?);
        } else {
            bytes.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    Some(bytes.into())
}

/// The longest run of plain characters that every match must take, as bytes. Characters outside ASCII are left out:
/// how they are matched depends on the text.
fn required(root: &Node, binary: bool) -> Option<memmem::Finder<'static>> {
    fn walk(node: &Node, run: &mut Vec<u8>, best: &mut Vec<u8>, binary: bool) {
        let end = |run: &mut Vec<u8>, best: &mut Vec<u8>| {
            if run.len() > best.len() {
                std::mem::swap(run, best);
            }
            run.clear();
        };
        match node {
            Node::Char { c, icase } => match u8::try_from(*c) {
                Ok(byte) if byte.is_ascii() && !binary && (!icase || !byte.is_ascii_alphabetic()) => run.push(byte),
                _ => end(run, best),
            },
            Node::Concat(v) => v.iter().for_each(|node| walk(node, run, best, binary)),
            Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => walk(node, run, best, binary),
            Node::Repeat { node, min, max, .. } if *min > 0 => {
                end(run, best);
                walk(node, run, best, binary);
                if *max != Some(1) {
                    end(run, best);
                }
            }
            // what takes nothing does not part its neighbours
            Node::Anchor(_) | Node::Empty => {}
            _ => end(run, best),
        }
    }
    let (mut run, mut best) = (Vec::new(), Vec::new());
    walk(root, &mut run, &mut best, binary);
    if run.len() > best.len() {
        best = run;
    }
    // one character occurs nearly everywhere: only where a search is dear is it looked for first
    (best.len() > usize::from(!program::backtracks(root))).then(|| memmem::Finder::new(&best).into_owned())
}

/// Whether every match begins with `\A`.
fn starts_text(root: &Node) -> bool {
    use crate::ast::Anchor;
    match root {
        Node::Anchor(Anchor::TextStart) => true,
        Node::Concat(v) => v.first().is_some_and(starts_text),
        Node::Alt(v) => v.iter().all(starts_text),
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => starts_text(node),
        _ => false,
    }
}
