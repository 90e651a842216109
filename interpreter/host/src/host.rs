//! [`Host`]: everything a run may ask of the machine.

use crate::location::LocationSource;
use crate::{Clock, Files, Network, OverlayHost, Processes, Queries, Randomness, Streams, Users};

/// The whole machine. Used as `Rc<dyn Host>` by one thread; calls take `&self`.
pub trait Host: Files + Processes + Users + Clock + Randomness + Network + Streams + Queries {
    /// This host as an overlay, where changes can be assumed and effects read; `None` for a real one.
    fn as_overlay(&self) -> Option<&OverlayHost> {
        None
    }

    /// Where recorded effects get their file and line from. A host that records nothing ignores it.
    fn set_location_source(&self, _source: LocationSource) {}
}
