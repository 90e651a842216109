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
    facts.insert("network".into(), json!({ "interfaces": { "lo": { "addresses": { "127.0.0.1": { "family": "inet" } } } }, "default_interface": "eth0", "default_gateway": "10.0.0.1" }));
    if !codename.is_empty() {
        facts.insert("lsb".into(), json!({ "id": platform, "release": version, "codename": codename }));
    }
    Some(Json::Object(facts).to_string().into_bytes())
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
