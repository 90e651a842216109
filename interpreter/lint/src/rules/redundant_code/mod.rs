//! The department Chef/RedundantCode.

use crate::rule::Rule;

mod apt_repository_distribution_default;
mod apt_repository_notifies_apt_update;
mod attribute_metadata;
mod conflicts_metadata;
mod custom_resource_with_allowed_actions;
mod double_compile_time;
mod grouping_metadata;
mod long_description_metadata;
mod multiple_platform_checks;
mod name_property_is_required;
mod ohai_attribute_to_string;
mod property_splat_regex;
mod property_with_required_and_default;
mod provides_metadata;
mod recipe_metadata;
mod replaces_metadata;
mod resource_with_nothing_action;
mod sensitive_property_in_resource;
mod service_guard_on_stop_disable;
mod string_property_with_nil_default;
mod suggests_metadata;
mod unnecessary_desired_state;
mod unnecessary_name_property;
mod use_create_if_missing;

pub static RULES: &[&Rule] = &[
    &apt_repository_distribution_default::RULE,
    &apt_repository_notifies_apt_update::RULE,
    &attribute_metadata::RULE,
    &conflicts_metadata::RULE,
    &custom_resource_with_allowed_actions::RULE,
    &double_compile_time::RULE,
    &grouping_metadata::RULE,
    &long_description_metadata::RULE,
    &multiple_platform_checks::RULE,
    &name_property_is_required::RULE,
    &ohai_attribute_to_string::RULE,
    &property_splat_regex::RULE,
    &property_with_required_and_default::RULE,
    &provides_metadata::RULE,
    &recipe_metadata::RULE,
    &replaces_metadata::RULE,
    &resource_with_nothing_action::RULE,
    &sensitive_property_in_resource::RULE,
    &service_guard_on_stop_disable::RULE,
    &string_property_with_nil_default::RULE,
    &suggests_metadata::RULE,
    &unnecessary_desired_state::RULE,
    &unnecessary_name_property::RULE,
    &use_create_if_missing::RULE,
];
