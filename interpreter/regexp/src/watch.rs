//! Matches under watch: one that takes long asks from time to time whether it may go on.

use crate::error::MatchError;
use crate::program::{Captures, Watch};
use crate::regexp::{Regexp, TextKind, Watched};

/// Lets every match go on until its own limit.
fn nobody(_: usize) -> bool {
    true
}

impl Regexp {
    /// The same Regexp, asking `watch` during long matches.
    pub fn watched<'r>(&'r self, watch: Watch<'r>) -> Watched<'r> {
        Watched { regexp: self, watch }
    }
    fn unwatched(&self) -> Watched<'_> {
        self.watched(&nobody)
    }

    /// Finds the first match that begins at `start` (a byte offset at a character) or after it.
    /// What precedes `start` is seen by look-behind, `\A` and `\b`; `\G` is `start`.
    ///
    /// # Errors
    /// The match takes more steps than the limit allows, or the engine cannot run the pattern.
    pub fn match_at(
        &self,
        text: &[u8],
        kind: TextKind,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, MatchError> {
        self.unwatched().match_at(text, kind, start, captures)
    }
    /// Whether a match begins at `start` or after it.
    ///
    /// # Errors
    /// As [`Regexp::match_at`].
    pub fn is_match_at(&self, text: &[u8], kind: TextKind, start: usize) -> Result<bool, MatchError> {
        self.unwatched().is_match_at(text, kind, start)
    }
    /// Matches at exactly `start`, seeing what precedes it. StringScanner does not: it passes the rest of its text.
    ///
    /// # Errors
    /// As [`Regexp::match_at`].
    pub fn match_anchored_at(
        &self,
        text: &[u8],
        kind: TextKind,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, MatchError> {
        self.unwatched().match_anchored_at(text, kind, start, captures)
    }
    /// Finds the last match that begins at `start` or before it, as `String#rindex` does.
    ///
    /// # Errors
    /// As [`Regexp::match_at`].
    pub fn rmatch(
        &self,
        text: &[u8],
        kind: TextKind,
        start: usize,
        captures: &mut Captures,
    ) -> Result<bool, MatchError> {
        self.unwatched().rmatch(text, kind, start, captures)
    }
}
