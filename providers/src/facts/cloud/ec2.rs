//! Amazon's metadata service and its compatible ones (OpenStack, Eucalyptus): a tree of text values that Ohai turns into attributes.

use super::Machine;
use super::service::{Answer, LINK_LOCAL, Service};
use crate::facts::source::{Facts, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// The API versions that Ohai knows, in ascending order.
const VERSIONS: &[&str] = &[
    "1.0",
    "2007-01-19",
    "2007-03-01",
    "2007-08-29",
    "2007-10-10",
    "2007-12-15",
    "2008-02-01",
    "2008-09-01",
    "2009-04-04",
    "2011-01-01",
    "2011-05-01",
    "2012-01-12",
    "2014-02-25",
    "2014-11-05",
    "2015-10-20",
    "2016-04-19",
    "2016-06-30",
    "2016-09-02",
    "2018-03-28",
    "2018-08-17",
    "2018-09-24",
    "2019-10-01",
    "2020-10-27",
    "2021-01-03",
    "2021-03-23",
    "2021-07-15",
];
/// Keys whose values are lists, one element a line.
const LISTS: &[&str] = &["security-groups", "local_ipv4s"];
/// The key of the instance's own identity credentials, which are never stored.
const IDENTITY: &str = "identity_credentials_ec2_security_credentials_ec2_instance";
/// The maximum depth of a tree.
const DEEPEST: usize = 16;

/// `ec2`: detected by the hint, the hypervisor or the firmware.
pub(super) fn collect(machine: &Machine<'_>) -> Option<Facts> {
    let by_hypervisor = || read(machine.host, "/sys/hypervisor/uuid").is_some_and(|uuid| uuid.starts_with("ec2"));
    let by_firmware =
        machine.firmware("bios", "vendor").contains("Amazon") || machine.firmware("bios", "version").contains("amazon");
    if machine.hint("ec2").is_none() && !by_firmware && !by_hypervisor() {
        return None;
    }
    let Some(service) = Ec2::reach(machine.host) else { return Some(Facts::new()) };
    let mut facts = service.all(machine.hint("iam").is_some());
    facts.insert("userdata".into(), service.userdata());
    let identity = service.identity();
    for (key, of) in [("account_id", "accountId"), ("availability_zone", "availabilityZone"), ("region", "region")] {
        facts.insert(key.into(), identity[of].clone());
    }
    Some(facts)
}

/// `openstack`: detected by the hint or the virtualization.
pub(super) fn openstack(machine: &Machine<'_>) -> Option<Facts> {
    let systems = machine.facts.get("virtualization").and_then(|found| found.get("systems"));
    let is_virtual = systems.is_some_and(|systems| !systems["openstack"].is_null());
    if machine.hint("openstack").is_none() && !is_virtual {
        return None;
    }
    // DreamHost's images have this user
    let dreamhost = machine.host.user_by_name(b"dhc-user").is_ok_and(|user| user.is_some());
    let mut facts = Facts::new();
    facts.insert("provider".into(), json!(if dreamhost { "dreamhost" } else { "openstack" }));
    if let Some(service) = Ec2::reach(machine.host) {
        let found = service.all(true).into_iter();
        facts.extend(found.filter(|(_, value)| !matches!(value, Json::Null) && value != "" && *value != json!([])));
    }
    Some(facts)
}

/// `eucalyptus`: detected by the hint or by its prefix of hardware addresses.
pub(super) fn eucalyptus(machine: &Machine<'_>) -> Option<Facts> {
    let hinted = machine.hint("eucalyptus").is_some();
    if !hinted && !has_eucalyptus_address(machine) {
        return None;
    }
    let Some(service) = Ec2::reach(machine.host) else { return hinted.then(Facts::new) };
    let mut facts = service.all(true);
    if machine.hint("iam").is_none() {
        facts.remove("iam");
    }
    facts.insert("userdata".into(), service.userdata());
    Some(facts)
}

fn has_eucalyptus_address(machine: &Machine<'_>) -> bool {
    let interfaces = machine.facts.get("network").and_then(|network| network.get("interfaces")?.as_object());
    interfaces.into_iter().flatten().any(|(name, _)| {
        let address = machine.addresses(name, "lladdr").next();
        address.is_some_and(|(address, _)| address.to_uppercase().starts_with("D0:0D:"))
    })
}

/// The service with the token and the API version of its requests.
struct Ec2<'a> {
    service: Service<'a>,
    token: Option<String>,
    version: String,
}

