//! Facts of simulated platforms.

use serde_json::{Value as Json, json};

struct Platform {
    /// The value of `--platform`.
    name: &'static str,
    platform: &'static str,
    family: &'static str,
    version: &'static str,
    codename: &'static str,
    os: Os,
    kernel: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Os {
    Linux,
    Windows,
    Darwin,
    FreeBsd,
}

const fn linux(name: &'static str, [platform, family, version, codename]: [&'static str; 4]) -> Platform {
    Platform { name, platform, family, version, codename, os: Os::Linux, kernel: "5.15.0" }
}

const fn windows(name: &'static str, version: &'static str) -> Platform {
    Platform { name, platform: "windows", family: "windows", version, codename: "", os: Os::Windows, kernel: version }
}

const fn mac(name: &'static str, version: &'static str, kernel: &'static str) -> Platform {
    Platform { name, platform: "mac_os_x", family: "mac_os_x", version, codename: "", os: Os::Darwin, kernel }
}

const fn freebsd(name: &'static str, version: &'static str) -> Platform {
    Platform { name, platform: "freebsd", family: "freebsd", version, codename: "", os: Os::FreeBsd, kernel: version }
}

/// Simulated platforms, with Ohai's names. What depends on the installation and not on the platform's version is the same for each system: kernel
/// 5.15.0 on Linux, build 21D5025f on macOS.
const PLATFORMS: &[Platform] = &[
    linux("ubuntu-18.04", ["ubuntu", "debian", "18.04", "bionic"]),
    linux("ubuntu-20.04", ["ubuntu", "debian", "20.04", "focal"]),
    linux("ubuntu-22.04", ["ubuntu", "debian", "22.04", "jammy"]),
    linux("ubuntu-24.04", ["ubuntu", "debian", "24.04", "noble"]),
    linux("debian-10", ["debian", "debian", "10", "buster"]),
    linux("debian-11", ["debian", "debian", "11", "bullseye"]),
    linux("debian-12", ["debian", "debian", "12", "bookworm"]),
    linux("debian-13", ["debian", "debian", "13", "trixie"]),
    linux("rocky-8", ["rocky", "rhel", "8", ""]),
    linux("rocky-9", ["rocky", "rhel", "9", ""]),
    linux("rocky-10", ["rocky", "rhel", "10", ""]),
    linux("almalinux-8", ["almalinux", "rhel", "8", ""]),
    linux("almalinux-9", ["almalinux", "rhel", "9", ""]),
    linux("almalinux-10", ["almalinux", "rhel", "10", ""]),
    linux("centos-7", ["centos", "rhel", "7", ""]),
    linux("centos-8", ["centos", "rhel", "8", ""]),
    linux("centos-stream-8", ["centos", "rhel", "8", ""]),
    linux("centos-stream-9", ["centos", "rhel", "9", ""]),
    linux("centos-stream-10", ["centos", "rhel", "10", ""]),
    linux("oracle-7", ["oracle", "rhel", "7", ""]),
    linux("oracle-8", ["oracle", "rhel", "8", ""]),
    linux("oracle-9", ["oracle", "rhel", "9", ""]),
    linux("oracle-10", ["oracle", "rhel", "10", ""]),
    linux("redhat-7", ["redhat", "rhel", "7", ""]),
    linux("redhat-8", ["redhat", "rhel", "8", ""]),
    linux("redhat-9", ["redhat", "rhel", "9", ""]),
    linux("amazon-2", ["amazon", "amazon", "2", ""]),
    linux("amazon-2023", ["amazon", "amazon", "2023", ""]),
    linux("fedora-40", ["fedora", "fedora", "40", ""]),
    linux("fedora-41", ["fedora", "fedora", "41", ""]),
    linux("opensuse-15", ["opensuseleap", "suse", "15", ""]),
    linux("suse-12", ["suse", "suse", "12.5", ""]),
    linux("suse-15", ["suse", "suse", "15", ""]),
    linux("arch", ["arch", "arch", "6.6.8-arch1-1", ""]),
    windows("windows-2012r2", "6.3.9600"),
    windows("windows-2016", "10.0.14393"),
    windows("windows-2019", "10.0.17763"),
    windows("windows-2022", "10.0.20348"),
    windows("windows-10", "10.0.19041"),
    mac("macos-11", "11.7", "20.6.0"),
    mac("macos-12", "12.2", "21.3.0"),
    mac("macos-13", "13.6", "22.6.0"),
    mac("macos-14", "14.2", "23.2.0"),
    freebsd("freebsd-12", "12.1-RELEASE"),
    freebsd("freebsd-13", "13.2-RELEASE"),
    freebsd("freebsd-14", "14.0-RELEASE"),
];

/// Names of the simulated platforms.
pub fn names() -> Vec<&'static str> {
    PLATFORMS.iter().map(|platform| platform.name).collect()
}

