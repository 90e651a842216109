//! `Chef::Resource`.

pub mod def;
pub mod registry;
