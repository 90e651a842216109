//! Policyfile locks of a chef-repo: which one a node uses, its run list, attributes and cookbooks (SPEC-compile 1.11; SPEC-converge 5.5).
//!
//! A lock is searched in the layout of `chef export` (`policy_groups/GROUP.json` names the revision, which is in `policies/NAME-REVISION.json`),
//! then as `policies/NAME.lock.json`, `policies/NAME.json`, `policyfiles/NAME.lock.json`, and as a `Policyfile.lock.json` of that name.
//!
//! The content of a lock's cookbooks is compared with the identifiers in the lock. Cookbooks in `cookbook_artifacts` have their identifier in the
//! directory's name; it cannot be computed, since an export replaces metadata.rb.

use super::repo;
use crate::cookbook::{self, discover};
use crate::data::json_value;
use crate::node::{self, Component, provenance};
use crate::policyfile::identity;
use crate::run::chef_error;
use crate::subject::{Subject, about};
use rchef_host::compose;
use rchef_model::policy::{Lock, LockedCookbook, Refusal};
use rchef_model::run_list::Item;
use rchef_ruby::{ClassId, Error, Res, Value, Vm};
use serde_json::Value as Json;

/// Selects the policy of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    pub name: String,
    pub group: String,
    pub named_run_list: Option<String>,
    /// The path of the lock, if it is given.
    pub lock: Option<String>,
}

pub use rchef_model::policy::DEFAULT_GROUP;

#[derive(Clone, Debug)]
pub struct Policy {
    pub choice: Choice,
    lock: Lock,
}

/// Registers the exceptions of `Chef::PolicyBuilder::Policyfile`.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    let builder = vm.define_module(chef, "PolicyBuilder");
    let policyfile = vm.define_class(builder, "Policyfile", ClassId::OBJECT);
    for name in ["PolicyfileError", "UnsupportedFeature", "ConfigurationError"] {
        vm.define_class(policyfile, name, ClassId::STANDARD_ERROR);
    }
}

fn refused(vm: &mut Vm, class: &str, text: impl AsRef<str>) -> Error {
    let path = format!("Chef::PolicyBuilder::Policyfile::{class}");
    let class = vm.class_named(&path).unwrap_or(ClassId::RUNTIME_ERROR);
    vm.error(class, text)
}

/// The Ruby exception for an invalid lock or run list.
fn raised(vm: &mut Vm, refusal: &Refusal) -> Error {
    match refusal.class() {
        Some(class) => refused(vm, class, refusal.to_string()),
        None => vm.argument_error(refusal.to_string()),
    }
}

/// The UnsupportedFeature error for an environment together with a policy.
pub fn with_environment(vm: &mut Vm) -> Error {
    refused(vm, "UnsupportedFeature", "Policyfile does not work with an Environment configured.")
}

/// Reads the lock; raises ConfigurationError if there is none, PolicyfileError if it is not a valid lock.
pub fn load(vm: &mut Vm, choice: &Choice) -> Res<Policy> {
    let Some((source, lock)) = find(vm, choice)? else {
        let (name, group) = (&choice.name, &choice.group);
        let error = refused(
            vm,
            "ConfigurationError",
            format!(
                "Error loading policyfile from `policy_groups/{group}/policies/{name}': there is no lock of the policy {name} in policies, policyfiles or Policyfile.lock.json"
            ),
        );
        return Err(about(vm, error, Subject::Unlocked(name.clone())));
    };
    let lock = Lock::new(lock, source).map_err(|refusal| raised(vm, &refusal))?;
    Ok(Policy { choice: choice.clone(), lock })
}

