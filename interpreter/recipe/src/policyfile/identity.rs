//! Identifiers of cookbooks' contents, revisions of locks, and git's data about a directory.

use crate::cookbook::Cookbook;
use openssl::hash::{MessageDigest, hash};
use rchef_change::file::checksum;
use rchef_host::{CommandSpec, Host, HostError, compose};
use rchef_model::policyfile::{fingerprint, revision_text};
use rchef_ruby::text::digest::hex;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// EOPNOTSUPP on Linux.
const EOPNOTSUPP: i32 = 95;

/// A file that Chef servers add to cookbooks and that is not part of them.
const OF_SERVER: &str = ".uploaded-cookbook-version.json";

/// The identifier of a cookbook's files, without those that chefignore excludes.
///
/// # Errors
/// A file cannot be read, or MD5 is not available (OpenSSL in FIPS mode).
pub fn identifier(host: &dyn Host, cookbook: &Cookbook) -> rchef_host::Result<String> {
    let mut files = Vec::new();
    for path in &cookbook.files {
        if path.rsplit('/').next() == Some(OF_SERVER) {
            continue;
        }
        let full = format!("{}/{path}", cookbook.root);
        let bytes = compose::read_file(host, full.as_bytes())?;
        let sum = hash(MessageDigest::md5(), &bytes).map_err(|_| HostError::at(EOPNOTSUPP, "MD5", full.as_bytes()))?;
        files.push((path.clone(), hex(&sum)));
    }
    Ok(hex(&openssl::sha::sha1(fingerprint(&files).as_bytes())))
}

/// The `revision_id` of a lock.
pub fn revision(lock: &Json) -> String {
    checksum(revision_text(lock).as_bytes())
}

/// git's data about checkouts, by the directory that contains `.git`.
#[derive(Default)]
pub struct Checkouts(BTreeMap<String, Json>);

impl Checkouts {
    /// `scm_info`: git's data about the checkout that contains a directory; null if there is none or git is not installed.
    pub fn scm_info(&mut self, host: &dyn Host, root: &str) -> Json {
        let mut above = std::iter::successors(Some(root), |dir| dir.rsplit_once('/').map(|(up, _)| up));
        match above.find(|dir| compose::exists(host, format!("{dir}/.git").as_bytes())) {
            Some(checkout) => self.0.entry(checkout.into()).or_insert_with(|| of_checkout(host, checkout)).clone(),
            None => Json::Null,
        }
    }
}

fn of_checkout(host: &dyn Host, checkout: &str) -> Json {
    let git = |words: &[&str]| -> Option<(bool, String)> {
        let mut spec = CommandSpec::argv(std::iter::once("git").chain(words.iter().copied())).captured();
        spec.cwd = Some(checkout.as_bytes().to_vec());
        let done = rchef_host::processes::run(host, &spec).ok()?;
        Some((done.status.success(), String::from_utf8_lossy(&done.stdout).trim().to_string()))
    };
    let text = |words: &[&str]| git(words).filter(|(fine, text)| *fine && !text.is_empty()).map(|(_, text)| text);
    let Some((is_born, revision)) = git(&["rev-parse", "HEAD"]) else { return Json::Null };
    let revision = is_born.then_some(revision);
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
    use super::{Checkouts, Json, revision};
    use rchef_host::overlay::Answer;
    use rchef_host::overlay::skeleton::{self, SkeletonEntry};
    use rchef_host::{OverlayHost, OverlayOptions, RealHost};
    use serde_json::json;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[test]
    fn git_is_asked_once_for_a_checkout() {
        let asked = Rc::new(RefCell::new(Vec::new()));
        let lines = asked.clone();
        let git: rchef_host::overlay::Answerer = Rc::new(move |_, spec| {
            let line = String::from_utf8_lossy(&spec.display()).into_owned();
            let answer = match line.as_str() {
                "git rev-parse HEAD" => Answer::output("abc\n"),
                "git rev-parse --abbrev-ref HEAD" => Answer::output("main\n"),
                "git config --get branch.main.remote" => Answer::output("origin\n"),
                "git config --get remote.origin.url" => Answer::output("https://example.org/x\n"),
                "git branch -r --contains abc" => Answer::output("  origin/main\n"),
                _ => Answer::status(1),
            };
            lines.borrow_mut().push(line);
            Some(answer)
        });
        let options = OverlayOptions { answers: vec![git], ..OverlayOptions::default() };
        let host = OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
        for path in ["/repo/.git", "/repo/cookbooks/a", "/repo/cookbooks/b", "/srv/c"] {
            host.plant(&SkeletonEntry::dir(path, 0o755)).unwrap();
        }
        let mut checkouts = Checkouts::default();
        let first = checkouts.scm_info(&host, "/repo/cookbooks/a");
        assert_eq!(
            first,
            json!({ "scm": "git", "remote": "https://example.org/x", "revision": "abc", "working_tree_clean": false, "published": true, "synchronized_remote_branches": ["origin/main"] })
        );
        let count = asked.borrow().len();
        assert_eq!(count, 6);
        assert_eq!(checkouts.scm_info(&host, "/repo/cookbooks/b"), first);
        assert_eq!(checkouts.scm_info(&host, "/srv/c"), Json::Null);
        assert_eq!(asked.borrow().len(), count);
    }

    /// The values are from a public lock that chef-cli made.
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
