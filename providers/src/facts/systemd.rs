//! Ohai's Hostnamectl and SystemdPaths, without the two programs: both print what stands in files, and a process of each would cost every run more than all
//! other facts together.

use super::platform::{fields, in_fields};
use super::source::{Choice, Facts, exists, has_program, put, read, read_word, tuple};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// `hostnamectl`: the lines of hostnamectl(1), keys in lower case. Empty where systemd does not run (the program fails there); absent without the program.
pub(super) fn hostnamectl(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    if !has_program(host, "hostnamectl") {
        return;
    }
    let mut found = Facts::new();
    if exists(host, "/run/systemd/system") {
        let given = fields(&read(host, "/etc/machine-info").unwrap_or_default());
        let virtualization = virtualization(facts);
        names(host, &given, &mut found);
        hardware(host, &given, virtualization, &mut found);
        system(host, virtualization, &mut found);
    }
    facts.insert("hostnamectl".into(), Json::Object(found));
}

fn names(host: &dyn Host, given: &[(String, String)], found: &mut Facts) {
    let fixed = read(host, "/etc/hostname").and_then(|text| {
        text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).map(String::from)
    });
    let now = host.hostname().ok().map(|name| String::from_utf8_lossy(&name).trim().to_string());
    put(found, "static_hostname", Some(fixed.clone().unwrap_or_else(|| "(unset)".into())));
    put(found, "transient_hostname", now.filter(|now| fixed.as_ref() != Some(now)));
    put(found, "pretty_hostname", in_fields(given, "PRETTY_HOSTNAME"));
}

fn hardware(host: &dyn Host, given: &[(String, String)], virtualization: Option<&str>, found: &mut Facts) {
    let chassis = in_fields(given, "CHASSIS").or_else(|| chassis(host, virtualization).map(String::from));
    let icon = in_fields(given, "ICON_NAME");
    let icon = icon.or_else(|| chassis.as_ref().map(|chassis| format!("computer-{chassis}")));
    put(found, "icon_name", Some(icon.unwrap_or_else(|| "computer".into())));
    put(found, "chassis", chassis);
    put(found, "deployment", in_fields(given, "DEPLOYMENT"));
    put(found, "location", in_fields(given, "LOCATION"));
    put(found, "machine_id", read_word(host, "/etc/machine-id"));
    let boot = read_word(host, "/proc/sys/kernel/random/boot_id").map(|id| id.replace('-', ""));
    put(found, "boot_id", boot);
    put(found, "virtualization", virtualization);
}

fn system(host: &dyn Host, virtualization: Option<&str>, found: &mut Facts) {
    let os = read(host, "/etc/os-release").or_else(|| read(host, "/usr/lib/os-release"));
    let os = fields(&os.unwrap_or_default());
    put(found, "operating_system", in_fields(&os, "PRETTY_NAME"));
    put(found, "cpe_os_name", in_fields(&os, "CPE_NAME"));
    if let Ok(names) = host.uname() {
        put(found, "kernel", Some(format!("{} {}", names.sysname, names.release)));
        put(found, "architecture", Some(architecture(&names.machine).to_string()));
    }
    // hostnamectl shows the firmware's names of the machine itself only
    if virtualization.is_none_or(|name| !CONTAINERS.contains(&name)) {
        for (key, file) in [
            ("hardware_vendor", "sys_vendor"),
            ("hardware_model", "product_name"),
            ("firmware_version", "bios_version"),
        ] {
            let text = read_word(host, &format!("/sys/class/dmi/id/{file}"));
            put(found, key, text.filter(|text| !text.is_empty()));
        }
    }
}

/// systemd's names of what Ohai calls a container.
const CONTAINERS: &[&str] = &["systemd-nspawn", "lxc", "docker", "podman", "openvz"];

/// systemd-detect-virt's name of what this machine is a guest of.
fn virtualization(facts: &Facts) -> Option<&'static str> {
    let found = facts.get("virtualization")?;
    if found.get("role")? != "guest" {
        return None;
    }
    Some(match found.get("system")?.as_str()? {
        "vbox" => "oracle",
        "hyperv" => "microsoft",
        "nspawn" => "systemd-nspawn",
        "kvm" => "kvm",
        "xen" => "xen",
        "vmware" => "vmware",
        "parallels" => "parallels",
        "bhyve" => "bhyve",
        "docker" => "docker",
        "podman" => "podman",
        "lxc" => "lxc",
        "openvz" => "openvz",
        _ => return None,
    })
}

