//! The shipped provider classes for a DSL name, as `Chef.provider_handler_map` has them (chef 18: `provides` in lib/chef/provider/**).

use rchef_recipe::resource::def::{ProviderName, Provides};
use rchef_ruby::{Res, Value, Vm};

/// All of them; of the classes for one name the preferred one first.
pub static ALL: &[ProviderName] = &[
    ProviderName::of("Cron::Aix", Provides { os: &["aix"], ..Provides::always("cron") }),
    ProviderName::of("Cron::Unix", Provides { os: &["solaris2"], ..Provides::always("cron") }),
    ProviderName::of("Cron", Provides { os: &["!aix", "!solaris2"], ..Provides::always("cron") }),
    ProviderName::of("Ifconfig::Aix", Provides { platform: &["aix"], ..Provides::always("ifconfig") }),
    ProviderName::of("Ifconfig::Debian", Provides { platform_family: &["debian"], ..Provides::always("ifconfig") }),
    ProviderName::of(
        "Ifconfig::Redhat",
        Provides { platform_family: &["fedora", "rhel", "amazon"], ..Provides::always("ifconfig") },
    ),
    ProviderName::of("Ifconfig", Provides::always("ifconfig")),
    ProviderName::of("Launchd", Provides { os: &["darwin"], ..Provides::always("launchd") }),
    ProviderName::of(
        "Service::Systemd",
        Provides { os: &["linux"], test: Some(systemd), ..Provides::always("service") },
    ),
    ProviderName::of(
        "Service::Insserv",
        Provides {
            platform_family: &["debian", "rhel", "fedora", "suse", "amazon"],
            test: Some(insserv),
            ..Provides::always("service")
        },
    ),
    ProviderName::of(
        "Service::Redhat",
        Provides { platform_family: &["rpm_based"], test: Some(redhatrcd), ..Provides::always("service") },
    ),
    ProviderName::of(
        "Service::Debian",
        Provides { platform_family: &["debian"], test: Some(debianrcd), ..Provides::always("service") },
    ),
    ProviderName {
        class: "Service::Invokercd",
        provides: Provides { platform_family: &["debian"], test: Some(invokercd), ..Provides::always("service") },
        overriding: true,
    },
    ProviderName::of("Service::Arch", Provides { platform_family: &["arch"], ..Provides::always("service") }),
    ProviderName::of("Service::Gentoo", Provides { platform_family: &["gentoo"], ..Provides::always("service") }),
    ProviderName::of("Service::Freebsd", Provides { os: &["freebsd", "netbsd"], ..Provides::always("service") }),
    ProviderName::of("Service::Aix", Provides { os: &["aix"], ..Provides::always("service") }),
    ProviderName::of("Service::Macosx", Provides { os: &["darwin"], ..Provides::always("service") }),
    ProviderName::of("Service::Openbsd", Provides { os: &["openbsd"], ..Provides::always("service") }),
    ProviderName::of("Service::Solaris", Provides { os: &["solaris2"], ..Provides::always("service") }),
    ProviderName::of("Service::Windows", Provides { os: &["windows"], ..Provides::always("service") }),
    ProviderName::of("Service::Init", Provides { os: &["!windows"], ..Provides::always("service") }),
    ProviderName::of("YumRepository", Provides { test: Some(has_yum), ..Provides::always("yum_repository") }),
    ProviderName::of("Noop", Provides::always("yum_repository")),
    ProviderName::of(
        "ZypperRepository",
        Provides { platform_family: &["suse"], ..Provides::always("zypper_repository") },
    ),
    ProviderName::of("Noop", Provides::always("zypper_repository")),
    ProviderName::of(
        "Package::Dnf",
        Provides { platform: &["amazon"], test: Some(has_dnf), ..Provides::always("package") },
    ),
    ProviderName::of(
        "Package::Dnf",
        Provides { platform: &["fedora"], platform_version: ">=22", ..Provides::always("package") },
    ),
    ProviderName::of(
        "Package::Dnf",
        Provides { platform_family: &["rhel"], platform_version: ">=8", ..Provides::always("package") },
    ),
    ProviderName::of(
        "Package::Ips",
        Provides { platform: &["openindiana", "omnios", "solaris2"], ..Provides::always("package") },
    ),
    ProviderName::of("Package::Pacman", Provides { platform: &["arch"], ..Provides::always("package") }),
    ProviderName::of("Package::Paludis", Provides { platform: &["exherbo"], ..Provides::always("package") }),
    ProviderName::of("Package::Portage", Provides { platform: &["gentoo"], ..Provides::always("package") }),
    ProviderName::of("Package::SmartOS", Provides { platform: &["smartos"], ..Provides::always("package") }),
    ProviderName::of("Package::Apt", Provides { platform_family: &["debian"], ..Provides::always("package") }),
    ProviderName::of(
        "Package::Yum",
        Provides { platform_family: &["fedora", "rhel", "amazon"], ..Provides::always("package") },
    ),
    ProviderName::of("Package::Zypper", Provides { platform_family: &["suse"], ..Provides::always("package") }),
    ProviderName::of("Package::Bff", Provides { os: &["aix"], ..Provides::always("package") }),
    ProviderName::of("Package::Homebrew", Provides { os: &["darwin"], ..Provides::always("package") }),
    ProviderName::of("Package::Openbsd", Provides { os: &["openbsd"], ..Provides::always("package") }),
    ProviderName::of("Package::Windows", Provides { os: &["windows"], ..Provides::always("package") }),
    ProviderName::of("Package::Cab", Provides { os: &["windows"], ..Provides::always("cab_package") }),
    ProviderName::of("User::Aix", Provides { os: &["aix"], ..Provides::always("user") }),
    ProviderName::of("User::MacUser", Provides { os: &["darwin"], ..Provides::always("user") }),
    ProviderName::of("User::Pw", Provides { os: &["freebsd"], ..Provides::always("user") }),
    ProviderName::of("User::Linux", Provides { os: &["linux"], ..Provides::always("user") }),
    ProviderName::of(
        "User::Solaris",
        Provides { os: &["openindiana", "illumos", "omnios", "solaris2", "smartos"], ..Provides::always("user") },
    ),
    ProviderName::of("User::Windows", Provides { os: &["windows"], ..Provides::always("user") }),
    ProviderName::of("Group::Aix", Provides { platform: &["aix"], ..Provides::always("group") }),
    ProviderName::of("Group::Pw", Provides { platform: &["freebsd"], ..Provides::always("group") }),
    ProviderName::of("Group::Solaris", Provides { platform: &["solaris2"], ..Provides::always("group") }),
    ProviderName::of("Group::Dscl", Provides { os: &["darwin"], ..Provides::always("group") }),
    ProviderName::of("Group::Groupmod", Provides { os: &["netbsd"], ..Provides::always("group") }),
    ProviderName::of("Group::Usermod", Provides { os: &["openbsd", "solaris2"], ..Provides::always("group") }),
    ProviderName::of("Group::Windows", Provides { os: &["windows"], ..Provides::always("group") }),
    ProviderName::of("Group::Gpasswd", Provides::always("group")),
    ProviderName::of("Mount::Aix", Provides { platform: &["aix"], ..Provides::always("mount") }),
    ProviderName::of("Mount::Solaris", Provides { platform_family: &["solaris_based"], ..Provides::always("mount") }),
    ProviderName::of("Mount::Linux", Provides { os: &["linux"], ..Provides::always("mount") }),
    ProviderName::of("Mount::Windows", Provides { os: &["windows"], ..Provides::always("mount") }),
    ProviderName::of("Mount::Mount", Provides::always("mount")),
    ProviderName::of("Execute", Provides::always("execute")),
    ProviderName::of("Script", Provides::always("bash")),
    ProviderName::of("Script", Provides::always("csh")),
    ProviderName::of("Script", Provides::always("ksh")),
    ProviderName::of("Script", Provides::always("perl")),
    ProviderName::of("Script", Provides::always("python")),
    ProviderName::of("Script", Provides::always("ruby")),
    ProviderName::of("Script", Provides::always("script")),
    ProviderName::of("Batch", Provides::always("batch")),
    ProviderName::of("File", Provides::always("file")),
    ProviderName::of("CookbookFile", Provides::always("cookbook_file")),
    ProviderName::of("Directory", Provides::always("directory")),
    ProviderName::of("DscScript", Provides::always("dsc_script")),
    ProviderName::of("DscResource", Provides::always("dsc_resource")),
    ProviderName::of("Git", Provides::always("git")),
    ProviderName::of("HttpRequest", Provides::always("http_request")),
    ProviderName::of("Link", Provides::always("link")),
    ProviderName::of("PowershellScript", Provides::always("powershell_script")),
    ProviderName::of("RemoteDirectory", Provides::always("remote_directory")),
    ProviderName::of("RemoteFile", Provides::always("remote_file")),
    ProviderName::of("Route", Provides::always("route")),
    ProviderName::of("RubyBlock", Provides::always("ruby_block")),
    ProviderName::of("Subversion", Provides::always("subversion")),
    ProviderName::of("SystemdUnit", Provides::always("systemd_unit")),
    ProviderName::of("Template", Provides::always("template")),
    ProviderName::of("WhyrunSafeRubyBlock", Provides::always("whyrun_safe_ruby_block")),
    ProviderName::of("Package::Apt", Provides::always("apt_package")),
    ProviderName::of("Package::Chocolatey", Provides::always("chocolatey_package")),
    ProviderName::of("Package::Dpkg", Provides::always("dpkg_package")),
    ProviderName::of("Package::Dnf", Provides::always("dnf_package")),
    ProviderName::of("Package::Homebrew", Provides::always("homebrew_package")),
    ProviderName::of("Package::Ips", Provides::always("ips_package")),
    ProviderName::of("Package::Macports", Provides::always("macports_package")),
    ProviderName::of("Package::Openbsd", Provides::always("openbsd_package")),
    ProviderName::of("Package::Pacman", Provides::always("pacman_package")),
    ProviderName::of("Package::Portage", Provides::always("portage_package")),
    ProviderName::of("Package::Paludis", Provides::always("paludis_package")),
    ProviderName::of("Package::Rpm", Provides::always("rpm_package")),
    ProviderName::of("Package::Rubygems", Provides::always("chef_gem")),
    ProviderName::of("Package::Rubygems", Provides::always("gem_package")),
    ProviderName::of("Package::Yum", Provides::always("yum_package")),
    ProviderName::of("Package::Zypper", Provides::always("zypper_package")),
    ProviderName::of("Package::Solaris", Provides::always("solaris_package")),
    ProviderName::of("Package::SmartOS", Provides::always("smartos_package")),
    ProviderName::of("Package::Bff", Provides::always("bff_package")),
    ProviderName::of("Package::Powershell", Provides::always("powershell_package")),
    ProviderName::of("Package::Msu", Provides::always("msu_package")),
    ProviderName::of("Package::Snap", Provides::always("snap_package")),
    ProviderName::of("Package::Habitat", Provides::always("habitat_package")),
    ProviderName::of("Service::Windows", Provides::always("windows_service")),
    ProviderName::of("Service::Macosx", Provides::always("macosx_service")),
    ProviderName::of("User::Aix", Provides::always("aix_user")),
    ProviderName::of("User::Linux", Provides::always("linux_user")),
    ProviderName::of("User::MacUser", Provides::always("mac_user")),
    ProviderName::of("User::Pw", Provides::always("pw_user")),
    ProviderName::of("User::Solaris", Provides::always("solaris_user")),
    ProviderName::of("User::Windows", Provides::always("windows_user")),
    ProviderName::of("RegistryKey", Provides::always("registry_key")),
    ProviderName::of("Package::Windows", Provides::always("windows_package")),
];

