//! The classes under `Chef::Provider` that libraries subclass, reopen or name: made together when one of them is first named
//! (chef 18: lib/chef/provider/**).

use super::native;
use crate::names::N;
use crate::run::class;
use rchef_ruby::library::Library;
use rchef_ruby::method::Arity;
use rchef_ruby::{Args, ClassId, Res, Symbol, Value, Vm, sym};
use std::rc::Rc;

/// What stands for the classes among features.
const FEATURE: &str = "chef/rchef/providers";

/// Superclass below `Chef::Provider` (empty: that class itself), outer class, names. Superclasses come first.
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

/// Classes within another one, and the resource whose provider they stand for.
static RESOURCES: &[(&str, &str)] = &[
    ("User::Linux", "linux_user"),
    ("User::Aix", "aix_user"),
    ("User::MacUser", "mac_user"),
    ("User::Pw", "pw_user"),
    ("User::Solaris", "solaris_user"),
    ("User::Windows", "windows_user"),
    ("Package::Cab", "cab_package"),
    ("Package::Chocolatey", "chocolatey_package"),
    ("Package::Habitat", "habitat_package"),
    ("Package::Msu", "msu_package"),
    ("Package::Powershell", "powershell_package"),
    ("Package::Windows", "windows_package"),
    ("Service::Macosx", "macosx_service"),
    ("Service::Windows", "windows_service"),
    ("Package::Apt", "apt_package"),
    ("Package::Bff", "bff_package"),
    ("Package::Dnf", "dnf_package"),
    ("Package::Dpkg", "dpkg_package"),
    ("Package::Homebrew", "homebrew_package"),
    ("Package::Ips", "ips_package"),
    ("Package::Macports", "macports_package"),
    ("Package::Openbsd", "openbsd_package"),
    ("Package::Pacman", "pacman_package"),
    ("Package::Paludis", "paludis_package"),
    ("Package::Portage", "portage_package"),
    ("Package::Rpm", "rpm_package"),
    ("Package::Rubygems", "gem_package"),
    ("Package::SmartOS", "smartos_package"),
    ("Package::Snap", "snap_package"),
    ("Package::Solaris", "solaris_package"),
    ("Package::Yum", "yum_package"),
    ("Package::Zypper", "zypper_package"),
];

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
/// The class at a path below another.
pub(super) fn below(vm: &Vm, base: ClassId, path: &'static str) -> Option<ClassId> {
    path.split("::").try_fold(base, |at, name| own(vm, at, name))
}

fn make(vm: &mut Vm) -> Res<()> {
    let base = class(vm, |classes| classes.provider)?;
    for (parent, outer, names) in TABLE {
        let parent = if parent.is_empty() { Some(base) } else { below(vm, base, parent) };
        let inner = if outer.is_empty() { Some(base) } else { below(vm, base, outer) };
        let (Some(parent), Some(inner)) = (parent, inner) else { continue };
        for name in names.split_ascii_whitespace() {
            let id = vm.define_class(inner, name, parent);
            let resource = |(path, resource): &(&str, &'static str)| {
                let fits = path.strip_suffix(name).and_then(|rest| rest.strip_suffix("::")) == Some(outer);
                fits.then_some(*resource)
            };
            let resource = RESOURCES.iter().find_map(resource);
            let stands_for = |def: &&&'static crate::resource::def::ResourceDef| match resource {
                Some(resource) => def.name == resource,
                None => outer.is_empty() && def.class == name,
            };
            match crate::resource::class::shipped_defs(vm).iter().find(stands_for).copied() {
                Some(def) => native::define_methods(vm, id, def),
                None => native::note(vm, id),
            }
        }
    }
    noop(vm, base);
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

/// `Chef::Provider::Noop`: every action does nothing.
fn noop(vm: &mut Vm, base: ClassId) {
    let Some(id) = own(vm, base, "Noop") else { return };
    let any_number = Arity { min: 0, max: None };
    let is_action =
        |vm: &mut Vm, args: &Args<'_>| vm.to_name(args.at(0)).map(|name| name.as_str().starts_with("action_"));
    vm.define_closure(id, N.load_current_resource, any_number, Rc::new(|_, _, _| Ok(Value::Nil)));
    vm.define_closure(
        id,
        sym::RESPOND_TO_MISSING,
        any_number,
        Rc::new(move |vm, _, args| is_action(vm, &args).map(Value::bool)),
    );
    vm.define_closure(
        id,
        sym::METHOD_MISSING,
        any_number,
        Rc::new(move |vm, this, args| {
            if is_action(vm, &args)? {
                return Ok(Value::Nil);
            }
            let name = vm.to_name(args.at(0))?;
            Err(vm.no_method_error(this, name, args.from(1).pos, rchef_ruby::call::CallKind::Method, None))
        }),
    );
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
