//! Evaluates a `Policyfile.rb`, solves it with the cookbooks on this machine, and makes the lock that chef-cli would write (SPEC-converge 5.5). The
//! rules are in [`rchef_model::policyfile`]; here are the files, the Ruby evaluation and the search for cookbooks.

pub mod identity;
mod included;
mod sources;

use crate::cookbook::Cookbook;
use rchef_host::{Host, compose};
use rchef_model::policyfile::{self as rules, Part, Policyfile};
use rchef_ruby::embed::file::normalise;
use rchef_ruby::{Error, Res, Value, Vm, sym};
use serde_json::Value as Json;
use std::fmt;

/// Why no lock can be made.
pub enum Failure {
    /// The reason and how to fix it, as lines of text; the last may begin with `hint: `.
    Refused(String),
    /// The Policyfile or the metadata of a cookbook raised an exception.
    Raised(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Raised(error)
    }
}
impl From<rules::NoLock> for Failure {
    fn from(error: rules::NoLock) -> Failure {
        Failure::Refused(error.to_string())
    }
}

fn refused<T>(text: impl fmt::Display) -> Result<T, Failure> {
    Err(Failure::Refused(text.to_string()))
}

/// The files of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    pub file: String,
    /// `Policyfile.lock.json` beside the Policyfile.
    pub lock: String,
    /// The directory of both, which relative paths in them refer to.
    pub folder: String,
}

impl Storage {
    /// The files for a name: a `.rb` or a `.lock.json` file; the default is `Policyfile.rb`.
    pub fn new(cwd: &str, given: Option<&str>) -> Result<Storage, String> {
        let given = given.unwrap_or("Policyfile.rb");
        let path = below(cwd, given);
        let stem = path.strip_suffix(".lock.json").or_else(|| path.strip_suffix(".rb"));
        let Some(stem) = stem else {
            return Err(format!(
                "Policyfile filenames must end with an `.rb' or `.lock.json' extension (you gave: `{given}')"
            ));
        };
        let folder = stem.rsplit_once('/').map_or("", |(folder, _)| folder).to_string();
        Ok(Storage { file: format!("{stem}.rb"), lock: format!("{stem}.lock.json"), folder })
    }
}

/// Resolves `.` and `..` in a path.
pub(crate) fn clean(path: &str) -> String {
    String::from_utf8_lossy(&normalise(path.as_bytes())).into_owned()
}

/// A path in a Policyfile, made absolute.
fn below(folder: &str, path: &str) -> String {
    clean(&if path.starts_with('/') { path.to_string() } else { format!("{folder}/{path}") })
}

/// The path of `to` relative to the directory `from`, both absolute.
pub fn relative(from: &str, to: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_string).collect::<Vec<_>>();
    let (from, to) = (parts(from), parts(to));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - common).map(str::to_string);
    let found: Vec<String> = up.chain(to[common..].iter().cloned()).collect();
    if found.is_empty() { ".".into() } else { found.join("/") }
}

/// Evaluates a Policyfile. Invalid statements are among its errors; an exception that it raises is returned as error.
pub fn evaluate(vm: &mut Vm, storage: &Storage) -> Result<Policyfile, Failure> {
    let host = vm.host.clone();
    let source = match compose::read_file(&*host, storage.file.as_bytes()) {
        Ok(source) => source,
        Err(error) => return refused(format!("Policyfile not found at path {} ({})", storage.file, error.message())),
    };
    let said = said(vm, storage, &source)?;
    let file = Policyfile::from_json(&said);
    match file.errors.is_empty() {
        true => Ok(file),
        false => refused(format!("{}: {}", storage.file, file.errors.join("\n"))),
    }
}

fn said(vm: &mut Vm, storage: &Storage, source: &[u8]) -> Res<Json> {
    let main = Value::Class(rchef_ruby::ClassId::OBJECT);
    let definee = rchef_ruby::embed::frame::Definee::SingletonOf(main.clone());
    let class = vm.run_string_as(b"Chef::PolicyfileReader::DSL", "(policyfile)", &main, definee)?;
    let reader = vm.call(&class, sym::NEW, &[Value::str(&storage.file)])?;
    let source = vm.call_name(&Value::str(String::from_utf8_lossy(source)), "itself", &[])?;
    vm.call_name(&reader, "eval_policyfile", &[source])?;
    let table = vm.call_name(&reader, "to_h", &[])?;
    crate::data::to_json(vm, &table)
}

pub struct Solved {
    pub lock: Json,
    pub warnings: Vec<String>,
}

