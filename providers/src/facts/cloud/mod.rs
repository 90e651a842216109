//! Ohai's Cloud and the cloud plugins. A cloud's metadata service is asked only if the firmware, a hint or another mark shows that the machine
//! belongs to that cloud.

mod azure;
mod ec2;
mod service;
mod services;

use super::hints;
use super::source::{Choice, Facts, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};
use std::net::IpAddr;

/// What the cloud plugins look at to recognize the machine.
pub(super) struct Machine<'a> {
    host: &'a dyn Host,
    choice: &'a Choice,
    facts: &'a Facts,
}

impl Machine<'_> {
    /// The hint of this name (see [`super::hints`]).
    fn hint(&self, name: &str) -> Option<Json> {
        hints::hint(self.host, self.choice, name)
    }

    /// A text of the firmware (DMI); empty if there is none.
    fn firmware(&self, group: &str, key: &str) -> &str {
        self.facts.get("dmi").and_then(|dmi| dmi.get(group)?.get(key)?.as_str()).unwrap_or_default()
    }

    /// The addresses of an interface that belong to a family, each with its attributes.
    fn addresses(&self, interface: &str, family: &str) -> impl Iterator<Item = (&String, &Json)> {
        let interfaces = self.facts.get("network").and_then(|network| network.get("interfaces"));
        let found = interfaces.and_then(|all| all.get(interface)?.get("addresses")?.as_object());
        found.into_iter().flatten().filter(move |(_, known)| known["family"] == family)
    }
}

/// A cloud plugin: its attribute of the node, Ohai's name of the plugin (which the configuration may disable), the function that collects the
/// attribute, and the function that fills `cloud` from it; the latter gives None where the attribute lacks what Ohai needs.
struct Cloud {
    name: &'static str,
    plugin: &'static str,
    collect: fn(&Machine<'_>) -> Option<Facts>,
    summary: fn(&Json, &mut Summary) -> Option<()>,
}

/// In Ohai's order: a later cloud overrides the provider and the names.
const CLOUDS: &[Cloud] = &[
    Cloud { name: "gce", plugin: "GCE", collect: services::gce, summary: of_gce },
    Cloud { name: "ec2", plugin: "EC2", collect: ec2::collect, summary: |known, to| to.usual("ec2", known) },
    Cloud {
        name: "rackspace",
        plugin: "Rackspace",
        collect: services::rackspace,
        summary: |known, to| to.usual("rackspace", known),
    },
    Cloud { name: "linode", plugin: "Linode", collect: linode, summary: of_linode },
    Cloud {
        name: "eucalyptus",
        plugin: "Eucalyptus",
        collect: ec2::eucalyptus,
        summary: |known, to| to.usual("eucalyptus", known),
    },
    Cloud {
        name: "openstack",
        plugin: "Openstack",
        collect: ec2::openstack,
        summary: |known, to| to.usual(known["provider"].as_str().unwrap_or("openstack"), known),
    },
    Cloud { name: "azure", plugin: "Azure", collect: azure::collect, summary: azure::summary },
    Cloud {
        name: "digital_ocean",
        plugin: "DigitalOcean",
        collect: services::digital_ocean,
        summary: of_digital_ocean,
    },
    Cloud { name: "softlayer", plugin: "Softlayer", collect: softlayer, summary: of_softlayer },
    Cloud { name: "alibaba", plugin: "Alibaba", collect: services::alibaba, summary: of_alibaba },
    Cloud { name: "oci", plugin: "Oci", collect: services::oci, summary: of_oci },
    Cloud { name: "scaleway", plugin: "Scaleway", collect: services::scaleway, summary: |_, _| Some(()) },
];

/// Collects the attribute of each detected cloud, and `cloud`, which is nil if there is none.
pub(super) fn collect(host: &dyn Host, choice: &Choice, facts: &mut Facts) {
    let mut summary = Summary::default();
    for cloud in CLOUDS.iter().filter(|cloud| !choice.is_disabled(cloud.plugin)) {
        let Some(found) = (cloud.collect)(&Machine { host, choice, facts }) else { continue };
        let found = Json::Object(found);
        if (cloud.summary)(&found, &mut summary).is_none() {
            summary.incomplete(cloud.name, &found);
        }
        facts.insert(cloud.name.into(), found);
    }
    if !choice.is_disabled("Cloud") {
        facts.insert("cloud".into(), summary.facts());
    }
}

/// Whether an attribute of the node is one that [`collect`] gives.
pub(super) fn has(attribute: &str) -> bool {
    attribute == "cloud" || CLOUDS.iter().any(|cloud| cloud.name == attribute)
}

#[derive(Default)]
pub(super) struct Summary {
    public: [Vec<String>; 2],
    local: [Vec<String>; 2],
    public_hostname: Option<String>,
    local_hostname: Option<String>,
    provider: Option<String>,
}

impl Summary {
    fn add(&mut self, address: &Json, is_public: bool) {
        let Some(ip) = address.as_str().and_then(|text| text.parse::<IpAddr>().ok()) else { return };
        let of = if is_public { &mut self.public } else { &mut self.local };
        of[usize::from(ip.is_ipv6())].push(ip.to_string());
    }

