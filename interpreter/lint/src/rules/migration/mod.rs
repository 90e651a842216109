//! rchef's own rules, which Cookstyle does not have: obstacles to a run without Chef and Ruby, and dependencies on anything outside the repository.

use crate::rule::Rule;

mod calls_chef;
mod gem_dependency;
mod gem_with_extension;
mod install_path;
mod missing_depends;
mod missing_recipe;
mod nondeterminism;
mod process_fork;
mod removed_api;
mod removed_resource;
mod removed_ruby;
mod ruby_facts;
mod server_dependence;
mod template_variables;
mod undeclared_depends;
mod unknown_action;
mod unknown_property;
mod unknown_resource;
mod unused_depends;
mod unused_suppression;
mod version_as_text;

pub use removed_resource::removed_resource;
pub use unused_suppression::ALIAS as UNUSED_SUPPRESSION;

pub static RULES: &[&Rule] = &[
    &removed_resource::RULE,
    &removed_api::RULE,
    &unknown_resource::RULE,
    &unknown_property::RULE,
    &unknown_action::RULE,
    &undeclared_depends::RULE,
    &unused_depends::RULE,
    &missing_depends::RULE,
    &missing_recipe::RULE,
    &template_variables::RULE,
    &gem_with_extension::RULE,
    &gem_dependency::RULE,
    &removed_ruby::RULE,
    &process_fork::RULE,
    &install_path::RULE,
    &calls_chef::RULE,
    &ruby_facts::RULE,
    &server_dependence::RULE,
    &version_as_text::RULE,
    &nondeterminism::RULE,
    &unused_suppression::RULE,
];
