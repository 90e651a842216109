//! The helpers of `ChefUtils`, which test the facts of a node (chef-utils: lib/chef-utils/dsl/*.rb; SPEC-compile 3.2).
//!
//! Every helper takes a node as its last, optional argument; the default is the run's node.

use crate::run::run_mut;
use rchef_ruby::embed::method::{Arity, Method, MethodBody, Visibility};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, opt, sym};

/// What a helper tests.
enum Ask {
    /// `platform_family` is one of these.
    Family(&'static [&'static str]),
    /// `platform` is one of these.
    Platform(&'static [&'static str]),
    Os(&'static str),
    /// `kernel.machine` is one of these.
    Machine(&'static [&'static str]),
    /// `kernel.machine` is none of these.
    OtherMachine(&'static [&'static str]),
    /// The family is `rhel` and the release starts with this.
    Rhel(&'static str),
    /// The node has a top-level attribute.
    Has(&'static str),
    /// `virtualization.system` and `.role`; an empty system matches any.
    Virtual(&'static str, &'static str),
    /// `vmware.host.type` of a VMware machine.
    Vmware(&'static str),
    /// `kernel.KEY` is this.
    Kernel(&'static str, &'static str),
    /// A file exists.
    File(&'static str),
    /// An environment variable is set.
    Env(&'static str),
    /// Always false on the supported platforms.
    Never,
}
use Ask::{Env, Family, File, Has, Kernel, Machine, Never, Os, OtherMachine, Platform, Rhel, Virtual, Vmware};

const SIXTY_FOUR: &[&str] = &[
    "amd64", "x86_64", "ppc64", "ppc64le", "s390x", "ia64", "sparc64", "aarch64", "arch64", "arm64", "sun4v", "sun4u",
];

/// The names of each helper (aliases after the first), and its test.
static HELPERS: &[(&str, Ask)] = &[
    ("arch? arch_linux?", Family(&["arch"])),
    ("aix?", Family(&["aix"])),
    ("debian?", Family(&["debian"])),
    ("fedora?", Family(&["fedora"])),
    ("macos? mac? osx? mac_os_x?", Family(&["mac_os_x"])),
    ("rhel? el?", Family(&["rhel"])),
    ("amazon? amazon_linux?", Family(&["amazon"])),
    ("solaris2? solaris?", Family(&["solaris2"])),
    ("smartos?", Family(&["smartos"])),
    ("suse?", Family(&["suse"])),
    ("gentoo?", Family(&["gentoo"])),
    ("freebsd?", Family(&["freebsd"])),
    ("openbsd?", Family(&["openbsd"])),
    ("netbsd?", Family(&["netbsd"])),
    ("dragonflybsd?", Family(&["dragonflybsd"])),
    ("windows?", Family(&["windows"])),
    ("rpm_based?", Family(&["rhel", "fedora", "suse", "amazon"])),
    ("fedora_derived?", Family(&["rhel", "fedora", "amazon"])),
    ("redhat_based?", Family(&["rhel", "fedora"])),
    ("solaris_based?", Platform(&["solaris2", "smartos", "omnios", "openindiana"])),
    ("bsd_based?", Platform(&["netbsd", "freebsd", "openbsd", "dragonflybsd"])),
    ("rhel6?", Rhel("6")),
    ("rhel7?", Rhel("7")),
    ("rhel8?", Rhel("8")),
    ("rhel9?", Rhel("9")),
    ("macos_ruby? windows_ruby?", Never),
    ("linuxmint_platform? mint? linux_mint? linuxmint?", Platform(&["linuxmint"])),
    ("ubuntu_platform? ubuntu?", Platform(&["ubuntu"])),
    ("raspbian_platform? raspbian?", Platform(&["raspbian"])),
    ("debian_platform?", Platform(&["debian"])),
    ("amazon_platform?", Platform(&["amazon"])),
    ("redhat_platform? redhat_enterprise? redhat_enterprise_linux? redhat?", Platform(&["redhat"])),
    ("centos_platform? centos?", Platform(&["centos"])),
    ("rocky_platform? rocky?", Platform(&["rocky"])),
    ("alma_platform? alma?", Platform(&["almalinux"])),
    ("oracle_platform? oracle_linux? oracle?", Platform(&["oracle"])),
    ("scientific_platform? scientific_linux? scientific?", Platform(&["scientific"])),
    ("clearos_platform? clearos?", Platform(&["clearos"])),
    ("fedora_platform?", Platform(&["fedora"])),
    ("arch_platform?", Platform(&["arch"])),
    ("solaris2_platform?", Platform(&["solaris2"])),
    ("smartos_platform?", Platform(&["smartos"])),
    ("omnios_platform? omnios?", Platform(&["omnios"])),
    ("openindiana_platform? openindiana?", Platform(&["openindiana"])),
    ("aix_platform?", Platform(&["aix"])),
    ("freebsd_platform?", Platform(&["freebsd"])),
    ("openbsd_platform?", Platform(&["openbsd"])),
    ("netbsd_platform?", Platform(&["netbsd"])),
    ("dragonfly_platform?", Platform(&["dragonfly"])),
    ("macos_platform? mac_os_x_platform?", Platform(&["mac_os_x"])),
    ("gentoo_platform?", Platform(&["gentoo"])),
    ("slackware_platform?", Platform(&["slackware"])),
    ("suse_platform?", Platform(&["suse"])),
    ("opensuse_platform? opensuse? opensuseleap_platform? leap_platform?", Platform(&["opensuse", "opensuseleap"])),
    ("windows_platform?", Platform(&["windows"])),
    ("linux?", Os("linux")),
    ("darwin?", Os("darwin")),
    ("_64_bit?", Machine(SIXTY_FOUR)),
    ("_32_bit?", OtherMachine(SIXTY_FOUR)),
    ("i386?", Machine(&["i86pc", "i386", "i686"])),
    ("intel?", Machine(&["i86pc", "i386", "x86_64", "amd64", "i686"])),
    ("sparc?", Machine(&["sun4u", "sun4v"])),
    ("ppc64?", Machine(&["ppc64"])),
    ("ppc64le?", Machine(&["ppc64le"])),
    ("powerpc?", Machine(&["powerpc"])),
    ("arm?", Machine(&["armv6l", "armv7l", "armhf", "aarch64", "arm64", "arch64"])),
    ("armhf?", Machine(&["armv6l", "armv7l", "armhf"])),
    ("s390x?", Machine(&["s390x"])),
    ("s390?", Machine(&["s390"])),
    ("cloud?", Has("cloud")),
    ("alibaba?", Has("alibaba")),
    ("ec2?", Has("ec2")),
    ("gce?", Has("gce")),
    ("rackspace?", Has("rackspace")),
    ("eucalyptus? euca?", Has("eucalyptus")),
    ("linode?", Has("linode")),
    ("openstack?", Has("openstack")),
    ("azure?", Has("azure")),
    ("digital_ocean? digitalocean?", Has("digital_ocean")),
    ("softlayer?", Has("softlayer")),
    ("oci?", Has("oci")),
    ("kvm?", Virtual("kvm", "guest")),
    ("kvm_host?", Virtual("kvm", "host")),
    ("lxc?", Virtual("lxc", "guest")),
    ("lxc_host?", Virtual("lxc", "host")),
    ("parallels?", Virtual("parallels", "guest")),
    ("parallels_host?", Virtual("parallels", "host")),
    ("vbox? virtualbox?", Virtual("vbox", "guest")),
    ("vbox_host?", Virtual("vbox", "host")),
    ("vmware?", Virtual("vmware", "guest")),
    ("vmware_host?", Virtual("vmware", "host")),
    ("vmware_desktop?", Vmware("vmware_desktop")),
    ("vmware_vsphere?", Vmware("vmware_vsphere")),
    ("openvz?", Virtual("openvz", "guest")),
    ("openvz_host?", Virtual("openvz", "host")),
    ("hyperv?", Virtual("hyperv", "guest")),
    ("guest? virtual?", Virtual("", "guest")),
    ("hypervisor?", Virtual("", "host")),
    ("windows_workstation?", Kernel("product_type", "Workstation")),
    ("windows_server?", Kernel("product_type", "Server")),
    ("windows_server_core?", Kernel("server_core", "true")),
    ("debianrcd?", File("/usr/sbin/update-rc.d")),
    ("invokercd?", File("/usr/sbin/invoke-rc.d")),
    ("upstart?", File("/sbin/initctl")),
    ("insserv?", File("/sbin/insserv")),
    ("redhatrcd?", File("/sbin/chkconfig")),
    ("kitchen?", Env("TEST_KITCHEN")),
    ("ci?", Env("CI")),
];

/// The node that is passed to a helper, else the run's.
fn node_of(vm: &mut Vm, args: Args<'_>, index: usize) -> Value {
    match args.get(index) {
        Some(node) if !node.is_nil() => node.clone(),
        _ => run_mut(vm).node.clone(),
    }
}
/// An attribute by its path; nil if a step is missing.
fn dig(vm: &mut Vm, node: &Value, path: &[&str]) -> Res {
    let mut at = node.clone();
    for key in path {
        if at.is_nil() {
            return Ok(Value::Nil);
        }
        at = vm.call(&at, sym::AREF, &[Value::str(*key)])?;
    }
    Ok(at)
}
fn attribute_text(vm: &mut Vm, node: &Value, path: &[&str]) -> Res<String> {
    let value = dig(vm, node, path)?;
    if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
}
fn exists(vm: &mut Vm, path: &str) -> bool {
    let host = vm.host.clone();
    rchef_host::compose::exists(&*host, path.as_bytes())
}

/// Runs the helper with the called name.
fn helper(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.current_native_name().map(Symbol::as_str).unwrap_or_default();
    let Some((_, ask)) = HELPERS.iter().find(|(names, _)| names.split(' ').any(|known| known == name)) else {
        return Ok(Value::False);
    };
    let node = node_of(vm, args, 0);
    Ok(Value::bool(match ask {
        Family(list) => list.contains(&attribute_text(vm, &node, &["platform_family"])?.as_str()),
        Platform(list) => list.contains(&attribute_text(vm, &node, &["platform"])?.as_str()),
        Os(os) => attribute_text(vm, &node, &["os"])? == *os,
        Machine(list) => list.contains(&attribute_text(vm, &node, &["kernel", "machine"])?.as_str()),
        OtherMachine(list) => !list.contains(&attribute_text(vm, &node, &["kernel", "machine"])?.as_str()),
        Rhel(wanted) => {
            attribute_text(vm, &node, &["platform_family"])? == "rhel"
                && attribute_text(vm, &node, &["platform_version"])?.split('.').next() == Some(wanted)
        }
        Has(key) => !dig(vm, &node, &[key])?.is_nil(),
        Virtual(system, role) => {
            (system.is_empty() || attribute_text(vm, &node, &["virtualization", "system"])? == *system)
                && attribute_text(vm, &node, &["virtualization", "role"])? == *role
        }
        Vmware(kind) => {
            attribute_text(vm, &node, &["virtualization", "system"])? == "vmware"
                && attribute_text(vm, &node, &["vmware", "host", "type"])? == *kind
        }
        Kernel(key, wanted) => attribute_text(vm, &node, &["kernel", key])? == *wanted,
        File(path) => exists(vm, path),
        Env(key) => vm.host.env(key.as_bytes()).is_some(),
        Never => false,
    }))
}

fn is_physical(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 0);
    Ok(Value::bool(attribute_text(vm, &node, &["virtualization", "role"])? != "guest"))
}
fn is_vagrant(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 0);
    if !dig(vm, &node, &["vagrant"])?.is_nil() || attribute_text(vm, &node, &["domain"])?.contains("vagrantup.com") {
        return Ok(Value::True);
    }
    let host = vm.host.clone();
    Ok(Value::bool(matches!(host.user_by_name(b"vagrant"), Ok(Some(_)))))
}
fn is_docker(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 0);
    Ok(Value::bool(attribute_text(vm, &node, &["virtualization", "systems", "docker"])? == "guest"))
}
fn is_effortless(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 0);
    Ok(Value::bool(dig(vm, &node, &["chef_packages", "chef", "chef_effortless"])?.truthy()))
}
fn is_centos_stream(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 0);
    let release = dig(vm, &node, &["os_release"])?;
    Ok(Value::bool(if release.truthy() {
        attribute_text(vm, &node, &["os_release", "name"])? == "CentOS Stream"
    } else {
        attribute_text(vm, &node, &["lsb", "id"])? == "CentOSStream"
    }))
}
/// `systemd?`: by the node's facts if possible, else by the machine.
fn is_systemd(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 0);
    let init = attribute_text(vm, &node, &["init_package"])?;
    if !init.is_empty() {
        return Ok(Value::bool(init == "systemd"));
    }
    let host = vm.host.clone();
    Ok(Value::bool(
        exists(vm, "/proc/1/comm")
            && rchef_host::compose::read_file(&*host, b"/proc/1/comm").is_ok_and(|name| name.starts_with(b"systemd")),
    ))
}
/// `include_recipe?(name)`: whether a recipe is in the run list or already loaded.
fn includes_recipe(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 1);
    vm.call_name(&node, "recipe?", &[args.at(0).clone()])
}

