//! The department Chef/Correctness.

use crate::rule::Rule;

mod block_guard_with_only_string;
mod chef_application_fatal;
mod conditional_ruby_shellout;
mod conditional_unified_mode_true;
mod cookbook_uses_node_save;
mod dnf_package_allow_downgrades;
mod empty_resource_guard;
mod execute_delete_file;
mod incorrect_library_injection;
mod invalid_checksum;
mod invalid_cookbook_name;
mod invalid_default_action;
mod invalid_notification_resource;
mod invalid_notification_timing;
mod invalid_platform_family_helper;
mod invalid_platform_family_in_case;
mod invalid_platform_helper;
mod invalid_platform_in_case;
mod invalid_platform_metadata;
mod invalid_platform_value_for_platform_family_helper;
mod invalid_platform_value_for_platform_helper;
mod invalid_version_metadata;
mod lazy_eval_node_attribute_defaults;
mod lazy_in_resource_guard;
mod macos_userdefaults_invalid_type;
mod malformed_platform_value_for_platform_helper;
mod metadata_malformed_depends;
mod metadata_missing_name;
mod metadata_missing_version;
mod node_normal;
mod node_normal_unless;
mod notifies_action_not_symbol;
mod octal_mode_as_string;
mod open_ssl_password_helpers;
mod platform_version_string_comparison;
mod powershell_file_exists;
mod powershell_script_delete_file;
mod property_without_type;
mod resource_sets_internal_properties;
mod resource_sets_name_property;
mod resource_with_none_action;
mod ruby_guard_without_block;
mod scoped_file_exist;
mod service_resource;
mod supports_must_be_float;
mod tmp_path;

pub static RULES: &[&Rule] = &[
    &block_guard_with_only_string::RULE,
    &chef_application_fatal::RULE,
    &conditional_ruby_shellout::RULE,
    &conditional_unified_mode_true::RULE,
    &cookbook_uses_node_save::RULE,
    &dnf_package_allow_downgrades::RULE,
    &empty_resource_guard::RULE,
    &execute_delete_file::RULE,
    &incorrect_library_injection::RULE,
    &invalid_checksum::RULE,
    &invalid_cookbook_name::RULE,
    &invalid_default_action::RULE,
    &invalid_notification_resource::RULE,
    &invalid_notification_timing::RULE,
    &invalid_platform_family_helper::RULE,
    &invalid_platform_family_in_case::RULE,
    &invalid_platform_helper::RULE,
    &invalid_platform_in_case::RULE,
    &invalid_platform_metadata::RULE,
    &invalid_platform_value_for_platform_family_helper::RULE,
    &invalid_platform_value_for_platform_helper::RULE,
    &invalid_version_metadata::RULE,
    &lazy_eval_node_attribute_defaults::RULE,
    &lazy_in_resource_guard::RULE,
    &macos_userdefaults_invalid_type::RULE,
    &malformed_platform_value_for_platform_helper::RULE,
    &metadata_malformed_depends::RULE,
    &metadata_missing_name::RULE,
    &metadata_missing_version::RULE,
    &node_normal::RULE,
    &node_normal_unless::RULE,
    &notifies_action_not_symbol::RULE,
    &octal_mode_as_string::RULE,
    &open_ssl_password_helpers::RULE,
    &platform_version_string_comparison::RULE,
    &powershell_file_exists::RULE,
    &powershell_script_delete_file::RULE,
    &property_without_type::RULE,
    &resource_sets_internal_properties::RULE,
    &resource_sets_name_property::RULE,
    &resource_with_none_action::RULE,
    &ruby_guard_without_block::RULE,
    &scoped_file_exist::RULE,
    &service_resource::RULE,
    &supports_must_be_float::RULE,
    &tmp_path::RULE,
];
