//! Suites of Test Kitchen's configuration as units.

use super::unit::{Repository, Unit};
use crate::stubs::{json, merge};
use rchef_host::{Files, Processes, RealHost, compose};
use rchef_lint::config::yaml::Value;
use serde_json::{Map, Value as Json};

/// Names of the configuration file, and of the one with local overrides.
const NAMES: &[&str] = &["kitchen.yml", ".kitchen.yml"];
const LOCAL: &[&str] = &["kitchen.local.yml", ".kitchen.local.yml"];

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
    let Some((name, mut document)) = read(host, "KITCHEN_YAML", NAMES)? else {
        return Err("there is no kitchen.yml here".into());
    };
    if let Some((_, local)) = read(host, "KITCHEN_LOCAL_YAML", LOCAL)? {
        merge(&mut document, &local);
    }
    let document = Json::Object(document);
    let platforms = platforms(repository, &name, &document, asked);
    let mut units = Vec::new();
    for suite in document["suites"].as_array().into_iter().flatten() {
        let suite_name = suite["name"].as_str().unwrap_or("suite").to_string();
        let named = |key: &str| -> Vec<String> { texts(&suite[key]).iter().map(|name| simulated(name)).collect() };
        let (includes, excludes) = (named("includes"), named("excludes"));
        for (platform, own) in &platforms {
            if excludes.contains(platform) || !includes.is_empty() && !includes.contains(platform) {
                continue;
            }
            let settings = settings(&[&document, own, suite]);
            let mut run_list: Vec<String> = [own, suite].iter().flat_map(|part| run_list(part)).collect();
            if run_list.is_empty() {
                run_list = policy(host, &settings);
            }
            if run_list.is_empty() {
                run_list = self::run_list(&document);
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
                    let file = format!("suite-{suite_name}-{platform}");
                    Some(repository.write(host, &file, attributes.to_string().as_bytes())?)
                }
                _ => None,
            };
            units.push(Unit {
                name: format!("suite {suite_name} on {platform}"),
                run_list: run_list.join(","),
                platform: Some(platform.clone()),
                json,
                environment: settings.get("client_rb").and_then(|set| set["environment"].as_str()).map(str::to_string),
                settings: folders(host, repository, &suite_name, &settings),
                origin: Some(name.clone()),
                ..Unit::default()
            });
        }
    }
    Ok(units)
}

/// Reads the file that the environment variable names, or the first existing one of `names`; gives its name too.
fn read(host: &RealHost, variable: &str, names: &[&str]) -> Result<Option<(String, Map<String, Json>)>, String> {
    let named = host.env(variable.as_bytes()).filter(|path| !path.is_empty());
    let named = named.map(|path| String::from_utf8_lossy(&path).into_owned());
    let usual = || names.iter().find(|name| compose::exists(host, name.as_bytes())).map(|name| (*name).to_string());
    let Some(name) = named.or_else(usual) else { return Ok(None) };
    let bytes = compose::read_file(host, name.as_bytes()).map_err(|error| format!("{name}: {}", error.message()))?;
    let variable = |name: &str| host.env(name.as_bytes()).map(|value| String::from_utf8_lossy(&value).into_owned());
    let text = without_code(&variable, &String::from_utf8_lossy(&bytes));
    let value = Value::parse(&text).map_err(|error| format!("{name}: {error}"))?;
    match json(&value) {
        Json::Object(map) => Ok(Some((name, map))),
        _ => Ok(Some((name, Map::new()))),
    }
}

