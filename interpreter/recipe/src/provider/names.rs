//! The classes in `Chef::Provider` that libraries subclass, reopen or name; they are all defined when the first is used (chef 18:
//! lib/chef/provider/**).

use super::native;
use crate::names::N;
use crate::run::class;
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, ClassId, Res, Symbol, Value, Vm, sym};
use std::rc::Rc;

/// The feature that [`define`]s the classes.
pub(crate) const FEATURE: &str = "chef/rchef/providers";
/// Constants of providers that Ruby sources define: the source, the provider, the names.
static INNER: &[(&str, &str, &str)] = &[
    ("chef/rchef/rpm_queries", "Package::Yum", "YumCache PythonHelper Version"),
    ("chef/rchef/rpm_queries", "Package::Dnf", "PythonHelper Version"),
    (
        "chef/rchef/gem_environments",
        "Package::Rubygems",
        "GemEnvironment CurrentGemEnvironment AlternateGemEnvironment",
    ),
];

/// Superclass in `Chef::Provider` (empty: `Chef::Provider` itself), outer class, names. Superclasses come first.
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

/// Classes whose actions are Ruby code for subclasses in Ruby (`ruby/provider_*.rb`); the native providers below them have native actions.
pub(crate) static TEMPLATES: &[&str] = &["Package", "Service"];

/// Defines the classes, unless they are there.
pub fn load(vm: &mut Vm) -> Res<()> {
    rchef_ruby::embed::load::require(vm, FEATURE)?;
    Ok(())
}

/// Whether one of the classes has this name directly below `Chef::Provider`.
pub(super) fn is_top(name: &str) -> bool {
    TABLE.iter().any(|(_, outer, names)| outer.is_empty() && names.split_ascii_whitespace().any(|known| known == name))
}

fn own(vm: &Vm, outer: ClassId, name: &'static str) -> Option<ClassId> {
    match vm.const_own(outer, Symbol::intern_static(name)).map(|constant| &constant.value) {
        Some(Value::Class(id)) => Some(*id),
        _ => None,
    }
}
/// The class at a path relative to another.
pub(super) fn below(vm: &Vm, base: ClassId, path: &'static str) -> Option<ClassId> {
    path.split("::").try_fold(base, |at, name| own(vm, at, name))
}

/// Defines the classes: what the feature does, before Ruby sources add to them.
pub(crate) fn define(vm: &mut Vm) -> Res<()> {
    let base = class(vm, |classes| classes.provider)?;
    for (parent, outer, names) in TABLE {
        let parent = if parent.is_empty() { Some(base) } else { below(vm, base, parent) };
        let inner = if outer.is_empty() { Some(base) } else { below(vm, base, outer) };
        let (Some(parent), Some(inner)) = (parent, inner) else { continue };
        for name in names.split_ascii_whitespace() {
            let id = vm.define_class(inner, name, parent);
            let path = if outer.is_empty() { (*name).to_string() } else { format!("{outer}::{name}") };
            if TEMPLATES.contains(&path.as_str()) {
                native::note_template(vm, id);
                continue;
            }
            let defs = crate::resource::class::shipped_defs(vm);
            let of = |path: &str| defs.iter().find(|def| def.provider_class() == path).copied();
            let below_template = TEMPLATES.contains(outer);
            match of(&path).or_else(|| of(outer).filter(|_| below_template)) {
                Some(def) => native::define_methods(vm, id, def),
                None => native::note(vm, id),
            }
            if below_template {
                vm.define_methods(id, super::class::UNCHECKED);
            }
        }
    }
    noop(vm, base);
    delegators(vm, base);
    package_directives(vm, base)?;
    // modules and classes inside single providers
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
    for (source, provider, names) in INNER {
        let Some(provider) = below(vm, base, provider) else { continue };
        for name in names.split_ascii_whitespace() {
            vm.call_name(&Value::Class(provider), "autoload", &[Value::sym(name), Value::str(source)])?;
        }
    }
    if let (Some(package), Some(outer)) = (below(vm, base, "Package"), below(vm, base, "Package")) {
        let freebsd = vm.define_module(outer, "Freebsd");
        let ports = vm.define_class(freebsd, "Base", package);
        native::note(vm, ports);
        for name in ["Pkgng", "Port"] {
            let id = vm.define_class(freebsd, name, ports);
            native::note(vm, id);
        }
    }
    Ok(())
}

/// Class methods of package providers that set a flag, and the shipped classes that have it set (chef 18: lib/chef/provider/package/*.rb).
/// Subclasses do not inherit it.
static PACKAGE_DIRECTIVES: &[(&str, &str)] = &[
    ("use_multipackage_api", "Apt Chocolatey Deb Dnf Dpkg Habitat Homebrew Pacman Snap Yum Zypper"),
    ("use_package_name_for_source", "Dnf Dpkg Snap Yum Zypper"),
    ("allow_nils", "Dnf Homebrew Pacman Snap Yum Zypper"),
    ("use_magic_version", "Dnf Yum"),
];