/// Solves a Policyfile and makes its lock. `caches` are the directories of cookbooks fetched by chef-cli; `pins` are versions to keep, by cookbook.
pub fn solve(
    vm: &mut Vm,
    storage: &Storage,
    file: &Policyfile,
    caches: &[String],
    pins: &[(String, String)],
) -> Result<Solved, Failure> {
    let host = vm.host.clone();
    let policies = included::read(&*host, storage, file)?;
    let run_list = rules::run_list(file, &policies).map_err(rules::NoLock::from)?;
    let named = rules::named_run_lists(file, &policies).map_err(rules::NoLock::from)?;
    let mut lists: Vec<&Vec<String>> = vec![&run_list];
    lists.extend(named.iter().map(|(_, list)| list));
    let mut stock = sources::Stock::gather(vm, storage, file, &policies, caches)?;
    let chosen = stock.choose(file, &policies, &lists, pins)?;
    stock.require_recipes(&chosen, &lists)?;
    let mut parts: Vec<Part> = Vec::new();
    for at in chosen {
        parts.push(stock.part(&*host, storage, file, at)?);
    }
    let mut lock = rules::lock(file, &policies, &parts)?;
    lock["revision_id"] = identity::revision(&lock).into();
    Ok(Solved { lock, warnings: stock.warnings })
}

/// The `default_attributes` and `override_attributes` for a new lock.
pub fn attributes(vm: &mut Vm, storage: &Storage, file: &Policyfile) -> Result<[Json; 2], Failure> {
    let host = vm.host.clone();
    let policies = included::read(&*host, storage, file)?;
    let mut lock = rules::lock(file, &policies, &[])?;
    Ok(["default_attributes", "override_attributes"].map(|key| lock[key].take()))
}

/// The location of a locked cookbook.
pub struct Place {
    pub cookbook: Cookbook,
    /// The identifier of the cookbook found there.
    pub identifier: String,
}

/// Finds the cookbook of a lock's entry: in its `source` relative to the lock's folder, else in a cache.
pub fn locate(vm: &mut Vm, storage: &Storage, name: &str, entry: &Json, caches: &[String]) -> Result<Place, Failure> {
    let path = entry["source"].as_str().or_else(|| entry["source_options"]["path"].as_str());
    let places: Vec<String> = match (path, entry["cache_key"].as_str()) {
        (Some(path), _) => vec![below(&storage.folder, path)],
        (None, Some(key)) => caches.iter().map(|cache| format!("{cache}/{key}")).collect(),
        (None, None) => return refused("the lock says neither a `source` nor a `cache_key` of it"),
    };
    let host = vm.host.clone();
    let Some(root) = places.iter().find(|place| host.stat(place.as_bytes()).is_ok_and(|stat| stat.is_dir())) else {
        return refused(match (path, places.is_empty()) {
            (Some(_), _) => format!("it is not at {}", places[0]),
            (None, true) => "it is in the cache of chef-cli, and there is none here".to_string(),
            (None, false) => format!("it is not in the cache of chef-cli ({})", places.join(", ")),
        });
    };
    let mut cookbook = sources::read(vm, root)?;
    if sources::name_of(&cookbook) != name {
        return refused(format!("the cookbook at {root} is {}", sources::name_of(&cookbook)));
    }
    cookbook.name = name.to_string();
    match identity::identifier(&*host, &cookbook) {
        Ok(identifier) => Ok(Place { cookbook, identifier }),
        Err(error) => refused(format!("it cannot be read: {error}")),
    }
}

pub fn read_lock(host: &dyn Host, path: &str) -> Result<Json, String> {
    let bytes = compose::read_file(host, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
    let lock: Json = serde_json::from_slice(&bytes).map_err(|error| format!("{path} is not JSON: {error}"))?;
    match lock["cookbook_locks"].is_object() && lock["name"].is_string() {
        true => Ok(lock),
        false => Err(format!("{path} is no lock of a policy: it lacks `name` or `cookbook_locks`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_policy() {
        let storage = Storage::new("/repo/policies", Some("app.rb")).unwrap();
        assert_eq!(
            (storage.file.as_str(), storage.lock.as_str(), storage.folder.as_str()),
            ("/repo/policies/app.rb", "/repo/policies/app.lock.json", "/repo/policies")
        );
        assert_eq!(Storage::new("/repo", Some("policies/app.lock.json")).unwrap().file, "/repo/policies/app.rb");
        assert_eq!(Storage::new("/repo", None).unwrap().lock, "/repo/Policyfile.lock.json");
        assert!(Storage::new("/repo", Some("Policyfile")).unwrap_err().contains("extension"));
    }

    #[test]
    fn paths_seen_from_a_folder() {
        for (from, to, seen) in [
            ("/a/b", "/a/b", "."),
            ("/a/b", "/a/c/d", "../c/d"),
            ("/a", "/a/test/cookbooks/x", "test/cookbooks/x"),
            ("/", "/x", "x"),
        ] {
            assert_eq!(relative(from, to), seen);
        }
    }
}