const UNIT_FOLDERS: [&str; 4] = ["/etc", "/usr/lib", "/lib", "/run"];
fn has_unit(vm: &mut Vm, unit: &str) -> bool {
    UNIT_FOLDERS.iter().any(|folder| exists(vm, &format!("{folder}/systemd/system/{unit}")))
}
fn service_unit(name: &str) -> String {
    let stem = name.find('@').map_or(name, |at| &name[..=at]);
    format!("{stem}.service")
}
fn has_systemd_service_unit(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    Ok(Value::bool(has_unit(vm, &service_unit(&name))))
}
fn has_systemd_unit(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    Ok(Value::bool(has_unit(vm, &name)))
}
/// `service_script_exist?(type, script)`
fn service_script_exist(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (kind, script) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    Ok(Value::bool(match kind.as_str() {
        "initd" => exists(vm, &format!("/etc/init.d/{script}")),
        "upstart" => exists(vm, &format!("/etc/init/{script}.conf")),
        "xinetd" => exists(vm, &format!("/etc/xinetd.d/{script}")),
        "etc_rcd" => exists(vm, &format!("/etc/rc.d/{script}")),
        "systemd" => {
            exists(vm, &format!("/etc/init.d/{script}"))
                || has_unit(vm, &service_unit(&script))
                || has_unit(vm, &script)
        }
        _ => {
            return Err(
                vm.argument_error("type of service must be one of :initd, :upstart, :xinetd, :etc_rcd, or :systemd")
            );
        }
    }))
}

