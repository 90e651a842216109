//! A compiled pattern: chooses the engine, and runs fancy-regex.

use crate::ast::{Anchor, Node};
use crate::backtrack::{self, Backtracker};
use crate::class::Target;
use crate::emit;
use crate::error::MatchError;
use fancy_regex::{BytesMode, Error, Regex, RegexBuilder, RegexInput, RuntimeError};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Maximum number of steps of one match in our own matcher.
pub(crate) const BACKTRACK_LIMIT: usize = 50_000_000;
/// Maximum number of backtracks of one match in fancy-regex, which cannot be interrupted; beyond it our own matcher starts from the beginning.
const FANCY_LIMIT: usize = 1_000_000;
/// The same for a text longer than [`LONG`], where one backtrack may scan the whole text.
const FANCY_LIMIT_LONG: usize = 20_000;
const LONG: usize = 16 << 10;
/// Memory limit of one automaton that fancy-regex delegates to, in bytes.
const SIZE_LIMIT: usize = 16 << 20;

/// Called during a match with the number of steps since the last call; `false` ends the match with [`MatchError::Stopped`].
pub type Watch<'w> = &'w dyn Fn(usize) -> bool;

/// Steps between two calls of a [`Watch`]: some hundred microseconds.
pub(crate) const WATCHED_STEPS: usize = 1 << 14;

/// Byte offsets of the groups of a match; group 0 is the whole match.
pub type Captures = Vec<Option<(usize, usize)>>;

/// The first searches of a pattern run in our own matcher, which is quickly compiled; many patterns are not searched more often.
const TRIAL_SEARCHES: u32 = 24;
/// Maximum number of steps of such a search; beyond it fancy-regex is used.
const TRIAL_STEPS: usize = 20_000;

/// A pattern for one kind of text. Engines are compiled when first needed.
#[derive(Debug)]
pub(crate) struct Program {
    target: Target,
    /// Whether only our own matcher supports the pattern.
    own_only: bool,
    /// Whether fancy-regex would backtrack, instead of delegating the whole pattern to an automaton.
    backtracks: bool,
    own: OnceLock<Result<Box<Backtracker>, MatchError>>,
    /// None if fancy-regex rejects the pattern: too deep or too large.
    fancy: OnceLock<Option<Box<Regex>>>,
    /// The same with [`FANCY_LIMIT_LONG`].
    fancy_long: OnceLock<Option<Box<Regex>>>,
    searches: AtomicU32,
}

/// A search: the text, the start, whether a match must begin there, and the position of `\G`.
#[derive(Clone, Copy)]
pub(crate) struct Search<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) start: usize,
    pub(crate) anchored: bool,
    pub(crate) search_start: usize,
    pub(crate) watch: Watch<'t>,
}

impl Program {
    pub(crate) fn new(root: &Node, target: Target) -> Program {
        Program {
            target,
            own_only: backtrack::needed(root),
            backtracks: backtracks(root),
            own: OnceLock::new(),
            fancy: OnceLock::new(),
            fancy_long: OnceLock::new(),
            searches: AtomicU32::new(0),
        }
    }

    /// Searches; fills `captures` on success, if given. `root` is the pattern, with `groups` groups.
    pub(crate) fn search(
        &self,
        root: &Node,
        groups: usize,
        search: Search<'_>,
        mut captures: Option<&mut Captures>,
    ) -> Result<bool, MatchError> {
        // fancy-regex supports `\G` only at the start of the search, and only searches that begin at a character.
        if self.own_only || search.search_start != search.start || self.is_inside_char(search) {
            return self.own(root, groups)?.search(search, BACKTRACK_LIMIT, captures);
        }
        if self.trial() {
            match self.own(root, groups)?.search(search, TRIAL_STEPS, captures.as_deref_mut()) {
                Err(MatchError::BacktrackLimit) => self.searches.store(TRIAL_SEARCHES, Ordering::Relaxed),
                decided => return decided,
            }
        }
        let fancy = if self.backtracks && search.text.len() > LONG {
            self.fancy_long.get_or_init(|| self.build(root, FANCY_LIMIT_LONG))
        } else {
            self.fancy.get_or_init(|| self.build(root, FANCY_LIMIT))
        };
        if let Some(regex) = fancy {
            match run_fancy(regex, groups, search, captures.as_deref_mut()) {
                Err(MatchError::BacktrackLimit) => {}
                decided => return decided,
            }
        }
        self.own(root, groups)?.search(search, BACKTRACK_LIMIT, captures)
    }

    /// Whether the search begins in the middle of a character, as that of a StringScanner does after `get_byte`.
    fn is_inside_char(&self, search: Search<'_>) -> bool {
        self.target == Target::Unicode && search.text.get(search.start).is_some_and(|byte| byte & 0xc0 == 0x80)
    }

    /// Whether our own matcher is to try first. If fancy-regex would backtrack too, our own matcher is faster until a search takes too many steps.
    fn trial(&self) -> bool {
        if self.backtracks {
            return self.searches.load(Ordering::Relaxed) < TRIAL_SEARCHES;
        }
        self.fancy.get().is_none() && self.searches.fetch_add(1, Ordering::Relaxed) < TRIAL_SEARCHES
    }

    fn own(&self, root: &Node, groups: usize) -> Result<&Backtracker, MatchError> {
        let own = self.own.get_or_init(|| Backtracker::new(root, self.target, groups).map(Box::new));
        own.as_deref().map_err(Clone::clone)
    }

    fn build(&self, root: &Node, limit: usize) -> Option<Box<Regex>> {
        let pattern = emit::emit(root, self.target, !self.backtracks);
        let mut builder = RegexBuilder::new(&pattern);
        builder.backtrack_limit(limit).delegate_size_limit(SIZE_LIMIT);
        if self.target != Target::Unicode {
            builder.unicode_mode(false).bytes_mode(BytesMode::Ascii);
        }
        builder.build().ok().map(Box::new)
    }
}

/// Whether fancy-regex would backtrack, instead of delegating the pattern to an automaton.
pub(crate) fn backtracks(node: &Node) -> bool {
    match node {
        Node::Look(..) | Node::Atomic(_) | Node::Backref { .. } | Node::Newline | Node::Grapheme => true,
        Node::Repeat { possessive: true, .. } => true,
        Node::Anchor(a) => !matches!(a, Anchor::LineEnd | Anchor::TextEnd | Anchor::Word(_) | Anchor::NotWord(_)),
        _ => node.children().into_iter().any(backtracks),
    }
}

fn run_fancy(
    regex: &Regex,
    groups: usize,
    search: Search<'_>,
    captures: Option<&mut Captures>,
) -> Result<bool, MatchError> {
    let input = RegexInput::new(search.text).from_pos(search.start).anchored(search.anchored);
    let Some(captures) = captures else {
        return Ok(regex.find_input(input).map_err(convert)?.is_some());
    };
    if groups == 0 {
        let Some(m) = regex.find_input(input).map_err(convert)? else { return Ok(false) };
        captures.clear();
        captures.push(Some((m.start(), m.end())));
        return Ok(true);
    }
    let Some(found) = regex.captures_input(input).map_err(convert)? else { return Ok(false) };
    captures.clear();
    captures.extend((0..=groups).map(|i| found.get(i).map(|m| (m.start(), m.end()))));
    Ok(true)
}

fn convert(e: Error) -> MatchError {
    match e {
        // neither is an error of the pattern: our own matcher goes on
        Error::RuntimeError(RuntimeError::BacktrackLimitExceeded | RuntimeError::StackOverflow) => {
            MatchError::BacktrackLimit
        }
        e => MatchError::Engine(e.to_string()),
    }
}
