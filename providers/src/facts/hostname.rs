//! Ohai's Hostname.

use super::source::{Choice, Facts, output, put, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// `machinename`, `hostname`, `fqdn`, `domain`. If the canonical name has no dot, `domain` is nil, as in Ohai.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let Ok(name) = host.hostname() else { return };
    let machine = String::from_utf8_lossy(&name).trim().to_string();
    let short = machine.split('.').next().unwrap_or_default();
    facts.insert("hostname".into(), json!(short));
    facts.insert("machinename".into(), json!(machine));
    let fqdn = canonical(host, &machine);
    let domain = fqdn.as_deref().and_then(|name| name.split_once('.')).map(|(_, domain)| domain.to_string());
    put(facts, "fqdn", fqdn);
    facts.insert("domain".into(), domain.map_or(Json::Null, Json::String));
}

/// The canonical name of a host: from /etc/hosts, else from the system's resolver (getent). None if the name cannot be resolved.
fn canonical(host: &dyn Host, name: &str) -> Option<String> {
    let hosts = read(host, "/etc/hosts").unwrap_or_default();
    if let Some((address, names)) = in_hosts(&hosts, |_, names| names.contains(&name)) {
        if names[0].contains('.') {
            return Some(names[0].to_string());
        }
        // another line may list the same address under a different canonical name
        let reverse = in_hosts(&hosts, |known, _| known == address);
        return Some(reverse.map_or(name, |(_, names)| names[0]).to_string());
    }
    let text = output(host, &["getent", "ahosts", name]);
    let found = text.lines().next()?.split_whitespace().nth(2).unwrap_or(name);
    Some(found.to_string())
}

fn in_hosts(hosts: &str, fits: impl Fn(&str, &[&str]) -> bool) -> Option<(&str, Vec<&str>)> {
    hosts.lines().find_map(|line| {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let address = words.next()?;
        let names: Vec<&str> = words.collect();
        (!names.is_empty() && fits(address, &names)).then_some((address, names))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    #[test]
    fn names_come_from_the_hosts_file() {
        for (hosts, name, fqdn, domain) in [
            ("127.0.1.1 web1.example.com web1\n", "web1", Some("web1.example.com"), json!("example.com")),
            ("127.0.0.1 localhost\n127.0.1.1 web1\n", "web1", Some("web1"), Json::Null),
            ("# 10.0.0.1 web1.example.com web1\n10.0.0.1 other web1\n", "web1", Some("other"), Json::Null),
            ("", "web1", None, Json::Null),
        ] {
            let host = machine(&[("/etc/hosts", hosts)], name);
            let mut facts = Facts::new();
            collect(&host, &Choice::default(), &mut facts);
            assert_eq!(facts.get("fqdn").and_then(Json::as_str), fqdn, "{hosts}");
            assert_eq!(facts.get("domain"), Some(&domain), "{hosts}");
        }
    }
}