/// The facts of a simulated platform as JSON text.
pub fn simulated(name: &str) -> Option<Vec<u8>> {
    let known = PLATFORMS.iter().find(|known| known.name == name)?;
    let Json::Object(mut facts) = common(known) else { return None };
    let own = match known.os {
        Os::Linux => of_linux(known),
        Os::Windows => of_windows(known),
        Os::Darwin => of_darwin(known),
        Os::FreeBsd => of_freebsd(known),
    };
    if let Json::Object(own) = own {
        facts.extend(own);
    }
    Some(Json::Object(facts).to_string().into_bytes())
}

/// The facts of every system.
fn common(known: &Platform) -> Json {
    let version = rchef_recipe::CHEF_VERSION;
    json!({
        "platform": known.platform, "platform_family": known.family, "platform_version": known.version, "os_version": known.kernel,
        "hostname": "chef", "machinename": "chef", "fqdn": "chef.example.com", "domain": "example.com",
        "ipaddress": "10.0.0.2", "macaddress": "11:11:11:11:11:11", "network": network(),
        "cpu": { "total": 1, "real": 1, "cores": 1, "0": { "vendor_id": "GenuineIntel", "model_name": "QEMU Virtual CPU", "mhz": "2400" } },
        "memory": { "total": "1048576kB", "free": "786432kB", "swap": { "total": "0kB", "free": "0kB" } },
        "languages": { "ruby": {} }, "chef_packages": { "chef": { "version": version }, "ohai": { "version": version } },
        "virtualization": { "systems": {} }, "packages": {}, "fips": { "kernel": { "enabled": false } },
        "dmi": { "system": { "manufacturer": "QEMU", "product_name": "Standard PC (Q35 + ICH9, 2009)" } },
        "command": {}, "counters": { "network": { "interfaces": {} } }, "keys": { "ssh": {} }, "time": { "timezone": "UTC" },
        "uptime": "1 hours 00 minutes 00 seconds", "uptime_seconds": 3600, "idletime": "50 minutes 00 seconds", "idletime_seconds": 3000,
        "shells": ["/bin/sh"], "shard_seed": 134_217_728,
    })
}

fn of_linux(known: &Platform) -> Json {
    let lsb = if known.codename.is_empty() {
        json!({})
    } else {
        json!({ "id": known.platform, "release": known.version, "codename": known.codename })
    };
    let like = if known.family == "rhel" { "rhel centos fedora" } else { known.family };
    json!({
        "os": "linux", "root_group": "root", "current_user": "root", "init_package": "systemd", "lsb": lsb,
        "kernel": { "name": "Linux", "os": "GNU/Linux", "machine": "x86_64", "processor": "x86_64", "release": known.kernel, "version": "#1 SMP", "modules": {} },
        "os_release": { "id": known.platform, "id_like": like.split(' ').collect::<Vec<_>>(), "version_id": known.version, "name": known.platform },
        "etc": { "passwd": { "root": { "dir": "/root", "gid": 0, "uid": 0, "shell": "/bin/bash", "gecos": "root" } }, "group": { "root": { "gid": 0, "members": [] } } },
        "filesystem": filesystem(), "machine_id": "0123456789abcdef0123456789abcdef",
        "block_device": { "sda": { "size": "41943040", "removable": "0", "rotational": "0", "model": "QEMU HARDDISK", "vendor": "ATA", "physical_block_size": "512", "logical_block_size": "512" } },
        "hostnamectl": { "static_hostname": "chef", "machine_id": "0123456789abcdef0123456789abcdef", "virtualization": "kvm" },
        "systemd_paths": { "system-configuration": "/etc/systemd/system", "system-unit": "/etc/systemd/system" },
    })
}

fn of_windows(known: &Platform) -> Json {
    let year = known.name.trim_start_matches("windows-");
    let title = if year == "10" {
        "Windows 10 Pro".to_string()
    } else {
        format!("Windows Server {} Datacenter", year.replace('r', " R"))
    };
    let product = if year == "10" { "Workstation" } else { "Server" };
    json!({
        "os": "windows", "root_group": "Administrators", "current_user": "administrator",
        "kernel": {
            "name": format!("Microsoft {title}"), "os": "WINNT", "machine": "x86_64", "release": known.version,
            "version": format!("{}  Build {}", known.version, known.version.rsplit('.').next().unwrap_or_default()),
            "product_type": product, "system_type": "Desktop", "server_core": false,
            "os_info": { "caption": format!("Microsoft {title}"), "version": known.version, "os_type": 18, "boot_device": "\\Device\\HarddiskVolume1" },
            "cs_info": { "domain": "WORKGROUP", "name": "CHEF", "part_of_domain": false, "system_type": "x64-based PC" },
        },
        "filesystem": { "by_pair": {}, "by_device": {}, "by_mountpoint": {}, "C:": { "kb_size": 32_210_153, "kb_available": 16_159_379, "kb_used": 16_050_774, "percent_used": 49, "mount": "C:", "fs_type": "ntfs", "volume_name": "" } },
        "shells": [],
    })
}

