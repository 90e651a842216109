//! The department Chef/Sharing.

use crate::rule::Rule;

mod default_metadata_maintainer;
mod empty_metadata_field;
mod empty_property_description;
mod include_property_descriptions;
mod include_resource_descriptions;
mod include_resource_examples;
mod insecure_cookbook_url;
mod invalid_license_string;

pub static RULES: &[&Rule] = &[
    &default_metadata_maintainer::RULE,
    &empty_metadata_field::RULE,
    &empty_property_description::RULE,
    &include_property_descriptions::RULE,
    &include_resource_descriptions::RULE,
    &include_resource_examples::RULE,
    &insecure_cookbook_url::RULE,
    &invalid_license_string::RULE,
];
