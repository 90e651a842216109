//! Roles and environments as data: the keys of their JSON files and Ruby objects.

use crate::{Map, Value};
use serde_json::json;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Role,
    Environment,
}

impl Kind {
    /// The directory in a chef-repo, which is also the path on a server.
    pub fn directory(self) -> &'static str {
        if self == Kind::Role { "roles" } else { "environments" }
    }

    pub fn class(self) -> &'static str {
        if self == Kind::Role { "Chef::Role" } else { "Chef::Environment" }
    }

    /// All keys with their default values, in Chef's order.
    pub fn blank(self, name: &str) -> Map<String, Value> {
        let mut map = Map::new();
        let mut set = |key: &str, value: Value| map.insert(key.into(), value);
        set("name", json!(name));
        set("description", json!(""));
        match self {
            Kind::Role => {
                set("json_class", json!(self.class()));
                set("default_attributes", json!({}));
                set("override_attributes", json!({}));
                set("chef_type", json!("role"));
                set("run_list", json!([]));
                set("env_run_lists", json!({}));
            }
            Kind::Environment => {
                set("cookbook_versions", json!({}));
                set("json_class", json!(self.class()));
                set("chef_type", json!("environment"));
                set("default_attributes", json!({}));
                set("override_attributes", json!({}));
            }
        }
        map
    }

    /// The document of a JSON file, with default values for missing keys.
    pub fn complete(self, name: &str, given: Value) -> Map<String, Value> {
        let mut map = self.blank(name);
        let Value::Object(mut given) = given else { return map };
        let key = list_key(given.contains_key("run_list"));
        if let Some(list) = given.shift_remove(key) {
            map.insert("run_list".into(), list);
        }
        given.shift_remove("recipes");
        map.extend(given);
        map
    }
}

/// The key in `env_run_lists` for environments without a run list of their own.
pub const DEFAULT_LIST: &str = "_default";

/// The key of a role document's run list: `recipes` in old documents without `run_list`.
pub fn list_key(has_run_list: bool) -> &'static str {
    if has_run_list { "run_list" } else { "recipes" }
}

/// The name in a file path: without directories and extension.
pub fn stem(path: &str) -> &str {
    let base = path.rsplit('/').next().unwrap_or(path);
    base.strip_suffix(".json").or_else(|| base.strip_suffix(".rb")).unwrap_or(base)
}

/// The environment `_default`, which always exists.
pub fn default_environment() -> Value {
    let mut map = Kind::Environment.blank("_default");
    map.insert("description".into(), json!("The default Chef environment"));
    Value::Object(map)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Role {
    json: Value,
}

impl Role {
    /// Takes a document that has all keys.
    pub fn new(json: Value) -> Role {
        Role { json }
    }

    /// Takes the document of a role's JSON file.
    pub fn from_json(name: &str, given: Value) -> Role {
        Role { json: Value::Object(Kind::Role.complete(name, given)) }
    }

    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The name; empty if missing.
    pub fn name(&self) -> &str {
        self.json.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    /// The run list for an environment: its own, else the default one.
    pub fn run_list_for(&self, environment: &str) -> Vec<&str> {
        let lists = self.json.get("env_run_lists");
        let own = |name: &str| lists.and_then(|lists| lists.get(name));
        let list = own(environment).or_else(|| own(DEFAULT_LIST)).or_else(|| self.json.get("run_list"));
        list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// `default_attributes` or `override_attributes`; None if empty.
    pub fn attributes(&self, key: &str) -> Option<&Value> {
        self.json.get(key).filter(|value| value.as_object().is_some_and(|map| !map.is_empty()))
    }

    /// An environment's constraints: cookbook name and constraint.
    pub fn cookbook_versions(&self) -> Vec<(String, String)> {
        let versions = self.json.get("cookbook_versions").and_then(Value::as_object);
        let text = |(name, limit): (&String, &Value)| Some((name.clone(), limit.as_str()?.to_string()));
        versions.into_iter().flatten().filter_map(text).collect()
    }
}

impl AsRef<Role> for Role {
    fn as_ref(&self) -> &Role {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_keys_have_defaults() {
        let role = Role::from_json("web", json!({ "recipes": ["a"], "default_attributes": { "x": 1 } }));
        assert_eq!(role.name(), "web");
        assert_eq!(role.run_list_for("_default"), ["a"]);
        assert_eq!(role.attributes("default_attributes"), Some(&json!({ "x": 1 })));
        assert_eq!(role.attributes("override_attributes"), None);
        let keys: Vec<&String> = role.json().as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "name",
                "description",
                "json_class",
                "default_attributes",
                "override_attributes",
                "chef_type",
                "run_list",
                "env_run_lists"
            ]
        );
    }

    #[test]
    fn an_old_list_does_not_replace_a_run_list() {
        let role = Role::from_json("web", json!({ "recipes": ["a"], "run_list": ["b"] }));
        assert_eq!(role.run_list_for("prod"), ["b"]);
        let empty = Role::from_json("web", json!({ "recipes": ["a"], "run_list": [] }));
        assert_eq!(empty.run_list_for("prod"), [""; 0]);
    }

    #[test]
    fn versions_of_an_environment() {
        let found = Role::new(Value::Object(
            Kind::Environment.complete("prod", json!({ "cookbook_versions": { "a": "= 1.0", "b": 2 } })),
        ));
        assert_eq!(found.cookbook_versions(), [("a".to_string(), "= 1.0".to_string())]);
        assert_eq!(default_environment()["name"], "_default");
    }

    #[test]
    fn names_of_files() {
        assert_eq!(stem("roles/a/web.json"), "web");
        assert_eq!(stem("web.rb"), "web");
    }
}
