//! The units that the options request: run lists, recipes, suites and nodes, on the requested platforms.

use super::unit::{Repository, Unit, recipes};
use super::{Options, kitchen};
use crate::diagnostic::counted;
use rchef_host::{FileKind, Files, RealHost, compose};
use rchef_model::skim;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// The units to compile. `usual` are the platforms of the settings.
///
/// # Errors
/// A platform, file or directory does not exist.
pub fn units(
    host: &RealHost,
    repository: &mut Repository,
    options: &Options,
    usual: &[String],
) -> Result<Vec<Unit>, String> {
    let mut all: Vec<Unit> = options
        .run_lists
        .iter()
        .map(|run_list| Unit { name: run_list.clone(), run_list: run_list.clone(), ..Unit::default() })
        .collect();
    if !options.node.options.policies.is_empty() {
        let name = format!("policy {}", options.node.options.policies.join(", "));
        all.push(Unit { name, ..Unit::default() });
    }
    if let Some(lock) = &options.node.options.policy_file {
        if ![".rb", ".lock.json"].iter().any(|ending| lock.ends_with(ending)) {
            return Err(format!("--policyfile {lock}: a policy's file ends in .lock.json or .rb"));
        }
        all.push(Unit { name: format!("policy {lock}"), ..Unit::default() });
    }
    if options.all_recipes {
        all.extend(recipes(host, repository));
    }
    if options.all_roles {
        all.extend(roles(host, repository));
    }
    let asked = platforms(&options.platforms)?;
    let own = !options.platforms.is_empty() || options.ohai.is_some() || options.node.live;
    let platforms = if own { asked.clone() } else { platforms(usual)? };
    let mut units = Vec::new();
    for unit in &all {
        if platforms.is_empty() {
            units.push(Unit { ohai: options.ohai.clone(), ..unit.clone() });
        }
        for platform in &platforms {
            units.push(Unit {
                name: format!("{} on {platform}", unit.name),
                platform: Some(platform.clone()),
                ..unit.clone()
            });
        }
    }
    if options.kitchen {
        units.extend(kitchen::units(host, repository, &asked)?);
    }
    if let Some(folder) = &options.nodes {
        units.extend(nodes(host, repository, folder)?);
    }
    for name in platforms_of(&units) {
        let facts = rchef_providers::facts::simulated(name).unwrap_or_default();
        if system(&facts).is_some_and(|os| os != "linux") {
            repository.skipped.push(not_converged(&format!("nodes of {name}")));
        }
    }
    let cwd = repository.cwd.clone();
    for unit in &mut units {
        for path in [&mut unit.ohai, &mut unit.json].into_iter().flatten() {
            *path = crate::input::config::absolute(&cwd, path);
        }
    }
    Ok(units)
}

/// The simulated platforms of units, each once.
fn platforms_of(units: &[Unit]) -> BTreeSet<&str> {
    units.iter().filter_map(|unit| unit.platform.as_deref()).collect()
}

/// The operating system that facts name.
fn system(facts: &[u8]) -> Option<String> {
    serde_json::from_slice(skim::at_path(facts, &["os".to_string()])?).ok()
}

/// What a compile does not say of nodes that are not Linux.
fn not_converged(what: &str) -> String {
    format!("whether {what} converge: they are only compiled here, for rchef converges Linux; keep Chef for them")
}

/// Expands patterns of platform names.
///
/// # Errors
/// A pattern that no platform has.
pub fn platforms(given: &[String]) -> Result<Vec<String>, String> {
    let known = rchef_providers::facts::names();
    let mut all = Vec::new();
    for pattern in given {
        let found: Vec<String> =
            known.iter().map(|name| name.to_string()).filter(|name| rchef_lint::glob::matches(pattern, name)).collect();
        if found.is_empty() {
            return Err(format!("rchef knows no simulated platform {pattern}; it knows {}", known.join(", ")));
        }
        for name in found {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    Ok(all)
}

/// Every role of the repository.
fn roles(host: &RealHost, repository: &Repository) -> Vec<Unit> {
    let entries = host.readdir(format!("{}/roles", repository.folder).as_bytes()).unwrap_or_default();
    let files = entries.into_iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned());
    let mut names: Vec<String> =
        files.filter_map(|file| file.strip_suffix(".rb").or(file.strip_suffix(".json")).map(str::to_string)).collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .map(|name| Unit { name: format!("role {name}"), run_list: format!("role[{name}]"), ..Unit::default() })
        .collect()
}

/// Folders below the current directory that hold cookbooks, the nearest first.
pub fn elsewhere(host: &RealHost) -> Vec<String> {
    /// How far down, and how many.
    const DEEPEST: usize = 3;
    const NAMES: usize = 3;
    let folders = |path: &str| -> Vec<String> {
        let entries = host.readdir(path.as_bytes()).unwrap_or_default().into_iter();
        let folders = entries.filter(|entry| entry.kind == FileKind::Directory && !entry.name.starts_with(b"."));
        let mut names: Vec<String> = folders.map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
        names.sort();
        names
    };
    let mut found = Vec::new();
    let mut level = folders(".");
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for path in level {
            let inner: Vec<String> = folders(&path).into_iter().map(|name| format!("{path}/{name}")).collect();
            match inner.iter().any(|path| compose::exists(host, format!("{path}/recipes").as_bytes())) {
                true => found.push(path),
                false => next.extend(inner),
            }
        }
        level = next;
    }
    found.truncate(NAMES);
    found
}

