//! Chef's objects as plain data and rules: nothing here reads files, uses a clock or runs Ruby. `rchef-recipe` reads the files, evaluates Ruby
//! sources and provides the Ruby classes on top of these types.
//!
//! - [`version`]: versions of cookbooks and platforms, and constraints on them; [`gem`]: RubyGems' versions and requirements;
//! - [`run_list`]: entries and expansion; [`role`]: roles and environments; [`policy`]: policy locks;
//! - [`policyfile`]: how locks are made; [`data_bag`]: item files;
//! - [`metadata`]: cookbook metadata; [`solver`]: choice of cookbook versions; [`specificity`]: which of several files a node gets;
//! - [`platform_values`]: the choice that `value_for_platform` makes;
//! - [`notification`]: notifications, their timing and order; [`lookup`]: resource references such as `type[name]`;
//! - [`search`]: the query language of `search`, evaluated on documents;
//! - [`code`]: the kinds of findings;
//! - [`document`]: the tree of a dump, and its JSON; [`yaml`]: the same as YAML; [`Out`]: both in parts.
//!
//! Input data (attributes, data bag items, locks, metadata) is [`Value`], serde_json's tree with keys in order. The dump has its own tree type,
//! because it is written once from start to end and most of its keys are words of the schema that need no copy.

pub mod code;
pub mod data_bag;
pub mod document;
pub mod excerpt;
pub mod gem;
pub mod lookup;
pub mod metadata;
pub mod notification;
mod out;
pub mod platform_values;
pub mod policy;
pub mod policyfile;
pub mod role;
pub mod run_list;
pub mod search;
pub mod secrets;
pub mod skim;
pub mod solver;
pub mod specificity;
pub mod version;
pub mod yaml;

pub use out::Out;
pub use serde_json::{Map, Value};
