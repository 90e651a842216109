//! The classes under `Chef::Provider` that libraries subclass, reopen or name: made together when one of them is first named
//! (chef 18: lib/chef/provider/**).

use super::native::native_base;
use crate::run::class;
use rchef_ruby::library::Library;
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};

/// What stands for the classes among features.
const FEATURE: &str = "chef/rchef/providers";

/// Superclass below `Chef::Provider` (empty: the base of native providers), outer class, names. Superclasses come first.
static TABLE: &[(&str, &str, &str)] = &[
    (
        "",
        "",
        "Execute File Package Service Cron DscResource DscScript Git Group HttpRequest Ifconfig Launchd Link Mount Noop RegistryKey Route RubyBlock Subversion SystemdUnit User YumRepository ZypperRepository",
    ),
    ("Execute", "", "Script"),
    ("Script", "", "WindowsScript"),
    ("WindowsScript", "", "Batch PowershellScript"),
    ("RubyBlock", "", "WhyrunSafeRubyBlock"),
    ("File", "", "CookbookFile Directory RemoteFile Template"),
    ("Directory", "", "RemoteDirectory"),
    (
        "Package",
        "Package",
        "Apt Bff Cab Chocolatey Dnf Dpkg Deb Habitat Homebrew Ips Macports Msu Openbsd Pacman Paludis Portage Powershell Rpm Rubygems SmartOS Snap Solaris Windows Yum Zypper EasyInstall",
    ),
    ("Package::Snap", "Package", "SnapTM"),
    ("Package::Yum", "Package", "YumTM"),
    ("Service", "Service", "Simple Aix Solaris Windows"),
    ("Service::Simple", "Service", "Init Systemd Upstart Macosx"),
    ("Service::Init", "Service", "AixInit Arch Debian Freebsd Gentoo Insserv Invokercd Openbsd Redhat"),
    ("Group", "Group", "Groupadd Dscl Groupmod Pw Windows"),
    ("Group::Groupadd", "Group", "Aix Gpasswd Solaris Usermod Suse"),
    ("User", "User", "Aix Dscl Linux MacUser Pw Solaris Useradd Windows"),
    ("Mount", "Mount", "Mount Solaris Windows"),
    ("Mount::Mount", "Mount", "Aix Linux"),
    ("Cron", "Cron", "Unix"),
    ("Cron::Unix", "Cron", "Aix Solaris"),
    ("Ifconfig", "Ifconfig", "Aix Debian Redhat"),
];

/// Providers of packages and the resource whose native provider does their work.
static PACKAGES: &[(&str, &str)] = &[
    ("Apt", "apt_package"),
    ("Bff", "bff_package"),
    ("Dnf", "dnf_package"),
    ("Dpkg", "dpkg_package"),
    ("Homebrew", "homebrew_package"),
    ("Ips", "ips_package"),
    ("Macports", "macports_package"),
    ("Openbsd", "openbsd_package"),
    ("Pacman", "pacman_package"),
    ("Paludis", "paludis_package"),
    ("Portage", "portage_package"),
    ("Rpm", "rpm_package"),
    ("Rubygems", "gem_package"),
    ("SmartOS", "smartos_package"),
    ("Snap", "snap_package"),
    ("Solaris", "solaris_package"),
    ("Yum", "yum_package"),
    ("Zypper", "zypper_package"),
];

/// The resource name whose native provider a class under `Chef::Provider::Package` means.
pub fn resource_of(vm: &mut Vm, provider: &Value) -> Option<&'static str> {
    let name = vm.class_name_of(provider);
    let short = name.strip_prefix("Chef::Provider::Package::")?;
    PACKAGES.iter().find(|(known, _)| *known == short).map(|(_, resource)| *resource)
}

/// Makes the classes that are not there.
pub fn load(vm: &mut Vm) -> Res<()> {
    rchef_ruby::core::load::require(vm, FEATURE)?;
    Ok(())
}

fn own(vm: &Vm, outer: ClassId, name: &'static str) -> Option<ClassId> {
    match vm.const_own(outer, Symbol::intern_static(name)).map(|constant| &constant.value) {
        Some(Value::Class(id)) => Some(*id),
        _ => None,
    }
}
fn below(vm: &Vm, base: ClassId, path: &'static str) -> Option<ClassId> {
    path.split("::").try_fold(base, |at, name| own(vm, at, name))
}

fn make(vm: &mut Vm) -> Res<()> {
    let base = class(vm, |classes| classes.provider)?;
    let native = native_base(vm)?;
    for (parent, outer, names) in TABLE {
        let parent = if parent.is_empty() { Some(native) } else { below(vm, base, parent) };
        let outer = if outer.is_empty() { Some(base) } else { below(vm, base, outer) };
        let (Some(parent), Some(outer)) = (parent, outer) else { continue };
        for name in names.split_ascii_whitespace() {
            vm.define_class(outer, name, parent);
        }
    }
    // modules and classes that stand below single providers
    for (outer, superclass, name) in [
        ("Service::Init", "Service::Debian", "Debian"),
        ("Service::Init", "Service::Redhat", "Redhat"),
        ("Service::Init", "Service::Insserv", "Insserv"),
        ("Service::Init", "Service::Freebsd", "Freebsd"),
        ("Service::Init", "Service::Gentoo", "Gentoo"),
    ] {
        if let (Some(outer), Some(of)) = (below(vm, base, outer), below(vm, base, superclass)) {
            vm.const_set(outer, Symbol::intern_static(name), Value::Class(of));
        }
    }
    if let (Some(package), Some(outer)) = (below(vm, base, "Package"), below(vm, base, "Package")) {
        let freebsd = vm.define_module(outer, "Freebsd");
        let ports = vm.define_class(freebsd, "Base", package);
        vm.define_class(freebsd, "Pkgng", ports);
        vm.define_class(freebsd, "Port", ports);
    }
    Ok(())
}

/// Registers the names.
pub fn boot(vm: &mut Vm, provider: ClassId) -> Res<()> {
    vm.libraries.insert(FEATURE, Library::Native(make));
    for (_, outer, names) in TABLE {
        if outer.is_empty() {
            for name in names.split_ascii_whitespace() {
                vm.call_name(&Value::Class(provider), "autoload", &[Value::sym(name), Value::str(FEATURE)])?;
            }
        }
    }
    Ok(())
}
