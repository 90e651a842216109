//! Suites of Test Kitchen's configuration as units.

mod erb;
mod platforms;
mod read;

use super::unit::{Repository, Unit};
use crate::stubs::merge;
use platforms::platforms;
use rchef_host::{Files, RealHost, compose};
use serde_json::{Map, Value as Json};

/// Directories that a suite may replace, and the secret: the provisioner's key, the configuration setting, the usual name.
const FOLDERS: &[(&str, &str, &str)] = &[
    ("data_bags_path", "data_bag_path", "data_bags"),
    ("roles_path", "role_path", "roles"),
    ("environments_path", "environment_path", "environments"),
    ("nodes_path", "node_path", "nodes"),
    (SECRET, "encrypted_data_bag_secret", "encrypted_data_bag_secret_key"),
];
/// The one that is a file.
const SECRET: &str = "encrypted_data_bag_secret_key_path";

/// Keys of the provisioner that may also be given outside of `provisioner`.
const MOVED: &[&str] = &[
    "attributes",
    "named_run_list",
    "policyfile",
    "policyfile_path",
    "data_bags_path",
    "roles_path",
    "environments_path",
    "nodes_path",
    SECRET,
];

/// Every suite on every platform that has simulated facts, or on the requested platforms.
///
/// # Errors
/// There is no configuration file, or it is not YAML.
pub fn units(host: &RealHost, repository: &mut Repository, asked: &[String]) -> Result<Vec<Unit>, String> {
    let (name, document) = read::read(host, &mut repository.skipped)?;
    let all = platforms(repository, &name, &document, asked);
    let suites = document["suites"].as_array().map(Vec::as_slice).unwrap_or_default();
    explain(host, repository, &name, &document, asked);
    let mut units = Vec::new();
    for suite in suites {
        let suite_name = suite["name"].as_str().unwrap_or("suite");
        let (includes, excludes) = (texts(&suite["includes"]), texts(&suite["excludes"]));
        let mut wanted = all
            .iter()
            .filter(|one| if includes.is_empty() { !one.is_among(&excludes) } else { one.is_among(&includes) })
            .peekable();
        if wanted.peek().is_none() && !all.is_empty() {
            let why = if includes.is_empty() {
                format!("it excludes {}", excludes.join(", "))
            } else {
                format!("it is only for {}", includes.join(", "))
            };
            repository.skipped.push(format!("{name}: the suite {suite_name}: {why}"));
        }
        for platform in wanted {
            let settings = settings(&[&document, &platform.own, suite]);
            let (mut run_list, mut origin) = (Vec::new(), name.clone());
            run_list.extend([&platform.own, suite].iter().flat_map(|part| self::run_list(part)));
            if run_list.is_empty() {
                (run_list, origin) = policy(host, &settings);
            }
            if run_list.is_empty() {
                (run_list, origin) = (self::run_list(&document), name.clone());
            }
            if run_list.is_empty() {
                let line = format!("{name}: the suite {suite_name} has no run list");
                if !repository.skipped.contains(&line) {
                    repository.skipped.push(line);
                }
                continue;
            }
            let json = match settings.get("attributes") {
                Some(attributes @ Json::Object(map)) if !map.is_empty() => {
                    // the number keeps files of suites and platforms with similar names apart
                    let file = format!("suite-{}-{suite_name}-{}", units.len(), platform.shown);
                    Some(repository.write(host, &file, attributes.to_string().as_bytes())?)
                }
                _ => None,
            };
            units.push(Unit {
                name: format!("suite {suite_name} on {}", platform.shown),
                run_list: run_list.join(","),
                platform: Some(platform.facts.clone()),
                json,
                environment: settings.get("client_rb").and_then(|set| set["environment"].as_str()).map(str::to_string),
                settings: folders(host, repository, suite_name, &settings),
                origin: Some(origin),
                section: Some(suite_name.to_string()),
                ..Unit::default()
            });
        }
    }
    Ok(units)
}

