//! Attributes and facts that a line reads and the node has not.

use super::finding::Asked;
use super::finding::Finding;
use super::judge::Case;
use crate::attribute_reads::named_in;
use crate::check::options::Weight;
use rchef_model::code::Code;
use serde_json::Value as Json;

/// Names the attribute or fact that is nil in a line, where one is; whether it does.
pub fn absent(case: &Case<'_>, line: &str, finding: &mut Finding) -> bool {
    let merged = &case.dump["attributes"]["merged"];
    let mut paths = Vec::new();
    named_in(line, &mut paths);
    for path in paths {
        let Some(first) = path.first() else { continue };
        let own = merged.get(first).is_some();
        let mut at = Some(if own { merged } else { (case.facts)().unwrap_or(&Json::Null) });
        // only inner keys: the last one may be nil on purpose
        let missing = path[..path.len() - 1].iter().position(|key| {
            at = at.and_then(|map| map.get(key)).filter(|value| !value.is_null());
            at.is_none()
        });
        let Some(depth) = missing else { continue };
        let name = path[..=depth].iter().fold("node".to_string(), |name, key| format!("{name}['{key}']"));
        if !own && (case.facts)().is_none() {
            continue;
        }
        if !own && (depth > 0 || FACTS.contains(&first.as_str())) {
            finding.rule = Code::FactAbsent;
            finding.weight = Weight::Assumption;
            finding.assumed = Some(format!("the fact {name} is absent in the node's facts"));
            finding.asked =
                Some(Asked { kind: "fact".into(), subject: path[..=depth].join("/"), source: finding.source.clone() });
        } else {
            finding.rule = Code::AttributeMissing;
            finding.message = format!("{name} is not set ({})", finding.message);
        }
        return true;
    }
    false
}

/// Facts that only some nodes have.
const FACTS: &[&str] = &[
    "packages",
    "machine_id",
    "block_device",
    "languages",
    "cloud",
    "cloud_v2",
    "ec2",
    "gce",
    "azure",
    "openstack",
    "rackspace",
    "virtualization",
    "dmi",
    "filesystem",
    "filesystem2",
    "network",
    "memory",
    "cpu",
    "lsb",
    "etc",
    "chef_packages",
    "sysconf",
    "init_package",
    "systemd_paths",
    "zpools",
    "lspci",
    "hostnamectl",
    "root_group",
    "fips",
    "scsi",
    "pci",
    "shells",
    "sessions",
    "ohai",
    "timezone",
    "time",
    "uptime",
    "command",
    "keys",
    "counters",
    "ipaddress",
    "macaddress",
    "ip6address",
    "fqdn",
    "domain",
];
