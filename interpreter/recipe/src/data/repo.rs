//! Reading the chef-repo's JSON: `data_bags/BAG/ITEM.json`, `nodes/NAME.json`, `roles`, `environments`, `clients`.

use crate::run::run_mut;
use rchef_host::{FileKind, compose};
use rchef_ruby::{Res, Vm};
use serde_json::Value as Json;

/// Folders of the chef-repo that a setting can put elsewhere.
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

/// The directories that a path below the chef-repo may be in, by its first folder: what a setting (`data_bag_path` and its like) names, else the
/// chef-repo's own. Each is joined with the rest of the path.
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

/// Where a path below the chef-repo is: of several directories that a setting names in the first that has it, as Chef looks for it. Where none
/// has it, it belongs into the first that exists.
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

/// The places that a setting names.
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

/// What a directory of the chef-repo holds, sorted; nothing when it does not exist.
#[derive(Default)]
pub struct Listing {
    /// Names of regular files.
    pub files: Vec<String>,
    /// Names of directories.
    pub folders: Vec<String>,
}

/// Reads a directory of the chef-repo; names that begin with a dot are left out.
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
                // a link counts as what it leads to
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

/// Names in a directory of the chef-repo, sorted; none when it does not exist. `dirs` asks for directories, else regular files.
pub fn names(vm: &mut Vm, below: &str, dirs: bool) -> Vec<String> {
    let found = listing(vm, below);
    if dirs { found.folders } else { found.files }
}

/// Names of the `.json` files in a directory of the chef-repo, without the ending.
pub fn json_names(vm: &mut Vm, below: &str) -> Vec<String> {
    names(vm, below, false).iter().filter_map(|name| name.strip_suffix(".json").map(str::to_string)).collect()
}

/// The bytes of a file of the chef-repo; None when it does not exist.
pub fn bytes(vm: &mut Vm, below: &str) -> Res<Option<Vec<u8>>> {
    let (host, file) = (vm.host.clone(), path(vm, below));
    if !compose::exists(&*host, file.as_bytes()) {
        return Ok(None);
    }
    compose::read_file(&*host, file.as_bytes()).map(Some).map_err(|error| vm.host_error(&error))
}

/// A JSON file of the chef-repo; None when it does not exist, RuntimeError when it is not JSON.
pub fn json(vm: &mut Vm, below: &str) -> Res<Option<Json>> {
    match bytes(vm, below)? {
        None => Ok(None),
        Some(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|error| crate::run::not_json(vm, below, &error))
        }
    }
}

/// What counts of a saved node in the next run: all but the levels of attributes that every run makes anew. None when it was never saved.
pub fn saved_node(vm: &mut Vm, name: &str) -> Res<Option<Json>> {
    let below = format!("nodes/{name}.json");
    let Some(bytes) = bytes(vm, &below)? else { return Ok(None) };
    let text = rchef_model::skim::without(&bytes, &["automatic", "default", "override"]);
    if let Some(Ok(node)) = text.as_deref().map(serde_json::from_slice) {
        return Ok(Some(node));
    }
    // what is wrong is told of the whole file, whose lines count
    serde_json::from_slice(&bytes).map(Some).map_err(|error| crate::run::not_json(vm, &below, &error))
}

/// Whether a name stays inside its directory.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains('/')
}

/// Ids of a data bag's items; None when there is no such bag.
pub fn bag(vm: &mut Vm, bag: &str) -> Res<Option<Vec<String>>> {
    if !is_plain(bag) || !names(vm, "data_bags", true).iter().any(|name| name == bag) {
        return Ok(None);
    }
    Ok(Some(json_names(vm, &format!("data_bags/{bag}"))))
}
/// A data bag item; None when there is none.
pub fn item(vm: &mut Vm, bag: &str, id: &str) -> Res<Option<Json>> {
    if !is_plain(bag) || id.contains('/') {
        return Ok(None);
    }
    Ok(json(vm, &format!("data_bags/{bag}/{id}.json"))?.map(rchef_model::data_bag::raw_data))
}

/// The text of `Chef::Config[key]`; None when it is not set.
pub fn setting(vm: &mut Vm, key: &'static str) -> Res<Option<String>> {
    let value = crate::chef_class::setting(vm, key)?;
    if value.is_nil() { Ok(None) } else { vm.to_s_text(&value).map(Some) }
}
