//! Reads the chef-repo's JSON files: `data_bags/BAG/ITEM.json`, `nodes/NAME.json`, `roles`, `environments`, `clients`.

use crate::run::run_mut;
use rchef_host::{FileKind, compose};
use rchef_ruby::{Res, Vm};
use serde_json::Value as Json;

/// Folders of the chef-repo, each with the setting that can relocate it.
pub const PLACES: [(&str, &str); 8] = [
    ("data_bags", "data_bag_path"),
    ("roles", "role_path"),
    ("environments", "environment_path"),
    ("nodes", "node_path"),
    ("clients", "client_path"),
    ("policies", "policy_path"),
    ("policy_groups", "policy_group_path"),
    ("cookbook_artifacts", "cookbook_artifact_path"),
];

/// The possible locations of a path in the chef-repo: in the directories of its first folder's setting (`data_bag_path` and similar ones), else in
/// the chef-repo itself.
pub fn places(vm: &mut Vm, below: &str) -> Vec<String> {
    let repo = run_mut(vm).repo.clone();
    let (first, rest) = below.split_at(below.find('/').unwrap_or(below.len()));
    let configured = match PLACES.iter().find(|place| place.0 == first) {
        Some((_, key)) => configured(vm, key),
        None => Vec::new(),
    };
    if configured.is_empty() {
        return vec![format!("{repo}/{below}")];
    }
    let joined = configured.into_iter().map(|place| match place.starts_with('/') {
        true => format!("{place}{rest}"),
        false => format!("{repo}/{place}{rest}"),
    });
    joined.collect()
}

/// The location of a path in the chef-repo. If a setting gives several directories, it is the first that contains the path, as in Chef, else the
/// first that exists.
pub fn path(vm: &mut Vm, below: &str) -> String {
    let mut places = places(vm, below);
    if places.len() > 1 {
        let host = vm.host.clone();
        let first = |paths: &[String]| paths.iter().position(|path| compose::exists(&*host, path.as_bytes()));
        let at = first(&places).or_else(|| first(&self::places(vm, below.split('/').next().unwrap_or_default())));
        return places.swap_remove(at.unwrap_or(0));
    }
    places.pop().unwrap_or_default()
}

/// The directories that a setting gives.
fn configured(vm: &mut Vm, key: &'static str) -> Vec<String> {
    let mut read = || -> Res<Vec<String>> {
        let value = crate::chef_class::setting(vm, key)?;
        if value.is_nil() {
            return Ok(Vec::new());
        }
        let places = vm.to_array(&value)?;
        places.iter().map(|place| vm.to_s_text(place)).collect()
    };
    let places = read().unwrap_or_default();
    let places = places.iter().map(|place| place.trim_end_matches('/').to_string());
    places.filter(|place| !place.is_empty()).collect()
}

/// The entries of a directory in the chef-repo, sorted; empty if it does not exist.
#[derive(Default)]
pub struct Listing {
    /// Names of regular files.
    pub files: Vec<String>,
    /// Names of directories.
    pub folders: Vec<String>,
}

/// Reads a directory in the chef-repo; names that begin with a dot are left out.
pub fn listing(vm: &mut Vm, below: &str) -> Listing {
    let host = vm.host.clone();
    let mut found = Listing::default();
    for dir in places(vm, below) {
        let Ok(entries) = host.readdir(dir.as_bytes()) else { continue };
        for entry in entries {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            let is_dir = match entry.kind {
                FileKind::Directory => Some(true),
                FileKind::File => Some(false),
                // a symbolic link counts as its target
                _ => match host.stat(format!("{dir}/{name}").as_bytes()) {
                    Ok(stat) if stat.is_dir() => Some(true),
                    Ok(stat) if stat.is_file() => Some(false),
                    _ => None,
                },
            };
            match is_dir {
                _ if name.starts_with('.') => {}
                Some(true) => found.folders.push(name),
                Some(false) => found.files.push(name),
                None => {}
            }
        }
    }
    for names in [&mut found.files, &mut found.folders] {
        names.sort();
        names.dedup();
    }
    found
}

/// The names in a directory of the chef-repo, sorted; empty if it does not exist. `dirs` selects directories, otherwise regular files.
pub fn names(vm: &mut Vm, below: &str, dirs: bool) -> Vec<String> {
    let found = listing(vm, below);
    if dirs { found.folders } else { found.files }
}

/// The names of the `.json` files in a directory of the chef-repo, without the extension.
pub fn json_names(vm: &mut Vm, below: &str) -> Vec<String> {
    names(vm, below, false).iter().filter_map(|name| name.strip_suffix(".json").map(str::to_string)).collect()
}

/// The content of a file in the chef-repo; None if it does not exist.
pub fn bytes(vm: &mut Vm, below: &str) -> Res<Option<Vec<u8>>> {
    let (host, file) = (vm.host.clone(), path(vm, below));
    if !compose::exists(&*host, file.as_bytes()) {
        return Ok(None);
    }
    compose::read_file(&*host, file.as_bytes()).map(Some).map_err(|error| vm.host_error(&error))
}

/// A JSON file in the chef-repo; None if it does not exist. Raises RuntimeError if it is not JSON.
pub fn json(vm: &mut Vm, below: &str) -> Res<Option<Json>> {
    match bytes(vm, below)? {
        None => Ok(None),
        Some(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|error| crate::run::not_json(vm, below, &error))
        }
    }
}

/// A saved node without the attribute levels that every run builds again; None if it was never saved.
pub fn saved_node(vm: &mut Vm, name: &str) -> Res<Option<Json>> {
    let below = format!("nodes/{name}.json");
    let Some(bytes) = bytes(vm, &below)? else { return Ok(None) };
    let text = rchef_model::skim::without(&bytes, &["automatic", "default", "override"]);
    if let Some(Ok(node)) = text.as_deref().map(serde_json::from_slice) {
        return Ok(Some(node));
    }
    // parses the whole file for an error with the right line number
    serde_json::from_slice(&bytes).map(Some).map_err(|error| crate::run::not_json(vm, &below, &error))
}

/// Whether a name cannot leave its directory.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains('/')
}

/// The IDs of a data bag's items; None if the bag does not exist.
pub fn bag(vm: &mut Vm, bag: &str) -> Res<Option<Vec<String>>> {
    if !is_plain(bag) || !names(vm, "data_bags", true).iter().any(|name| name == bag) {
        return Ok(None);
    }
    Ok(Some(json_names(vm, &format!("data_bags/{bag}"))))
}
/// A data bag item; None if it does not exist.
pub fn item(vm: &mut Vm, bag: &str, id: &str) -> Res<Option<Json>> {
    if !is_plain(bag) || id.contains('/') {
        return Ok(None);
    }
    Ok(json(vm, &format!("data_bags/{bag}/{id}.json"))?.map(rchef_model::data_bag::raw_data))
}

/// The text of `Chef::Config[key]`; None if it is not set.
pub fn setting(vm: &mut Vm, key: &'static str) -> Res<Option<String>> {
    let value = crate::chef_class::setting(vm, key)?;
    if value.is_nil() { Ok(None) } else { vm.to_s_text(&value).map(Some) }
}
