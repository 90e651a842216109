//! [`Host`]: everything a run may ask of the machine.

use crate::{Clock, Files, Network, OverlayHost, Processes, Queries, Randomness, Streams, Users};
use std::rc::Rc;

/// The whole machine. Used as `Rc<dyn Host>` by one thread; calls take `&self`.
pub trait Host: Files + Processes + Users + Clock + Randomness + Network + Streams + Queries {
    /// This host as an overlay, where changes can be assumed and effects read; `None` for a real one.
    fn as_overlay(&self) -> Option<&OverlayHost> {
        None
    }

    /// Where recorded effects get their file and line from. A host that records nothing ignores it.
    fn set_location_source(&self, _source: LocationSource) {}
}

/// A place in Ruby source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLocation {
    /// The file as Ruby's `__FILE__` has it.
    pub file: Rc<str>,
    /// The line, from 1.
    pub line: u32,
}

/// Asked for the current place when an effect is recorded.
pub type LocationSource = Rc<dyn Fn() -> Option<SourceLocation>>;
