//! The files of Test Kitchen's configuration, merged: the user's, the cookbook's, and its local overrides.

use super::erb;
use crate::stubs::{json, merge};
use rchef_host::{FileKind, Files, Processes, RealHost, compose};
use rchef_lint::config::yaml::Value;
use serde_json::{Map, Value as Json};

/// Names of the configuration file.
const NAMES: &[&str] = &["kitchen.yml", ".kitchen.yml"];

/// The configuration, and the name of the cookbook's file.
///
/// # Errors
/// There is no file, or one is not YAML.
pub fn read(host: &RealHost, skipped: &mut Vec<String>) -> Result<(String, Json), String> {
    let variable = |name: &str| {
        let value = host.env(name.as_bytes()).filter(|path| !path.is_empty())?;
        Some(String::from_utf8_lossy(&value).into_owned())
    };
    let there = |path: &String| compose::exists(host, path.as_bytes());
    let usual = || NAMES.iter().map(|name| (*name).to_string()).find(there);
    let Some(name) = variable("KITCHEN_YAML").or_else(usual) else {
        return Err(format!("there is no kitchen.yml here{}", elsewhere(host)));
    };
    let global = || Some(format!("{}/.kitchen/config.yml", variable("HOME")?)).filter(there);
    let mut document = Map::new();
    if let Some(global) = variable("KITCHEN_GLOBAL_YAML").or_else(global) {
        document = file(host, &global, skipped)?;
    }
    merge(&mut document, &file(host, &name, skipped)?);
    let local = || local_of(&name).into_iter().find(there);
    if let Some(local) = variable("KITCHEN_LOCAL_YAML").or_else(local) {
        merge(&mut document, &file(host, &local, skipped)?);
    }
    Ok((name, Json::Object(document)))
}

/// The names that the file with local overrides may have.
fn local_of(name: &str) -> [String; 2] {
    let (folder, file) = name.rsplit_once('/').map_or((String::new(), name), |(path, file)| (format!("{path}/"), file));
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, "yml"));
    let stem = stem.strip_prefix('.').unwrap_or(stem);
    [format!("{folder}.{stem}.local.{ending}"), format!("{folder}{stem}.local.{ending}")]
}

/// Reads a file.
///
/// # Errors
/// It cannot be read, or is not YAML.
fn file(host: &RealHost, name: &str, skipped: &mut Vec<String>) -> Result<Map<String, Json>, String> {
    let bytes = compose::read_file(host, name.as_bytes()).map_err(|error| format!("{name}: {}", error.message()))?;
    let template = String::from_utf8_lossy(&bytes);
    let text = erb::rendered(name, &template, skipped);
    let made = if text == template { "" } else { ", of the text that its ERB makes" };
    let value = Value::parse(&text).map_err(|error| format!("{name}{made}: {error}"))?;
    let Json::Object(mut map) = json(&value) else { return Ok(Map::new()) };
    // a provisioner may be named by a text alone
    if let Some(provisioner) = map.get_mut("provisioner").filter(|value| !value.is_object()) {
        *provisioner = Json::Object(Map::new());
    }
    Ok(map)
}

/// Other files that may be meant: with another name, which must be given, or in directories below.
pub fn elsewhere(host: &RealHost) -> String {
    /// How far down, and how many are named.
    const DEEPEST: usize = 3;
    const SHOWN: usize = 3;
    let mut text = String::new();
    let others: Vec<String> = names(host, ".", FileKind::File).into_iter().filter(|name| is_other(name)).collect();
    if let Some(first) = others.first() {
        let all = others.join(", ");
        text += &format!("; KITCHEN_YAML={first} or KITCHEN_LOCAL_YAML={first} reads {first} in its place or over it");
        if others.len() > 1 {
            text += &format!(" (there are {all})");
        }
    }
    let (mut below, mut level) = (Vec::new(), vec![String::new()]);
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for parent in level {
            let at = if parent.is_empty() { "." } else { parent.trim_end_matches('/') };
            next.extend(names(host, at, FileKind::Directory).into_iter().map(|name| format!("{parent}{name}/")));
        }
        let has =
            |folder: &&String| NAMES.iter().any(|name| compose::exists(host, format!("{folder}{name}").as_bytes()));
        below.extend(next.iter().filter(has).map(|folder| folder.trim_end_matches('/').to_string()));
        level = next;
    }
    if !below.is_empty() {
        let more = below.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        below.truncate(SHOWN);
        text += &format!("; there is a kitchen.yml in {}{more}: run `rchef check --kitchen` there", below.join(", "));
    }
    text
}

/// Whether a file is a configuration of Kitchen's that is only read when it is named.
fn is_other(name: &str) -> bool {
    let stem = name.strip_prefix('.').unwrap_or(name);
    let inner = stem.strip_prefix("kitchen.").and_then(|rest| rest.strip_suffix(".yml").or(rest.strip_suffix(".yaml")));
    inner.is_some_and(|inner| !inner.is_empty() && inner != "local")
}

/// Sorted names of the entries of a kind, without hidden directories.
fn names(host: &RealHost, folder: &str, kind: FileKind) -> Vec<String> {
    let entries = host.readdir(folder.as_bytes()).unwrap_or_default().into_iter().filter(|entry| entry.kind == kind);
    let names = entries.map(|entry| String::from_utf8_lossy(&entry.name).into_owned());
    let mut names: Vec<String> = names.filter(|name| kind != FileKind::Directory || !name.starts_with('.')).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::{is_other, local_of};

    #[test]
    fn names() {
        assert_eq!(local_of("kitchen.yml"), [".kitchen.local.yml", "kitchen.local.yml"]);
        assert_eq!(local_of("a/.kitchen.ci.yml"), ["a/.kitchen.ci.local.yml", "a/kitchen.ci.local.yml"]);
        for (name, other) in [
            ("kitchen.docker.yml", true),
            (".kitchen.ci.yml", true),
            ("kitchen.yml", false),
            ("kitchen.local.yml", false),
        ] {
            assert_eq!(is_other(name), other, "{name}");
        }
    }
}
