//! Context of the static rules: the cookbooks around the checked files, and the resources that Chef ships.

use super::parallel::on_all;
use crate::resources::{actions, lineage};
use rchef_host::{FileKind, Files, RealHost, compose};
use rchef_lint::known::{Cookbook, Known, Shipped};
use rchef_providers::register::ALL;
use std::collections::{BTreeMap, BTreeSet};

/// Directories of a cookbook that are read.
const FOLDERS: &[&str] = &["attributes", "definitions", "libraries", "providers", "recipes", "resources", "templates"];
/// Files at a cookbook's root that are read.
const FILES: &[&str] = &["metadata.json", "metadata.rb", "attributes.rb", "recipe.rb"];
/// Directories of a cookbook that its dependencies are fetched into.
const VENDORED: [&str; 2] = ["berks-cookbooks", "vendor/cookbooks"];
/// Maximum depth of directories.
const DEEPEST: usize = 8;

/// Reads the cookbooks of the files and their sibling cookbooks, and those of chef-repos (empty, or with a trailing slash) whose documents are checked.
pub fn known<'p>(host: &RealHost, paths: impl Iterator<Item = &'p str>, bases: &BTreeSet<&str>) -> Known {
    let mut roots: BTreeSet<String> = BTreeSet::new();
    for path in paths {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut parts = folder.rsplit('/');
        let own = parts.next().unwrap_or_default();
        if path.ends_with("metadata.rb") {
            roots.insert(slashed(folder));
        } else if FOLDERS.contains(&own) {
            roots.insert(slashed(folder.strip_suffix(own).unwrap_or_default().trim_end_matches('/')));
        }
    }
    let mut parents: BTreeSet<String> = roots.iter().filter_map(|root| parent(host, root)).collect();
    parents.extend(bases.iter().map(|base| format!("{base}cookbooks/")));
    // what is excluded from the check, as vendored cookbooks often are, defines names all the same
    let vendored = |root: &String| VENDORED.map(|folder| format!("{root}{folder}/"));
    parents.extend(
        roots.iter().flat_map(vendored).filter(|path| compose::exists(host, path.as_bytes())).collect::<Vec<_>>(),
    );
    for parent in parents {
        for entry in host.readdir(if parent.is_empty() { b"." } else { parent.as_bytes() }).unwrap_or_default() {
            if let (FileKind::Directory | FileKind::Symlink, Ok(name)) = (entry.kind, String::from_utf8(entry.name)) {
                roots.insert(format!("{parent}{name}/"));
            }
        }
    }
    let roots: Vec<String> = roots.into_iter().collect();
    let managers = ["Berksfile", "Policyfile.rb", "Policyfile.lock.json", "Cheffile", "Puppetfile"];
    let fetched = roots.iter().any(|root| brings(host, root, &managers))
        || bases.iter().chain([&""]).any(|base| brings(host, base, &managers));
    let mut known = Known { shipped: shipped(), fetched, ..Known::default() };
    for cookbook in on_all(&roots, |host, root| cookbook(host, root)).into_iter().flatten() {
        known.add(cookbook);
    }
    known
}

/// Whether a folder has one of the files.
fn brings(host: &RealHost, folder: &str, files: &[&str]) -> bool {
    files.iter().any(|file| compose::exists(host, format!("{folder}{file}").as_bytes()))
}

fn slashed(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

/// The directory that may contain sibling cookbooks; for the current directory only if the parent's name contains `cookbooks`.
fn parent(host: &RealHost, root: &str) -> Option<String> {
    let folder = root.trim_end_matches('/');
    if !folder.is_empty() {
        return Some(slashed(folder.rsplit_once('/').map_or("", |(parent, _)| parent)));
    }
    let cwd = String::from_utf8_lossy(&host.getcwd().ok()?).into_owned();
    cwd.rsplit('/').nth(1).filter(|name| name.contains("cookbooks")).map(|_| "../".to_string())
}

fn cookbook(host: &RealHost, root: &str) -> Option<Cookbook> {
    let mut files = Vec::new();
    for name in FILES {
        if let Ok(bytes) = compose::read_file(host, format!("{root}{name}").as_bytes()) {
            files.push(((*name).to_string(), bytes));
        }
    }
    let described = files.iter().any(|(name, _)| name.starts_with("metadata"));
    if !described {
        return None;
    }
    for folder in FOLDERS {
        read(host, root, folder, 0, &mut files);
    }
    let cwd = host.getcwd().unwrap_or_default();
    let here = String::from_utf8_lossy(&cwd).into_owned();
    let folder = root.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty());
    Some(Cookbook::read(root, folder.unwrap_or_else(|| here.rsplit('/').next().unwrap_or_default()), &files))
}

fn read(host: &RealHost, root: &str, folder: &str, depth: usize, files: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = host.readdir(format!("{root}{folder}").as_bytes()) else { return };
    for entry in entries {
        let Ok(name) = String::from_utf8(entry.name) else { continue };
        let inner = format!("{folder}/{name}");
        match entry.kind {
            FileKind::Directory if depth < DEEPEST => read(host, root, &inner, depth + 1, files),
            FileKind::File if [".rb", ".erb", ".json", ".yml", ".yaml"].iter().any(|end| name.ends_with(end)) => {
                if let Ok(bytes) = compose::read_file(host, format!("{root}{inner}").as_bytes()) {
                    files.push((inner, bytes));
                }
            }
            _ => {}
        }
    }
}

/// Chef's resources by every name of the DSL; a name of several classes has the actions and properties of all of them.
fn shipped() -> BTreeMap<&'static str, Shipped> {
    let mut all: BTreeMap<&'static str, Shipped> = BTreeMap::new();
    for def in ALL {
        for name in def.provides.iter().map(|provides| provides.name).chain([def.name]) {
            let entry = all.entry(name).or_default();
            entry.actions.extend(actions(def));
            for part in lineage(def) {
                let properties = part.properties.iter().chain(part.shared.iter().copied().flatten());
                entry.properties.extend(properties.map(|property| property.name));
                entry.properties.extend(part.accessors);
                entry.properties.extend(part.aliases.iter().map(|(new, _)| *new));
                entry.properties.extend(part.deprecated_aliases.iter().map(|(old, ..)| *old));
                entry.properties.extend(part.methods.iter().map(|method| method.name));
            }
        }
    }
    all
}
