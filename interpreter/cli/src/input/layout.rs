//! A temporary chef-repo for a directory that is a single cookbook: links to it, and to the cookbooks of its tests and of Berkshelf.

use rchef_host::files::{absolute, lexical};
use rchef_host::{FileKind, Files, HostError, RealHost, compose};
use rchef_recipe::cookbook::metadata::METADATA;
use std::collections::BTreeMap;

/// Directories of other cookbooks inside a cookbook: those of tests, and vendored ones.
const OTHERS: [&str; 5] =
    ["test/cookbooks", "test/fixtures/cookbooks", "test/integration/cookbooks", "berks-cookbooks", "vendor/cookbooks"];

/// Whether a directory is a cookbook and not a chef-repo.
pub fn is_cookbook(host: &RealHost, root: &str) -> bool {
    let has = |name: &str| compose::exists(host, format!("{root}/{name}").as_bytes());
    METADATA.iter().any(|name| has(name)) && !holds_folders(host, &format!("{root}/cookbooks"))
}

/// Whether a directory has others in it: an empty `cookbooks` is one that a tool will fill.
fn holds_folders(host: &RealHost, folder: &str) -> bool {
    host.readdir(folder.as_bytes()).unwrap_or_default().iter().any(|entry| entry.kind != FileKind::File)
}

/// Where a repository without a `cookbooks` directory has its cookbooks, unless its configuration says so: `site-cookbooks`, or the directory itself.
pub fn cookbook_path(host: &RealHost, root: &str) -> Option<&'static str> {
    let has = |name: &str| compose::exists(host, format!("{root}/{name}").as_bytes());
    let says = |file: &&str| {
        let text = compose::read_file(host, format!("{root}/.chef/{file}").as_bytes()).unwrap_or_default();
        String::from_utf8_lossy(&text).contains("cookbook_path")
    };
    if has("cookbooks") || ["config.rb", "knife.rb"].iter().any(says) {
        return None;
    }
    if has("site-cookbooks") {
        return Some("site-cookbooks");
    }
    let entries = host.readdir(root.as_bytes()).unwrap_or_default();
    let mut names = entries.iter().map(|entry| String::from_utf8_lossy(&entry.name));
    names.any(|name| METADATA.iter().any(|file| has(&format!("{name}/{file}")))).then_some(".")
}

/// The first metadata file of a cookbook, and its content.
fn described(host: &RealHost, cookbook: &str) -> Result<(&'static str, Vec<u8>), String> {
    for name in METADATA {
        match compose::read_opt(host, format!("{cookbook}/{name}").as_bytes()) {
            Ok(Some(content)) => return Ok((name, content)),
            Ok(None) => {}
            Err(error) => return Err(format!("{cookbook}/{name}: {}", error.message())),
        }
    }
    Err(format!("{cookbook} has neither {}", METADATA.join(" nor ")))
}

/// Creates a temporary directory for a command.
///
/// # Errors
/// It cannot be created.
pub fn temporary(host: &RealHost, command: &str) -> Result<String, String> {
    let made = compose::temp_subdir(host, &compose::temp_dir(host), format!("rchef-{command}-").as_bytes(), b"");
    Ok(String::from_utf8_lossy(&made.map_err(not_made)?).into_owned())
}

fn not_made(error: HostError) -> String {
    format!("temporary directory: {}", error.message())
}

/// The name that metadata gives, if it is valid as the name of a link.
fn named((file, metadata): &(&str, Vec<u8>)) -> Option<String> {
    let name = if file.ends_with(".json") {
        serde_json::from_slice::<serde_json::Value>(metadata).ok()?["name"].as_str()?.to_string()
    } else {
        rchef_lint::cookbook_name(metadata)?
    };
    (!name.is_empty() && !name.contains(['/', '\0']) && name != "." && name != "..").then_some(name)
}

