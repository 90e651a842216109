//! The suites of Test Kitchen's configuration as units.

use super::unit::{Repository, Unit};
use crate::stubs::json;
use rchef_host::{RealHost, compose};
use rchef_lint::config::yaml::Value;
use serde_json::Value as Json;

/// Names that the file may have.
const NAMES: &[&str] = &["kitchen.yml", ".kitchen.yml"];

/// Every suite on every platform that has simulated facts, or on those that are asked for.
///
/// # Errors
/// There is no such file, or it is not YAML.
pub fn units(host: &RealHost, repository: &mut Repository, asked: &[String]) -> Result<Vec<Unit>, String> {
    let found = NAMES.iter().find_map(|name| compose::read_file(host, name.as_bytes()).ok().map(|bytes| (name, bytes)));
    let Some((name, bytes)) = found else { return Err("there is no kitchen.yml here".into()) };
    let document =
        Value::parse(&without_code(&String::from_utf8_lossy(&bytes))).map_err(|error| format!("{name}: {error}"))?;
    let list = |value: Option<&Value>| match value {
        Some(Value::List(items)) => items.clone(),
        _ => Vec::new(),
    };
    let known = rchef_providers::facts::names();
    let mut platforms: Vec<String> = Vec::new();
    for platform in list(document.get("platforms")) {
        let Some(named) = platform.get("name").and_then(Value::text) else { continue };
        let simulated = simulated(named);
        if known.contains(&simulated.as_str()) {
            platforms.push(simulated);
        } else {
            repository.skipped.push(format!("{name}: there are no simulated facts of the platform {named}"));
        }
    }
    if !asked.is_empty() {
        platforms = asked.to_vec();
    }
    let mut units = Vec::new();
    for suite in list(document.get("suites")) {
        let suite_name = suite.get("name").and_then(Value::text).unwrap_or("suite").to_string();
        let texts = |value: &Value, key: &str| value.get(key).map(Value::texts).unwrap_or_default();
        let run_list = match texts(&suite, "run_list") {
            list if list.is_empty() => policy(host, &suite),
            list => list,
        };
        let run_list = if run_list.is_empty() { texts(&document, "run_list") } else { run_list };
        if run_list.is_empty() {
            repository.skipped.push(format!("{name}: the suite {suite_name} has no run list"));
            continue;
        }
        let named = |key: &str| -> Vec<String> { texts(&suite, key).iter().map(|name| simulated(name)).collect() };
        let (includes, excludes) = (named("includes"), named("excludes"));
        let json = match suite.get("attributes").map(json) {
            Some(attributes @ Json::Object(_)) => {
                Some(repository.write(host, &format!("suite-{suite_name}"), attributes.to_string().as_bytes())?)
            }
            _ => None,
        };
        for platform in &platforms {
            if excludes.contains(platform) || !includes.is_empty() && !includes.contains(platform) {
                continue;
            }
            units.push(Unit {
                name: format!("suite {suite_name} on {platform}"),
                run_list: run_list.join(","),
                platform: Some(platform.clone()),
                json: json.clone(),
                ..Unit::default()
            });
        }
    }
    Ok(units)
}

/// The name that simulated facts have for a platform of Kitchen's images.
fn simulated(name: &str) -> String {
    if name == "fedora-latest" {
        return "fedora-41".into();
    }
    let other = [
        ("rockylinux-", "rocky-"),
        ("oraclelinux-", "oracle-"),
        ("amazonlinux-", "amazon-"),
        ("opensuse-leap-", "opensuse-"),
        ("rhel-", "redhat-"),
    ];
    let renamed = other.iter().find_map(|(image, facts)| Some(format!("{facts}{}", name.strip_prefix(image)?)));
    renamed.unwrap_or_else(|| name.to_string())
}

/// The run list that a Policyfile has for a suite, as far as it is written there.
fn policy(host: &RealHost, suite: &Value) -> Vec<String> {
    let named = |value: &Value| value.get("named_run_list").and_then(Value::text).map(str::to_string);
    let named = named(suite).or_else(|| suite.get("provisioner").and_then(named));
    let Ok(bytes) = compose::read_file(host, b"Policyfile.rb") else { return Vec::new() };
    match rchef_lint::policy_run_list(&bytes, named.as_deref()) {
        found if !found.is_empty() => found,
        _ => super::policyfile::run_list(named.as_deref()).unwrap_or_default(),
    }
}

/// The file without ERB, which Kitchen evaluates: its results are not known here.
fn without_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<%") {
        out.push_str(&rest[..start]);
        rest = rest[start..].find("%>").map_or("", |end| &rest[start + end + 2..]);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::without_code;
    use crate::stubs::json;
    use rchef_lint::config::yaml::Value;

    #[test]
    fn attributes() {
        let text = without_code("a: 1\nb: '1'\nc: [true, x]\nd: <%= ENV['X'] %>\ne: 1.5\n");
        let value = json(&Value::parse(&text).unwrap());
        assert_eq!(value.to_string(), r#"{"a":1,"b":"1","c":[true,"x"],"d":null,"e":1.5}"#);
    }
}
