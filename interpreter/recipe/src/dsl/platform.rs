//! `platform?`, `platform_family?`, `value_for_platform`, `value_for_platform_family`, and the ChefUtils helpers (SPEC-compile 3.2).

use crate::run::run_mut;
use crate::version;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, any, def, opt, sym};

/// `node[key]` as text; empty when it is not set.
pub fn fact(vm: &mut Vm, key: &str) -> Res<String> {
    let node = run_mut(vm).node.clone();
    if node.is_nil() {
        return Ok(String::new());
    }
    let value = vm.call(&node, sym::AREF, &[Value::str(key)])?;
    if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
}
/// `node[first][second]`
pub fn fact2(vm: &mut Vm, first: &str, second: &str) -> Res {
    let node = run_mut(vm).node.clone();
    let outer = if node.is_nil() { Value::Nil } else { vm.call(&node, sym::AREF, &[Value::str(first)])? };
    if !matches!(outer, Value::Hash(_)) {
        return Ok(Value::Nil);
    }
    vm.call(&outer, sym::AREF, &[Value::str(second)])
}

fn any_equal(vm: &mut Vm, args: Args<'_>, actual: &str) -> Res {
    for arg in args.pos {
        for item in vm.to_array(arg)? {
            if vm.to_s_text(&item)? == actual {
                return Ok(Value::True);
            }
        }
    }
    Ok(Value::False)
}
fn is_platform(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let actual = fact(vm, "platform")?;
    any_equal(vm, args, &actual)
}
fn is_family(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let actual = fact(vm, "platform_family")?;
    any_equal(vm, args, &actual)
}

fn pairs(vm: &Vm, value: &Value) -> Vec<(Value, Value)> {
    match value {
        Value::Hash(hash) => hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        _ => Vec::new(),
    }
}
fn names(vm: &mut Vm, key: &Value) -> Res<Vec<String>> {
    let mut found = Vec::new();
    for item in vm.to_array(key)? {
        found.push(vm.to_s_text(&item)?);
    }
    Ok(found)
}

/// Exact version, then the one matching constraint, then the platform's default, then the default of all.
fn value_for_platform(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (platform, actual) = (fact(vm, "platform")?, fact(vm, "platform_version")?);
    let mut fallback = Value::Nil;
    let mut versions = None;
    for (key, value) in pairs(vm, args.at(0)) {
        let listed = names(vm, &key)?;
        if listed.iter().any(|name| name == "default") {
            fallback = value.clone();
        }
        if listed.contains(&platform) {
            versions = Some(value);
        }
    }
    let Some(versions) = versions else { return Ok(fallback) };
    if !matches!(versions, Value::Hash(_)) {
        return Err(vm.argument_error("value_for_platform needs a Hash of versions for each platform"));
    }
    let mut exact = None;
    let mut constrained = Vec::new();
    let mut platform_default = None;
    for (key, value) in pairs(vm, &versions) {
        for name in names(vm, &key)? {
            if name == "default" {
                platform_default = Some(value.clone());
            } else if name == actual {
                exact = Some(value.clone());
            } else if name.starts_with(['<', '>', '=', '~', '!']) && name.split(',').all(|part| version::satisfies(&actual, part)) {
                constrained.push((name, value.clone()));
            }
        }
    }
    if let Some(found) = exact {
        return Ok(found);
    }
    if constrained.len() > 1 {
        let shown: Vec<&str> = constrained.iter().map(|(name, _)| name.as_str()).collect();
        return Err(vm.runtime_error(format!("Multiple matches detected for {platform} {actual} ({}) in value_for_platform", shown.join(", "))));
    }
    Ok(constrained.pop().map(|(_, value)| value).or(platform_default).unwrap_or(fallback))
}
fn value_for_platform_family(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let family = fact(vm, "platform_family")?;
    let mut fallback = Value::Nil;
    for (key, value) in pairs(vm, args.at(0)) {
        let listed = names(vm, &key)?;
        if listed.contains(&family) {
            return Ok(value);
        }
        if listed.iter().any(|name| name == "default") {
            fallback = value;
        }
    }
    Ok(fallback)
}

/// What a helper of ChefUtils asks.
enum Ask {
    Family(&'static [&'static str]),
    Platform(&'static [&'static str]),
    Os(&'static str),
    Machine(&'static [&'static str]),
}