/// The cookbooks that the Policyfile or the Berksfile takes from directories inside of the cookbook, with relative paths.
fn by_path(host: &RealHost, root: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in ["Policyfile.rb", "Berksfile"] {
        let text = compose::read_file(host, format!("{root}/{file}").as_bytes()).unwrap_or_default();
        for (name, path) in rchef_lint::cookbook_paths(&text) {
            let whole = lexical(&absolute(root.as_bytes(), path.as_bytes()));
            let whole = String::from_utf8_lossy(&whole);
            let Some(path) = whole.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) else { continue };
            if let Ok(metadata) = described(host, &whole) {
                found.push((named(&metadata).unwrap_or(name), path.to_string()));
            }
        }
    }
    found
}

/// Creates, as `folder`, a directory with links to the cookbooks in the absolute path `given` but those with a name in `own`. Gives the links' names
/// in the chef-repo and the cookbooks' paths; None, and nothing is created, if no name is in `own`.
///
/// # Errors
/// The directory or a link cannot be created.
pub fn without(
    host: &RealHost,
    given: &str,
    folder: &str,
    own: &BTreeMap<String, String>,
) -> Result<Option<BTreeMap<String, String>>, String> {
    let (mut others, mut left_out) = (BTreeMap::new(), false);
    for entry in host.readdir(given.as_bytes()).unwrap_or_default() {
        let file = String::from_utf8_lossy(&entry.name).into_owned();
        let Ok(metadata) = described(host, &format!("{given}/{file}")) else { continue };
        match own.contains_key(&named(&metadata).unwrap_or_else(|| file.clone())) {
            true => left_out = true,
            false => _ = others.insert(file.clone(), format!("{given}/{file}")),
        }
    }
    if !left_out {
        return Ok(None);
    }
    host.mkdir(folder.as_bytes(), 0o755).map_err(not_made)?;
    for (name, target) in &others {
        host.symlink(target.as_bytes(), format!("{folder}/{name}").as_bytes()).map_err(not_made)?;
    }
    Ok(Some(others))
}

/// Creates the chef-repo in the empty directory `folder`. Gives the cookbooks with their paths relative to `root`, which is absolute.
///
/// # Errors
/// The metadata cannot be read, or a link cannot be created.
pub fn around(host: &RealHost, root: &str, folder: &str) -> Result<BTreeMap<String, String>, String> {
    let metadata = described(host, root)?;
    let own = root.rsplit('/').next().unwrap_or_default().to_string();
    let mut cookbooks = BTreeMap::from([(named(&metadata).unwrap_or(own), String::new())]);
    for (name, path) in by_path(host, root) {
        cookbooks.entry(name).or_insert(path);
    }
    for place in OTHERS {
        for entry in host.readdir(format!("{root}/{place}").as_bytes()).unwrap_or_default() {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            let path = format!("{place}/{name}");
            if entry.kind == FileKind::File {
                continue;
            }
            if let Ok(metadata) = described(host, &format!("{root}/{path}")) {
                cookbooks.entry(named(&metadata).unwrap_or(name)).or_insert(path);
            }
        }
    }
    host.mkdir(format!("{folder}/cookbooks").as_bytes(), 0o755).map_err(not_made)?;
    for (name, path) in &cookbooks {
        let target = if path.is_empty() { root.to_string() } else { format!("{root}/{path}") };
        host.symlink(target.as_bytes(), format!("{folder}/cookbooks/{name}").as_bytes()).map_err(not_made)?;
    }
    for name in ["data_bags", "roles", "environments", "nodes"] {
        let places = ["", "test/integration/", "test/fixtures/", "test/"].map(|place| format!("{root}/{place}{name}"));
        if let Some(target) = places.iter().find(|place| compose::exists(host, place.as_bytes())) {
            host.symlink(target.as_bytes(), format!("{folder}/{name}").as_bytes()).map_err(not_made)?;
        }
    }
    Ok(cookbooks)
}
