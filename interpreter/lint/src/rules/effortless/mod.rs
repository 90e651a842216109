//! The department Chef/Effortless.

use crate::rule::Rule;

mod berksfile;
mod chef_vault_used;
mod cookbook_uses_databags;
mod cookbook_uses_environments;
mod cookbook_uses_policygroups;
mod cookbook_uses_roles;
mod cookbook_uses_search;
mod depends_chef_vault;
mod search_for_environments_or_roles;

pub static RULES: &[&Rule] = &[
    &berksfile::RULE,
    &chef_vault_used::RULE,
    &cookbook_uses_databags::RULE,
    &cookbook_uses_environments::RULE,
    &cookbook_uses_policygroups::RULE,
    &cookbook_uses_roles::RULE,
    &cookbook_uses_search::RULE,
    &depends_chef_vault::RULE,
    &search_for_environments_or_roles::RULE,
];