/// Helper names and what they ask; the families and platforms are ChefUtils'.
const HELPERS: &[(&str, Ask)] = &[
    ("arch?", Ask::Family(&["arch"])),
    ("arch_linux?", Ask::Family(&["arch"])),
    ("aix?", Ask::Family(&["aix"])),
    ("debian?", Ask::Family(&["debian"])),
    ("fedora?", Ask::Family(&["fedora"])),
    ("macos?", Ask::Family(&["mac_os_x"])),
    ("mac?", Ask::Family(&["mac_os_x"])),
    ("osx?", Ask::Family(&["mac_os_x"])),
    ("mac_os_x?", Ask::Family(&["mac_os_x"])),
    ("rhel?", Ask::Family(&["rhel"])),
    ("el?", Ask::Family(&["rhel"])),
    ("amazon?", Ask::Family(&["amazon"])),
    ("amazon_linux?", Ask::Family(&["amazon"])),
    ("solaris2?", Ask::Family(&["solaris2"])),
    ("solaris?", Ask::Family(&["solaris2"])),
    ("smartos?", Ask::Family(&["smartos"])),
    ("suse?", Ask::Family(&["suse"])),
    ("gentoo?", Ask::Family(&["gentoo"])),
    ("freebsd?", Ask::Family(&["freebsd"])),
    ("openbsd?", Ask::Family(&["openbsd"])),
    ("netbsd?", Ask::Family(&["netbsd"])),
    ("dragonflybsd?", Ask::Family(&["dragonflybsd"])),
    ("windows?", Ask::Family(&["windows"])),
    ("rpm_based?", Ask::Family(&["rhel", "fedora", "suse", "amazon"])),
    ("fedora_derived?", Ask::Family(&["rhel", "fedora", "amazon"])),
    ("redhat_based?", Ask::Family(&["rhel", "fedora", "amazon"])),
    ("solaris_based?", Ask::Family(&["solaris2", "smartos", "omnios", "openindiana", "opensolaris", "nexentacore"])),
    ("bsd_based?", Ask::Family(&["freebsd", "openbsd", "netbsd", "dragonflybsd"])),
    ("ubuntu?", Ask::Platform(&["ubuntu"])),
    ("ubuntu_platform?", Ask::Platform(&["ubuntu"])),
    ("debian_platform?", Ask::Platform(&["debian"])),
    ("redhat?", Ask::Platform(&["redhat"])),
    ("redhat_platform?", Ask::Platform(&["redhat"])),
    ("centos?", Ask::Platform(&["centos"])),
    ("centos_platform?", Ask::Platform(&["centos"])),
    ("rocky?", Ask::Platform(&["rocky"])),
    ("rocky_platform?", Ask::Platform(&["rocky"])),
    ("alma?", Ask::Platform(&["almalinux"])),
    ("oracle?", Ask::Platform(&["oracle"])),
    ("oracle_platform?", Ask::Platform(&["oracle"])),
    ("oracle_linux?", Ask::Platform(&["oracle"])),
    ("scientific?", Ask::Platform(&["scientific"])),
    ("fedora_platform?", Ask::Platform(&["fedora"])),
    ("amazon_platform?", Ask::Platform(&["amazon"])),
    ("arch_platform?", Ask::Platform(&["arch"])),
    ("suse_platform?", Ask::Platform(&["suse"])),
    ("opensuse?", Ask::Platform(&["opensuse", "opensuseleap"])),
    ("leap_platform?", Ask::Platform(&["opensuseleap"])),
    ("linuxmint?", Ask::Platform(&["linuxmint"])),
    ("mint?", Ask::Platform(&["linuxmint"])),
    ("raspbian?", Ask::Platform(&["raspbian"])),
    ("windows_platform?", Ask::Platform(&["windows"])),
    ("macos_platform?", Ask::Platform(&["mac_os_x", "macos"])),
    ("linux?", Ask::Os("linux")),
    ("darwin?", Ask::Os("darwin")),
    ("_64_bit?", Ask::Machine(&["amd64", "x86_64", "ppc64", "ppc64le", "s390x", "ia64", "sparc64", "aarch64", "arch64", "arm64", "sun4v", "sun4u"])),
    ("intel?", Ask::Machine(&["amd64", "x86_64", "i386", "i486", "i586", "i686", "i86pc"])),
    ("i386?", Ask::Machine(&["i386", "i486", "i586", "i686"])),
    ("ppc64le?", Ask::Machine(&["ppc64le"])),
    ("ppc64?", Ask::Machine(&["ppc64"])),
    ("s390x?", Ask::Machine(&["s390x"])),
    ("armhf?", Ask::Machine(&["armv6l", "armv7l", "armhf"])),
    ("arm?", Ask::Machine(&["armv6l", "armv7l", "armhf", "aarch64", "arm64", "arch64"])),
];

/// Answers a helper by the name it was called by.
fn helper(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let name = vm.current_native_name().map(rchef_ruby::Symbol::as_str).unwrap_or_default();
    let Some((_, ask)) = HELPERS.iter().find(|(known, _)| *known == name) else { return Ok(Value::False) };
    Ok(Value::bool(match ask {
        Ask::Family(list) => list.contains(&fact(vm, "platform_family")?.as_str()),
        Ask::Platform(list) => list.contains(&fact(vm, "platform")?.as_str()),
        Ask::Os(os) => fact(vm, "os")? == *os,
        Ask::Machine(list) => {
            let machine = fact2(vm, "kernel", "machine")?;
            list.contains(&vm.to_s_text(&machine)?.as_str())
        }
    }))
}