const DEFAULT_PATHS: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// `default_paths(env = nil)`: PATH with the standard directories added.
pub(crate) fn default_paths(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let given = if args.at(0).is_nil() {
        vm.host.env(b"PATH").unwrap_or_default()
    } else {
        attribute_text(vm, args.at(0), &["PATH"])?.into_bytes()
    };
    Ok(Value::bytes(rchef_change::command::with_usual_folders(&given)))
}
/// All executables with one of these names in the path, in order.
fn find_commands(vm: &mut Vm, args: Args<'_>) -> Res<Vec<Value>> {
    let host = vm.host.clone();
    let (names, options) = args.split();
    let mut folders: Vec<Vec<u8>> = Vec::new();
    let option = |vm: &mut Vm, key: &'static str| -> Res<Vec<Vec<u8>>> {
        let mut found = Vec::new();
        if let Some(options) = &options
            && let Some(value) = vm.hash_get_sym(options, Symbol::intern_static(key))
        {
            for item in vm.to_array(&value)? {
                found.push(vm.to_s(&item)?.get(vm).bytes().to_vec());
            }
        }
        Ok(found)
    };
    folders.extend(option(vm, "prepend_path")?);
    let path = host.env(b"PATH").unwrap_or_else(|| DEFAULT_PATHS.as_bytes().to_vec());
    folders.extend(path.split(|byte| *byte == b':').map(<[u8]>::to_vec));
    folders.extend(option(vm, "extra_path")?);
    let mut found = Vec::new();
    for name in names {
        for item in vm.to_array(name)? {
            let name = vm.to_s(&item)?.get(vm).bytes().to_vec();
            let mut seen: Vec<&[u8]> = Vec::new();
            for folder in &folders {
                if seen.contains(&folder.as_slice()) {
                    continue;
                }
                seen.push(folder);
                let full = [folder, b"/".as_slice(), &name].concat();
                if !host.stat(&full).is_ok_and(|stat| stat.is_file() && stat.mode & 0o111 != 0) {
                    continue;
                }
                let shown = Value::bytes(full);
                let fits = match args.block {
                    Some(block) => vm.yield1(block, shown.clone())?.truthy(),
                    None => true,
                };
                if fits {
                    found.push(shown);
                }
            }
        }
    }
    Ok(found)
}
/// `which(*commands)`: the path of the first that is found, or false.
fn which(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(find_commands(vm, args)?.into_iter().next().unwrap_or(Value::False))
}
fn where_are(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let found = find_commands(vm, args)?;
    Ok(Value::array(found))
}
fn windows_only(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path: &[&str] = if vm.current_native_name().is_some_and(|name| name.as_str() == "powershell_version") {
        &["languages", "powershell", "version"]
    } else {
        &["os_version"]
    };
    let node = node_of(vm, args, 0);
    dig(vm, &node, path)
}
fn file_question(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let method = match vm.current_native_name().map(Symbol::as_str) {
        Some("file_directory?" | "dir_exist?") => "directory?",
        Some("file_read") => "read",
        Some("file_open") => "open",
        _ => "exist?",
    };
    vm.call_args(&Value::Class(ClassId::FILE), Symbol::intern_static(method), args)
}

