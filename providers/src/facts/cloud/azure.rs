//! Azure's instance metadata.

use super::service::{LINK_LOCAL, Service};
use super::{Machine, Summary};
use crate::facts::source::{Facts, exists, read};
use serde_json::{Value as Json, json};

/// The API versions that Ohai knows, in ascending order.
const VERSIONS: &[&str] = &[
    "2018-10-01",
    "2019-02-01",
    "2019-03-11",
    "2019-04-30",
    "2019-06-01",
    "2019-06-04",
    "2019-08-01",
    "2019-08-15",
    "2019-11-01",
    "2020-06-01",
    "2020-07-15",
    "2020-09-01",
    "2020-10-01",
    "2020-12-01",
    "2021-01-01",
    "2021-02-01",
    "2021-03-01",
    "2021-05-01",
    "2021-10-01",
    "2021-11-01",
    "2021-11-15",
    "2021-12-13",
    "2023-07-01",
];
const HEADERS: &[(&str, &str)] = &[("Metadata", "true")];
const KINDS: [&str; 4] = ["public_ipv4", "local_ipv4", "public_ipv6", "local_ipv6"];

/// `azure`: detected by the hint, the agent, or a DHCP option.
pub(super) fn collect(machine: &Machine<'_>) -> Option<Facts> {
    let hint = machine.hint("azure");
    let by_lease =
        || read(machine.host, "/var/lib/dhcp/dhclient.eth0.leases").is_some_and(|text| text.contains("unknown-245"));
    if hint.is_none() && !exists(machine.host, "/usr/sbin/waagent") && !by_lease() {
        return None;
    }
    let mut facts = hint.and_then(|hint| hint.as_object().cloned()).unwrap_or_default();
    facts.insert("metadata".into(), metadata(machine).unwrap_or_default());
    Some(facts)
}

fn metadata(machine: &Machine<'_>) -> Option<Json> {
    let service = Service::reach(machine.host, LINK_LOCAL)?;
    let version = best_version(&service)?;
    let found = service.json(&format!("/metadata/instance?api-version={version}"), HEADERS)?;
    let mut metadata = json!({ "compute": found["compute"].as_object()? });
    if let Some(interfaces) = found["network"]["interface"].as_array() {
        metadata["network"] = network(interfaces);
    }
    Some(metadata)
}

/// The newest version known to both Ohai and the service. A request without a version is refused with a list of the supported ones.
fn best_version(service: &Service<'_>) -> Option<String> {
    let newest = VERSIONS.last().map(ToString::to_string);
    let answer = service.get("/metadata/instance", HEADERS)?;
    match answer.status {
        404 => return newest,
        400 => {}
        _ => return None,
    }
    let refusal: Json = serde_json::from_slice(&answer.body).ok()?;
    let mut listed: Vec<&str> =
        refusal["newest-versions"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    listed.sort_unstable();
    listed.iter().rev().find(|version| VERSIONS.contains(version)).map(ToString::to_string).or(newest)
}

/// The addresses by interface, and all of them together.
fn network(interfaces: &[Json]) -> Json {
    let (mut each, mut all) = (Facts::new(), [const { Vec::<Json>::new() }; 4]);
    for interface in interfaces {
        let mac = interface["macAddress"].as_str().unwrap_or_default();
        let mut facts = Facts::new();
        facts.insert("mac".into(), json!(mac));
        for (kind, all) in KINDS.iter().zip(&mut all) {
            let (version, field) = match *kind {
                "public_ipv4" => ("ipv4", "publicIpAddress"),
                "local_ipv4" => ("ipv4", "privateIpAddress"),
                "public_ipv6" => ("ipv6", "publicIpAddress"),
                _ => ("ipv6", "privateIpAddress"),
            };
            let listed = interface[version]["ipAddress"].as_array().into_iter().flatten();
            let found: Vec<Json> = listed
                .map(|entry| entry[field].clone())
                .filter(|ip| ip.as_str().is_some_and(|ip| !ip.is_empty()))
                .collect();
            all.extend(found.iter().cloned());
            facts.insert((*kind).to_string(), Json::Array(found));
        }
        each.insert(mac.to_string(), Json::Object(facts));
    }
    let mut network = Facts::new();
    network.insert("interfaces".into(), Json::Object(each));
    for (kind, found) in KINDS.iter().zip(all) {
        network.insert((*kind).to_string(), Json::Array(found));
    }
    Json::Object(network)
}

pub(super) fn summary(known: &Json, to: &mut Summary) -> Option<()> {
    let network = known["metadata"]["network"].as_object()?;
    for kind in KINDS {
        for address in network.get(kind).and_then(Json::as_array).into_iter().flatten() {
            to.add(address, kind.starts_with("public"));
        }
    }
    to.names(&known["public_fqdn"], &Json::Null);
    to.provider = Some("azure".into());
    Some(())
}
