//! The names under which `require` finds Chef's own files, and which of them count as loaded from the start (chef: lib/chef/**).

/// Features that are always loaded, separated by spaces: `require` of one does nothing.
pub static FEATURES: &str = "chef ohai \
    chef/provider/batch chef/provider/cookbook_file chef/provider/cron chef/provider/directory chef/provider/dsc_resource chef/provider/dsc_script chef/provider/execute \
    chef/provider/file chef/provider/git chef/provider/group chef/provider/http_request chef/provider/ifconfig chef/provider/launchd chef/provider/link \
    chef/provider/lwrp_base chef/provider/mount chef/provider/noop chef/provider/package chef/provider/powershell_script chef/provider/registry_key \
    chef/provider/remote_directory chef/provider/remote_file chef/provider/resource_update chef/provider/route chef/provider/ruby_block chef/provider/script \
    chef/provider/service chef/provider/subversion chef/provider/systemd_unit chef/provider/template chef/provider/template_finder chef/provider/user \
    chef/provider/whyrun_safe_ruby_block chef/provider/windows_script chef/provider/yum_repository chef/provider/zypper_repository chef/provider/package/apt \
    chef/provider/package/bff chef/provider/package/cab chef/provider/package/chocolatey chef/provider/package/deb chef/provider/package/dnf chef/provider/package/dpkg \
    chef/provider/package/habitat chef/provider/package/homebrew chef/provider/package/ips chef/provider/package/macports chef/provider/package/msu \
    chef/provider/package/openbsd chef/provider/package/pacman chef/provider/package/paludis chef/provider/package/portage chef/provider/package/powershell \
    chef/provider/package/rpm chef/provider/package/rubygems chef/provider/package/smartos chef/provider/package/snap   \
    chef/provider/package/solaris chef/provider/package/windows chef/provider/package/yum chef/provider/package/zypper chef/provider/service/aix \
    chef/provider/service/aixinit chef/provider/service/arch chef/provider/service/debian chef/provider/service/freebsd chef/provider/service/gentoo \
    chef/provider/service/init chef/provider/service/insserv chef/provider/service/invokercd chef/provider/service/macosx chef/provider/service/openbsd \
    chef/provider/service/redhat chef/provider/service/simple chef/provider/service/solaris chef/provider/service/systemd chef/provider/service/upstart \
    chef/provider/service/windows chef/provider/user/aix chef/provider/user/dscl chef/provider/user/linux chef/provider/user/mac chef/provider/user/pw \
    chef/provider/user/solaris chef/provider/user/windows chef/provider/group/aix chef/provider/group/dscl chef/provider/group/gpasswd chef/provider/group/groupadd \
    chef/provider/group/groupmod chef/provider/group/pw chef/provider/group/solaris chef/provider/group/usermod chef/provider/group/windows chef/provider/mount/aix \
    chef/provider/mount/linux chef/provider/mount/mount chef/provider/mount/solaris chef/provider/mount/windows chef/provider/cron/aix chef/provider/cron/solaris \
    chef/provider/cron/unix chef/resource/_rest_resource chef/resource/action_class chef/resource/alternatives chef/resource/apt_package chef/resource/apt_preference \
    chef/resource/apt_repository chef/resource/apt_update chef/resource/archive_file chef/resource/bash chef/resource/batch chef/resource/bff_package \
    chef/resource/breakpoint chef/resource/build_essential chef/resource/cab_package chef/resource/chef_client_config chef/resource/chef_client_cron \
    chef/resource/chef_client_launchd chef/resource/chef_client_scheduled_task chef/resource/chef_client_systemd_timer \
    chef/resource/chef_client_trusted_certificate chef/resource/chef_gem chef/resource/chef_handler chef/resource/chef_sleep chef/resource/chef_vault_secret \
    chef/resource/chocolatey_config chef/resource/chocolatey_feature chef/resource/chocolatey_installer chef/resource/chocolatey_package chef/resource/chocolatey_source \
    chef/resource/conditional chef/resource/conditional_action_not_nothing chef/resource/cookbook_file chef/resource/cron_access chef/resource/csh chef/resource/directory \
    chef/resource/dmg_package chef/resource/dnf_package chef/resource/dpkg_package chef/resource/dsc_resource chef/resource/dsc_script chef/resource/execute \
    chef/resource/file chef/resource/freebsd_package chef/resource/gem_package chef/resource/group chef/resource/habitat_config chef/resource/habitat_install \
    chef/resource/habitat_service chef/resource/habitat_user_toml chef/resource/homebrew_cask chef/resource/homebrew_package chef/resource/homebrew_tap \
    chef/resource/homebrew_update chef/resource/hostname chef/resource/http_request chef/resource/ifconfig chef/resource/inspec_input chef/resource/inspec_waiver \
    chef/resource/inspec_waiver_file_entry chef/resource/ips_package chef/resource/kernel_module chef/resource/ksh chef/resource/launchd chef/resource/link \
    chef/resource/locale chef/resource/log chef/resource/lwrp_base chef/resource/macos_pkg chef/resource/macos_userdefaults chef/resource/macosx_service \
    chef/resource/macports_package chef/resource/mdadm chef/resource/mount chef/resource/msu_package chef/resource/notify_group chef/resource/ohai chef/resource/ohai_hint \
    chef/resource/openbsd_package chef/resource/openssl_dhparam chef/resource/openssl_ec_private_key chef/resource/openssl_ec_public_key \
    chef/resource/openssl_rsa_private_key chef/resource/openssl_rsa_public_key chef/resource/openssl_x509_certificate chef/resource/openssl_x509_crl \
    chef/resource/openssl_x509_request chef/resource/package chef/resource/pacman_package chef/resource/paludis_package chef/resource/perl chef/resource/plist \
    chef/resource/portage_package chef/resource/powershell_package chef/resource/powershell_package_source chef/resource/powershell_script chef/resource/python \
    chef/resource/reboot chef/resource/registry_key chef/resource/remote_directory chef/resource/remote_file chef/resource/resource_notification chef/resource/rhsm_errata \
    chef/resource/rhsm_errata_level chef/resource/rhsm_register chef/resource/rhsm_repo chef/resource/rhsm_subscription chef/resource/route chef/resource/rpm_package \
    chef/resource/ruby chef/resource/ruby_block chef/resource/script chef/resource/selinux_boolean chef/resource/selinux_fcontext chef/resource/selinux_install \
    chef/resource/selinux_login chef/resource/selinux_module chef/resource/selinux_permissive chef/resource/selinux_port chef/resource/selinux_state \
    chef/resource/selinux_user chef/resource/service chef/resource/smartos_package chef/resource/snap_package chef/resource/solaris_package \
    chef/resource/ssh_known_hosts_entry chef/resource/sudo chef/resource/swap_file chef/resource/sysctl chef/resource/systemd_unit chef/resource/template \
    chef/resource/timezone chef/resource/user chef/resource/user_ulimit chef/resource/whyrun_safe_ruby_block chef/resource/windows_ad_join chef/resource/windows_audit_policy \
    chef/resource/windows_auto_run chef/resource/windows_certificate chef/resource/windows_defender chef/resource/windows_defender_exclusion chef/resource/windows_dfs_folder \
    chef/resource/windows_dfs_namespace chef/resource/windows_dfs_server chef/resource/windows_dns_record chef/resource/windows_dns_zone chef/resource/windows_env \
    chef/resource/windows_feature chef/resource/windows_feature_dism chef/resource/windows_feature_powershell chef/resource/windows_firewall_profile \
    chef/resource/windows_firewall_rule chef/resource/windows_font chef/resource/windows_package chef/resource/windows_pagefile chef/resource/windows_path \
    chef/resource/windows_printer chef/resource/windows_printer_port chef/resource/windows_script chef/resource/windows_security_policy chef/resource/windows_service \
    chef/resource/windows_share chef/resource/windows_shortcut chef/resource/windows_task chef/resource/windows_uac chef/resource/windows_update_settings \
    chef/resource/windows_user_privilege chef/resource/windows_workgroup chef/resource/yum_package chef/resource/yum_repository chef/resource/zypper_package \
    chef/resource/zypper_repository chef/mixin/api_version_request_handling chef/mixin/checksum chef/mixin/chef_utils_wiring chef/mixin/convert_to_class_name \
    chef/mixin/create_path chef/mixin/deep_merge chef/mixin/default_paths chef/mixin/deprecation chef/mixin/descendants_tracker chef/mixin/enforce_ownership_and_permissions \
    chef/mixin/file_class chef/mixin/from_file chef/mixin/get_source_from_package chef/mixin/homebrew chef/mixin/lazy_module_include chef/mixin/notifying_block \
    chef/mixin/openssl_helper chef/mixin/params_validate chef/mixin/path_sanity chef/mixin/powershell_exec chef/mixin/powershell_out chef/mixin/powershell_type_coercions \
    chef/mixin/properties chef/mixin/provides chef/mixin/proxified_socket chef/mixin/securable chef/mixin/shell_out chef/mixin/subclass_directive chef/mixin/template \
    chef/mixin/unformatter chef/mixin/uris chef/mixin/user_context chef/mixin/versioned_api chef/mixin/which chef/mixin/why_run chef/mixin/wide_string \
    chef/mixin/windows_architecture_helper chef/mixin/windows_env_helper chef/mixin/xml_escape chef/dsl/chef_vault chef/dsl/cheffish chef/dsl/compliance chef/dsl/data_query \
    chef/dsl/declare_resource chef/dsl/definitions chef/dsl/include_attribute chef/dsl/include_recipe chef/dsl/platform_introspection chef/dsl/powershell \
    chef/dsl/reader_helpers chef/dsl/reboot_pending chef/dsl/recipe chef/dsl/registry_helper chef/dsl/render_helpers chef/dsl/resources chef/dsl/rest_resource \
    chef/dsl/secret chef/dsl/toml chef/dsl/universal chef/util/backup chef/util/diff chef/util/editor chef/util/file_edit chef/util/path_helper chef/util/selinux \
    chef/util/threaded_job_queue chef/util/windows chef/platform/priority_map chef/platform/provider_handler_map chef/platform/provider_mapping \
    chef/platform/provider_priority_map chef/platform/query_helpers chef/platform/rebooter chef/platform/resource_handler_map chef/platform/resource_priority_map \
    chef/platform/service_helpers chef/node/attribute chef/node/attribute_collections chef/node/common_api chef/node/immutable_collections chef/formatters/base \
    chef/formatters/doc chef/formatters/error_description chef/formatters/error_inspectors chef/formatters/error_mapper chef/formatters/indentable_output_stream \
    chef/formatters/minimal chef/event_dispatch/base chef/event_dispatch/dispatcher chef/event_dispatch/dsl chef/event_dispatch/events_output_stream \
    chef/handler/error_report chef/handler/json_file chef/handler/slow_report chef/http/api_versions chef/http/auth_credentials chef/http/authenticator \
    chef/http/basic_client chef/http/cookie_jar chef/http/cookie_manager chef/http/decompressor chef/http/http_request chef/http/json_input chef/http/json_output \
    chef/http/json_to_model_output chef/http/remote_request_id chef/http/simple chef/http/simple_json chef/http/socketless_chef_zero_client chef/http/ssl_policies \
    chef/http/validate_content_length chef/resource_collection/resource_collection_serialization chef/resource_collection/resource_list chef/resource_collection/resource_set \
    chef/resource_collection/stepable_iterator chef/run_context/cookbook_compiler chef/cookbook/chefignore chef/cookbook/cookbook_collection \
    chef/cookbook/cookbook_version_loader chef/cookbook/file_system_file_vendor chef/cookbook/file_vendor chef/cookbook/gem_installer chef/cookbook/manifest_v0 \
    chef/cookbook/manifest_v2 chef/cookbook/metadata chef/cookbook/remote_file_vendor chef/cookbook/synchronizer chef/cookbook/syntax_check chef/search/query \
    chef/action_collection chef/api_client chef/api_client_v1 chef/application chef/applications chef/attribute_allowlist chef/attribute_blocklist chef/chef_class \
    chef/chef_fs chef/client chef/config chef/config_fetcher chef/constants chef/cookbook_loader chef/cookbook_manifest chef/cookbook_uploader \
    chef/cookbook_version chef/daemon chef/data_bag chef/data_bag_item chef/data_collector chef/data_collector/config_validation \
    chef/data_collector/error_handlers chef/data_collector/message_helpers chef/data_collector/run_end_message chef/data_collector/run_start_message \
    chef/decorator chef/delayed_evaluator chef/deprecated chef/deprecation/warnings chef/digester chef/dsl \
    chef/encrypted_data_bag_item chef/environment chef/exceptions chef/file_access_control chef/file_cache chef/group chef/guard_interpreter chef/handler chef/http \
    chef/json_compat chef/key chef/local_mode chef/log chef/mash chef/mixins chef/monologger chef/node chef/node_map chef/null_logger \
    chef/org chef/platform chef/policy_builder chef/property chef/provider chef/provider_resolver chef/providers chef/pwsh chef/recipe chef/request_id chef/reserved_names \
    chef/resource chef/resource_builder chef/resource_collection chef/resource_definition chef/resource_definition_list chef/resource_inspector chef/resource_reporter \
    chef/resource_resolver chef/resources chef/role chef/run_context chef/run_list chef/run_lock chef/run_status chef/runner chef/sandbox chef/scan_access_control \
    chef/secret_fetcher chef/server_api chef/server_api_versions chef/shell chef/train_transport chef/user chef/user_v1 chef/version chef/version_class \
    chef/version_constraint chef/version_string chef/win32_service_constants chef/workstation_config_loader \
    chef/version_constraint/platform chef/version/platform chef/encrypted_data_bag_item/check_encrypted chef/encrypted_data_bag_item/encryptor chef/encrypted_data_bag_item/decryptor \
    chef/encrypted_data_bag_item/assertions chef/event_loggers/base chef/secret_fetcher/base chef/secret_fetcher/example chef/secret_fetcher/aws_secrets_manager chef/secret_fetcher/azure_key_vault \
    chef/secret_fetcher/hashi_vault chef/secret_fetcher/akeyless_vault chef/formatters/error_inspectors/api_error_formatting \
    chef/formatters/error_inspectors/compile_error_inspector chef/formatters/error_inspectors/cookbook_resolve_error_inspector \
    chef/formatters/error_inspectors/cookbook_sync_error_inspector chef/formatters/error_inspectors/node_load_error_inspector \
    chef/formatters/error_inspectors/registration_error_inspector chef/formatters/error_inspectors/resource_failure_inspector \
    chef/formatters/error_inspectors/run_list_expansion_error_inspector chef/resource/helpers/cron_validations chef/resource/helpers/cron \
    ohai/system ohai/config ohai/log ohai/exception ohai/loader ohai/dsl chef/platform/provider_mapping";

