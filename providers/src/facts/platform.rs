//! Ohai's OsRelease, LSB and Platform.

use super::source::{Choice, Facts, output, put, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// `os_release`: /etc/os-release with lower-case keys; `id_like` is a list.
pub(super) fn os_release(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut release = Facts::new();
    for (key, value) in fields(&read(host, "/etc/os-release").unwrap_or_default()) {
        let value = if key == "ID_LIKE" { json!(value.split(' ').collect::<Vec<_>>()) } else { Json::String(value) };
        release.insert(key.to_lowercase(), value);
    }
    facts.insert("os_release".into(), Json::Object(release));
}

/// The assignments of a file in the syntax of os-release(5) in their order, with the quotes removed.
pub(super) fn fields(text: &str) -> Vec<(String, String)> {
    let pairs = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    pairs.map(|(key, value)| (key.to_string(), value.trim_matches('"').to_string())).collect()
}

/// The value of a variable that is there and not empty, also without single quotes, which systemd removes and Ohai keeps.
pub(super) fn in_fields(fields: &[(String, String)], name: &str) -> Option<String> {
    let value = fields.iter().find(|(known, _)| known == name)?.1.trim_matches('\'');
    Some(value.to_string()).filter(|value| !value.is_empty())
}

/// `lsb`: the output of lsb_release(1); empty if it is not installed, as in Ohai. Running the program takes ten times as long as all other facts,
/// so it is run only if it is none of the known scripts, whose output can be computed from files.
pub(super) fn lsb(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut lsb = Facts::new();
    if let Some(program) = read(host, LSB_RELEASE) {
        let text = if host.env(b"LSB_OS_RELEASE").is_some() { None } else { lsb_of_files(host, &program) };
        for line in text.unwrap_or_else(|| output(host, &[LSB_RELEASE, "-a"])).lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let key = match key {
                "Distributor ID" => "id",
                "Description" => "description",
                "Release" => "release",
                "Codename" => "codename",
                _ => continue,
            };
            lsb.insert(key.into(), json!(value.trim()));
        }
    }
    facts.insert("lsb".into(), Json::Object(lsb));
}

const LSB_RELEASE: &str = "/usr/bin/lsb_release";

/// The output of a known lsb_release script, recognized by its source text.
fn lsb_of_files(host: &dyn Host, program: &str) -> Option<String> {
    let text = |path: &str| read(host, path).map(|text| fields(&text));
    if program.starts_with("#!/bin/sh") && program.contains("LSB_OS_RELEASE") && program.contains(MINIMAL) {
        return lsb_of_os_release(&text("/etc/os-release").or_else(|| text("/usr/lib/os-release"))?);
    }
    // Debian's script in Python prefers /etc/lsb-release
    let given = text("/etc/lsb-release").filter(|_| program.starts_with("#!/usr/bin/python3"))?;
    let value = |key: &str| given.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let (id, description) = (value("DISTRIB_ID")?, value("DISTRIB_DESCRIPTION")?);
    let (release, codename) = (value("DISTRIB_RELEASE")?, value("DISTRIB_CODENAME")?);
    Some(format!("Distributor ID: {id}\nDescription: {description}\nRelease: {release}\nCodename: {codename}\n"))
}

/// A line of the script in Debian's package lsb-release-minimal, by which it is recognized.
const MINIMAL: &str = "Mimic the output of Debian's Python-based lsb_release";

/// The output of that script for this os-release file; None if a value holds characters that a shell interprets.
fn lsb_of_os_release(release: &[(String, String)]) -> Option<String> {
    if release.iter().any(|(_, value)| value.contains(['$', '`', '\\', '\''])) {
        return None;
    }
    let value = |key: &str| release.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let id = crate::coerce::first_upper(value("ID").unwrap_or_default());
    let name = value("NAME").filter(|name| name.to_lowercase() == id.to_lowercase());
    let lines = [
        ("Distributor ID", name.unwrap_or(&id)),
        ("Description", value("PRETTY_NAME").unwrap_or_default()),
        ("Release", value("VERSION_ID").unwrap_or_default()),
        ("Codename", value("VERSION_CODENAME").unwrap_or_default()),
    ];
    Some(lines.map(|(key, value)| format!("{key}:\t{}\n", if value.is_empty() { "n/a" } else { value })).concat())
}

/// `platform`, `platform_version`, `platform_family`.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let (platform, version) = match read(host, "/etc/os-release") {
        Some(text) => of_os_release(host, &text),
        None => legacy(host),
    };
    put(facts, "platform_family", family(&platform));
    facts.insert("platform".into(), Json::String(platform));
    put(facts, "platform_version", version);
}

fn of_os_release(host: &dyn Host, text: &str) -> (String, Option<String>) {
    let fields = fields(text);
    let field = |key: &str| fields.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
    let id = field("ID").unwrap_or_else(|| "linux".into());
    let version = match id.as_str() {
        "centos" => read(host, "/etc/redhat-release").and_then(|text| release_number(&text)).or(field("VERSION_ID")),
        "debian" => field("VERSION_ID").or_else(|| read(host, "/etc/debian_version")),
        _ => field("VERSION_ID").or_else(|| host.uname().ok().map(|names| names.release)),
    };
    let cisco = id == "centos" && field("CISCO_RELEASE_INFO").is_some();
    (if cisco { "nexus_centos".into() } else { renamed(&id.to_lowercase()) }, version)
}

