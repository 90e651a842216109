//! [`Streams`]: standard streams and waiting on handles.

use crate::error::Result;
use crate::files::FileHandle;
use std::time::Duration;

/// Standard streams and waiting on handles.
pub trait Streams {
    /// A handle on a standard stream; dropping it closes nothing.
    fn standard(&self, which: StandardStream) -> Result<Box<dyn FileHandle>>;
    /// poll(2): what of each handle is ready. Handles without a descriptor always are. Empty after `timeout`.
    fn poll(&self, items: &[PollItem<'_>], timeout: Option<Duration>) -> Result<Vec<Ready>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardStream {
    /// Descriptor 0.
    Input,
    /// Descriptor 1.
    Output,
    /// Descriptor 2.
    Error,
}

/// What to wait for.
pub struct PollItem<'a> {
    pub handle: &'a dyn FileHandle,
    /// Until it can be read, or ends.
    pub read: bool,
    /// Until it can be written.
    pub write: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// The item's place in the call.
    pub item: usize,
    /// Reading does not block.
    pub read: bool,
    /// Writing does not block.
    pub write: bool,
}