/// Features that Chef has loaded before any cookbook runs, listed in `$LOADED_FEATURES`.
pub static LOADED: &[&str] = &[
    "chef",
    "ohai",
    "chef-utils",
    "chef-config/config",
    "chef-config/path_helper",
    "chef-config/mixin/dot_d",
    "mixlib/cli",
    "mixlib/authentication",
    "chef-utils/dist",
    "chef-utils/mash",
    "chef-utils/dsl/path_sanity",
    "chef-utils/dsl/default_paths",
    "chef-utils/dsl/which",
    "chef-utils/dsl/platform",
    "chef-utils/dsl/service",
    "chef-utils/version",
    "chef/application",
    "chef/chef_class",
    "chef/client",
    "chef/config",
    "chef/constants",
    "chef/cookbook/metadata",
    "chef/cookbook_loader",
    "chef/cookbook_version",
    "chef/data_bag",
    "chef/data_bag_item",
    "chef/decorator/lazy",
    "chef/delayed_evaluator",
    "chef/digester",
    "chef/dsl",
    "chef/dsl/chef_vault",
    "chef/dsl/data_query",
    "chef/dsl/declare_resource",
    "chef/dsl/definitions",
    "chef/dsl/include_attribute",
    "chef/dsl/include_recipe",
    "chef/dsl/platform_introspection",
    "chef/dsl/powershell",
    "chef/dsl/reboot_pending",
    "chef/dsl/recipe",
    "chef/dsl/registry_helper",
    "chef/dsl/resources",
    "chef/dsl/universal",
    "chef/encrypted_data_bag_item",
    "chef/environment",
    "chef/event_dispatch/base",
    "chef/event_dispatch/dispatcher",
    "chef/exceptions",
    "chef/file_cache",
    "chef/handler",
    "chef/handler/json_file",
    "chef/handler/error_report",
    "chef/http",
    "chef/http/simple",
    "chef/log",
    "chef/mash",
    "chef/mixin/checksum",
    "chef/mixin/convert_to_class_name",
    "chef/mixin/create_path",
    "chef/mixin/deep_merge",
    "chef/mixin/deprecation",
    "chef/mixin/enforce_ownership_and_permissions",
    "chef/mixin/file_class",
    "chef/mixin/from_file",
    "chef/mixin/get_source_from_package",
    "chef/mixin/homebrew",
    "chef/mixin/homebrew_user",
    "chef/mixin/lazy_module_include",
    "chef/mixin/notifying_block",
    "chef/mixin/openssl_helper",
    "chef/mixin/params_validate",
    "chef/mixin/path_sanity",
    "chef/mixin/default_paths",
    "chef/mixin/powershell_exec",
    "chef/mixin/powershell_out",
    "chef/mixin/powershell_type_coercions",
    "chef/mixin/properties",
    "chef/mixin/provides",
    "chef/mixin/securable",
    "chef/mixin/shell_out",
    "chef/mixin/template",
    "chef/mixin/unformatter",
    "chef/mixin/uris",
    "chef/mixin/user_context",
    "chef/mixin/which",
    "chef/mixin/why_run",
    "chef/mixin/windows_architecture_helper",
    "chef/mixin/windows_env_helper",
    "chef/mixin/xml_escape",
    "chef/mixin/proxified_socket",
    "chef/mixin/versioned_api",
    "chef/node",
    "chef/node/attribute",
    "chef/node/attribute_collections",
    "chef/node/immutable_collections",
    "chef/node_map",
    "chef/platform",
    "chef/platform/priority_map",
    "chef/platform/provider_mapping",
    "chef/platform/provider_priority_map",
    "chef/platform/query_helpers",
    "chef/platform/resource_priority_map",
    "chef/platform/service_helpers",
    "chef/property",
    "chef/provider",
    "chef/provider/lwrp_base",
    "chef/provider_resolver",
    "chef/providers",
    "chef/recipe",
    "chef/reserved_names",
    "chef/resource",
    "chef/resource/action_class",
    "chef/resource/lwrp_base",
    "chef/resource/resource_notification",
    "chef/resource_builder",
    "chef/resource_collection",
    "chef/resource_definition",
    "chef/resource_inspector",
    "chef/resource_reporter",
    "chef/resource_resolver",
    "chef/resources",
    "chef/role",
    "chef/run_context",
    "chef/run_list",
    "chef/run_status",
    "chef/runner",
    "chef/scan_access_control",
    "chef/search/query",
    "chef/server_api",
    "chef/user",
    "chef/util/backup",
    "chef/util/diff",
    "chef/util/selinux",
    "chef/util/windows",
    "chef/version",
    "chef/win32_service_constants",
    "chef/win32/version",
    "chef/win32/api",
    "chef/win32/registry",
    "chef/win32/security",
    "chef/win32/file",
    "chef/win32/error",
    "chef/util/windows/net_user",
];
