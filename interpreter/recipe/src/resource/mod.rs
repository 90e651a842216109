//! `Chef::Resource`.
//!
//! - [`def`]: how shipped resources are described; [`registry`]: DSL names;
//! - [`class`]: classes and the class-body DSL; [`instance`]: instances; [`property`], [`validate`]: properties;
//! - [`guard`]: `only_if`, `not_if`; [`partials`]: `use 'core::…'`; [`described`]: descriptions of actions.

pub mod chef_property;
pub mod class;
pub mod def;
pub mod described;
pub mod guard;
pub mod instance;
pub mod partials;
pub mod property;
pub mod registry;
pub mod validate;
