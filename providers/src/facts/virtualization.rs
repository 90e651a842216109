//! Ohai's Virtualization: the hypervisors or containers that this machine is a guest or host of. A later finding overrides an earlier one.

use super::source::{Choice, Facts, exists, has_program, read};
use rchef_host::{Host, compose};
use serde_json::{Value as Json, json};

/// `virtualization`: `system` and `role` from the last finding, `systems` from all.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut found: Vec<(&'static str, &'static str)> = Vec::new();
    for program in ["docker", "podman"] {
        if has_program(host, program) {
            found.push((program, "host"));
        }
    }
    if exists(host, "/proc/xen") {
        let control = read(host, "/proc/xen/capabilities").is_some_and(|text| text.contains("control_d"));
        found.push(("xen", if control { "host" } else { "guest" }));
    }
    let modules = read(host, "/proc/modules").unwrap_or_default();
    let module = |name: &str| modules.lines().any(|line| line.starts_with(name));
    if module("vboxdrv") {
        found.push(("vbox", "host"));
    } else if module("vboxguest") {
        found.push(("vbox", "guest"));
    }
    if has_program(host, "nova") {
        found.push(("openstack", "host"));
    }
    found.extend(kvm(host, facts));
    found.extend(of_firmware(facts).map(|system| (system, "guest")));
    if exists(host, "/proc/bc/0") {
        found.push(("openvz", "host"));
    } else if exists(host, "/proc/vz") {
        found.push(("openvz", "guest"));
    }
    if exists(host, "/var/lib/hyperv/.kvp_pool_3") {
        found.push(("hyperv", "guest"));
    }
    found.extend(container(host).map(|system| (system, "guest")));
    if exists(host, "/.dockerenv") || exists(host, "/.dockerinit") {
        found.push(("docker", "guest"));
    }
    if exists(host, "/dev/lxd/sock") {
        found.push(("lxd", "guest"));
    } else if exists(host, "/var/lib/lxd/devlxd") || exists(host, "/var/snap/lxd/common/lxd/devlxd") {
        found.push(("lxd", "host"));
    }
    let mut virtualization = Facts::new();
    let systems: Facts = found.iter().map(|(system, role)| ((*system).to_string(), json!(role))).collect();
    virtualization.insert("systems".into(), Json::Object(systems));
    if let Some((system, role)) = found.last() {
        virtualization.insert("system".into(), json!(system));
        virtualization.insert("role".into(), json!(role));
    }
    facts.insert("virtualization".into(), Json::Object(virtualization));
}

fn kvm(host: &dyn Host, facts: &Facts) -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    let cpuinfo = read(host, "/proc/cpuinfo").unwrap_or_default();
    let names = ["QEMU Virtual CPU", "Common KVM processor", "Common 32-bit KVM processor"];
    if names.iter().any(|name| cpuinfo.contains(name)) {
        found.push(("kvm", "guest"));
    }
    if exists(host, "/sys/devices/virtual/misc/kvm") {
        found.push(("kvm", if cpuinfo.contains("hypervisor") { "guest" } else { "host" }));
    } else if facts.get("cpu").and_then(|cpu| cpu.get("hypervisor_vendor")).is_some_and(|vendor| vendor == "KVM") {
        found.push(("kvm", "guest"));
    }
    found
}

/// The virtualization system by the firmware's manufacturer and product name.
fn of_firmware(facts: &Facts) -> Option<&'static str> {
    let system = facts.get("dmi")?.get("system")?;
    let text = |key: &str| system.get(key).and_then(Json::as_str).unwrap_or_default();
    let (maker, product) = (text("manufacturer"), text("product_name"));
    for (part, name) in [
        ("OpenStack", "openstack"),
        ("Xen", "xen"),
        ("VMware", "vmware"),
        ("Amazon EC2", "amazonec2"),
        ("QEMU", "kvm"),
        ("Veertu", "veertu"),
        ("Parallels", "parallels"),
    ] {
        if maker.contains(part) {
            return Some(name);
        }
    }
    if maker.contains("Microsoft") && product.contains("Virtual Machine") {
        return Some("hyperv");
    }
    for (part, name) in
        [("VirtualBox", "vbox"), ("OpenStack", "openstack"), ("KVM", "kvm"), ("RHEV", "kvm"), ("BHYVE", "bhyve")]
    {
        if product.contains(part) {
            return Some(name);
        }
    }
    None
}

/// The container runtime of this machine: by its control groups, or by the environment of process 1.
fn container(host: &dyn Host) -> Option<&'static str> {
    let groups = read(host, "/proc/self/cgroup")?;
    let paths = || groups.lines().filter_map(|line| line.splitn(3, ':').nth(2));
    for (name, word) in [("lxc", "lxc"), ("docker", "docker")] {
        let named = |path: &str| {
            let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
            (parts.len() > 1 && parts[0] == word)
                || parts.get(1).is_some_and(|part| part.len() > word.len() && part.starts_with(word))
        };
        if paths().any(named) {
            return Some(name);
        }
    }
    let environment = compose::read_file(host, b"/proc/1/environ").unwrap_or_default();
    let is = |name: &str| environment.split(|&b| b == 0).any(|pair| pair == format!("container={name}").as_bytes());
    for (word, name) in [("lxc", "lxc"), ("systemd-nspawn", "nspawn"), ("podman", "podman")] {
        if is(word) {
            return Some(name);
        }
    }
    paths()
        .any(|path| path.trim_start_matches('/').split('/').nth(1).is_some_and(|part| part.starts_with("containerd")))
        .then_some("docker")
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    fn system(files: &[(&str, &str)], before: Json) -> Json {
        let mut facts = match before {
            Json::Object(map) => map,
            _ => Facts::new(),
        };
        collect(&machine(files, "web1"), &Choice::default(), &mut facts);
        facts.remove("virtualization").unwrap_or_default()
    }

    #[test]
    fn guests_and_hosts() {
        let guest = |name: &str| json!({ "systems": { name: "guest" }, "system": name, "role": "guest" });
        let by_firmware = |maker: &str, product: &str| json!({ "dmi": { "system": { "manufacturer": maker, "product_name": product } } });
        assert_eq!(system(&[], json!({})), json!({ "systems": {} }));
        assert_eq!(system(&[], by_firmware("QEMU", "Standard PC")), guest("kvm"));
        assert_eq!(system(&[], by_firmware("Amazon EC2", "m5.large")), guest("amazonec2"));
        assert_eq!(system(&[], by_firmware("Microsoft Corporation", "Virtual Machine")), guest("hyperv"));
        assert_eq!(system(&[], by_firmware("Microsoft Corporation", "Surface")), json!({ "systems": {} }));
        assert_eq!(system(&[("/proc/self/cgroup", "12:cpu:/docker/0123abc\n")], json!({})), guest("docker"));
        assert_eq!(
            system(
                &[("/proc/self/cgroup", "0::/\n"), ("/proc/1/environ", "A=1\0container=systemd-nspawn\0")],
                json!({})
            ),
            guest("nspawn")
        );
        assert_eq!(
            system(&[("/proc/modules", "vboxdrv 1 0\n"), ("/.dockerenv", "")], json!({})),
            json!({ "systems": { "vbox": "host", "docker": "guest" }, "system": "docker", "role": "guest" })
        );
    }
}
