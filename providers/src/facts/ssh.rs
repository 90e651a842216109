//! Ohai's SSHHostKey.

use super::source::{Choice, Facts, read};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// `keys.ssh`: the public host keys by type (`host_rsa_public` and so on); for ECDSA keys also the curve's name in `host_ecdsa_type`.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let config = read(host, "/etc/ssh/sshd_config").or_else(|| read(host, "/etc/sshd_config")).unwrap_or_default();
    let named = config.lines().filter_map(|line| {
        let (key, path) = line.split_once(char::is_whitespace)?;
        key.eq_ignore_ascii_case("hostkey").then(|| format!("{}.pub", path.trim()))
    });
    let usual = ["dsa", "rsa", "ecdsa", "ed25519"].map(|kind| format!("/etc/ssh/ssh_host_{kind}_key.pub"));
    let mut keys = Facts::new();
    for path in named.chain(usual) {
        let Some(text) = read(host, &path) else { continue };
        let mut words = text.split_whitespace();
        let (Some(algorithm), Some(key)) = (words.next(), words.next()) else { continue };
        let kind = match algorithm {
            "ssh-dss" => "dsa",
            "ssh-rsa" => "rsa",
            "ssh-ed25519" => "ed25519",
            _ if algorithm.starts_with("ecdsa") => "ecdsa",
            _ => continue,
        };
        keys.entry(format!("host_{kind}_public")).or_insert_with(|| json!(key));
        if kind == "ecdsa" {
            keys.entry("host_ecdsa_type").or_insert_with(|| json!(algorithm));
        }
    }
    facts.insert("keys".into(), json!({ "ssh": Json::Object(keys) }));
}
