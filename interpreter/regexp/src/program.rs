//! A compiled pattern: the only module that knows fancy-regex.

use crate::ast::Node;
use crate::backtrack::{self, Backtracker};
use crate::class::Target;
use crate::emit;
use crate::error::MatchError;
use fancy_regex::{BytesMode, Error, Regex, RegexBuilder, RegexInput, RuntimeError};

/// Steps back that one match may take.
pub(crate) const BACKTRACK_LIMIT: usize = 20_000_000;
/// Memory for one delegated automaton, in bytes.
const SIZE_LIMIT: usize = 256 << 20;

/// Byte offsets of the groups of a match; group 0 is the whole.
pub type Captures = Vec<Option<(usize, usize)>>;

/// A pattern ready to run on one kind of text.
#[derive(Debug)]
pub(crate) enum Program {
    /// The crate's engine and the number of groups.
    Fancy(Box<Regex>, usize),
    /// Our own, for what that engine does otherwise or not at all.
    Own(Box<Backtracker>),
}

impl Program {
    pub(crate) fn new(root: &Node, target: Target, groups: usize) -> Result<Program, MatchError> {
        if backtrack::needed(root) {
            return Program::own(root, target, groups);
        }
        let pattern = emit::emit(root, target);
        let mut builder = RegexBuilder::new(&pattern);
        builder.backtrack_limit(BACKTRACK_LIMIT).delegate_size_limit(SIZE_LIMIT);
        if target != Target::Unicode {
            builder.unicode_mode(false).bytes_mode(BytesMode::Ascii);
        }
        match builder.build() {
            Ok(regex) => Ok(Program::Fancy(Box::new(regex), groups)),
            // Nested deeper than that engine's parser goes, or larger than it may get.
            Err(_) => Program::own(root, target, groups),
        }
    }

    /// A program of our own matcher.
    pub(crate) fn own(root: &Node, target: Target, groups: usize) -> Result<Program, MatchError> {
        Ok(Program::Own(Box::new(Backtracker::new(root, target, groups)?)))
    }

    /// Searches from `start` on, or only there; `captures` is filled on success where wanted.
    /// `\G` holds at `search_start`, which only our own matcher can put elsewhere than at `start`.
    pub(crate) fn search(
        &self,
        text: &[u8],
        start: usize,
        anchored: bool,
        search_start: usize,
        captures: Option<&mut Captures>,
    ) -> Result<bool, MatchError> {
        let (regex, groups) = match self {
            Program::Own(own) => return own.search(text, start, anchored, search_start, captures),
            Program::Fancy(regex, groups) => (regex, *groups),
        };
        let input = RegexInput::new(text).from_pos(start).anchored(anchored);
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
}

fn convert(e: Error) -> MatchError {
    match e {
        Error::RuntimeError(RuntimeError::BacktrackLimitExceeded) => MatchError::BacktrackLimit,
        e => MatchError::Engine(e.to_string()),
    }
}
