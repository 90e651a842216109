//! Facts of simulated platforms.

use serde_json::{Map, Value as Json, json};

/// Simulated platforms: name, platform, family, version, codename.
const PLATFORMS: &[(&str, &str, &str, &str, &str)] = &[
    ("ubuntu-20.04", "ubuntu", "debian", "20.04", "focal"),
    ("ubuntu-22.04", "ubuntu", "debian", "22.04", "jammy"),
    ("ubuntu-24.04", "ubuntu", "debian", "24.04", "noble"),
    ("debian-11", "debian", "debian", "11", "bullseye"),
    ("debian-12", "debian", "debian", "12", "bookworm"),
    ("rocky-8", "rocky", "rhel", "8", ""),
    ("rocky-9", "rocky", "rhel", "9", ""),
    ("almalinux-8", "almalinux", "rhel", "8", ""),
    ("almalinux-9", "almalinux", "rhel", "9", ""),
    ("centos-7", "centos", "rhel", "7", ""),
    ("oracle-9", "oracle", "rhel", "9", ""),
    ("redhat-8", "redhat", "rhel", "8", ""),
    ("redhat-9", "redhat", "rhel", "9", ""),
    ("amazon-2023", "amazon", "amazon", "2023", ""),
    ("fedora-40", "fedora", "fedora", "40", ""),
    ("opensuse-15", "opensuseleap", "suse", "15", ""),
];

/// Names of the simulated platforms.
pub fn names() -> Vec<&'static str> {
    PLATFORMS.iter().map(|platform| platform.0).collect()
}

/// The facts of a simulated platform as JSON text.
pub fn simulated(name: &str) -> Option<Vec<u8>> {
    let (_, platform, family, version, codename) = PLATFORMS.iter().find(|known| known.0 == name)?;
    let mut facts = base(platform, family, version, "chef", "chef.example.com", "x86_64");
    facts.insert("init_package".into(), json!("systemd"));
    facts.insert("ipaddress".into(), json!("10.0.0.2"));
    facts.insert("macaddress".into(), json!("11:11:11:11:11:11"));
    facts.insert("cpu".into(), json!({ "total": 1, "real": 1, "cores": 1 }));
    facts.insert("memory".into(), json!({ "total": "1048576kB", "swap": { "total": "0kB" } }));
    facts.insert("virtualization".into(), json!({ "systems": {} }));
    facts.insert("packages".into(), json!({}));
    facts.insert("network".into(), network());
    facts.insert("fips".into(), json!({ "kernel": { "enabled": false } }));
    facts.insert(
        "dmi".into(),
        json!({ "system": { "manufacturer": "QEMU", "product_name": "Standard PC (Q35 + ICH9, 2009)" } }),
    );
    facts.insert("block_device".into(), json!({ "sda": { "size": "41943040", "removable": "0", "rotational": "0", "model": "QEMU HARDDISK", "vendor": "ATA", "physical_block_size": "512", "logical_block_size": "512" } }));
    facts.insert("filesystem".into(), filesystem());
    if !codename.is_empty() {
        facts.insert("lsb".into(), json!({ "id": platform, "release": version, "codename": codename }));
    }
    Some(Json::Object(facts).to_string().into_bytes())
}

/// The interfaces of a simulated node: the default one has the node's addresses.
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

/// The file systems of a simulated node: its one disk's.
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

fn base(platform: &str, family: &str, version: &str, hostname: &str, fqdn: &str, machine: &str) -> Map<String, Json> {
    let domain = fqdn.split_once('.').map_or("", |(_, domain)| domain);
    let facts = json!({
        "platform": platform, "platform_family": family, "platform_version": version, "os": "linux",
        "hostname": hostname, "machinename": hostname, "fqdn": fqdn, "domain": domain,
        "kernel": { "name": "Linux", "os": "GNU/Linux", "machine": machine, "release": "5.15.0", "modules": {} },
        "languages": { "ruby": {} }, "chef_packages": { "chef": { "version": rchef_recipe::CHEF_VERSION }, "ohai": { "version": rchef_recipe::CHEF_VERSION } },
        "filesystem": { "by_device": {}, "by_mountpoint": {}, "by_pair": {} }, "etc": { "passwd": {}, "group": {} }, "root_group": "root", "current_user": "root",
    });
    match facts {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}
