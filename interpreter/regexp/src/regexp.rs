//! `Regexp`: a checked pattern and its searches.

use crate::ast::{Anchor, Node};
use crate::backtrack;
use crate::check;
use crate::class::Target;
use crate::error::{MatchError, RegexpError};
use crate::options::Options;
use crate::parse;
use crate::program::{Captures, Program, Search, Watch, backtracks};
use crate::quote;
use crate::required::Required;
use crate::simple::{Found, Simple};
use crate::source::{self, SourceKind};
use crate::tail;
use crate::warning::Warning;
use memchr::memmem;
use std::cell::OnceCell;
use std::sync::OnceLock;

/// What is known about the bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    Ascii,
    /// Valid UTF-8 with characters outside ASCII.
    Utf8Valid,
    /// Anything else: each byte is a character.
    BinaryOrBroken,
}

impl TextKind {
    pub fn of(text: &str) -> TextKind {
        if text.is_ascii() { TextKind::Ascii } else { TextKind::Utf8Valid }
    }
}

/// A checked pattern; its programs are compiled when first needed.
#[derive(Debug)]
pub struct Regexp {
    source: Box<[u8]>,
    options: Options,
    root: Node,
    binary: bool,
    groups: usize,
    names: Vec<(String, Vec<usize>)>,
    kind: SourceKind,
    /// What is warned of without a search for members that classes have twice.
    warnings: Vec<Warning>,
    /// All that is warned of, once it has been asked for.
    all_warnings: OnceCell<Vec<Warning>>,
    /// The bytes to find, if the pattern is a plain literal.
    literal: Option<Box<[u8]>>,
    /// What every match contains.
    required: Required,
    /// Whether the pattern can only match at the start of the text.
    text_start: bool,
    /// Whether the pattern can only match where the search starts.
    fixed: bool,
    /// How many bytes before the end of the text a match may begin, if the pattern only matches there.
    reach: Option<usize>,
    /// The pattern as a row of sets, if it is one.
    simple: OnceLock<Option<Box<Simple>>>,
    /// The program for one kind of text. Many patterns are never searched, and most others in texts of one kind.
    bytes: OnceLock<Box<Program>>,
    unicode: OnceLock<Box<Program>>,
}

/// A Regexp with the function that may interrupt a long match.
#[derive(Clone, Copy)]
pub struct Watched<'r> {
    regexp: &'r Regexp,
    watch: Watch<'r>,
}

impl Regexp {
    /// Parses a pattern like `Regexp.new`; the error has MRI's message.
    pub fn new(source: &[u8], options: Options, kind: SourceKind) -> Result<Regexp, RegexpError> {
        let read = source::read(source, options, kind)?;
        let mut parsed = parse::parse(&read, options, false)?;
        check::check(&mut parsed)?;
        let mut options = options;
        if read.non_ascii {
            options = options.with(Options::FIXED_ENCODING);
        }
        shrink(&mut parsed.root);
        let literal = literal(&parsed.root, read.binary);
        let text_start = begins_with(&parsed.root, Anchor::TextStart);
        let search_start = begins_with(&parsed.root, Anchor::SearchStart);
        // `\G` is for a look at one place of a long text: what follows is not gone through
        let required = match literal {
            None if !search_start => Required::of(&parsed.root, read.binary, backtracks(&parsed.root)),
            _ => Required::default(),
        };
        let reach = if text_start { None } else { tail::reach(&parsed.root) };
        let binary = read.binary && read.non_ascii;
        Ok(Regexp {
            source: source.into(),
            options,
            root: parsed.root,
            binary,
            groups: parsed.groups,
            names: parsed.names,
            kind,
            warnings: parsed.warnings,
            all_warnings: OnceCell::new(),
            literal,
            required,
            text_start,
            fixed: text_start || search_start,
            reach,
            simple: OnceLock::new(),
            bytes: OnceLock::new(),
            unicode: OnceLock::new(),
        })
    }

    /// The source as it was given.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The options; `FIXED_ENCODING` is set if the source has characters outside ASCII.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Whether the pattern's characters outside ASCII are bytes, not UTF-8.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// The names of the groups in order of first occurrence, each with the numbers of the groups that have it.
    pub fn named_groups(&self) -> &[(String, Vec<usize>)] {
        &self.names
    }

    /// The number of capturing groups, without the whole match.
    pub fn group_count(&self) -> usize {
        self.groups
    }

    /// The texts of what MRI warns of in the pattern, in its order; `verbose` as with `-w`.
    #[inline]
    pub fn warnings(&self, verbose: bool) -> Vec<String> {
        if verbose || !self.warnings.is_empty() { self.texts_of_warnings(verbose) } else { Vec::new() }
    }

    fn texts_of_warnings(&self, verbose: bool) -> Vec<String> {
        let found = if verbose { self.all_warnings.get_or_init(|| self.find_warnings()) } else { &self.warnings };
        let told = found.iter().filter(|warning| verbose || !warning.verbose);
        told.map(|warning| format!("{}: {}", warning.text, quote::warned(&self.source))).collect()
    }

    fn find_warnings(&self) -> Vec<Warning> {
        let parsed = source::read(&self.source, self.options, self.kind)
            .and_then(|read| parse::parse(&read, self.options, true));
        parsed.map(|parsed| parsed.warnings).unwrap_or_default()
    }

