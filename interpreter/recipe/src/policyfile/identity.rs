//! Which cookbook it is: identifiers of contents, revisions of locks, what git knows of a directory.

use crate::cookbook::Cookbook;
use openssl::hash::{MessageDigest, hash};
use rchef_host::{CommandSpec, Host, compose};
use rchef_model::policyfile::{fingerprint, revision_text};
use serde_json::{Value as Json, json};

/// A file that servers leave in cookbooks, which is no part of them.
const OF_SERVER: &str = ".uploaded-cookbook-version.json";

fn hex(kind: MessageDigest, bytes: &[u8]) -> String {
    let digest = hash(kind, bytes).map(|digest| digest.to_vec()).unwrap_or_default();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The identifier of a cookbook's files, those that chefignore leaves out not counted.
pub fn identifier(host: &dyn Host, cookbook: &Cookbook) -> rchef_host::Result<String> {
    let mut files = Vec::new();
    for path in &cookbook.files {
        if path.rsplit('/').next() == Some(OF_SERVER) {
            continue;
        }
        let bytes = compose::read_file(host, format!("{}/{path}", cookbook.root).as_bytes())?;
        files.push((path.clone(), hex(MessageDigest::md5(), &bytes)));
    }
    Ok(hex(MessageDigest::sha1(), fingerprint(&files).as_bytes()))
}

/// `revision_id` of a lock.
pub fn revision(lock: &Json) -> String {
    hex(MessageDigest::sha256(), revision_text(lock).as_bytes())
}

/// `scm_info`: what git says of the checkout that a directory lies in; null when it lies in none, or there is no git.
pub fn scm_info(host: &dyn Host, root: &str) -> Json {
    let mut above = std::iter::successors(Some(root), |dir| dir.rsplit_once('/').map(|(up, _)| up));
    if !above.any(|dir| compose::exists(host, format!("{dir}/.git").as_bytes())) {
        return Json::Null;
    }
    let git = |words: &[&str]| -> Option<(bool, String)> {
        let mut spec = CommandSpec::argv(std::iter::once("git").chain(words.iter().copied())).captured();
        spec.cwd = Some(root.as_bytes().to_vec());
        let done = rchef_host::processes::run(host, &spec).ok()?;
        Some((done.status.success(), String::from_utf8_lossy(&done.stdout).trim().to_string()))
    };
    let text = |words: &[&str]| git(words).filter(|(fine, text)| *fine && !text.is_empty()).map(|(_, text)| text);
    let Some((_, _)) = git(&["--version"]) else { return Json::Null };
    let revision = text(&["rev-parse", "HEAD"]);
    let branch = text(&["rev-parse", "--abbrev-ref", "HEAD"]);
    let remote = branch.and_then(|branch| text(&["config", "--get", &format!("branch.{branch}.remote")]));
    let remote = remote.filter(|name| name != ".");
    let address = remote.and_then(|name| text(&["config", "--get", &format!("remote.{name}.url")]));
    let clean = git(&["diff-files", "--quiet"]).is_some_and(|(fine, _)| fine);
    let branches = revision.as_ref().and_then(|revision| text(&["branch", "-r", "--contains", revision]));
    let branches: Vec<String> =
        branches.iter().flat_map(|text| text.lines()).map(|line| line.trim().to_string()).collect();
    json!({
        "scm": "git",
        "remote": address,
        "revision": revision,
        "working_tree_clean": clean,
        "published": !branches.is_empty(),
        "synchronized_remote_branches": branches,
    })
}

#[cfg(test)]
mod tests {
    use super::revision;
    use serde_json::json;

    /// The figures are those of a lock in public, which chef-cli made.
    #[test]
    fn the_revision_of_a_lock_that_chef_cli_made() {
        let lock = json!({
            "name": "varnish",
            "run_list": ["recipe[test::default]"],
            "named_run_lists": {"default": ["recipe[test::default]"], "distro": ["recipe[test::distro]"], "full_stack": ["recipe[test::full_stack]"]},
            "cookbook_locks": {"test": {"identifier": "9f51b46453623e5e00569cfca8df877c3044c59d"}, "varnish": {"identifier": "ac07b0c01fca0a67acabb916c3e14e0b9f162215"}, "yum": {"identifier": "a4f3da1691d5c1bcd08e339bed45d3babcbf420a"}, "yum-epel": {"identifier": "e001464b1be96e91578d9f2eae7db84345d2c611"}},
            "default_attributes": {},
            "override_attributes": {},
        });
        assert_eq!(revision(&lock), "fdd2c5203fbea00951d8183f0b6172dcadf8b1a7ce604a4f2e348c0cfd1f19d1");
    }
}
