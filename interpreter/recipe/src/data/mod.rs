//! What the chef-repo holds beside cookbooks: data bags, roles, environments, saved nodes.
//!
//! - [`repo`]: reading its files; [`crypt`]: encrypted data bag items;
//! - [`role`]: roles and environments, and the expansion of run lists; [`policy`]: Policyfile locks; [`local`]: all of it as a server would answer.

pub mod crypt;
pub mod local;
pub mod policy;
pub mod repo;
pub mod role;