/// Says what a configuration without platforms or suites lacks, and where they may be.
fn explain(host: &RealHost, repository: &mut Repository, name: &str, document: &Json, asked: &[String]) {
    let none = |key: &str| document[key].as_array().is_none_or(Vec::is_empty);
    let lacks = match (none("suites"), none("platforms")) {
        (true, _) => "suites",
        (false, true) if asked.is_empty() => "platforms",
        _ => return,
    };
    repository.skipped.push(format!("{name} has no {lacks}{}", read::elsewhere(host)));
}

/// The texts of a list or a single text, without empty ones, which ERB code would have computed.
fn texts(value: &Json) -> Vec<String> {
    let texts = match value {
        Json::Array(items) => items.iter().filter_map(Json::as_str).collect(),
        other => other.as_str().into_iter().collect::<Vec<_>>(),
    };
    texts.into_iter().filter(|text| !text.is_empty()).map(str::to_string).collect()
}

/// The run list of a suite, of a platform, or of the whole file.
fn run_list(part: &Json) -> Vec<String> {
    let own = texts(&part["run_list"]);
    if own.is_empty() { texts(&part["provisioner"]["run_list"]) } else { own }
}

/// The merged provisioner settings of the whole file, the platform and the suite; later ones take precedence.
fn settings(parts: &[&Json]) -> Map<String, Json> {
    let mut all = Map::new();
    for part in parts {
        if let Some(own) = part["provisioner"].as_object() {
            merge(&mut all, own);
        }
        let moved = MOVED.iter().filter(|key| !part[**key].is_null());
        merge(&mut all, &moved.map(|key| ((*key).to_string(), part[*key].clone())).collect());
    }
    all
}

/// Configuration settings for directories that a suite replaces, and for the secret of its data bags: configured ones, else existing ones below `test/integration`. Paths outside
/// of the repository are skipped.
fn folders(host: &RealHost, repository: &mut Repository, suite: &str, settings: &Map<String, Json>) -> Vec<String> {
    let mut all = Vec::new();
    for (key, setting, folder) in FOLDERS {
        let named = settings.get(*key).and_then(Json::as_str).filter(|path| !path.is_empty()).map(str::to_string);
        let usual = [format!("test/integration/{suite}/{folder}"), format!("test/integration/{folder}")];
        let kind = if *key == SECRET { "file" } else { "folder" };
        let there = |path: &String| host.stat(path.as_bytes()).is_ok_and(|stat| stat.is_dir() == (*key != SECRET));
        let given = named.is_some();
        let Some(path) = named.or_else(|| usual.into_iter().find(there)) else { continue };
        let inside = || {
            let (root, real) = (host.realpath(b".").ok()?, host.realpath(path.as_bytes()).ok()?);
            (real.strip_prefix(root.as_slice())?.starts_with(b"/")).then_some(())
        };
        if inside().is_some() {
            let path = crate::input::config::absolute(&repository.cwd, &path);
            all.push(format!("{setting}={}", Json::String(path)));
        } else if given {
            let line = format!("{key} {path} of the suite {suite}: there is no such {kind} in the repository");
            if !repository.skipped.contains(&line) {
                repository.skipped.push(line);
            }
        }
    }
    all
}

/// The Policyfile's run list for a suite, read statically if possible, else by evaluating the file; with the file's name.
fn policy(host: &RealHost, settings: &Map<String, Json>) -> (Vec<String>, String) {
    let text = |key: &str| settings.get(key).and_then(Json::as_str);
    let (named, path) = (text("named_run_list"), text("policyfile_path").or(text("policyfile")));
    let file = path.unwrap_or("Policyfile.rb");
    let Ok(bytes) = compose::read_file(host, file.as_bytes()) else { return (Vec::new(), file.to_string()) };
    let found = match rchef_lint::policy_run_list(&bytes, named) {
        found if !found.is_empty() => found,
        _ => super::policyfile::run_list(path, named).unwrap_or_default(),
    };
    (found, file.to_string())
}

#[cfg(test)]
mod tests {
    use crate::stubs::json;
    use rchef_lint::config::yaml::Value;

    #[test]
    fn attributes() {
        let value = json(&Value::parse("a: 1\nb: '1'\nc: [true, x]\nd: \ne: 1.5\n").unwrap());
        assert_eq!(value.to_string(), r#"{"a":1,"b":"1","c":[true,"x"],"d":null,"e":1.5}"#);
    }
}