/// `systemd?`: facts when they say, else the machine.
fn is_systemd(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let init = fact(vm, "init_package")?;
    if !init.is_empty() {
        return Ok(Value::bool(init == "systemd"));
    }
    let host = vm.host.clone();
    Ok(Value::bool(rchef_host::compose::exists(&*host, b"/proc/1/comm") && rchef_host::compose::read_file(&*host, b"/proc/1/comm").is_ok_and(|name| name.starts_with(b"systemd"))))
}
fn is_docker(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let systems = fact2(vm, "virtualization", "systems")?;
    let guest = if matches!(systems, Value::Hash(_)) { vm.call(&systems, sym::AREF, &[Value::str("docker")])? } else { Value::Nil };
    Ok(Value::bool(!guest.is_nil() && vm.to_s_text(&guest)? == "guest"))
}
fn virtual_system(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let role = fact2(vm, "virtualization", "role")?;
    Ok(Value::bool(!role.is_nil() && vm.to_s_text(&role)? == "guest"))
}
fn rhel_version(vm: &mut Vm, wanted: &str) -> Res {
    let (family, actual) = (fact(vm, "platform_family")?, fact(vm, "platform_version")?);
    Ok(Value::bool(family == "rhel" && actual.split('.').next() == Some(wanted)))
}
fn rhel6(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    rhel_version(vm, "6")
}
fn rhel7(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    rhel_version(vm, "7")
}
fn rhel8(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    rhel_version(vm, "8")
}
fn rhel9(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    rhel_version(vm, "9")
}
/// `include_recipe?(name)`: whether a recipe is in the run list or loaded.
fn includes_recipe(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let wanted = vm.to_s_text(args.at(0))?;
    let full = if wanted.contains("::") { wanted } else { format!("{wanted}::default") };
    Ok(Value::bool(crate::cookbook::cookbooks(vm).recipes.contains(&full)))
}
/// `which(*commands)`: the first that is found in PATH.
fn which(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let host = vm.host.clone();
    let path = host.env(b"PATH").unwrap_or_else(|| b"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".to_vec());
    for arg in args.split().0 {
        for item in vm.to_array(arg)? {
            let name = vm.to_s_text(&item)?;
            for dir in path.split(|byte| *byte == b':') {
                let full = [dir, b"/", name.as_bytes()].concat();
                let runs = host.stat(&full).is_ok_and(|stat| stat.is_file() && stat.mode & 0o111 != 0);
                if runs {
                    return Ok(Value::bytes(full));
                }
            }
        }
    }
    Ok(Value::False)
}
fn not_kitchen(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::False)
}

static METHODS: &[MethodDef] = &[
    any("platform?", is_platform),
    any("platform_family?", is_family),
    def("value_for_platform", value_for_platform, 1),
    def("value_for_platform_family", value_for_platform_family, 1),
    opt("systemd?", is_systemd, 0, 1),
    opt("docker?", is_docker, 0, 1),
    opt("guest?", virtual_system, 0, 1),
    opt("virtual?", virtual_system, 0, 1),
    opt("rhel6?", rhel6, 0, 1),
    opt("rhel7?", rhel7, 0, 1),
    opt("rhel8?", rhel8, 0, 1),
    opt("rhel9?", rhel9, 0, 1),
    opt("include_recipe?", includes_recipe, 1, 1),
    opt("includes_recipe?", includes_recipe, 1, 1),
    any("which", which),
    opt("kitchen?", not_kitchen, 0, 1),
    opt("ci?", not_kitchen, 0, 1),
];

/// Registers the helpers on `Chef::DSL::Universal` and `ChefUtils`.
pub fn boot(vm: &mut Vm, universal: ClassId) {
    vm.define_methods(universal, METHODS);
    let utils = vm.define_module(ClassId::OBJECT, "ChefUtils");
    let utils_dsl = vm.define_module(utils, "DSL");
    for module in [universal, utils] {
        vm.define_methods(module, METHODS);
        for (name, _) in HELPERS {
            let symbol = rchef_ruby::Symbol::intern_static(name);
            let body = rchef_ruby::method::MethodBody::Native(helper, rchef_ruby::method::Arity { min: 0, max: Some(1) });
            vm.add_method(module, symbol, rchef_ruby::method::Method { name: symbol, owner: module, visibility: rchef_ruby::method::Visibility::Public, body, ruby2_keywords: false });
        }
    }
    let meta = vm.meta(utils);
    vm.include_module(meta, utils);
    for name in ["PlatformFamily", "Platform", "OS", "Architecture", "Introspection", "Which", "PathSanity", "DefaultPaths", "TrainHelpers", "Cloud", "Virtualization", "Windows", "Service"] {
        let id = vm.define_module(utils_dsl, name);
        vm.include_module(id, utils);
    }
}
