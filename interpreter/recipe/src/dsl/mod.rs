//! The methods that recipes, attribute files, resources and actions can call.
//!
//! - [`resources`]: declaring and finding resources; [`modes`]: immediate mode;
//! - [`platform`]: `platform?`, `value_for_platform`, `value_for_platform_family`; [`utils`]: the ChefUtils helpers.
//! - [`data`]: data bags and search; [`builder`]: `Chef::ResourceBuilder`.

pub mod builder;
pub mod data;
pub mod modes;
pub mod platform;
pub mod resources;
pub mod utils;
