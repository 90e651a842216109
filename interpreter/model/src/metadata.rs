//! Cookbook metadata: the fields of `metadata.rb` and `metadata.json` and their values.

use crate::gem;
use crate::version::{Constraint, InvalidConstraint, Scheme, split};
use crate::{Map, Value};
use serde_json::json;

/// Fields with a single String or flag, and their default values.
const PLAIN: [(&str, &str); 6] = [
    ("description", ""),
    ("long_description", ""),
    ("maintainer", ""),
    ("maintainer_email", ""),
    ("source_url", ""),
    ("issues_url", ""),
];

/// The fields in Chef's order.
pub const FIELDS: [&str; 18] = [
    "name",
    "description",
    "long_description",
    "maintainer",
    "maintainer_email",
    "license",
    "platforms",
    "dependencies",
    "providing",
    "recipes",
    "version",
    "source_url",
    "issues_url",
    "privacy",
    "chef_versions",
    "ohai_versions",
    "gems",
    "eager_load_libraries",
];

#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    /// The name; empty if missing.
    pub name: String,
    pub version: String,
    /// Dependencies: name and constraint, in order of declaration.
    pub depends: Vec<(String, String)>,
    /// `chef_version` constraints: at least one list must hold; a list holds if all its constraints do.
    pub chef_versions: Vec<Vec<String>>,
    /// `ohai_version` constraints, with the same rule.
    pub ohai_versions: Vec<Vec<String>>,
    /// Gems: name and constraints.
    pub gems: Vec<Vec<String>>,
    /// `eager_load_libraries`: true, false, a glob or a list of globs.
    pub eager: Value,
    pub immediate: bool,
    /// Dependencies whose constraint was a list of zero or several: they are treated as unconstrained and shown as an empty list.
    lists: Vec<String>,
    /// The other fields: Strings, `privacy`, and the maps `platforms`, `providing`, `recipes`.
    about: Map<String, Value>,
}

impl Default for Metadata {
    fn default() -> Metadata {
        let mut about = Map::new();
        for (key, value) in PLAIN {
            about.insert(key.into(), value.into());
        }
        about.insert("license".into(), "All rights reserved".into());
        about.insert("privacy".into(), false.into());
        for key in ["platforms", "providing", "recipes"] {
            about.insert(key.into(), json!({}));
        }
        Metadata {
            name: String::new(),
            version: "0.0.0".into(),
            depends: Vec::new(),
            chef_versions: Vec::new(),
            ohai_versions: Vec::new(),
            gems: Vec::new(),
            eager: Value::Bool(true),
            immediate: false,
            lists: Vec::new(),
            about,
        }
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_string).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}
fn lists(value: &Value) -> Vec<Vec<String>> {
    value.as_array().into_iter().flatten().map(|list| texts(Some(list))).collect()
}

impl Metadata {
    /// Metadata with a name and default values.
    pub fn named(name: &str) -> Metadata {
        Metadata { name: name.to_string(), ..Metadata::default() }
    }

    /// The metadata of a metadata.json; missing fields have their default values.
    pub fn from_json(given: &Value) -> Metadata {
        let mut made = Metadata::default();
        made.update(given);
        made
    }

    /// Sets the fields that are in a document. A dependency has one constraint: a list of zero or several counts as unconstrained.
    pub fn update(&mut self, given: &Value) {
        for (key, value) in given.as_object().into_iter().flatten() {
            match key.as_str() {
                "name" => self.name = value.as_str().unwrap_or_default().to_string(),
                "version" => {
                    self.version = value.as_str().filter(|text| !text.is_empty()).unwrap_or("0.0.0").to_string();
                }
                "dependencies" => {
                    self.depends.clear();
                    self.lists.clear();
                    for (name, value) in value.as_object().into_iter().flatten() {
                        match texts(Some(value)).as_slice() {
                            [only] => self.depends.push((name.clone(), only.clone())),
                            _ => {
                                self.depends.push((name.clone(), Constraint::DEFAULT.to_string()));
                                self.lists.push(name.clone());
                            }
                        }
                    }
                }
                "chef_versions" => self.chef_versions = lists(value),
                "ohai_versions" => self.ohai_versions = lists(value),
                "gems" => self.gems = lists(value),
                "eager_load_libraries" => self.eager = value.clone(),
                "run_resources" => self.immediate = matches!(value.as_str(), Some("immediately" | "immediate")),
                other if self.about.contains_key(other) => {
                    self.about.insert(other.into(), value.clone());
                }
                _ => {}
            }
        }
    }

    /// A field in the form of metadata.json; null for an unknown field.
    pub fn field(&self, key: &str) -> Value {
        match key {
            "name" if self.name.is_empty() => Value::Null,
            "name" => json!(self.name),
            "version" => json!(self.version),
            "dependencies" => {
                let limit =
                    |name: &String, limit: &String| if self.lists.contains(name) { json!([]) } else { json!(limit) };
                Value::Object(self.depends.iter().map(|(name, text)| (name.clone(), limit(name, text))).collect())
            }
            "chef_versions" => self.chef_versions.iter().map(|list| gem::requirements(list)).collect(),
            "ohai_versions" => self.ohai_versions.iter().map(|list| gem::requirements(list)).collect(),
            "gems" => json!(self.gems),
            "eager_load_libraries" => self.eager.clone(),
            other => self.about.get(other).cloned().unwrap_or_default(),
        }
    }

