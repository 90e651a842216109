//! `Chef::Resource`.
//!
//! - [`def`]: how shipped resources are described; [`registry`]: DSL names; [`node_map`]: `Chef::NodeMap`;
//! - [`class`]: classes; [`class_body`]: what their bodies say; [`property`], [`validate`]: properties; `params_validate`: their checks for the code of cookbooks;
//! - [`instance`]: instances; [`state`]: what the framework keeps of each; `notify`: their notifications; `text`: what they look like;
//! - [`guard`]: `only_if`, `not_if`; [`partials`]: `use 'core::…'`; [`described`]: descriptions of actions.

pub mod chef_property;
pub mod class;
pub mod class_body;
pub mod def;
pub mod described;
pub mod guard;
pub mod instance;
pub mod lazy;
pub mod node_map;
mod notify;
pub mod params_validate;
pub mod partials;
pub mod property;
pub mod registry;
pub mod state;
mod text;
pub mod validate;
