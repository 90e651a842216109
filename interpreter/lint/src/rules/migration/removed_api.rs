//! A class, file or method is used that Chef no longer has.

use crate::rules::prelude::*;

/// What Chef removed: its name, the version of Chef that lacks it first, and what replaces it.
struct Removed {
    name: &'static str,
    version: &'static str,
    instead: &'static str,
}

const fn removed(name: &'static str, version: &'static str, instead: &'static str) -> Removed {
    Removed { name, version, instead }
}

/// Classes and modules, with what they contain.
const CONSTANTS: &[Removed] = &[
    removed("Chef::Certificate", "11", "OpenSSL::X509::Certificate"),
    removed("Chef::Checksum", "11", "Chef::Digester"),
    removed("Chef::ChecksumCache", "11", "Chef::Digester"),
    removed("Chef::OpenIDRegistration", "11", "Chef::User"),
    removed("Chef::WebUIUser", "11", "Chef::User"),
    removed("Chef::Shef", "11", "Chef::Shell"),
    removed("Chef::Mixin::Command", "13", "Chef::Mixin::ShellOut"),
    removed("Chef::Mixin::Language", "14", "Chef::DSL::DataQuery and Chef::DSL::PlatformIntrospection"),
    removed("Chef::Mixin::LanguageIncludeAttribute", "14", "Chef::DSL::IncludeAttribute"),
    removed("Chef::Mixin::LanguageIncludeRecipe", "14", "Chef::DSL::IncludeRecipe"),
    removed("Chef::Mixin::RecipeDefinitionDSLCore", "14", "Chef::DSL::Recipe"),
    removed("Chef::ShellOut", "13", "Mixlib::ShellOut"),
    removed("Chef::Audit", "15", "InSpec"),
    removed("Chef::NilArgument", "15", "nil"),
    removed("Chef::Provider::User::Useradd", "15", "Chef::Provider::User::Linux"),
    removed("Chef::Blacklist", "16", "Chef::AttributeBlocklist"),
    removed("Chef::Whitelist", "16", "Chef::AttributeAllowlist"),
    removed("Chef::Dist", "16", "ChefUtils::Dist"),
    removed("Chef::Knife", "17", "the gem knife, which runs on workstations"),
];

/// Files that `require` found below `lib` of Chef, and those in their folders.
const FILES: &[Removed] = &[
    removed("chef/certificate", "11", "openssl"),
    removed("chef/checksum", "11", "chef/digester"),
    removed("chef/checksum_cache", "11", "chef/digester"),
    removed("chef/shef", "11", "chef/shell"),
    removed("chef/webui_user", "11", "chef/user"),
    removed("chef/shell_out", "13", "mixlib/shellout"),
    removed("chef/provider/package/easy_install", "13", "execute with pip"),
    removed("chef/resource/easy_install_package", "13", "execute with pip"),
    removed("chef/mixin/language", "14", "chef/dsl/data_query and chef/dsl/platform_introspection"),
    removed("chef/mixin/language_include_attribute", "14", "chef/dsl/include_attribute"),
    removed("chef/mixin/language_include_recipe", "14", "chef/dsl/include_recipe"),
    removed("chef/mixin/recipe_definition_dsl_core", "14", "chef/dsl/recipe"),
    removed("chef/provider/deploy", "14", "the git resource"),
    removed("chef/resource/deploy", "14", "the git resource"),
    removed("chef/provider/env", "14", "the windows_env resource"),
    removed("chef/resource/env", "14", "the windows_env resource"),
    removed("chef/provider/erl_call", "14", "the execute resource"),
    removed("chef/resource/erl_call", "14", "the execute resource"),
    removed("chef/nil_argument", "15", "nil"),
    removed("chef/provider/reboot", "15", "chef/resource/reboot"),
    removed("chef/provider/user/useradd", "15", "chef/provider/user/linux"),
    removed("chef/blacklist", "16", "chef/attribute_blocklist"),
    removed("chef/whitelist", "16", "chef/attribute_allowlist"),
    removed("chef/dist", "16", "chef-utils/dist"),
    removed("chef/provider/apt_preference", "16", "chef/resource/apt_preference"),
    removed("chef/provider/apt_repository", "16", "chef/resource/apt_repository"),
    removed("chef/provider/apt_update", "16", "chef/resource/apt_update"),
    removed("chef/provider/log", "16", "chef/resource/log"),
    removed("chef/provider/mdadm", "16", "chef/resource/mdadm"),
    removed("chef/provider/ohai", "16", "chef/resource/ohai"),
    removed("chef/provider/windows_task", "16", "chef/resource/windows_task"),
    removed("chef/application/knife", "17", "the gem knife, which runs on workstations"),
    removed("chef/knife", "17", "the gem knife, which runs on workstations"),
];

