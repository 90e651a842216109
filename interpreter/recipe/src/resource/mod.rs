//! `Chef::Resource`.

pub mod def;