/// `platform_version`: a VersionString, which can be compared with constraints.
fn platform_version(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = node_of(vm, args, 0);
    let version = dig(vm, &node, &["platform_version"])?;
    let utils = vm.class_named("ChefUtils").unwrap_or(ClassId::OBJECT);
    let class = vm.const_resolve(utils, Symbol::intern_static("VersionString"))?.unwrap_or_default();
    vm.call(&class, rchef_ruby::sym::NEW, &[version])
}

static METHODS: &[MethodDef] = &[
    opt("platform_version", platform_version, 0, 1),
    opt("physical?", is_physical, 0, 1),
    opt("vagrant?", is_vagrant, 0, 1),
    opt("systemd?", is_systemd, 0, 1),
    opt("docker?", is_docker, 0, 1),
    opt("effortless?", is_effortless, 0, 1),
    opt("centos_stream_platform?", is_centos_stream, 0, 1),
    opt("include_recipe?", includes_recipe, 1, 2),
    opt("includes_recipe?", includes_recipe, 1, 2),
    opt("has_systemd_service_unit?", has_systemd_service_unit, 1, 1),
    opt("has_systemd_unit?", has_systemd_unit, 1, 1),
    opt("service_script_exist?", service_script_exist, 2, 2),
    opt("default_paths", default_paths, 0, 1),
    any("which", which),
    any("where", where_are),
    opt("windows_nt_version", windows_only, 0, 1),
    opt("powershell_version", windows_only, 0, 1),
    any("file_exist?", file_question),
    any("file_directory?", file_question),
    any("dir_exist?", file_question),
    any("file_read", file_question),
    any("file_open", file_question),
];

