//! The provider classes for a DSL name, as `Chef.provider_handler_map` has them: those that cookbooks registered, and the shipped ones.

use super::names;
use crate::resource::registry::{Entry, Filters, insert_by_rank, matches, registry_mut};
use crate::run::class;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};

/// Shipped classes below `Chef::Provider` for all nodes, with their names (chef 18: `provides` in lib/chef/provider/**).
static PLAIN: &[(&str, &str)] = &[
    ("Execute", "execute"),
    ("Script", "bash csh ksh perl python ruby script"),
    ("Batch", "batch"),
    ("File", "file"),
    ("CookbookFile", "cookbook_file"),
    ("Directory", "directory"),
    ("DscScript", "dsc_script"),
    ("DscResource", "dsc_resource"),
    ("Git", "git"),
    ("HttpRequest", "http_request"),
    ("Link", "link"),
    ("PowershellScript", "powershell_script"),
    ("RemoteDirectory", "remote_directory"),
    ("RemoteFile", "remote_file"),
    ("Route", "route"),
    ("RubyBlock", "ruby_block"),
    ("Subversion", "subversion"),
    ("SystemdUnit", "systemd_unit"),
    ("Template", "template"),
    ("WhyrunSafeRubyBlock", "whyrun_safe_ruby_block"),
    ("Package::Apt", "apt_package"),
    ("Package::Chocolatey", "chocolatey_package"),
    ("Package::Dpkg", "dpkg_package"),
    ("Package::Dnf", "dnf_package"),
    ("Package::Homebrew", "homebrew_package"),
    ("Package::Ips", "ips_package"),
    ("Package::Macports", "macports_package"),
    ("Package::Openbsd", "openbsd_package"),
    ("Package::Pacman", "pacman_package"),
    ("Package::Portage", "portage_package"),
    ("Package::Paludis", "paludis_package"),
    ("Package::Rpm", "rpm_package"),
    ("Package::Rubygems", "chef_gem gem_package"),
    ("Package::Yum", "yum_package"),
    ("Package::Zypper", "zypper_package"),
    ("Package::Solaris", "solaris_package"),
    ("Package::SmartOS", "smartos_package"),
    ("Package::Bff", "bff_package"),
    ("Package::Powershell", "powershell_package"),
    ("Package::Msu", "msu_package"),
    ("Package::Snap", "snap_package"),
    ("Package::Habitat", "habitat_package"),
    ("Service::Windows", "windows_service"),
    ("Service::Macosx", "macosx_service"),
    ("User::Aix", "aix_user"),
    ("User::Linux", "linux_user"),
    ("User::MacUser", "mac_user"),
    ("User::Pw", "pw_user"),
    ("User::Solaris", "solaris_user"),
    ("User::Windows", "windows_user"),
    ("RegistryKey", "registry_key"),
    ("Package::Windows", "windows_package"),
];