    fn names(&mut self, public: &Json, local: &Json) {
        let text = |name: &Json| name.as_str().map(str::to_string);
        self.public_hostname = text(public).or(self.public_hostname.take());
        self.local_hostname = text(local).or(self.local_hostname.take());
    }

    /// Fills the summary from an attribute with Amazon's names.
    fn usual(&mut self, provider: &str, known: &Json) -> Option<()> {
        for key in ["public_ipv4", "public_ipv6"] {
            self.add(&known[key], true);
        }
        for key in ["local_ipv4", "local_ipv6"] {
            self.add(&known[key], false);
        }
        self.names(&known["public_hostname"], &known["local_hostname"]);
        self.provider = Some(provider.to_string());
        Some(())
    }

    /// Fills the summary from a hint, where the metadata service has no data.
    fn incomplete(&mut self, provider: &str, known: &Json) {
        for (key, is_public) in
            [("public_ip", true), ("public_ipv4", true), ("private_ip", false), ("local_ipv4", false)]
        {
            self.add(&known[key], is_public);
        }
        self.names(&known["public_fqdn"], &Json::Null);
        self.provider = Some(provider.to_string());
    }

    fn facts(self) -> Json {
        let Some(provider) = self.provider else { return Json::Null };
        let mut facts = Facts::new();
        for (part, found) in [("public", &self.public), ("local", &self.local)] {
            for (version, addresses) in ["ipv4", "ipv6"].iter().zip(found) {
                if let Some(first) = addresses.first() {
                    facts.insert(format!("{part}_{version}_addrs"), json!(addresses));
                    facts.insert(format!("{part}_{version}"), json!(first));
                }
            }
        }
        facts.insert("provider".into(), json!(provider));
        for (key, name) in [("public_hostname", self.public_hostname), ("local_hostname", self.local_hostname)] {
            if let Some(name) = name {
                facts.insert(key.into(), json!(name));
            }
        }
        Json::Object(facts)
    }
}

/// `linode`: detected by the machine's domain or its package sources.
fn linode(machine: &Machine<'_>) -> Option<Facts> {
    let hint = machine.hint("linode");
    let by_domain = machine.facts.get("domain").and_then(Json::as_str).is_some_and(|domain| domain.contains("linode"));
    let by_sources = || read(machine.host, "/etc/apt/sources.list").is_some_and(|text| text.contains("linode"));
    if hint.is_none() && !by_domain && !by_sources() {
        return None;
    }
    let mut facts = Facts::new();
    for (key, interface) in [("public_ip", "eth0"), ("private_ip", "eth0:1")] {
        if let Some((address, _)) = machine.addresses(interface, "inet").last() {
            facts.insert(key.into(), json!(address));
        }
    }
    facts.extend(hint.and_then(|hint| hint.as_object().cloned()).unwrap_or_default());
    Some(facts)
}

fn of_linode(known: &Json, to: &mut Summary) -> Option<()> {
    to.add(&known["public_ip"], true);
    to.add(&known["private_ip"], false);
    to.names(&known["public_hostname"], &known["local_hostname"]);
    to.provider = Some("linode".into());
    Some(())
}

/// `softlayer`: only from the hint. Softlayer's metadata service is on the public Internet and is not asked.
fn softlayer(machine: &Machine<'_>) -> Option<Facts> {
    let hint = machine.hint("softlayer")?;
    Some(hint.as_object().cloned().unwrap_or_default())
}

fn of_softlayer(known: &Json, to: &mut Summary) -> Option<()> {
    to.usual("softlayer", known)?;
    to.names(&known["public_fqdn"], &Json::Null);
    Some(())
}

fn of_gce(known: &Json, to: &mut Summary) -> Option<()> {
    let interfaces = known["instance"]["networkInterfaces"].as_array()?;
    for interface in interfaces {
        for access in interface["accessConfigs"].as_array().into_iter().flatten() {
            to.add(&access["externalIp"], true);
        }
    }
    interfaces.iter().for_each(|interface| to.add(&interface["ip"], false));
    to.names(&Json::Null, &known["instance"]["hostname"]);
    to.provider = Some("gce".into());
    Some(())
}

fn of_digital_ocean(known: &Json, to: &mut Summary) -> Option<()> {
    for (part, is_public) in [("public", true), ("private", false)] {
        for version in ["ipv4", "ipv6"] {
            to.add(&known["interfaces"][part][0][version]["ip_address"], is_public);
        }
    }
    to.provider = Some("digital_ocean".into());
    Some(())
}

fn of_alibaba(known: &Json, to: &mut Summary) -> Option<()> {
    let data = known["meta_data"].as_object()?;
    let of = |key: &str| data.get(key).unwrap_or(&Json::Null);
    to.add(of("eipv4"), true);
    to.add(of("private_ipv4"), false);
    to.names(&Json::Null, of("hostname"));
    to.provider = Some("alibaba".into());
    Some(())
}

fn of_oci(known: &Json, to: &mut Summary) -> Option<()> {
    for interface in known["metadata"]["network"]["interface"].as_array()? {
        to.add(&interface["privateIp"], false);
    }
    to.names(&Json::Null, &known["metadata"]["compute"]["hostname"]);
    to.provider = Some("oci".into());
    Some(())
}

#[cfg(test)]
mod tests;
