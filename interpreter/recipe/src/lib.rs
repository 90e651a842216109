//! The Chef model. Knows no particular resource: `providers` registers those.
//!
//! - [`run`]: the state of a run, kept in the machine;
//! - [`config`]: `Chef::Config`; [`cookbook`]: discovery, chefignore, metadata, load order, run list, roles, environments, data bags;
//! - [`node`]: `Chef::Node`, the ten attribute components, deep merge, Mash and its immutable forms;
//! - [`resource`]: `Chef::Resource`, properties, validation, guards, notifications, custom resources; [`resource::def`]: how shipped resources are described;
//! - [`provider`]: `Chef::Provider`, action classes, the runner; [`context`]: run contexts and the resource collection;
//! - [`dsl`]: what recipes, attribute files and actions can call;
//! - [`erb`]: templates; [`dump`]: `rchef-dump/1`.

pub mod resource;
