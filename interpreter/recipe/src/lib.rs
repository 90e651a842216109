//! The Chef model. Knows no particular resource: `providers` registers those.
//!
//! - [`run`]: the state of a run, kept in the machine; [`events`]: what formatters and handlers are told;
//! - [`exceptions`]: `Chef::Exceptions`;
//! - [`node`]: `Chef::Node`, the ten attribute components, deep merge, Mash and its immutable forms;
//! - [`resource`]: `Chef::Resource`, properties, validation, guards, notifications, custom resources; [`resource::def`]: how shipped resources are described;
//! - [`version`]: versions and constraints.

pub mod events;
pub mod exceptions;
pub mod names;
pub mod node;
pub mod resource;
pub mod run;
pub mod version;
