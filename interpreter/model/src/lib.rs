//! What Chef's objects mean as data and rules: nothing here reads a file, knows a clock or runs Ruby. `rchef-recipe` reads the files, evaluates
//! the Ruby forms and gives cookbooks the Ruby classes that stand over these types.
//!
//! - [`version`]: versions of cookbooks and platforms and the constraints on them; [`gem`]: RubyGems' order and requirements;
//! - [`run_list`]: entries and expansion; [`role`]: roles and environments; [`policy`]: policy locks; [`policyfile`]: how they are made; [`data_bag`]: what the files of items hold;
//! - [`metadata`]: what cookbooks say of themselves; [`solver`]: which versions of them fit together; [`specificity`]: which of their files a node gets;
//! - [`platform_values`]: what `value_for_platform` chooses;
//! - [`notification`]: who notifies whom, when, and how often; [`lookup`]: texts that name resources;
//! - [`search`]: the query language of `search`, evaluated over documents;
//! - [`code`]: what findings are called;
//! - [`document`]: the tree that a dump is built of, and its JSON; [`yaml`]: the same as YAML.
//!
//! Input data (attributes, data bag items, locks, metadata) is [`Value`], serde_json's tree with its keys in order: it is what files hold. The
//! dump has a tree of its own, since it is written once from front to back and most of its keys are words of the schema that need no copy.

pub mod code;
pub mod data_bag;
pub mod document;
pub mod gem;
pub mod lookup;
pub mod metadata;
pub mod notification;
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

pub use serde_json::{Map, Value};
