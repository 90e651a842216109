//! Policy locks (`Policyfile.lock.json`): run lists, attributes, and the locked cookbooks.

use crate::Value;
use crate::run_list::{InvalidItem, Item};
use std::fmt;

/// The policy group in a chef-repo written by `chef export`.
pub const DEFAULT_GROUP: &str = "local";

#[derive(Clone, Debug)]
pub struct Lock {
    json: Value,
    /// The path or URL of the lock, for messages.
    source: String,
}

/// Why a lock or run list is rejected. Displays as Chef's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The document is not a lock: its source, and the missing keys.
    Invalid(String, Vec<&'static str>),
    /// There is no run list with this name.
    NoSuchRunList {
        policy: String,
        revision: String,
        /// The name of the requested run list.
        asked: String,
        /// The names of the existing run lists.
        known: Vec<String>,
    },
    /// A run list entry is not a recipe: the entry, and the source of the lock.
    NotARecipe(String, String),
    /// The cookbook of a run list entry is not in the lock: the entry, and the source of the lock.
    NotLocked(String, String),
    /// A run list entry is invalid.
    Item(InvalidItem),
}

impl Refusal {
    /// The exception class below `Chef::PolicyBuilder::Policyfile`; None for ArgumentError.
    pub fn class(&self) -> Option<&'static str> {
        match self {
            Refusal::NoSuchRunList { .. } => Some("ConfigurationError"),
            Refusal::Item(_) => None,
            _ => Some("PolicyfileError"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Invalid(source, lacks) => {
                write!(out, "Policyfile fetched from {source} was invalid:\n{}", lacks.join("\n"))
            }
            Refusal::NoSuchRunList { policy, revision, asked, known } => write!(
                out,
                "Policy '{policy}' revision '{revision}' does not have named_run_list '{asked}'(available named_run_lists: [{}])",
                known.join(", ")
            ),
            Refusal::NotARecipe(item, source) => {
                write!(out, "invalid recipe specification {item} in Policyfile from {source}")
            }
            Refusal::NotLocked(item, source) => {
                write!(out, "invalid run_list item '{item}' not in cookbook set of PolicyFile {source}")
            }
            Refusal::Item(error) => error.fmt(out),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedCookbook<'a> {
    pub name: &'a str,
    /// The identifier of the contents; empty if missing.
    pub identifier: &'a str,
    /// The source path, unless it is a URL.
    pub path: Option<&'a str>,
    /// The directory name in chef-cli's cache.
    pub cache_key: Option<&'a str>,
}

impl Lock {
    /// Checks the lock read from `source`; it must have a run list and cookbooks.
    pub fn new(json: Value, source: String) -> Result<Lock, Refusal> {
        let mut lacks = Vec::new();
        if json.get("run_list").and_then(Value::as_array).is_none() {
            lacks.push("it has no run_list");
        }
        if json.get("cookbook_locks").and_then(Value::as_object).is_none() {
            lacks.push("it has no cookbook_locks");
        }
        if lacks.is_empty() { Ok(Lock { json, source }) } else { Err(Refusal::Invalid(source, lacks)) }
    }

    /// The path or URL of the lock.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// `revision_id`; empty if missing.
    pub fn revision(&self) -> &str {
        self.json.get("revision_id").and_then(Value::as_str).unwrap_or_default()
    }

    /// The items of the run list, or of a named run list. `policy` is the policy's name, for messages.
    pub fn run_list(&self, policy: &str, named: Option<&str>) -> Result<Vec<Item>, Refusal> {
        let list = match named {
            None => &self.json["run_list"],
            Some(asked) => {
                let lists = self.json.get("named_run_lists").and_then(Value::as_object);
                let Some(list) = lists.and_then(|lists| lists.get(asked)) else {
                    return Err(Refusal::NoSuchRunList {
                        policy: policy.to_string(),
                        revision: self.revision().to_string(),
                        asked: asked.to_string(),
                        known: lists.into_iter().flat_map(|lists| lists.keys().cloned()).collect(),
                    });
                };
                list
            }
        };
        let mut items = Vec::new();
        for text in list.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let item = Item::parse(text).map_err(Refusal::Item)?;
            self.check(&item, text)?;
            items.push(item);
        }
        Ok(items)
    }

    /// Checks that an item is a recipe of a locked cookbook; `text` is the entry as written.
    pub fn check(&self, item: &Item, text: &str) -> Result<(), Refusal> {
        let Some(cookbook) = item.cookbook() else {
            return Err(Refusal::NotARecipe(text.to_string(), self.source.clone()));
        };
        match self.json["cookbook_locks"].get(cookbook) {
            Some(_) => Ok(()),
            None => Err(Refusal::NotLocked(text.to_string(), self.source.clone())),
        }
    }

    /// The cookbooks, in the lock's order.
    pub fn cookbooks(&self) -> impl Iterator<Item = LockedCookbook<'_>> {
        let locks = self.json["cookbook_locks"].as_object();
        locks.into_iter().flatten().map(|(name, entry)| {
            let path = entry["source"].as_str().or_else(|| entry["source_options"]["path"].as_str());
            LockedCookbook {
                name,
                identifier: entry["identifier"].as_str().unwrap_or_default(),
                path: path.filter(|path| !path.contains("://")),
                cache_key: entry["cache_key"].as_str().filter(|key| !key.contains('/') && !key.starts_with('.')),
            }
        })
    }