    /// All fields in the form of metadata.json.
    pub fn to_json(&self) -> Value {
        Value::Object(FIELDS.iter().map(|key| ((*key).to_string(), self.field(key))).collect())
    }

    /// Sets a String or flag field.
    pub fn set(&mut self, field: &str, value: Value) {
        match field {
            "name" => self.name = value.as_str().unwrap_or_default().to_string(),
            "eager_load_libraries" => self.eager = value,
            _ => {
                self.about.insert(field.into(), value);
            }
        }
    }

    /// Sets a key of one of the maps `platforms`, `providing`, `recipes`.
    pub fn set_in(&mut self, map: &str, key: &str, value: Value) {
        if let Some(Value::Object(map)) = self.about.get_mut(map) {
            map.insert(key.into(), value);
        }
    }

    /// Adds a dependency, replacing one on the same cookbook.
    pub fn depend(&mut self, on: &str, constraint: String) {
        self.lists.retain(|known| known != on);
        match self.depends.iter_mut().find(|(known, _)| known == on) {
            Some((_, known)) => *known = constraint,
            None => self.depends.push((on.to_string(), constraint)),
        }
    }

    /// Globs of the libraries to load before any recipe; None for all libraries.
    pub fn eager_globs(&self) -> Option<Vec<String>> {
        match &self.eager {
            Value::Bool(true) | Value::Null => None,
            other => Some(texts(Some(other))),
        }
    }

    /// Whether a version of Chef satisfies one of the `chef_version` lists; true if there are none.
    pub fn runs_on(&self, chef: &str) -> bool {
        let holds = |list: &Vec<String>| list.iter().all(|constraint| gem::satisfies(chef, constraint));
        self.chef_versions.is_empty() || self.chef_versions.iter().any(holds)
    }
}

/// A constraint on a platform or cookbook in the form that metadata stores: `1.2` becomes `= 1.2`.
pub fn constraint(text: &str) -> Result<String, InvalidConstraint> {
    split(text)?;
    Constraint::parse(text, Scheme::Platform).map(|constraint| constraint.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_metadata_json() {
        let found = Metadata::from_json(&json!({
            "name": "a", "version": "1.2.3", "license": "MIT", "run_resources": "immediately", "unknown": 1,
            "dependencies": { "b": "~> 1.0", "c": ["= 2.0"], "d": [], "e": ["> 1", "< 2"] },
            "platforms": { "ubuntu": ">= 20.04" }, "chef_versions": [[">= 15", "< 19"], ["= 12.1"]], "gems": [["x", "~> 1"]],
        }));
        let limits: Vec<&str> = found.depends.iter().map(|(_, limit)| limit.as_str()).collect();
        assert_eq!(limits, ["~> 1.0", "= 2.0", ">= 0.0.0", ">= 0.0.0"]);
        assert!(found.immediate && found.runs_on("18.11.21") && found.runs_on("12.1") && !found.runs_on("14"));
        let json = found.to_json();
        assert_eq!(json["license"], "MIT");
        assert_eq!(json["dependencies"], json!({ "b": "~> 1.0", "c": "= 2.0", "d": [], "e": [] }));
        assert_eq!(json["chef_versions"], json!([["< 19", ">= 15"], ["= 12.1"]]));
        assert_eq!(json["platforms"], json!({ "ubuntu": ">= 20.04" }));
        assert_eq!(json["privacy"], false);
        assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), FIELDS.iter().collect::<Vec<_>>());
    }

    #[test]
    fn what_is_not_said_has_a_default() {
        for given in [json!({}), json!([1]), Value::Null, json!({ "version": "", "dependencies": 3, "gems": {} })] {
            let found = Metadata::from_json(&given);
            assert_eq!((found.name.as_str(), found.version.as_str()), ("", "0.0.0"));
            assert_eq!(found.field("license"), "All rights reserved");
            assert!(found.depends.is_empty() && found.runs_on("1") && found.eager_globs().is_none());
        }
    }

    #[test]
    fn libraries_that_are_loaded_eagerly() {
        for (given, expected) in [
            (json!(true), None),
            (json!(false), Some(vec![])),
            (json!("a/*.rb"), Some(vec!["a/*.rb".to_string()])),
            (json!(["a.rb", "b.rb"]), Some(vec!["a.rb".to_string(), "b.rb".to_string()])),
        ] {
            let found = Metadata::from_json(&json!({ "eager_load_libraries": given }));
            assert_eq!(found.eager_globs(), expected, "{given}");
        }
    }

    #[test]
    fn constraints_are_kept_in_one_form() {
        assert_eq!(constraint("1.2"), Ok("= 1.2".to_string()));
        assert_eq!(constraint(">=1"), Ok(">= 1".to_string()));
        assert!(matches!(constraint("ubuntu"), Err(InvalidConstraint::Form(_))));
        assert!(matches!(constraint("1.2.3.4"), Err(InvalidConstraint::Version(_))));
    }
}