fn find(vm: &mut Vm, choice: &Choice) -> Res<Option<(String, Json)>> {
    let name = &choice.name;
    if let Some(path) = &choice.lock {
        let host = vm.host.clone();
        let bytes = compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))?;
        let lock = serde_json::from_slice(&bytes);
        return match lock {
            Ok(lock) => Ok(Some((path.clone(), lock))),
            Err(error) => Err(crate::run::not_json(vm, path, &error)),
        };
    }
    let mut places = Vec::new();
    if let Some(group) = repo::json(vm, &format!("policy_groups/{}.json", choice.group))?
        && let Some(revision) = group["policies"][name]["revision_id"].as_str()
    {
        places.push(format!("policies/{name}-{revision}.json"));
    }
    places.extend([
        format!("policies/{name}.lock.json"),
        format!("policies/{name}.json"),
        format!("policyfiles/{name}.lock.json"),
    ]);
    for place in places {
        if let Some(lock) = repo::json(vm, &place)? {
            return Ok(Some((place, lock)));
        }
    }
    let alone = "Policyfile.lock.json";
    let lock = repo::json(vm, alone)?.filter(|lock| lock["name"].as_str() == Some(name));
    Ok(lock.map(|lock| (alone.to_string(), lock)))
}

impl Policy {
    /// `revision_id`; empty if the lock has none.
    pub fn revision(&self) -> &str {
        self.lock.revision()
    }

    /// The path of the lock, relative to the chef-repo.
    pub fn source(&self) -> &str {
        self.lock.source()
    }

    /// The items of the run list, or of the named run list that was chosen.
    pub fn run_list(&self, vm: &mut Vm) -> Res<Vec<Item>> {
        let found = self.lock.run_list(&self.choice.name, self.choice.named_run_list.as_deref());
        found.map_err(|refusal| raised(vm, &refusal))
    }

    /// Raises PolicyfileError unless an item is a recipe of a locked cookbook.
    pub fn check(&self, vm: &mut Vm, item: &Item) -> Res<()> {
        self.lock.check(item, &item.to_string()).map_err(|refusal| raised(vm, &refusal))
    }

    /// Reads exactly the locked cookbooks: each from `cookbook_artifacts`, from its `source` relative to the lock, by its name from the cookbook
    /// path, or by its cache key from chef-cli's cache. Raises CookbookNotFound if there is none, PolicyfileError if it is only outside of what the
    /// compile may read.
    pub fn cookbooks(&self, vm: &mut Vm, paths: &[String], caches: &[String]) -> Res<()> {
        let base = self.source().rsplit_once('/').map_or("", |(folder, _)| folder);
        for cookbook in self.lock.cookbooks() {
            let name = cookbook.name;
            let (mut places, outside) = beside(vm, base, &cookbook);
            places.extend(paths.iter().map(|path| (Kept::Source, format!("{path}/{name}"))));
            if let Some(key) = cookbook.cache_key {
                places.extend(caches.iter().map(|cache| (Kept::Cache, format!("{cache}/{key}"))));
            }
            let mut found = None;
            for (kept, place) in places {
                if discover::add(vm, name, &place)? {
                    found = Some((kept, place));
                    break;
                }
            }
            match (found, outside) {
                (Some((kept, place)), _) => self.verify(vm, &cookbook, kept, &place)?,
                (None, Some(place)) => {
                    let text = format!(
                        "the lock {} takes the cookbook {name} from {place}, which is outside of the chef-repo: `--allow-path {place}` lets the compile read it",
                        self.source()
                    );
                    return Err(refused(vm, "PolicyfileError", text));
                }
                (None, None) => {
                    let identifier = cookbook.identifier;
                    let text = format!(
                        "Error loading cookbook {name} with identifier {identifier} from cookbook_artifacts/{name}/{identifier}: there is no such directory"
                    );
                    let error = chef_error(vm, "CookbookNotFound", text);
                    return Err(about(vm, error, Subject::Locked(name.to_string())));
                }
            }
        }
        Ok(())
    }

