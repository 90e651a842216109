//! Attributes and facts that a line reads and the node has not.

use super::finding::Asked;
use super::finding::Finding;
use super::judge::Case;
use crate::attribute_reads::named_in;
use crate::check::options::Weight;
use rchef_model::code::Code;
use rchef_model::skim;
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
        if !own && (depth > 0 || is_fact(first)) {
            finding.rule = Code::FactAbsent;
            finding.weight = Weight::Assumption;
            finding.assumed = Some(format!("the fact {name} is absent in the node's facts"));
            finding.asked =
                Some(Asked { kind: "fact".into(), subject: path[..=depth].join("/"), source: finding.source.clone() });
        } else {
            finding.rule = Code::AttributeMissing;
            finding.missing = vec![first.clone()];
            finding.message = format!("{name} is not set ({})", finding.message);
        }
        return true;
    }
    false
}

/// Whether Ohai gives nodes an attribute of this name: where a node has none, it lacks a fact, and no cookbook is to set it.
fn is_fact(name: &str) -> bool {
    let simulated = rchef_providers::facts::simulated("ubuntu-22.04").unwrap_or_default();
    let known = skim::entries(&simulated).unwrap_or_default();
    OF_SOME.contains(&name) || known.iter().any(|entry| skim::key(&simulated, entry).is_some_and(|key| key == name))
}

/// Facts that simulated platforms lack: of clouds, of hardware, of optional plugins.
const OF_SOME: &[&str] = &[
    "azure",
    "cloud",
    "cloud_v2",
    "ec2",
    "filesystem2",
    "gce",
    "ip6address",
    "lspci",
    "ohai",
    "openstack",
    "pci",
    "rackspace",
    "scsi",
    "sessions",
    "sysconf",
    "timezone",
    "zpools",
];

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_facts() {
        for (name, is) in [("packages", true), ("ec2", true), ("fqdn", true), ("web", false), ("", false)] {
            assert_eq!(super::is_fact(name), is, "{name}");
        }
    }
}