/// The kind of machine: of a guest by what it runs in, else by the type that SMBIOS gives (table 17 of its specification).
fn chassis(host: &dyn Host, virtualization: Option<&str>) -> Option<&'static str> {
    if let Some(name) = virtualization {
        return Some(if CONTAINERS.contains(&name) { "container" } else { "vm" });
    }
    let number: u32 = read_word(host, "/sys/class/dmi/id/chassis_type")?.parse().ok()?;
    Some(match number {
        0x03 | 0x04 | 0x06 | 0x07 | 0x0d | 0x23 | 0x24 => "desktop",
        0x08 | 0x09 | 0x0a | 0x0e => "laptop",
        0x0b => "handset",
        0x11 | 0x1c | 0x1d => "server",
        0x1e => "tablet",
        0x1f | 0x20 => "convertible",
        0x21 | 0x22 => "embedded",
        _ => return None,
    })
}

/// systemd's name of uname's machine.
fn architecture(machine: &str) -> &str {
    match machine {
        "x86_64" => "x86-64",
        "i386" | "i486" | "i586" | "i686" => "x86",
        "aarch64" => "arm64",
        "ppc64le" => "ppc64-le",
        machine if machine.starts_with("arm") => "arm",
        machine => machine,
    }
}

/// What systemd-path(1) prints, in its order, of a list the first path only, as Ohai keeps it. `%L` is the folder of libraries of the architecture, `%T`
/// its name, `%S` where systemd was built to lie, `%H` the home directory.
const PATHS: &[(&str, &str)] = &[
    ("temporary", "/tmp"),
    ("temporary-large", "/var/tmp"),
    ("system-binaries", "/usr/bin"),
    ("system-include", "/usr/include"),
    ("system-library-private", "/usr/lib"),
    ("system-library-arch", "%L"),
    ("system-shared", "/usr/share"),
    ("system-configuration-factory", "/usr/share/factory/etc"),
    ("system-state-factory", "/usr/share/factory/var"),
    ("system-configuration", "/etc"),
    ("system-runtime", "/run"),
    ("system-runtime-logs", "/run/log"),
    ("system-state-private", "/var/lib"),
    ("system-state-logs", "/var/log"),
    ("system-state-cache", "/var/cache"),
    ("system-state-spool", "/var/spool"),
    ("user-binaries", "%H/.local/bin"),
    ("user-library-private", "%H/.local/lib"),
    ("user-library-arch", "%H/.local/lib/%T"),
    ("user-shared", "%H/.local/share"),
    ("user-configuration", "%H/.config"),
    ("user-state-cache", "%H/.cache"),
    ("user", "%H"),
    ("search-binaries-default", "/usr/local/sbin"),
    ("search-library-private", "%H/.local/lib"),
    ("search-library-arch", "%H/.local/lib/%T"),
    ("search-shared", "%H/.local/share"),
    ("search-configuration-factory", "/usr/local/share/factory/etc"),
    ("search-state-factory", "/usr/local/share/factory/var"),
    ("search-configuration", "%H/.config"),
    ("systemd-util", "%S/systemd"),
    ("systemd-system-unit", "%S/systemd/system"),
    ("systemd-system-preset", "%S/systemd/system-preset"),
    ("systemd-system-conf", "/etc/systemd/system"),
    ("systemd-user-unit", "/usr/lib/systemd/user"),
    ("systemd-user-preset", "%S/systemd/user-preset"),
    ("systemd-user-conf", "/etc/systemd/user"),
    ("systemd-search-system-unit", "/etc/systemd/system.control"),
    ("systemd-search-user-unit", "%H/.config/systemd/user.control"),
    ("systemd-system-generator", "%S/systemd/system-generators"),
    ("systemd-user-generator", "/usr/lib/systemd/user-generators"),
    ("systemd-search-system-generator", "/run/systemd/system-generators"),
    ("systemd-search-user-generator", "/run/systemd/user-generators"),
    ("systemd-sleep", "%S/systemd/system-sleep"),
    ("systemd-shutdown", "%S/systemd/system-shutdown"),
    ("tmpfiles", "/usr/lib/tmpfiles.d"),
    ("sysusers", "/usr/lib/sysusers.d"),
    ("sysctl", "/usr/lib/sysctl.d"),
    ("binfmt", "/usr/lib/binfmt.d"),
    ("modules-load", "/usr/lib/modules-load.d"),
    ("catalog", "/usr/lib/systemd/catalog"),
    ("systemd-search-network", "/etc/systemd/network"),
];

