//! The department Chef/Deprecations.

use crate::rule::Rule;

mod chef_dk_generators;
mod chef_handler_recipe;
mod chef_handler_uses_supports;
mod chef_rewind;
mod chef_shellout;
mod chef_spec_coverage_report;
mod chef_spec_legacy_runner;
mod chef_sugar_helpers;
mod chef_windows_platform_helper;
mod cheffile;
mod chocolatey_package_uninstall_action;
mod cookbook_depends_on_compat_resource;
mod cookbook_depends_on_partial_search;
mod cookbook_depends_on_poise;
mod cookbooks_depends_on_self;
mod delivery;
mod depends_on_chef_nginx_cookbook;
mod depends_on_chef_reporting_cookbook;
mod depends_on_omnibus_updater_cookbook;
mod deprecated_chef_spec_platform;
mod deprecated_platform_methods;
mod deprecated_shellout_methods;
mod deprecated_sudo_actions;
mod deprecated_windows_version_check;
mod deprecated_yum_repository_actions;
mod deprecated_yum_repository_properties;
mod easy_install_resource;
mod eol_audit_mode_usage;
mod epic_fail;
mod erl_call_resource;
mod execute_path_property;
mod execute_relative_creates_without_cwd;
mod foodcritic_file;
mod foodcritic_testing;
mod hwrp_without_provides;
mod hwrp_without_unified_true;
mod including_xml_ruby_recipe;
mod including_yum_dnf_compat_recipe;
mod kept;
mod launchd_deprecated_hash_property;
mod legacy_notify_syntax;
mod legacy_yum_cookbook_recipes;
mod librarian_chef_spec;
mod locale_deprecated_lc_all_property;
mod log_resource_notifications;
mod macos_userdefaults_global_property;
mod name_property_with_default_value;
mod node_deep_fetch;
mod node_methods_insteadof_attributes;
mod node_set;
mod node_set_unless;
mod node_set_without_level;
mod partial_search_class_usage;
mod partial_search_helper_usage;
mod poise_archive_usage;
mod policyfile_community_source;
mod powershell_cookbook_helpers;
mod require_recipe;
mod resource_inherits_from_compat_resource;
mod resource_overrides_provides_method;
mod resource_uses_dsl_name_method;
mod resource_uses_only_resource_name;
mod resource_uses_provider_base_method;
mod resource_uses_updated_method;
mod resource_without_unified_true;
mod ruby27_keyword_argument_warnings;
mod ruby_block_create_action;
mod search_uses_positional_parameters;
mod use_automatic_resource_name;
mod use_inline_resources_defined;
mod use_yaml_dump;
mod user_deprecated_supports_property;
mod uses_chef_rest_helpers;
mod uses_deprecated_mixins;
mod uses_run_command_helper;
mod verify_property_uses_file_expansion;
mod windows_feature_servermanagercmd;
mod windows_package_installer_type_string;
mod windows_task_change_action;
mod windows_version_helpers;

pub use kept::removed_method;

pub static RULES: &[&Rule] = &[
    &chef_dk_generators::RULE,
    &chef_handler_recipe::RULE,
    &chef_handler_uses_supports::RULE,
    &chef_rewind::RULE,
    &chef_shellout::RULE,
    &chef_spec_coverage_report::RULE,
    &chef_spec_legacy_runner::RULE,
    &chef_sugar_helpers::RULE,
    &chef_windows_platform_helper::RULE,
    &cheffile::RULE,
    &chocolatey_package_uninstall_action::RULE,
    &cookbook_depends_on_compat_resource::RULE,
    &cookbook_depends_on_partial_search::RULE,
    &cookbook_depends_on_poise::RULE,
    &cookbooks_depends_on_self::RULE,
    &delivery::RULE,
    &depends_on_chef_nginx_cookbook::RULE,
    &depends_on_chef_reporting_cookbook::RULE,
    &depends_on_omnibus_updater_cookbook::RULE,
    &deprecated_chef_spec_platform::RULE,
    &deprecated_platform_methods::RULE,
    &deprecated_shellout_methods::RULE,
    &deprecated_sudo_actions::RULE,
    &deprecated_windows_version_check::RULE,
    &deprecated_yum_repository_actions::RULE,
    &deprecated_yum_repository_properties::RULE,
    &easy_install_resource::RULE,
    &eol_audit_mode_usage::RULE,
    &epic_fail::RULE,
    &erl_call_resource::RULE,
    &execute_path_property::RULE,
    &execute_relative_creates_without_cwd::RULE,
    &foodcritic_file::RULE,
    &foodcritic_testing::RULE,
    &hwrp_without_provides::RULE,
    &hwrp_without_unified_true::RULE,
    &including_xml_ruby_recipe::RULE,
    &including_yum_dnf_compat_recipe::RULE,
    &launchd_deprecated_hash_property::RULE,
    &legacy_notify_syntax::RULE,
    &legacy_yum_cookbook_recipes::RULE,
    &librarian_chef_spec::RULE,
    &locale_deprecated_lc_all_property::RULE,
    &log_resource_notifications::RULE,
    &macos_userdefaults_global_property::RULE,
    &name_property_with_default_value::RULE,
    &node_deep_fetch::RULE,
    &node_methods_insteadof_attributes::RULE,
    &node_set::RULE,
    &node_set_unless::RULE,
    &node_set_without_level::RULE,
    &partial_search_class_usage::RULE,
    &partial_search_helper_usage::RULE,
    &poise_archive_usage::RULE,
    &policyfile_community_source::RULE,
    &powershell_cookbook_helpers::RULE,
    &require_recipe::RULE,
    &resource_inherits_from_compat_resource::RULE,
    &resource_overrides_provides_method::RULE,
    &resource_uses_dsl_name_method::RULE,
    &resource_uses_only_resource_name::RULE,
    &resource_uses_provider_base_method::RULE,
    &resource_uses_updated_method::RULE,
    &resource_without_unified_true::RULE,
    &ruby27_keyword_argument_warnings::RULE,
    &ruby_block_create_action::RULE,
    &search_uses_positional_parameters::RULE,
    &use_automatic_resource_name::RULE,
    &use_inline_resources_defined::RULE,
    &use_yaml_dump::RULE,
    &user_deprecated_supports_property::RULE,
    &uses_chef_rest_helpers::RULE,
    &uses_deprecated_mixins::RULE,
    &uses_run_command_helper::RULE,
    &verify_property_uses_file_expansion::RULE,
    &windows_feature_servermanagercmd::RULE,
    &windows_package_installer_type_string::RULE,
    &windows_task_change_action::RULE,
    &windows_version_helpers::RULE,
];
