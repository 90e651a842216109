//! A temporary chef-repo for a directory that is a single cookbook: links to it, and to the cookbooks of its tests and of Berkshelf.

use rchef_host::{FileKind, Files, HostError, RealHost, compose};
use std::collections::BTreeMap;

/// Directories of other cookbooks inside a cookbook: those of tests, and vendored ones.
const OTHERS: [&str; 5] =
    ["test/cookbooks", "test/fixtures/cookbooks", "test/integration/cookbooks", "berks-cookbooks", "vendor/cookbooks"];

/// Whether a directory is a cookbook and not a chef-repo.
pub fn is_cookbook(host: &RealHost, root: &str) -> bool {
    let has = |name: &str| compose::exists(host, format!("{root}/{name}").as_bytes());
    !has("cookbooks") && has("metadata.rb")
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
fn named(metadata: &[u8]) -> Option<String> {
    let name = rchef_lint::cookbook_name(metadata)?;
    (!name.is_empty() && !name.contains(['/', '\0']) && name != "." && name != "..").then_some(name)
}

/// Creates the chef-repo in the empty directory `folder`. Gives the cookbooks with their paths relative to `root`, which is absolute.
///
/// # Errors
/// The metadata cannot be read, or a link cannot be created.
pub fn around(host: &RealHost, root: &str, folder: &str) -> Result<BTreeMap<String, String>, String> {
    let metadata = compose::read_file(host, format!("{root}/metadata.rb").as_bytes())
        .map_err(|error| format!("{root}/metadata.rb: {}", error.message()))?;
    let own = root.rsplit('/').next().unwrap_or_default().to_string();
    let mut cookbooks = BTreeMap::from([(named(&metadata).unwrap_or(own), String::new())]);
    for place in OTHERS {
        for entry in host.readdir(format!("{root}/{place}").as_bytes()).unwrap_or_default() {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            let path = format!("{place}/{name}");
            let file = |file: &str| format!("{root}/{path}/{file}").into_bytes();
            let described = ["metadata.rb", "metadata.json"].iter().any(|name| compose::exists(host, &file(name)));
            if described && entry.kind != FileKind::File {
                let own = compose::read_file(host, &file("metadata.rb")).ok();
                let own = own.and_then(|bytes| named(&bytes)).unwrap_or(name);
                cookbooks.entry(own).or_insert(path);
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