/// Names with several shipped classes, or with conditions: each class with its filters, in Chef's order of preference. `test` is a method of
/// ChefUtils::DSL::Service, or a program to find.
static FILTERED: &[(&str, &[&str])] = &[
    ("cron", &["Cron::Aix os=aix", "Cron::Unix os=solaris2", "Cron os=!aix,!solaris2"]),
    (
        "ifconfig",
        &[
            "Ifconfig::Aix platform=aix",
            "Ifconfig::Debian family=debian",
            "Ifconfig::Redhat family=fedora,rhel,amazon",
            "Ifconfig",
        ],
    ),
    ("launchd", &["Launchd os=darwin"]),
    (
        "service",
        &[
            "Service::Systemd os=linux test=systemd?",
            "Service::Insserv family=debian,rhel,fedora,suse,amazon test=insserv?",
            "Service::Redhat family=rpm_based test=redhatrcd?",
            "Service::Debian family=debian test=debianrcd?",
            "Service::Invokercd family=debian override test=invokercd?",
            "Service::Arch family=arch",
            "Service::Gentoo family=gentoo",
            "Service::Freebsd os=freebsd,netbsd",
            "Service::Aix os=aix",
            "Service::Macosx os=darwin",
            "Service::Openbsd os=openbsd",
            "Service::Solaris os=solaris2",
            "Service::Windows os=windows",
            "Service::Init os=!windows",
        ],
    ),
    ("yum_repository", &["YumRepository test=which:yum", "Noop"]),
    ("zypper_repository", &["ZypperRepository family=suse", "Noop"]),
    (
        "package",
        &[
            "Package::Dnf platform=amazon test=which:dnf",
            "Package::Dnf version=>=22 platform=fedora",
            "Package::Dnf version=>=8 family=rhel",
            "Package::Ips platform=openindiana,omnios,solaris2",
            "Package::Pacman platform=arch",
            "Package::Paludis platform=exherbo",
            "Package::Portage platform=gentoo",
            "Package::SmartOS platform=smartos",
            "Package::Apt family=debian",
            "Package::Yum family=fedora,rhel,amazon",
            "Package::Zypper family=suse",
            "Package::Bff os=aix",
            "Package::Homebrew os=darwin",
            "Package::Openbsd os=openbsd",
            "Package::Windows os=windows",
        ],
    ),
    ("cab_package", &["Package::Cab os=windows"]),
    (
        "user",
        &[
            "User::Aix os=aix",
            "User::MacUser os=darwin",
            "User::Pw os=freebsd",
            "User::Linux os=linux",
            "User::Solaris os=openindiana,illumos,omnios,solaris2,smartos",
            "User::Windows os=windows",
        ],
    ),
    (
        "group",
        &[
            "Group::Aix platform=aix",
            "Group::Pw platform=freebsd",
            "Group::Solaris platform=solaris2",
            "Group::Dscl os=darwin",
            "Group::Groupmod os=netbsd",
            "Group::Usermod os=openbsd,solaris2",
            "Group::Windows os=windows",
            "Group::Gpasswd",
        ],
    ),
    (
        "mount",
        &[
            "Mount::Aix platform=aix",
            "Mount::Solaris family=solaris_based",
            "Mount::Linux os=linux",
            "Mount::Windows os=windows",
            "Mount::Mount",
        ],
    ),
];

/// Parses a class of [`FILTERED`] with its filters.
fn parse(line: &'static str) -> (&'static str, Filters, Option<&'static str>) {
    let mut words = line.split(' ');
    let path = words.next().unwrap_or_default();
    let (mut filters, mut test) = (Filters::default(), None);
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let list = || value.split(',').map(str::to_string).collect();
        match key {
            "os" => filters.os = list(),
            "family" => filters.platform_family = list(),
            "platform" => filters.platform = list(),
            "version" => filters = filters.of_version(value),
            "test" => test = Some(value),
            _ => filters.overriding = true,
        }
    }
    (path, filters, test)
}

/// Whether a test passes on the simulated or real machine.
fn passes(vm: &mut Vm, test: &str) -> Res<bool> {
    let (module, test, args) = match test.strip_prefix("which:") {
        Some(program) => ("ChefUtils", "which", vec![Value::str(program)]),
        None => ("ChefUtils::DSL::Service", test, Vec::new()),
    };
    let Some(module) = vm.class_named(module).map(Value::Class) else { return Ok(false) };
    Ok(vm.call_name(&module, test, &args)?.truthy())
}

/// The provider classes of a name, the preferred one first; those for the node, or all of them without a node.
///
/// # Errors
/// An exception of a filter's block.
pub fn enabled(vm: &mut Vm, node: &Value, name: Symbol) -> Res<Vec<ClassId>> {
    names::load(vm)?;
    let base = class(vm, |classes| classes.provider)?;
    let mut all: Vec<(Entry, Option<&'static str>)> = Vec::new();
    for line in FILTERED.iter().filter(|(known, _)| *known == name.as_str()).flat_map(|(_, lines)| *lines) {
        let (path, filters, test) = parse(line);
        if let Some(class) = names::below(vm, base, path) {
            all.push((Entry { class, filters }, test));
        }
    }
    let is_plain = |names: &str| names.split(' ').any(|known| known == name.as_str());
    for (path, _) in PLAIN.iter().filter(|(_, names)| is_plain(names)) {
        if let Some(class) = names::below(vm, base, path) {
            all.push((Entry { class, filters: Filters::default() }, None));
        }
    }
    for entry in registry_mut(vm).provider_entries(name).into_iter().rev() {
        insert_by_rank(&mut all, (entry, None), |(entry, _)| &entry.filters);
    }
    let mut found = Vec::new();
    for (entry, test) in all {
        let is_for =
            node.is_nil() || matches(vm, &entry.filters, node)? && test.map_or(Ok(true), |test| passes(vm, test))?;
        if is_for {
            found.push(entry.class);
        }
    }
    Ok(found)
}
