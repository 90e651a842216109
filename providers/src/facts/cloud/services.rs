//! Clouds whose metadata is a single document, and Rackspace, which has none.

use super::Machine;
use super::service::{LINK_LOCAL, Service};
use crate::facts::source::{Facts, exists, has_program, output, read};
use serde_json::{Value as Json, json};

/// Google's metadata host, with a final dot so that no search domain is tried.
const GOOGLE: &str = "metadata.google.internal.";
const ALIBABA: &str = "100.100.100.200";
const SCALEWAY: &str = "169.254.42.42";
/// The maximum depth of Alibaba's tree.
const DEEPEST: usize = 16;

fn object(found: Option<Json>) -> Facts {
    match found {
        Some(Json::Object(facts)) => facts,
        _ => Facts::new(),
    }
}

/// `gce`: detected by the hint, or by the firmware if the service can be reached.
pub(super) fn gce(machine: &Machine<'_>) -> Option<Facts> {
    let hinted = machine.hint("gce").is_some();
    if !hinted && !machine.firmware("system", "product_name").contains("Google Compute Engine") {
        return None;
    }
    let Some(service) = Service::reach(machine.host, GOOGLE) else { return hinted.then(Facts::new) };
    Some(object(service.json("/computeMetadata/v1/?recursive=true", &[("Metadata-Flavor", "Google")])))
}

/// `digital_ocean`: detected by the hint, or by the firmware if the service can be reached.
pub(super) fn digital_ocean(machine: &Machine<'_>) -> Option<Facts> {
    let hinted = machine.hint("digital_ocean").is_some();
    if !hinted && machine.firmware("bios", "vendor") != "DigitalOcean" {
        return None;
    }
    let Some(service) = Service::reach(machine.host, LINK_LOCAL) else { return hinted.then(Facts::new) };
    let mut facts = object(service.json("/metadata/v1.json", &[]));
    // vendor data may hold secrets
    facts.remove("vendor_data");
    Some(facts)
}

/// `scaleway`: detected by the hint, or by the kernel's command line if the service can be reached.
pub(super) fn scaleway(machine: &Machine<'_>) -> Option<Facts> {
    let hinted = machine.hint("scaleway").is_some();
    if !hinted && !read(machine.host, "/proc/cmdline").is_some_and(|line| line.contains("scaleway")) {
        return None;
    }
    let Some(service) = Service::reach(machine.host, SCALEWAY) else { return hinted.then(Facts::new) };
    Some(object(service.json("/conf?format=json", &[])))
}

/// `oci`: detected by the hint or the asset tag of the chassis.
pub(super) fn oci(machine: &Machine<'_>) -> Option<Facts> {
    let hint = machine.hint("oci");
    let tag = || read(machine.host, "/sys/devices/virtual/dmi/id/chassis_asset_tag");
    let by_tag = || {
        machine.firmware("chassis", "asset_tag").contains("OracleCloud.com")
            || tag().is_some_and(|tag| tag.contains("OracleCloud.com"))
    };
    if hint.is_none() && !by_tag() {
        return None;
    }
    let mut facts = object(hint);
    facts.insert("metadata".into(), of_oracle(machine).unwrap_or_default());
    Some(facts)
}

fn of_oracle(machine: &Machine<'_>) -> Option<Json> {
    let service = Service::reach(machine.host, LINK_LOCAL)?;
    let ask = |what: &str| service.json(&format!("/opc/v2/{what}"), &[("Authorization", "Bearer Oracle")]);
    let mut metadata = json!({ "compute": ask("instance")?.as_object()? });
    if let Some(Json::Array(interfaces)) = ask("vnics") {
        metadata["network"] = json!({ "interface": interfaces });
    }
    if let Some(Json::Object(volumes)) = ask("volumeAttachments") {
        metadata["volumes"] = Json::Object(volumes);
    }
    Some(metadata)
}

/// `alibaba`: detected by the hint or the firmware.
pub(super) fn alibaba(machine: &Machine<'_>) -> Option<Facts> {
    if machine.hint("alibaba").is_none() && !machine.firmware("system", "manufacturer").contains("Alibaba") {
        return None;
    }
    let Some(service) = Service::reach(machine.host, ALIBABA) else { return Some(Facts::new()) };
    Some(object(tree(&service, "", 0)))
}

/// A folder of Alibaba's metadata. Leaves are JSON or text; the user data is left out.
fn tree(service: &Service<'_>, id: &str, depth: usize) -> Option<Json> {
    let listing = service.get(&format!("/2016-01-01/{id}"), &[])?.good().filter(|_| depth < DEEPEST)?;
    let mut facts = Facts::new();
    for entry in String::from_utf8_lossy(&listing).lines() {
        if id.is_empty() && entry == "user-data" {
            continue;
        }
        let path = if id.is_empty() { format!("{entry}/") } else { format!("{id}{entry}") };
        let value = if path.ends_with('/') { tree(service, &path, depth + 1) } else { leaf(service, &path) };
        let key = entry.replace(['-', '/'], "_");
        facts.insert(key.strip_suffix('_').unwrap_or(&key).to_string(), value.unwrap_or_default());
    }
    Some(Json::Object(facts))
}

fn leaf(service: &Service<'_>, path: &str) -> Option<Json> {
    let body = service.get(&format!("/2016-01-01/{path}"), &[])?.good()?;
    Some(serde_json::from_slice(&body).unwrap_or_else(|_| json!(String::from_utf8_lossy(&body))))
}

/// `rackspace`: detected by the hint, by the provider in the Xen store, or by the kernel's release.
pub(super) fn rackspace(machine: &Machine<'_>) -> Option<Facts> {
    let xen = exists(machine.host, "/proc/xen") && has_program(machine.host, "xenstore-read");
    let stored = |path: &str| output(machine.host, &["xenstore-read", path]).trim().to_string();
    let kernel = machine.facts.get("kernel").and_then(|kernel| kernel.get("release")?.as_str());
    let by_kernel = kernel.is_some_and(|release| release.ends_with("-rscloud"));
    if machine.hint("rackspace").is_none()
        && !by_kernel
        && !(xen && stored("vm-data/provider_data/provider").eq_ignore_ascii_case("rackspace"))
    {
        return None;
    }
    let first =
        |interface: &str| machine.addresses(interface, "inet").next().map(|(ip, _)| json!(ip)).unwrap_or_default();
    let global = |interface: &str| {
        let mut found = machine.addresses(interface, "inet6").filter(|(_, known)| known["scope"] == "Global");
        found.next().map(|(ip, _)| json!(ip)).unwrap_or_default()
    };
    let (public, local) = (first("eth0"), first("eth1"));
    let mut facts = Facts::new();
    for (key, value) in [
        ("public_ip", &public),
        ("private_ip", &local),
        ("public_ipv4", &public),
        ("public_ipv6", &global("eth0")),
        ("public_hostname", &public),
        ("local_ipv4", &local),
        ("local_ipv6", &global("eth1")),
        ("local_hostname", machine.facts.get("hostname").unwrap_or(&Json::Null)),
    ] {
        if !value.is_null() {
            facts.insert(key.into(), value.clone());
        }
    }
    if xen {
        let id = stored("name");
        if !id.is_empty() {
            facts.insert("instance_id".into(), json!(id.replace("instance-", "")));
        }
    }
    Some(facts)
}