/// Defines `use_multipackage_api` and similar methods of `Chef::Provider::Package`: the setter, and the query for the class and its instances.
fn package_directives(vm: &mut Vm, base: ClassId) -> Res<()> {
    let Some(package) = below(vm, base, "Package") else { return Ok(()) };
    let meta = vm.meta(package);
    for (name, shipped) in PACKAGE_DIRECTIVES {
        let (setter, asked, slot) =
            (Symbol::intern(name), Symbol::intern(&format!("{name}?")), Symbol::intern(&format!("@{name}")));
        let none = Arity { min: 0, max: Some(0) };
        let set = move |vm: &mut Vm, this: &Value, _: Args<'_>| {
            vm.ivar_set(this, slot, Value::True);
            Ok(Value::True)
        };
        let is_set = move |vm: &mut Vm, this: &Value, _: Args<'_>| {
            Ok(Value::bool(vm.ivar_get(this, slot).is_some_and(|value| value.truthy())))
        };
        let class_says = move |vm: &mut Vm, this: &Value, _: Args<'_>| {
            let class = vm.real_class_of(this);
            vm.call(&Value::Class(class), asked, &[])
        };
        vm.define_closure(meta, setter, none, Rc::new(set));
        vm.define_closure(meta, asked, none, Rc::new(is_set));
        vm.define_closure(package, asked, none, Rc::new(class_says));
        for class in shipped.split_ascii_whitespace() {
            if let Some(id) = own(vm, package, class) {
                vm.ivar_set(&Value::Class(id), slot, Value::True);
            }
        }
    }
    Ok(())
}

/// Methods of providers that read a property of their resource (chef 18: `def_delegators` in lib/chef/provider/*.rb): class, methods.
static DELEGATORS: &[(&str, &str)] = &[
    (
        "Execute",
        "command returns environment user domain password group cwd umask creates elevated default_env timeout input login",
    ),
    ("Script", "interpreter flags code"),
    ("Launchd", "backup cookbook group label mode owner source session_type type"),
    (
        "RemoteDirectory",
        "purge path source cookbook cookbook_name files_rights files_mode files_group files_owner files_backup rights mode group owner",
    ),
    ("Mount::Solaris", "device device_type dump fsck_device fstype mount_point options pass"),
];

fn delegators(vm: &mut Vm, base: ClassId) {
    let all = DELEGATORS
        .iter()
        .flat_map(|(class, names)| names.split_ascii_whitespace().map(move |name| (*class, name, name)));
    for (class, method, property) in all.chain([("Git", "cwd", "destination")]) {
        let Some(id) = below(vm, base, class) else { continue };
        let property = Symbol::intern_static(property);
        let read = move |vm: &mut Vm, this: &Value, args: Args<'_>| {
            let resource = vm.call(this, N.new_resource, &[])?;
            vm.call_args(&resource, property, args)
        };
        vm.define_closure(id, Symbol::intern_static(method), Arity::ANY, Rc::new(read));
    }
    let script_command = |vm: &mut Vm, this: &Value, _: Args<'_>| {
        let interpreter = vm.call_name(this, "interpreter", &[])?;
        let flags = vm.call_name(this, "flags", &[])?;
        Ok(Value::str(format!("\"{}\" {}", vm.to_s_text(&interpreter)?, vm.to_s_text(&flags)?)))
    };
    if let Some(script) = own(vm, base, "Script") {
        vm.define_closure(
            script,
            Symbol::intern_static("command"),
            Arity { min: 0, max: Some(0) },
            Rc::new(script_command),
        );
    }
}

/// `Chef::Provider::Noop`, whose actions do nothing.
fn noop(vm: &mut Vm, base: ClassId) {
    let Some(id) = own(vm, base, "Noop") else { return };
    let is_action =
        |vm: &mut Vm, args: &Args<'_>| vm.to_name(args.at(0)).map(|name| name.as_str().starts_with("action_"));
    vm.define_closure(id, N.load_current_resource, Arity::ANY, Rc::new(|_, _, _| Ok(Value::Nil)));
    vm.define_closure(
        id,
        sym::RESPOND_TO_MISSING,
        Arity::ANY,
        Rc::new(move |vm, _, args| is_action(vm, &args).map(Value::bool)),
    );
    vm.define_closure(
        id,
        sym::METHOD_MISSING,
        Arity::ANY,
        Rc::new(move |vm, this, args| {
            if is_action(vm, &args)? {
                return Ok(Value::Nil);
            }
            let name = vm.to_name(args.at(0))?;
            Err(vm.no_method_error(this, name, args.from(1).pos, rchef_ruby::embed::call::CallKind::Method, None))
        }),
    );
}

pub fn boot(vm: &mut Vm, provider: ClassId) -> Res<()> {
    for (_, outer, names) in TABLE {
        if outer.is_empty() {
            for name in names.split_ascii_whitespace() {
                vm.call_name(&Value::Class(provider), "autoload", &[Value::sym(name), Value::str(FEATURE)])?;
            }
        }
    }
    Ok(())
}
