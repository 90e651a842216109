//! A compiled pattern: the only module that knows fancy-regex.

use crate::ast::Node;
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
pub(crate) struct Program {
    regex: Regex,
    groups: usize,
}

impl Program {
    pub(crate) fn new(root: &Node, target: Target, groups: usize) -> Result<Program, MatchError> {
        let pattern = emit::emit(root, target);
        let mut builder = RegexBuilder::new(&pattern);
        builder.backtrack_limit(BACKTRACK_LIMIT).delegate_size_limit(SIZE_LIMIT);
        if target != Target::Unicode {
            builder.unicode_mode(false).bytes_mode(BytesMode::Ascii);
        }
        let regex = builder.build().map_err(|e| MatchError::Unsupported(e.to_string()))?;
        Ok(Program { regex, groups })
    }

    /// Searches from `start` on, or only there; `captures` is filled on success where wanted.
    pub(crate) fn search(
        &self,
        text: &[u8],
        start: usize,
        anchored: bool,
        captures: Option<&mut Captures>,
    ) -> Result<bool, MatchError> {
        let input = RegexInput::new(text).from_pos(start).anchored(anchored);
        let Some(captures) = captures else {
            return Ok(self.regex.find_input(input).map_err(convert)?.is_some());
        };
        if self.groups == 0 {
            let Some(m) = self.regex.find_input(input).map_err(convert)? else { return Ok(false) };
            captures.clear();
            captures.push(Some((m.start(), m.end())));
            return Ok(true);
        }
        let Some(found) = self.regex.captures_input(input).map_err(convert)? else { return Ok(false) };
        captures.clear();
        captures.extend((0..=self.groups).map(|i| found.get(i).map(|m| (m.start(), m.end()))));
        Ok(true)
    }
}

fn convert(e: Error) -> MatchError {
    match e {
        Error::RuntimeError(RuntimeError::BacktrackLimitExceeded) => MatchError::BacktrackLimit,
        e => MatchError::Engine(e.to_string()),
    }
}