/// Maps the ID of os-release to Chef's name of the platform.
fn renamed(id: &str) -> String {
    let name = match id {
        "alinux" => "alibabalinux",
        "amzn" => "amazon",
        "archarm" => "arch",
        "cumulus-linux" => "cumulus",
        "ol" => "oracle",
        "opensuse-leap" => "opensuseleap",
        "rhel" => "redhat",
        "sles" | "sles_sap" => "suse",
        "xenenterprise" => "xenserver",
        other => other,
    };
    name.to_string()
}

/// Distributions older than os-release, by their own release files.
fn legacy(host: &dyn Host) -> (String, Option<String>) {
    for (path, fixed) in [
        ("/etc/oracle-release", Some("oracle")),
        ("/etc/enterprise-release", Some("oracle")),
        ("/etc/redhat-release", None),
        ("/etc/system-release", None),
    ] {
        if let Some(text) = read(host, path) {
            let named = if text.to_lowercase().starts_with("red hat") {
                "redhat".to_string()
            } else {
                text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
            };
            return (fixed.map_or(named, str::to_string), release_number(&text));
        }
    }
    if let Some(version) = read(host, "/etc/debian_version") {
        return ("debian".into(), Some(version));
    }
    if let Some(text) = read(host, "/etc/slackware-version") {
        return ("slackware".into(), Some(text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect()));
    }
    ("linux".into(), host.uname().ok().map(|names| names.release))
}

/// The number after the word "release", else the first number.
fn release_number(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let found = words.clone().skip_while(|word| *word != "release").nth(1).filter(|word| number(word));
    let word = found.or_else(|| words.find(|word| number(word)))?;
    Some(word.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect())
}

/// The platform family, by parts of the platform's name as in Ohai.
fn family(platform: &str) -> Option<&'static str> {
    const FAMILIES: &[(&str, &[&str])] = &[
        ("debian", &["ubuntu", "debian", "linuxmint", "raspbian", "cumulus", "kali", "pop"]),
        (
            "rhel",
            &[
                "centos",
                "redhat",
                "oracle",
                "almalinux",
                "rocky",
                "scientific",
                "enterpriseenterprise",
                "xenserver",
                "xcp-ng",
                "cloudlinux",
                "alibabalinux",
                "sangoma",
                "clearos",
                "parallels",
                "ibm_powerkvm",
                "nexus_centos",
                "bigip",
                "virtuozzo",
            ],
        ),
        ("amazon", &["amazon"]),
        ("suse", &["suse", "sles", "sled"]),
        ("fedora", &["fedora", "arista_eos"]),
        ("wrlinux", &["nexus", "ios_xr"]),
        ("gentoo", &["gentoo"]),
        ("arch", &["arch", "manjaro"]),
        ("exherbo", &["exherbo"]),
        ("alpine", &["alpine"]),
        ("clearlinux", &["clearlinux"]),
        ("slackware", &["slackware"]),
    ];
    let found = FAMILIES.iter().find(|(_, parts)| parts.iter().any(|part| platform.contains(part)));
    found.map(|(family, _)| *family)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::tests::machine;

    /// The script of newer Debian releases is not run; its output is computed.
    #[test]
    fn lsb_of_the_minimal_script() {
        let script = format!("#!/bin/sh\n# {MINIMAL}\n[ \"$LSB_OS_RELEASE\" ] && os_release=\"$LSB_OS_RELEASE\"\n");
        for (release, wanted) in [
            (
                "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\nID=debian\n",
                json!({"id": "Debian", "description": "Debian GNU/Linux 12 (bookworm)", "release": "12", "codename": "bookworm"}),
            ),
            (
                "NAME=\"AlmaLinux\"\nID=almalinux\n",
                json!({"id": "AlmaLinux", "description": "n/a", "release": "n/a", "codename": "n/a"}),
            ),
        ] {
            let host = machine(&[("/usr/bin/lsb_release", script.as_str()), ("/etc/os-release", release)], "n");
            let mut facts = Facts::new();
            lsb(&host, &Choice::default(), &mut facts);
            assert_eq!(facts["lsb"], wanted);
        }
    }

    #[test]
    fn names_and_families() {
        for (id, platform, of) in [
            ("rhel", "redhat", Some("rhel")),
            ("ol", "oracle", Some("rhel")),
            ("opensuse-leap", "opensuseleap", Some("suse")),
            ("sles_sap", "suse", Some("suse")),
            ("amzn", "amazon", Some("amazon")),
            ("pop", "pop", Some("debian")),
            ("nixos", "nixos", None),
        ] {
            assert_eq!(renamed(id), platform);
            assert_eq!(family(platform), of, "{platform}");
        }
        assert_eq!(release_number("CentOS Linux release 7.9.2009 (Core)").as_deref(), Some("7.9.2009"));
        assert_eq!(release_number("Red Hat Enterprise Linux Server 6").as_deref(), Some("6"));
        assert_eq!(release_number("Unknown").as_deref(), None);
    }
}
