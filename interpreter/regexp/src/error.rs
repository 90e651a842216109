//! Errors of compilation and of matching.

use crate::options::Options;
use crate::quote;
use std::fmt;

/// A pattern that Ruby rejects: the message of `RegexpError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexpError {
    /// MRI's message without the source, such as `premature end of char-class`.
    pub message: String,
}

impl RegexpError {
    pub(crate) fn new(message: impl Into<String>) -> RegexpError {
        RegexpError { message: message.into() }
    }

    /// The full message of Ruby's `RegexpError`: `message: /source/options`.
    pub fn with_source(&self, source: &[u8], options: Options) -> Vec<u8> {
        let mut text = self.message.clone().into_bytes();
        text.extend_from_slice(b": ");
        text.extend_from_slice(&quote::described(source, options.without(Options::NO_ENCODING), false));
        text
    }
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RegexpError {}

/// Why a match failed without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchError {
    /// The pattern is valid Ruby, but the engine does not support it; with the reason.
    Unsupported(String),
    /// The match took more steps than the limit.
    BacktrackLimit,
    /// The [`crate::Watch`] function ended the match.
    Stopped,
    /// Another error of the engine.
    Engine(String),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Unsupported(what) => write!(f, "regexp not supported by this engine: {what}"),
            MatchError::BacktrackLimit => write!(
                f,
                "regexp match took more than {} backtracking steps: simplify the pattern",
                crate::program::BACKTRACK_LIMIT
            ),
            MatchError::Stopped => f.write_str("regexp match stopped"),
            MatchError::Engine(what) => write!(f, "regexp match failed: {what}"),
        }
    }
}

impl std::error::Error for MatchError {}