/// Methods of `Chef::Platform`.
const OF_PLATFORM: &[&str] = &[
    "find",
    "find_provider",
    "find_provider_for_node",
    "platforms",
    "provider_for_node",
    "provider_for_resource",
    "set",
];

pub static RULE: Rule = Rule {
    alias: "Rchef/RemovedApi",
    summary: "A class, file or method is used that Chef no longer has",
    why: "Chef removed it, and rchef follows Chef 18: the run ends where the line is reached.",
    include: RUNS,
    exclude: TESTS,
    on: &[
        On::Call(&[
            "require",
            "find",
            "find_provider",
            "find_provider_for_node",
            "platforms",
            "provider_for_node",
            "provider_for_resource",
            "set",
        ]),
        On::Kind(Kind::Const),
    ],
    check,
    bad: r"require 'chef/shell_out'
",
    good: r"require 'mixlib/shellout'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if told_by_cookstyle(cx.file.path, n) || n.ancestors().any(|outer| outer.is(Kind::Defined)) {
        return;
    }
    let (what, found) = if n.is(Kind::Const) {
        ("", CONSTANTS.iter().find(|known| n.is_const(known.name)))
    } else if n.is_call("require") {
        let Some(file) = n.only_arg().and_then(N::as_str) else { return };
        let covers = |known: &&Removed| {
            file.strip_prefix(known.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        ("the file ", FILES.iter().find(covers))
    } else {
        let of_platform = n.recv().is_some_and(|on| on.is_const("Chef::Platform"));
        if let Some(name) = OF_PLATFORM.iter().find(|name| of_platform && n.name() == **name) {
            let text = format!(
                "Chef 13 removed Chef::Platform.{name}: use `provides` in the class of the resource or provider"
            );
            cx.report_saying(n.span(), text);
        }
        return;
    };
    if let Some(Removed { name, version, instead }) = found {
        cx.report_saying(n.span(), format!("Chef {version} removed {what}{name}: use {instead}"));
    }
}

/// Whether a rule of Cookstyle reports the same: those about mixins and `Chef::Platform` look into providers, resources and libraries, the others at some forms of a
/// call only.
fn told_by_cookstyle(path: &str, n: N<'_>) -> bool {
    let is_included = |n: N<'_>| n.parent().is_some_and(|call| call.is_call("include"));
    let in_provider = PROVIDERS.iter().any(|glob| crate::glob::matches(glob, path));
    if n.is(Kind::Const) {
        let made = n.parent().is_some_and(|call| call.is_send("new"));
        return n.is_const("Chef::ShellOut") && (made || is_included(n))
            || n.is_const("Chef::Mixin::Command") && is_included(n)
            || in_provider && is_included(n);
    }
    let mixins = ["chef/mixin/language", "chef/mixin/language_include_attribute", "chef/mixin/language_include_recipe"];
    let told = ["set", "provider_for_resource", "find_provider", "find_provider_for_node"];
    in_provider && (requires(n, &mixins) || told.contains(&n.name()))
}
