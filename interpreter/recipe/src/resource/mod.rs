//! `Chef::Resource`.
//!
//! - [`def`]: definitions of shipped resources; [`registry`]: DSL names; [`node_map`]: `Chef::NodeMap`;
//! - [`class`]: classes; [`class_body`]: their class methods; [`property`], [`validate`]: properties; `params_validate`: the same validation for
//!   code of cookbooks;
//! - `mixed`: `Chef::Mixin::Properties`, for classes and modules that are no resources;
//! - [`instance`]: instances; [`state`]: the native state of each; `notify`: their notifications; `text`: their text forms;
//! - [`guard`]: `only_if`, `not_if`; [`partials`]: `use 'core::…'`; [`described`]: descriptions of actions.

pub mod chef_property;
pub mod class;
pub mod class_body;
pub mod def;
pub mod described;
pub mod guard;
pub mod instance;
pub mod lazy;
pub mod mixed;
pub mod node_map;
mod notify;
pub mod params_validate;
pub mod partials;
pub mod property;
pub mod registry;
pub mod state;
pub mod text;
pub mod validate;
