//! The events of YAML text, as libyaml finds them: for Psych, and for configurations that Ruby programs read with it.
//!
//! - `events`: [`Events`] reads a text, [`Event`] and [`Style`] are what it finds, [`Failure`] is why it is not YAML.

mod events;

pub use events::{Event, Events, Failure, Place, Style};