/// The platforms that have simulated facts, by the names of the facts, with their configuration; if `asked` is not empty, the requested platforms.
fn platforms(repository: &mut Repository, name: &str, document: &Json, asked: &[String]) -> Vec<(String, Json)> {
    let known = rchef_providers::facts::names();
    let mut all: Vec<(String, Json)> = Vec::new();
    for platform in document["platforms"].as_array().into_iter().flatten() {
        let Some(named) = platform["name"].as_str() else { continue };
        let simulated = simulated(named);
        if known.contains(&simulated.as_str()) {
            all.push((simulated, platform.clone()));
        } else if asked.is_empty() {
            repository.skipped.push(format!("{name}: there are no simulated facts of the platform {named}"));
        }
    }
    if asked.is_empty() {
        return all;
    }
    let own = |name: &String| all.iter().find(|(known, _)| known == name).map_or(Json::Null, |(_, own)| own.clone());
    asked.iter().map(|name| (name.clone(), own(name))).collect()
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

/// The name of the simulated facts for a platform name of Kitchen.
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
    let name = name.to_ascii_lowercase();
    let renamed = other.iter().find_map(|(image, facts)| Some(format!("{facts}{}", name.strip_prefix(image)?)));
    let name = renamed.unwrap_or(name);
    let known = rchef_providers::facts::names();
    let known = |name: &String| known.contains(&name.as_str());
    // `centos-7.3` is a `centos-7`, `windows-2012-r2` a `windows-2012r2`
    let release = name.rsplit_once('.').map(|(release, _)| release.to_string());
    let joined = name.strip_suffix("-r2").map(|name| format!("{name}r2"));
    match [release, joined].into_iter().flatten().find(known) {
        Some(other) if !known(&name) => other,
        _ => name,
    }
}

/// The Policyfile's run list for a suite, read statically if possible, else by evaluating the file.
fn policy(host: &RealHost, settings: &Map<String, Json>) -> Vec<String> {
    let text = |key: &str| settings.get(key).and_then(Json::as_str);
    let (named, path) = (text("named_run_list"), text("policyfile_path").or(text("policyfile")));
    let Ok(bytes) = compose::read_file(host, path.unwrap_or("Policyfile.rb").as_bytes()) else { return Vec::new() };
    match rchef_lint::policy_run_list(&bytes, named) {
        found if !found.is_empty() => found,
        _ => super::policyfile::run_list(path, named).unwrap_or_default(),
    }
}

/// Replaces ERB tags that show an environment variable (`<%= ENV['NAME'] %>`) by its value, and removes others, whose results are not known here.
fn without_code(variable: &dyn Fn(&str) -> Option<String>, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<%") {
        out.push_str(&rest[..start]);
        let (code, after) = rest[start + 2..].split_once("%>").unwrap_or_default();
        let quoted = code.trim_start_matches('=').trim().strip_prefix("ENV[").and_then(|name| name.strip_suffix(']'));
        let name = quoted.filter(|_| code.starts_with('=')).map(|name| name.trim_matches(['\'', '"']));
        out.extend(name.and_then(variable));
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::{simulated, without_code};
    use crate::stubs::json;
    use rchef_lint::config::yaml::Value;

    #[test]
    fn attributes() {
        let text = without_code(&|_| None, "a: 1\nb: '1'\nc: [true, x]\nd: <%= ENV['X'] %>\ne: 1.5\n");
        let value = json(&Value::parse(&text).unwrap());
        assert_eq!(value.to_string(), r#"{"a":1,"b":"1","c":[true,"x"],"d":null,"e":1.5}"#);
    }

    #[test]
    fn code() {
        let variable = |name: &str| (name == "X").then(|| "1".to_string());
        for (text, shown) in [
            ("<%= ENV['X'] %>,<%=ENV[\"X\"]%>", "1,1"),
            ("<%= ENV['Y'] %>,<% ENV['X'] %>,<%= x %>", ",,"),
            ("a <%= ENV['X']", "a "),
            ("plain", "plain"),
        ] {
            assert_eq!(without_code(&variable, text), shown);
        }
    }

    #[test]
    fn names_of_platforms() {
        for (image, facts) in [
            ("centos-7.3", "centos-7"),
            ("rockylinux-9", "rocky-9"),
            ("windows-2012-r2", "windows-2012r2"),
            ("windows-2012R2", "windows-2012r2"),
            ("ubuntu-22.04", "ubuntu-22.04"),
            ("ubuntu-14.04", "ubuntu-14.04"),
            ("debian-8.7", "debian-8.7"),
        ] {
            assert_eq!(simulated(image), facts);
        }
    }
}
