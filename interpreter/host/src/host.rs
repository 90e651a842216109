//! [`Host`]: all access to the machine.

use crate::location::LocationSource;
use crate::{Clock, Files, Identity, Network, OverlayHost, Processes, Queries, Randomness, Streams, Users};

/// The whole machine. Used as `Rc<dyn Host>` by one thread; methods take `&self`.
pub trait Host: Files + Processes + Identity + Users + Clock + Randomness + Network + Streams + Queries {
    /// The overlay, if this is one, for assuming changes and reading effects.
    fn as_overlay(&self) -> Option<&OverlayHost> {
        None
    }

    /// Sets where recorded effects get their file and line from. Only overlays record.
    fn set_location_source(&self, _source: LocationSource) {}
}
