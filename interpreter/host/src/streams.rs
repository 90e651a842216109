//! [`Streams`]: the standard streams, and waiting for handles.

use crate::error::Result;
use crate::files::FileHandle;
use std::time::Duration;

pub trait Streams {
    /// A handle for a standard stream; dropping it does not close the stream.
    fn standard(&self, which: StandardStream) -> Result<Box<dyn FileHandle>>;
    /// poll(2): the items that are ready. Handles without a descriptor are always ready. Empty after `timeout`.
    fn poll(&self, items: &[PollItem<'_>], timeout: Option<Duration>) -> Result<Vec<Ready>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardStream {
    Input,
    Output,
    Error,
}

/// A handle to wait for.
pub struct PollItem<'a> {
    pub handle: &'a dyn FileHandle,
    /// Whether to wait until it can be read or is at its end.
    pub read: bool,
    /// Whether to wait until it can be written.
    pub write: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// The index of the item.
    pub item: usize,
    /// Whether reading does not block.
    pub read: bool,
    /// Whether writing does not block.
    pub write: bool,
}