fn of_darwin(known: &Platform) -> Json {
    json!({
        "os": "darwin", "root_group": "wheel", "current_user": "root", "platform_build": "21D5025f",
        "kernel": { "name": "Darwin", "os": "Darwin", "machine": "arm64", "processor": "arm", "release": known.kernel, "version": format!("Darwin Kernel Version {}", known.kernel), "modules": {} },
        "etc": { "passwd": { "root": { "dir": "/var/root", "gid": 0, "uid": 0, "shell": "/bin/sh", "gecos": "System Administrator" } }, "group": { "wheel": { "gid": 0, "members": ["root"] } } },
        "filesystem": { "by_pair": {}, "by_device": {}, "by_mountpoint": { "/": { "devices": ["/dev/disk1s1"], "fs_type": "apfs" } } },
        "hardware": { "machine_model": "VirtualMac2,1", "operating_system": "macOS", "operating_system_version": known.version },
        "dmi": {}, "shells": ["/bin/bash", "/bin/sh", "/bin/zsh"],
    })
}

fn of_freebsd(known: &Platform) -> Json {
    json!({
        "os": "freebsd", "root_group": "wheel", "current_user": "root",
        "kernel": { "name": "FreeBSD", "os": "FreeBSD", "machine": "amd64", "processor": "amd64", "ident": "GENERIC", "release": known.kernel, "version": format!("FreeBSD {} GENERIC", known.kernel), "modules": {} },
        "etc": { "passwd": { "root": { "dir": "/root", "gid": 0, "uid": 0, "shell": "/bin/sh", "gecos": "Charlie &" } }, "group": { "wheel": { "gid": 0, "members": ["root"] } } },
        "filesystem": { "by_pair": {}, "by_device": {}, "by_mountpoint": { "/": { "devices": ["/dev/gpt/rootfs"], "fs_type": "ufs" } } },
    })
}

/// The interfaces of a simulated node; the default interface has the node's addresses.
fn network() -> Json {
    json!({
        "interfaces": {
            "lo": {
                "mtu": "65536", "flags": ["LOOPBACK", "UP", "LOWER_UP"], "encapsulation": "Loopback", "state": "unknown",
                "addresses": { "127.0.0.1": { "family": "inet", "prefixlen": "8", "netmask": "255.0.0.0", "scope": "Node" } },
            },
            "eth0": {
                "type": "eth", "number": "0", "mtu": "1500", "flags": ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"], "encapsulation": "Ethernet", "state": "up",
                "addresses": {
                    "11:11:11:11:11:11": { "family": "lladdr" },
                    "10.0.0.2": { "family": "inet", "prefixlen": "24", "netmask": "255.255.255.0", "broadcast": "10.0.0.255", "scope": "Global" },
                },
                "routes": [
                    { "destination": "default", "family": "inet", "via": "10.0.0.1" },
                    { "destination": "10.0.0.0/24", "family": "inet", "scope": "link", "proto": "kernel", "src": "10.0.0.2" },
                ],
            },
        },
        "default_interface": "eth0", "default_gateway": "10.0.0.1",
    })
}

/// The file systems of a simulated node, on its only disk.
fn filesystem() -> Json {
    let root = json!({ "kb_size": "20509264", "kb_used": "2097152", "kb_available": "17345024", "percent_used": "11%", "fs_type": "ext4", "mount_options": ["rw", "relatime"] });
    let with = |key: &str, value: Json| {
        let mut entry = root.clone();
        if let Json::Object(map) = &mut entry {
            map.insert(key.into(), value);
        }
        entry
    };
    let mut pair = with("device", json!("/dev/sda1"));
    if let Json::Object(map) = &mut pair {
        map.insert("mount".into(), json!("/"));
    }
    json!({
        "by_device": { "/dev/sda1": with("mounts", json!(["/"])) },
        "by_mountpoint": { "/": with("devices", json!(["/dev/sda1"])) },
        "by_pair": { "/dev/sda1,/": pair },
    })
}

#[cfg(test)]
mod tests {
    use super::{names, simulated};
    use serde_json::Value as Json;

    #[test]
    fn every_platform_has_what_recipes_ask_first() {
        for name in names() {
            let facts: Json = serde_json::from_slice(&simulated(name).unwrap()).unwrap();
            for key in [
                "platform",
                "platform_family",
                "platform_version",
                "os",
                "os_version",
                "fqdn",
                "root_group",
                "current_user",
            ] {
                assert!(facts[key].as_str().is_some_and(|text| !text.is_empty()), "{name} {key}");
            }
            for key in
                ["kernel", "network", "cpu", "memory", "filesystem", "languages", "virtualization", "dmi", "packages"]
            {
                assert!(facts[key].is_object(), "{name} {key}");
            }
            assert!(facts["kernel"]["machine"].is_string() && facts["kernel"]["release"].is_string(), "{name}");
        }
        assert!(simulated("nothing").is_none());
    }
}