/// Reads node objects as `knife download` or a server's backup stores them.
///
/// # Errors
/// The directory cannot be read. Files that cannot be read are among the problems of the repository.
pub fn nodes(host: &RealHost, repository: &mut Repository, folder: &str) -> Result<Vec<Unit>, String> {
    let entries = host.readdir(folder.as_bytes()).map_err(|error| format!("{folder}: {}", error.message()))?;
    let mut files: Vec<String> =
        entries.into_iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
    files.retain(|name| name.ends_with(".json"));
    files.sort();
    let mut units = Vec::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let path = format!("{folder}/{file}");
        let bytes = match compose::read_file(host, path.as_bytes()) {
            Ok(bytes) => bytes,
            Err(error) => {
                repository.problems.push(format!("{path}: {}", error.message()));
                continue;
            }
        };
        let entries = match serde_json::from_slice::<&RawValue>(&bytes) {
            Ok(_) => skim::entries(&bytes).unwrap_or_default(),
            Err(error) => {
                repository.problems.push(format!("{path}: it is not JSON: {error}"));
                continue;
            }
        };
        // the facts are most of the file, so they are not parsed
        let text = |name: &str| {
            let entry = entries.iter().rfind(|entry| skim::key(&bytes, entry).is_some_and(|key| key == name))?;
            bytes.get(entry.1.clone())
        };
        let value =
            |name: &str| -> Json { text(name).and_then(|text| serde_json::from_slice(text).ok()).unwrap_or_default() };
        let name = value("name").as_str().unwrap_or_else(|| file.trim_end_matches(".json")).to_string();
        let run_list = value("run_list");
        let list: Vec<&str> = run_list.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        if list.is_empty() {
            repository.skipped.push(format!("{path}: its run list is empty"));
            continue;
        }
        let platform = ["platform".to_string()];
        let Some(facts) = text("automatic").filter(|facts| skim::at_path(facts, &platform).is_some()) else {
            repository.problems.push(format!("{path}: it has no facts (automatic attributes)"));
            continue;
        };
        if let Some(os) = system(facts).filter(|os| os != "linux") {
            *others.entry(os).or_default() += 1;
        }
        let ohai = Some(repository.write(host, &format!("{name}-facts"), facts)?);
        let mut attributes = value("normal");
        if let Some(map) = attributes.as_object_mut() {
            map.remove("tags");
        }
        let has = attributes.as_object().is_some_and(|map| !map.is_empty());
        let attributes = attributes.to_string();
        let json = match has {
            true => Some(repository.write(host, &format!("{name}-attributes"), attributes.as_bytes())?),
            false => None,
        };
        let environment = value("chef_environment");
        let environment = environment.as_str().filter(|name| *name != "_default").map(str::to_string);
        units.push(Unit {
            name: name.clone(),
            run_list: list.join(","),
            ohai,
            json,
            environment,
            node: Some(name),
            platform: None,
            settings: Vec::new(),
            origin: Some(path),
            section: None,
        });
    }
    for (os, count) in others {
        repository.skipped.push(not_converged(&format!("{} of {os}", counted(count, "node"))));
    }
    Ok(units)
}

/// The arguments that are passed on to `rchef compile`: those of `check` itself are left out.
pub fn forwarded(repository: &Repository, args: &[String]) -> Vec<String> {
    let with_value = [
        "-o",
        "-r",
        "--override-runlist",
        "--runlist",
        "--nodes",
        "--platform",
        "--ohai",
        "--write-stubs",
        "--format",
        "--output",
        "--color",
        "--changed-since",
        "--baseline",
        "--write-baseline",
        "--fail-on",
    ];
    let files = ["--stub", "--policyfile", "-j", "--json-attributes", "--root", "--cookbook-path"];
    let alone = ["--all-recipes", "--all-roles", "--kitchen", "--no-static"];
    // units are compiled in the repository's directory
    let placed = |option: &str, path: &str| {
        let path = crate::input::config::absolute(&repository.cwd, path);
        if option == "--cookbook-path" { repository.cookbook_path(path) } else { path }
    };
    let mut all = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let long =
            |name: &&str| name.starts_with("--") && arg.strip_prefix(*name).is_some_and(|rest| rest.starts_with('='));
        if with_value.contains(&arg.as_str()) {
            rest.next();
        } else if files.contains(&arg.as_str()) {
            let path = rest.next().map(|path| placed(arg, path));
            all.extend(path.into_iter().flat_map(|path| [arg.clone(), path]));
        } else if let Some((name, path)) = arg.split_once('=').filter(|(name, _)| files.contains(name)) {
            all.push(format!("{name}={}", placed(name, path)));
        } else if !alone.contains(&arg.as_str())
            && !with_value.iter().any(long)
            && !arg.starts_with("-o")
            && !arg.starts_with("-r")
        {
            all.push(arg.clone());
        }
    }
    all
}
