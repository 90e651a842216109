//! Ohai's Cloud and the clouds that it knows, as far as the machine itself tells: the firmware and the hints. No metadata service is asked where these say no.

use super::hints;
use super::source::{Choice, Facts, exists, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// A cloud: its name, the hint that names it, and whether the machine's own marks do.
struct Cloud {
    name: &'static str,
    here: fn(&dyn Host, &Facts) -> bool,
}

const CLOUDS: &[Cloud] = &[
    Cloud { name: "alibaba", here: |_, facts| firmware(facts, "system", "manufacturer", "Alibaba") },
    Cloud { name: "ec2", here: ec2 },
    Cloud {
        name: "gce",
        here: |_, facts| {
            firmware(facts, "bios", "vendor", "Google")
                || firmware(facts, "system", "product_name", "Google Compute Engine")
        },
    },
    Cloud { name: "rackspace", here: |_, _| false },
    Cloud { name: "eucalyptus", here: |_, _| false },
    Cloud {
        name: "linode",
        here: |_, facts| {
            facts
                .get("kernel")
                .and_then(|kernel| kernel.get("release"))
                .and_then(Json::as_str)
                .is_some_and(|release| release.contains("linode"))
        },
    },
    Cloud { name: "openstack", here: |_, facts| virtual_as(facts, "openstack") },
    Cloud { name: "azure", here: azure },
    Cloud { name: "digital_ocean", here: |_, facts| firmware(facts, "system", "manufacturer", "DigitalOcean") },
    Cloud { name: "softlayer", here: |_, _| false },
    Cloud {
        name: "oci",
        here: |host, _| {
            read(host, "/sys/class/dmi/id/chassis_asset_tag").is_some_and(|tag| tag.contains("OracleCloud.com"))
        },
    },
];

fn firmware(facts: &Facts, group: &str, key: &str, part: &str) -> bool {
    let text = facts.get("dmi").and_then(|dmi| dmi.get(group)?.get(key)?.as_str());
    text.is_some_and(|text| text.contains(part))
}

fn virtual_as(facts: &Facts, system: &str) -> bool {
    facts.get("virtualization").and_then(|found| found.get("systems")?.get(system)).is_some_and(|role| role == "guest")
}

fn ec2(host: &dyn Host, facts: &Facts) -> bool {
    let by_uuid = read(host, "/sys/hypervisor/uuid").is_some_and(|uuid| uuid.starts_with("ec2"));
    by_uuid || firmware(facts, "bios", "vendor", "Amazon") || firmware(facts, "bios", "version", "amazon")
}

fn azure(host: &dyn Host, _: &Facts) -> bool {
    let lease = |path: &str| read(host, path).is_some_and(|text| text.contains("unknown-245"));
    exists(host, "/usr/sbin/waagent") || lease("/var/lib/dhcp/dhclient.eth0.leases")
}

/// `cloud` and the provider's own attribute. On a machine that is of no cloud `cloud` is nil.
pub(super) fn collect(host: &dyn Host, choice: &Choice, facts: &mut Facts) {
    let mut provider = None;
    for cloud in CLOUDS {
        let hint = hints::hint(host, choice, cloud.name);
        if hint.is_none() && !(cloud.here)(host, facts) {
            continue;
        }
        // what the hint file says of the machine is all that is known without asking a metadata service
        facts.insert(cloud.name.into(), hint.unwrap_or_else(|| json!({})));
        provider = provider.or(Some(cloud.name));
    }
    let cloud = match provider {
        Some(name) => addresses(name, &facts[name]),
        None => Json::Null,
    };
    facts.insert("cloud".into(), cloud);
}

/// `cloud` of a provider: its name and the addresses that are known.
fn addresses(name: &str, known: &Json) -> Json {
    let mut cloud = Facts::new();
    let text = |keys: &[&str]| keys.iter().find_map(|key| known.get(*key)?.as_str()).map(str::to_string);
    for (key, list, from) in [
        ("public_ipv4", "public_ipv4_addrs", &["public_ipv4", "public_ip"][..]),
        ("local_ipv4", "local_ipv4_addrs", &["local_ipv4", "private_ip"]),
    ] {
        if let Some(address) = text(from) {
            cloud.insert(list.into(), json!([address]));
            cloud.insert(key.into(), json!(address));
        }
    }
    for (key, from) in
        [("public_hostname", &["public_hostname", "public_fqdn"][..]), ("local_hostname", &["local_hostname"])]
    {
        if let Some(found) = text(from) {
            cloud.insert(key.into(), json!(found));
        }
    }
    cloud.insert("provider".into(), json!(name));
    Json::Object(cloud)
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    fn cloud(files: &[(&str, &str)], before: Json) -> Facts {
        let mut facts = match before {
            Json::Object(map) => map,
            _ => Facts::new(),
        };
        collect(&machine(files, "web1"), &Choice::default(), &mut facts);
        facts
    }

    #[test]
    fn by_firmware_and_by_hint() {
        assert_eq!(cloud(&[], json!({})).get("cloud"), Some(&Json::Null));
        let amazon = cloud(&[], json!({ "dmi": { "bios": { "vendor": "Amazon EC2" } } }));
        assert_eq!((&amazon["ec2"], &amazon["cloud"]), (&json!({}), &json!({ "provider": "ec2" })));
        let hinted = cloud(&[("/etc/chef/ohai/hints/azure.json", r#"{"public_ip":"192.0.2.9"}"#)], json!({}));
        assert_eq!(
            hinted["cloud"],
            json!({ "public_ipv4_addrs": ["192.0.2.9"], "public_ipv4": "192.0.2.9", "provider": "azure" })
        );
        assert!(hinted.get("ec2").is_none());
    }
}