    /// Raises PolicyfileError if the cookbook's files are not the locked ones. Artifacts are not checked, nor are identifiers that are not a SHA-1,
    /// which are given by hand.
    fn verify(&self, vm: &mut Vm, locked: &LockedCookbook<'_>, kept: Kept, place: &str) -> Res<()> {
        let is_digest = locked.identifier.len() == 40 && locked.identifier.bytes().all(|byte| byte.is_ascii_hexdigit());
        let found = cookbook::cookbooks(vm).all.iter().find(|found| found.name == locked.name).cloned();
        let Some(found) = found.filter(|_| is_digest && kept != Kept::Artifact) else { return Ok(()) };
        let host = vm.host.clone();
        let identifier = identity::identifier(&*host, &found).map_err(|error| vm.host_error(&error))?;
        if identifier == locked.identifier {
            return Ok(());
        }
        let (name, version, source) = (locked.name, &found.metadata.version, self.source());
        let text = match kept {
            Kept::Cache => format!(
                "Cached cookbook `{name}' ({version}) has been modified since the lockfile was generated. Cached cookbooks cannot be modified. (full path: `{place}')"
            ),
            _ => format!(
                "the cookbook {name} {version} at {place} is not the one that {source} locks: its identifier is {identifier}, the lock has {}. `rchef policy update` locks what is there now; what `rchef policy export` wrote stays as it was",
                locked.identifier
            ),
        };
        Err(refused(vm, "PolicyfileError", text))
    }

    /// Merges the lock's attributes into the role levels; keys below the policy group's name are merged over the top level.
    pub fn attributes(&self, vm: &mut Vm, node: &Value) -> Res<()> {
        provenance::set_source(vm, Some(self.source()));
        let mut done = Ok(());
        for (key, component) in
            [("default_attributes", Component::RoleDefault), ("override_attributes", Component::RoleOverride)]
        {
            if let Some(tree) = self.lock.attributes(key, &self.choice.group) {
                done = json_value(vm, &tree).and_then(|tree| node::merge_into(vm, node, component, tree));
            }
            if done.is_err() {
                break;
            }
        }
        provenance::set_source(vm, None);
        done
    }
}

/// The kind of place that a locked cookbook was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// In `cookbook_artifacts`, by its identifier.
    Artifact,
    /// In its source directory.
    Source,
    /// In chef-cli's cache.
    Cache,
}

/// The paths of a cookbook that the lock itself gives: artifacts, then its source path relative to the lock or the chef-repo. The first path that
/// must not be read is returned separately.
fn beside(vm: &mut Vm, base: &str, cookbook: &LockedCookbook<'_>) -> (Vec<(Kept, String)>, Option<String>) {
    let (name, identifier) = (cookbook.name, cookbook.identifier);
    let mut places = Vec::new();
    if !identifier.is_empty() {
        for below in
            [format!("cookbook_artifacts/{name}-{identifier}"), format!("cookbook_artifacts/{name}/{identifier}")]
        {
            places.push((Kept::Artifact, repo::path(vm, &below)));
        }
    }
    let mut outside = None;
    if let Some(source) = cookbook.path {
        let beside = if base.is_empty() { source.to_string() } else { format!("{base}/{source}") };
        for place in [beside.as_str(), source].map(|path| absolute(vm, path)) {
            if shows(vm, &place) {
                places.push((Kept::Source, place));
            } else {
                outside.get_or_insert(place);
            }
        }
    }
    (places, outside)
}

/// An absolute path; relative ones are below the chef-repo.
fn absolute(vm: &mut Vm, path: &str) -> String {
    let full = if path.starts_with('/') { path.to_string() } else { repo::path(vm, path) };
    crate::policyfile::clean(&full)
}

/// Whether a path may be read: always, unless the overlay shows only a part of the machine.
fn shows(vm: &Vm, path: &str) -> bool {
    vm.host.as_overlay().is_none_or(|overlay| overlay.shows(path.as_bytes()))
}

#[derive(Default)]
struct OfRun(Option<Policy>);

/// The policy of the run; None for a run without one.
pub fn of_run(vm: &mut Vm) -> &mut Option<Policy> {
    &mut vm.extension::<OfRun>().0
}