fn debianrcd(vm: &mut Vm, _: &Value) -> Res<bool> {
    answer(vm, SERVICE, "debianrcd?", &[])
}
fn insserv(vm: &mut Vm, _: &Value) -> Res<bool> {
    answer(vm, SERVICE, "insserv?", &[])
}
fn invokercd(vm: &mut Vm, _: &Value) -> Res<bool> {
    answer(vm, SERVICE, "invokercd?", &[])
}
fn redhatrcd(vm: &mut Vm, _: &Value) -> Res<bool> {
    answer(vm, SERVICE, "redhatrcd?", &[])
}
fn systemd(vm: &mut Vm, _: &Value) -> Res<bool> {
    answer(vm, SERVICE, "systemd?", &[])
}
fn has_dnf(vm: &mut Vm, _: &Value) -> Res<bool> {
    answer(vm, "ChefUtils", "which", &[Value::str("dnf")])
}
fn has_yum(vm: &mut Vm, _: &Value) -> Res<bool> {
    answer(vm, "ChefUtils", "which", &[Value::str("yum")])
}

/// The module of ChefUtils that asks which service managers are there.
const SERVICE: &str = "ChefUtils::DSL::Service";

/// What a method of a module answers on the simulated or real machine.
fn answer(vm: &mut Vm, module: &str, method: &'static str, arguments: &[Value]) -> Res<bool> {
    let Some(module) = vm.class_named(module).map(Value::Class) else { return Ok(false) };
    Ok(vm.call_name(&module, method, arguments)?.truthy())
}
