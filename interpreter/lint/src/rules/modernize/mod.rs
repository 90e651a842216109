//! The department Chef/Modernize.

use crate::rule::Rule;

mod action_method_in_resource;
mod allowed_actions_from_initialize;
mod chef_gem_nokogiri;
mod class_eval_action_class;
mod conditional_using_test;
mod cron_d_file_or_template;
mod cron_manage_resource;
mod custom_resource_with_attributes;
mod databag_helpers;
mod declare_action_class;
mod default_action_from_initialize;
mod defines_chef_spec_matchers;
mod definitions;
mod depends_on_chef_vault_cookbook;
mod depends_on_chocolatey_cookbooks;
mod depends_on_kernel_module_cookbook;
mod depends_on_locale_cookbook;
mod depends_on_openssl_cookbook;
mod depends_on_timezone_lwrp_cookbook;
mod depends_on_windows_firewall_cookbook;
mod depends_on_zypper_cookbook;
mod dsl_include_in_resource;
mod empty_resource_initialize_method;
mod execute_apt_update;
mod execute_archive_extract;
mod execute_sc_exe;
mod execute_sleep;
mod execute_sysctl;
mod execute_tz_util;
mod execute_update_alternatives;
mod foodcritic_comments;
mod if_provides_default_action;
mod including_apt_default_recipe;
mod including_mixin_shellout_in_resources;
mod including_ohai_default_recipe;
mod including_windows_default_recipe;
mod legacy_berksfile_source;
mod libarchive_file_resource;
mod mac_os_x_userdefaults;
mod minitest_handler_usage;
mod node_init_package;
mod node_roles_include;
mod openssl_rsa_key_resource;
mod openssl_x509_resource;
mod osx_config_profile_resource;
mod power_shell_guard_interpreter;
mod powershell_download_file;
mod powershell_install_package;
mod powershell_install_windows_feature;
mod powershell_script_expand_archive;
mod property_with_name_attribute;
mod provides_from_initialize;
mod resource_forcing_compile_time;
mod resource_name_from_initialize;
mod respond_to_compile_time;
mod respond_to_in_metadata;
mod respond_to_provides;
mod respond_to_resource_name;
mod set_or_return_in_resources;
mod seven_zip_archive_resource;
mod shell_out_helper;
mod shell_out_to_chocolatey;
mod simplify_apt_ppa_setup;
mod sysctl_param_resource;
mod unnecessary_depends_chef14;
mod unnecessary_depends_chef15;
mod unnecessary_mixlib_shellout_require;
mod use_build_essential_resource;
mod use_chef_language_cloud_helpers;
mod use_chef_language_env_helpers;
mod use_chef_language_systemd_helper;
mod use_multipackage_installs;
mod use_require_relative;
mod uses_zypper_repo;
mod why_run_supported_true;
mod windows_registry_uac;
mod windows_sc_resource;
mod windows_zipfile_usage;
mod zipfile_resource;

pub static RULES: &[&Rule] = &[
    &action_method_in_resource::RULE,
    &allowed_actions_from_initialize::RULE,
    &chef_gem_nokogiri::RULE,
    &class_eval_action_class::RULE,
    &conditional_using_test::RULE,
    &cron_d_file_or_template::RULE,
    &cron_manage_resource::RULE,
    &custom_resource_with_attributes::RULE,
    &databag_helpers::RULE,
    &declare_action_class::RULE,
    &default_action_from_initialize::RULE,
    &defines_chef_spec_matchers::RULE,
    &definitions::RULE,
    &depends_on_chef_vault_cookbook::RULE,
    &depends_on_chocolatey_cookbooks::RULE,
    &depends_on_kernel_module_cookbook::RULE,
    &depends_on_locale_cookbook::RULE,
    &depends_on_openssl_cookbook::RULE,
    &depends_on_timezone_lwrp_cookbook::RULE,
    &depends_on_windows_firewall_cookbook::RULE,
    &depends_on_zypper_cookbook::RULE,
    &dsl_include_in_resource::RULE,
    &empty_resource_initialize_method::RULE,
    &execute_apt_update::RULE,
    &execute_archive_extract::RULE,
    &execute_sc_exe::RULE,
    &execute_sleep::RULE,
    &execute_sysctl::RULE,
    &execute_tz_util::RULE,
    &execute_update_alternatives::RULE,
    &foodcritic_comments::RULE,
    &if_provides_default_action::RULE,
    &including_apt_default_recipe::RULE,
    &including_mixin_shellout_in_resources::RULE,
    &including_ohai_default_recipe::RULE,
    &including_windows_default_recipe::RULE,
    &legacy_berksfile_source::RULE,
    &libarchive_file_resource::RULE,
    &mac_os_x_userdefaults::RULE,
    &minitest_handler_usage::RULE,
    &node_init_package::RULE,
    &node_roles_include::RULE,
    &openssl_rsa_key_resource::RULE,
    &openssl_x509_resource::RULE,
    &osx_config_profile_resource::RULE,
    &power_shell_guard_interpreter::RULE,
    &powershell_download_file::RULE,
    &powershell_install_package::RULE,
    &powershell_install_windows_feature::RULE,
    &powershell_script_expand_archive::RULE,
    &property_with_name_attribute::RULE,
    &provides_from_initialize::RULE,
    &resource_forcing_compile_time::RULE,
    &resource_name_from_initialize::RULE,
    &respond_to_compile_time::RULE,
    &respond_to_in_metadata::RULE,
    &respond_to_provides::RULE,
    &respond_to_resource_name::RULE,
    &set_or_return_in_resources::RULE,
    &seven_zip_archive_resource::RULE,
    &shell_out_helper::RULE,
    &shell_out_to_chocolatey::RULE,
    &simplify_apt_ppa_setup::RULE,
    &sysctl_param_resource::RULE,
    &unnecessary_depends_chef14::RULE,
    &unnecessary_depends_chef15::RULE,
    &unnecessary_mixlib_shellout_require::RULE,
    &use_build_essential_resource::RULE,
    &use_chef_language_cloud_helpers::RULE,
    &use_chef_language_env_helpers::RULE,
    &use_chef_language_systemd_helper::RULE,
    &use_multipackage_installs::RULE,
    &use_require_relative::RULE,
    &uses_zypper_repo::RULE,
    &why_run_supported_true::RULE,
    &windows_registry_uac::RULE,
    &windows_sc_resource::RULE,
    &windows_zipfile_usage::RULE,
    &zipfile_resource::RULE,
];
