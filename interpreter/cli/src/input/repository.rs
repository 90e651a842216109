//! Finds the chef-repo and its configuration file.

use rchef_host::files::lexical;
use rchef_host::{Host, Processes, compose};

/// A directory that contains one of these is a chef-repo.
const MARKS: [&str; 2] = ["cookbooks", "cookbook_artifacts"];
/// Directories of a chef-repo other than its cookbooks.
const PARTS: [&str; 8] =
    ["roles", "environments", "data_bags", "nodes", "clients", "policies", "policy_groups", "policyfiles"];
/// Names of the configuration file in `.chef`.
const CONFIGS: [&str; 2] = ["config.rb", "knife.rb"];

/// `path` and the directories above it, without the root.
fn upwards(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |here| here.rsplit_once('/').map(|(above, _)| above))
        .filter(|here| !here.is_empty())
}

fn is_there(host: &dyn Host, path: &str) -> bool {
    compose::exists(host, path.as_bytes())
}

/// The nearest directory at or above `cwd` that contains cookbooks or cookbook artifacts.
pub fn find(host: &dyn Host, cwd: &str) -> Option<String> {
    upwards(cwd).find(|here| MARKS.iter().any(|name| is_there(host, &format!("{here}/{name}")))).map(str::to_string)
}

/// The chef-repo of configured cookbook paths, as Chef derives it: the parent directory; of several the first that contains other parts of
/// a chef-repo.
pub fn of_cookbooks(host: &dyn Host, cookbook_paths: &[String]) -> Option<String> {
    let above = above(cookbook_paths);
    let holds_more = |above: &&String| PARTS.iter().any(|name| is_there(host, &format!("{above}/{name}")));
    above.iter().find(holds_more).or(above.first()).cloned()
}

/// The parent directories of cookbook paths.
pub fn above(cookbook_paths: &[String]) -> Vec<String> {
    cookbook_paths.iter().filter_map(|path| folder_of(path)).collect()
}

/// The parent directory of a path, without `.` and `..`.
fn folder_of(path: &str) -> Option<String> {
    let path = String::from_utf8_lossy(&lexical(path.as_bytes())).into_owned();
    let (above, _) = path.rsplit_once('/')?;
    Some(if above.is_empty() { "/".into() } else { above.to_string() })
}

/// The configuration file of a workstation: in KNIFE_HOME, in the nearest `.chef` at or above `cwd`, in `~/.chef`.
pub fn workstation_config(host: &dyn Host, cwd: &str, home: &str) -> Option<String> {
    let knife_home = Processes::env(host, b"KNIFE_HOME").map(|path| String::from_utf8_lossy(&path).into_owned());
    let nearest = upwards(cwd).map(|here| format!("{here}/.chef")).find(|folder| is_there(host, folder));
    let folders = knife_home.into_iter().chain(nearest).chain(Some(format!("{home}/.chef")));
    let files = folders.flat_map(|folder| CONFIGS.map(|name| format!("{folder}/{name}")));
    files.into_iter().find(|path| is_there(host, path))
}

/// The configuration file in `.chef` of a chef-repo, at or above `cwd`.
pub fn own_config(host: &dyn Host, cwd: &str, repository: &str) -> Option<String> {
    let within = upwards(cwd).take_while(|here| here.starts_with(repository));
    let files = within.flat_map(|here| CONFIGS.map(|name| format!("{here}/.chef/{name}")));
    files.into_iter().find(|path| is_there(host, path))
}

/// Whether a path is the chef-repo or below it, without resolving links.
pub fn holds(repository: &str, path: &str) -> bool {
    let (repository, path) = (lexical(repository.as_bytes()), lexical(path.as_bytes()));
    path.strip_prefix(&repository[..]).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// As [`holds`], with links resolved.
pub fn really_holds(host: &dyn Host, repository: &str, path: &str) -> bool {
    match (host.realpath(repository.as_bytes()), host.realpath(path.as_bytes())) {
        (Ok(repository), Ok(path)) => {
            path.strip_prefix(&repository[..]).is_some_and(|rest| rest.first() == Some(&b'/'))
        }
        _ => false,
    }
}

/// Where Berkshelf and chef-cli cache cookbooks for this user.
pub fn caches(host: &dyn Host) -> Vec<String> {
    let home = |name: &[u8]| Processes::env(host, name).map(|path| String::from_utf8_lossy(&path).into_owned());
    let Some(user) = home(b"HOME") else { return Vec::new() };
    let berkshelf = home(b"BERKSHELF_PATH").unwrap_or_else(|| format!("{user}/.berkshelf"));
    let mut found = vec![format!("{berkshelf}/cookbooks")];
    found.extend([".chef-workstation", ".chefdk"].map(|tool| format!("{user}/{tool}/cache/cookbooks")));
    found.retain(|path| is_there(host, path));
    found
}