/// Registers the helpers in `Chef::DSL::Universal` and `ChefUtils`, and the modules that libraries include.
pub fn boot(vm: &mut Vm, universal: ClassId) {
    let utils = vm.define_module(ClassId::OBJECT, "ChefUtils");
    let dsl = vm.define_module(utils, "DSL");
    for module in [universal, utils] {
        vm.define_methods(module, METHODS);
        helpers(vm, module, |ask| !matches!(ask, File(_)));
    }
    let meta = vm.meta(utils);
    vm.include_module(meta, utils);
    for name in [
        "PlatformFamily",
        "Platform",
        "PlatformVersion",
        "OS",
        "Architecture",
        "Introspection",
        "Which",
        "PathSanity",
        "DefaultPaths",
        "TrainHelpers",
        "Cloud",
        "Virtualization",
        "Windows",
        "Service",
    ] {
        let id = vm.define_module(dsl, name);
        vm.include_module(id, utils);
        let meta = vm.meta(id);
        vm.include_module(meta, utils);
        // the tests for the init system are not part of the recipe DSL
        if name == "Service" {
            helpers(vm, id, |ask| matches!(ask, File(_)));
            vm.include_module(meta, id);
        }
    }
}

/// Defines the helpers whose test `wanted` accepts.
fn helpers(vm: &mut Vm, module: ClassId, wanted: fn(&Ask) -> bool) {
    for name in HELPERS.iter().filter(|(_, ask)| wanted(ask)).flat_map(|(names, _)| names.split(' ')) {
        let symbol = Symbol::intern_static(name);
        let body = MethodBody::Native(helper, Arity { min: 0, max: Some(1) });
        vm.add_method(module, symbol, Method { name: symbol, owner: module, visibility: Visibility::Public, body });
    }
}