impl<'a> Ec2<'a> {
    /// The service, if it can be reached and has a known version.
    fn reach(host: &'a dyn Host) -> Option<Ec2<'a>> {
        let service = Service::reach(host, LINK_LOCAL)?;
        let life = [("X-aws-ec2-metadata-token-ttl-seconds", "60")];
        // version 2 of the service (IMDSv2) wants a token; without one, version 1 is used
        let token = service.ask("PUT", "/latest/api/token", &life).and_then(|answer| answer.good());
        let token = token.map(|token| String::from_utf8_lossy(&token).trim().to_string());
        let token = token.filter(|token| !token.is_empty() && !token.contains(char::is_control));
        let mut found = Ec2 { service, token, version: String::new() };
        found.version = found.best_version()?;
        Some(found)
    }

    fn get(&self, path: &str) -> Option<Answer> {
        let token = self.token.as_deref().map(|token| ("X-aws-ec2-metadata-token", token));
        let headers: Vec<(&str, &str)> = token.into_iter().collect();
        self.service.get(path, &headers)
    }

    /// The newest version known to both Ohai and the service.
    fn best_version(&self) -> Option<String> {
        let answer = self.get("/")?;
        if answer.status == 404 {
            return Some("latest".into());
        }
        let listed = String::from_utf8_lossy(&answer.good()?).into_owned();
        let mut listed: Vec<&str> = listed.lines().collect();
        listed.sort_unstable();
        listed.iter().rev().find(|version| VERSIONS.contains(version)).map(|version| version.to_string())
    }

    fn metadata(&self, id: &str) -> Option<String> {
        let body = self.get(&format!("/{}/meta-data/{id}", self.version))?.good()?;
        Some(String::from_utf8_lossy(&body).into_owned())
    }

    /// All metadata, with `-` and `/` in names replaced by `_`. `credentials`: include the credentials of the instance's IAM role.
    fn all(&self, credentials: bool) -> Facts {
        let mut facts = Facts::new();
        self.walk("", credentials, 0, &mut facts);
        facts
    }

    fn walk(&self, id: &str, credentials: bool, depth: usize, facts: &mut Facts) {
        let Some(listing) = self.metadata(id).filter(|_| depth < DEEPEST) else { return };
        for entry in listing.lines() {
            let key = expand(&format!("{id}{entry}"));
            let Some(name) = key.strip_suffix('/') else {
                let attribute = attribute(&key);
                if attribute == IDENTITY {
                    continue;
                }
                let value = self.metadata(&key).map(|text| match LISTS.contains(&key.as_str()) {
                    true => json!(text.lines().collect::<Vec<_>>()),
                    false => json!(text),
                });
                facts.insert(attribute, value.unwrap_or_default());
                continue;
            };
            if key == id || key == "/" {
                continue;
            }
            let value = match name {
                "network/interfaces/macs" => self.folder(&key, depth, &|text| json!(text)),
                "iam" if credentials => self.folder(&key, depth, &parsed),
                "iam" => self.role(),
                _ => {
                    self.walk(&key, credentials, depth + 1, facts);
                    continue;
                }
            };
            facts.insert(attribute(name), value);
        }
    }

    /// A folder as a nested Hash.
    fn folder(&self, id: &str, depth: usize, value: &dyn Fn(&str) -> Json) -> Json {
        let Some(listing) = self.metadata(id).filter(|_| depth < DEEPEST) else { return Json::Null };
        let mut facts = Facts::new();
        for entry in listing.lines() {
            let key = expand(entry);
            match key.strip_suffix('/') {
                None => {
                    let text = self.metadata(&format!("{id}{key}")).unwrap_or_default();
                    facts.insert(attribute(&key), value(&text));
                }
                Some("") => {}
                Some(name) => {
                    let inner = self.folder(&format!("{id}{key}"), depth + 1, value);
                    facts.insert(name.to_string(), inner);
                }
            }
        }
        Json::Object(facts)
    }

    /// The IAM role without its credentials: its info, and its name if there is exactly one.
    fn role(&self) -> Json {
        let mut facts = Facts::new();
        if let Some(info) = self.metadata("iam/info") {
            facts.insert("info".into(), parsed(&info));
        }
        let names = self.metadata("iam/security-credentials/").unwrap_or_default();
        let names: Vec<&str> = names.lines().collect();
        if let [name] = names[..] {
            facts.insert("role_name".into(), json!(name));
        }
        Json::Object(facts)
    }

    /// The instance's user data, in Base64 if it is not ASCII.
    fn userdata(&self) -> Json {
        let body = self.get(&format!("/{}/user-data/", self.version)).and_then(|answer| answer.good());
        match body {
            None => Json::Null,
            Some(bytes) if bytes.is_ascii() => json!(String::from_utf8_lossy(&bytes)),
            Some(bytes) => {
                json!(String::from_utf8_lossy(&rchef_ruby::text::base64::encode_lines(&bytes, 45)))
            }
        }
    }

    /// The instance identity document.
    fn identity(&self) -> Json {
        let path = format!("/{}/dynamic/instance-identity/document/", self.version);
        let body = self.get(&path).and_then(|answer| answer.good());
        body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or_default()
    }
}

fn parsed(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}

fn attribute(key: &str) -> String {
    key.replace(['-', '/'], "_")
}

/// A name in a listing as a relative path: `0=my-key` is a folder, and `..` is dropped.
fn expand(name: &str) -> String {
    let path = match name.split_once('=') {
        Some((before, _)) => format!("{before}/"),
        None => name.to_string(),
    };
    let folder = path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let joined = parts.join("/");
    if folder || joined.is_empty() { format!("{joined}/") } else { joined }
}