    /// For matches that call `watch` regularly.
    pub fn watched<'r>(&'r self, watch: Watch<'r>) -> Watched<'r> {
        Watched { regexp: self, watch }
    }
    /// For matches that are only ended by the limit of steps.
    pub fn unwatched(&self) -> Watched<'_> {
        self.watched(&|_| true)
    }

    /// The bytes to find, if the pattern is a plain literal.
    pub fn literal(&self) -> Option<&[u8]> {
        self.literal.as_deref()
    }
}

impl Watched<'_> {
    /// Finds the first match that begins at or after `start` (a byte offset at a character boundary).
    /// Look-behind, `\A` and `\b` see the text before `start`; `\G` matches at `start`.
    ///
    /// # Errors
    /// The match takes more steps than the limit, the watch function ends it ([`MatchError::Stopped`]), or the engine does not support the pattern.
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
        match self.simple(kind).map_or(Found::Unknown, |simple| simple.find(text, start)) {
            Found::Unknown => {}
            found => return Ok(keep(found, captures)),
        }
        let start = self.first_start(text, kind, start);
        if self.regexp.required.is_missing(&text[start..], kind == TextKind::Ascii) {
            return Ok(false);
        }
        self.search(
            kind,
            Search { text, start, anchored: self.regexp.fixed, search_start: start, watch: self.watch },
            Some(captures),
        )
    }

    /// Whether a match begins at or after `start`.
    ///
    /// # Errors
    /// See [`Watched::match_at`].
    pub fn is_match_at(&self, text: &[u8], kind: TextKind, start: usize) -> Result<bool, MatchError> {
        if start > text.len() || (self.regexp.text_start && start > 0) {
            return Ok(false);
        }
        if let Some(needle) = &self.regexp.literal {
            return Ok(memmem::find(&text[start..], needle).is_some());
        }
        match self.simple(kind).map_or(Found::Unknown, |simple| simple.find(text, start)) {
            Found::Unknown => {}
            found => return Ok(found != Found::Nowhere),
        }
        let start = self.first_start(text, kind, start);
        if self.regexp.required.is_missing(&text[start..], kind == TextKind::Ascii) {
            return Ok(false);
        }
        let anchored = self.regexp.fixed;
        self.search(kind, Search { text, start, anchored, search_start: start, watch: self.watch }, None)
    }

    /// Matches at `start` only; look-behind sees the text before it. StringScanner must not see it, and passes the rest of its text instead.
    ///
    /// # Errors
    /// See [`Watched::match_at`].
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
        match self.simple(kind).map_or(Found::Unknown, |simple| simple.match_at(text, start)) {
            Found::Unknown => {}
            found => return Ok(keep(found, captures)),
        }
        self.search(
            kind,
            Search { text, start, anchored: true, search_start: start, watch: self.watch },
            Some(captures),
        )
    }

    /// Finds the last match that begins at or before `start`, like `String#rindex`.
    ///
    /// # Errors
    /// See [`Watched::match_at`].
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

    /// The pattern as a row of sets, for texts whose characters it knows.
    #[inline]
    fn simple(&self, kind: TextKind) -> Option<&Simple> {
        let regexp = self.regexp;
        if kind == TextKind::BinaryOrBroken || regexp.groups > 0 || regexp.fixed || regexp.binary {
            return None;
        }
        regexp.simple.get_or_init(|| Simple::of(&regexp.root).map(Box::new)).as_deref()
    }

    /// The first place at or after `start` where a match may begin: what only matches at the end of a text is looked for there.
    #[inline]
    fn first_start(&self, text: &[u8], kind: TextKind, start: usize) -> usize {
        let Some(first) = self.regexp.reach.and_then(|reach| text.len().checked_sub(reach)) else { return start };
        if first <= start {
            return start;
        }
        let inside = |at: usize| kind == TextKind::Utf8Valid && text.get(at).is_some_and(|b| b & 0xc0 == 0x80);
        (start..=first).rev().find(|at| !inside(*at)).unwrap_or(start)
    }

    fn search(&self, kind: TextKind, search: Search<'_>, captures: Option<&mut Captures>) -> Result<bool, MatchError> {
        let (program, target) = match kind {
            TextKind::Utf8Valid if !self.regexp.binary => (&self.regexp.unicode, Target::Unicode),
            _ => (&self.regexp.bytes, Target::Bytes(self.regexp.binary)),
        };
        let program = program.get_or_init(|| Box::new(Program::new(&self.regexp.root, target)));
        program.search(&self.regexp.root, self.regexp.groups, search, captures)
    }
}

/// Whether something was found, which is then the whole match.
#[inline]
fn keep(found: Found, captures: &mut Captures) -> bool {
    let Found::At(start, end) = found else { return false };
    captures.clear();
    captures.push(Some((start, end)));
    true
}

/// Gives back the space that the lists of a tree have for more: many programs have thousands of patterns.
fn shrink(node: &mut Node) {
    if let Node::Concat(list) | Node::Alt(list) = node {
        list.shrink_to_fit();
    }
    node.children_mut().into_iter().for_each(shrink);
}

/// The bytes of a pattern that consists of literal characters only.
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

/// Whether every match begins at this anchor.
fn begins_with(root: &Node, anchor: Anchor) -> bool {
    match root {
        Node::Anchor(found) => *found == anchor,
        Node::Concat(v) => v.first().is_some_and(|node| begins_with(node, anchor)),
        Node::Alt(v) => v.iter().all(|node| begins_with(node, anchor)),
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => begins_with(node, anchor),
        _ => false,
    }
}