    /// `default_attributes` or `override_attributes` for a policy group: attributes under the key of the group's name are merged over the top level.
    /// None if empty.
    pub fn attributes(&self, key: &str, group: &str) -> Option<Value> {
        let mut tree = self.json.get(key)?.clone();
        if let Some(hoisted) = tree.get(group).filter(|inner| inner.is_object()).cloned() {
            merge(&mut tree, hoisted);
        }
        tree.as_object().is_some_and(|map| !map.is_empty()).then_some(tree)
    }
}

/// Deep merge of `high` into `low`: Hashes are merged by key, other values replaced.
fn merge(low: &mut Value, high: Value) {
    match (low, high) {
        (Value::Object(low), Value::Object(high)) => {
            for (key, value) in high {
                merge(low.entry(key).or_insert(Value::Null), value);
            }
        }
        (low, high) => *low = high,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lock() -> Lock {
        let json = json!({
            "revision_id": "r1",
            "run_list": ["recipe[a::default]"],
            "named_run_lists": { "deploy": ["recipe[a::deploy]"], "bad": ["recipe[b::default]"], "role": ["role[x]"] },
            "cookbook_locks": {
                "a": { "identifier": "i1", "source": "../a" },
                "s": { "identifier": "i2", "source": "https://example.org/s", "source_options": { "path": "s" } }
            },
            "default_attributes": { "x": { "y": 1, "z": [1] }, "prod": { "x": { "y": 2 } } }
        });
        Lock::new(json, "Policyfile.lock.json".into()).unwrap()
    }

    #[test]
    fn run_lists() {
        let lock = lock();
        assert_eq!(lock.run_list("p", None), Ok(vec![Item::Recipe("a::default".into(), None)]));
        assert_eq!(lock.run_list("p", Some("deploy")).map(|items| items.len()), Ok(1));
        let text = |named| lock.run_list("p", Some(named)).unwrap_err().to_string();
        assert_eq!(
            text("none"),
            "Policy 'p' revision 'r1' does not have named_run_list 'none'(available named_run_lists: [deploy, bad, role])"
        );
        assert_eq!(
            text("bad"),
            "invalid run_list item 'recipe[b::default]' not in cookbook set of PolicyFile Policyfile.lock.json"
        );
        assert_eq!(text("role"), "invalid recipe specification role[x] in Policyfile from Policyfile.lock.json");
    }

    #[test]
    fn attributes_of_a_group() {
        let lock = lock();
        let tree = lock.attributes("default_attributes", "prod").unwrap();
        assert_eq!(tree["x"], json!({ "y": 2, "z": [1] }));
        assert_eq!(lock.attributes("default_attributes", "dev").unwrap()["x"]["y"], 1);
        assert_eq!(lock.attributes("override_attributes", "prod"), None);
    }

    #[test]
    fn cookbooks_and_their_places() {
        let lock = lock();
        let found: Vec<_> = lock.cookbooks().map(|found| (found.name, found.identifier, found.path)).collect();
        assert_eq!(found, [("a", "i1", Some("../a")), ("s", "i2", None)]);
    }

    #[test]
    fn what_is_no_lock() {
        for given in [json!({}), json!([]), json!("x"), json!({ "run_list": {}, "cookbook_locks": [] })] {
            let refusal = Lock::new(given, "f".into()).unwrap_err();
            assert_eq!(
                refusal.to_string(),
                "Policyfile fetched from f was invalid:\nit has no run_list\nit has no cookbook_locks"
            );
        }
    }
}