/// `systemd_paths`, where the program systemd-path is there. Folders of the user's own choice (`~/.config/user-dirs.dirs`) are left out.
pub(super) fn paths(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    if !has_program(host, "systemd-path") {
        return;
    }
    let Some(tuple) = tuple(host) else { return };
    let of_debian = format!("/usr/lib/{tuple}");
    let libraries = if exists(host, &of_debian) {
        of_debian
    } else if exists(host, "/usr/lib64") {
        "/usr/lib64".to_string()
    } else {
        "/usr/lib".to_string()
    };
    // Debian 12 and Ubuntu 22.04 build systemd for /lib, and the package's list of files has the path that it was built with
    let is_split = read(host, "/var/lib/dpkg/info/systemd.list")
        .is_some_and(|list| list.lines().any(|line| line == "/lib/systemd/systemd"));
    let home =
        host.env(b"HOME").map_or_else(|| "/root".to_string(), |home| String::from_utf8_lossy(&home).into_owned());
    let fill = |path: &str| {
        path.replace("%L", &libraries)
            .replace("%T", &tuple)
            .replace("%S", if is_split { "/lib" } else { "/usr/lib" })
            .replace("%H", &home)
    };
    let found: Facts = PATHS.iter().map(|(name, path)| (name.to_string(), json!(fill(path)))).collect();
    facts.insert("systemd_paths".into(), Json::Object(found));
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    const PROGRAMS: [(&str, &str); 2] = [("/usr/bin/hostnamectl", ""), ("/usr/bin/systemd-path", "")];

    fn with(files: &[(&str, &str)], virtualization: Json) -> Facts {
        let all: Vec<(&str, &str)> = PROGRAMS.iter().chain(files).copied().collect();
        let host = machine(&all, "web1");
        for (path, _) in PROGRAMS {
            rchef_host::Files::chmod(&host, path.as_bytes(), 0o755).unwrap();
        }
        let mut facts = Facts::new();
        facts.insert("virtualization".into(), virtualization);
        hostnamectl(&host, &Choice::default(), &mut facts);
        paths(&host, &Choice::default(), &mut facts);
        facts
    }

    #[test]
    fn a_guest_under_systemd() {
        let files = [
            ("/run/systemd/system/x", ""),
            ("/etc/hostname", "web1.example.com\n"),
            ("/etc/machine-info", "PRETTY_HOSTNAME=\"The web\"\n"),
            ("/etc/machine-id", "0123\n"),
            ("/proc/sys/kernel/random/boot_id", "ab-cd\n"),
            ("/etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
            ("/sys/class/dmi/id/sys_vendor", "QEMU\n"),
        ];
        let facts = with(&files, json!({ "system": "kvm", "role": "guest" }));
        let expected = json!({
            "static_hostname": "web1.example.com", "pretty_hostname": "The web", "icon_name": "computer-vm", "chassis": "vm",
            "machine_id": "0123", "boot_id": "abcd", "virtualization": "kvm", "operating_system": "Debian GNU/Linux 12 (bookworm)",
            "kernel": "Linux 5.15.0", "architecture": "x86-64", "hardware_vendor": "QEMU",
        });
        assert_eq!(facts["hostnamectl"], expected);
    }

    #[test]
    fn the_firmware_tells_what_a_real_machine_is() {
        let files =
            [("/run/systemd/system/x", ""), ("/etc/hostname", "web1\n"), ("/sys/class/dmi/id/chassis_type", "17\n")];
        let facts = with(&files, json!({ "system": "kvm", "role": "host" }));
        assert_eq!(facts["hostnamectl"]["chassis"], "server");
        assert_eq!(facts["hostnamectl"].get("virtualization"), None);
        assert_eq!(facts["hostnamectl"].get("transient_hostname"), None);
    }

    #[test]
    fn without_systemd_as_first_process_the_program_tells_nothing() {
        assert_eq!(with(&[], Json::Null)["hostnamectl"], json!({}));
    }

    #[test]
    fn paths_are_those_that_systemd_was_built_with() {
        let facts = with(
            &[
                ("/usr/lib/x86_64-linux-gnu/libc.so.6", ""),
                ("/var/lib/dpkg/info/systemd.list", "/lib\n/lib/systemd/systemd\n"),
            ],
            Json::Null,
        );
        assert_eq!(facts["systemd_paths"]["system-library-arch"], "/usr/lib/x86_64-linux-gnu");
        assert_eq!(facts["systemd_paths"]["systemd-system-unit"], "/lib/systemd/system");
        let facts = with(&[("/usr/lib64/libc.so.6", "")], Json::Null);
        assert_eq!(facts["systemd_paths"]["system-library-arch"], "/usr/lib64");
        assert_eq!(facts["systemd_paths"]["systemd-system-unit"], "/usr/lib/systemd/system");
    }
}
