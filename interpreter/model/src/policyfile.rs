//! The contents of a `Policyfile.rb`, and the lock made from it: run lists, attributes, identifiers and the revision (SPEC-converge 5.5).
//!
//! Identifiers and revisions are computed like in chef-cli, so that both tools can use the same lock: a cookbook's identifier is the SHA-1 of the
//! lines `PATH:MD5` of its files, a lock's revision the SHA-256 of [`revision_text`].

use crate::run_list::{InvalidItem, Item};
use crate::version::{Constraint, InvalidConstraint, Scheme, Version, split};
use crate::{Map, Value};
use serde_json::json;
use std::fmt::Write as _;

/// A source of cookbooks that do not name one of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// `supermarket`, `chef_repo`, `chef_server`, `artifactory`, `delivery_supermarket`
    pub kind: String,
    /// The path or URL.
    pub argument: Option<String>,
    /// Cookbooks that come from this source if several have them.
    pub preferred: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub name: String,
    /// The constraint on the version.
    pub constraint: String,
    /// `path`, `git`, `artifactserver` and others.
    pub options: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    pub name: String,
    /// `path`, `git`, `remote`, `server`
    pub options: Map<String, Value>,
}

/// The contents of a `Policyfile.rb`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policyfile {
    pub name: String,
    /// `run_list`, as written.
    pub run_list: Vec<String>,
    pub named_run_lists: Vec<(String, Vec<String>)>,
    pub sources: Vec<Source>,
    pub cookbooks: Vec<Wanted>,
    pub included: Vec<Included>,
    /// `default[...]`
    pub default: Value,
    /// `override[...]`
    pub overriding: Value,
    /// Messages about invalid settings.
    pub errors: Vec<String>,
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

fn string_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

fn tree(value: &Value) -> Value {
    if value.is_object() { value.clone() } else { json!({}) }
}

impl Policyfile {
    /// Parses the document collected by the Ruby side.
    pub fn from_json(json: &Value) -> Policyfile {
        let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
        let options = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let named = json["named_run_lists"].as_object();
        Policyfile {
            name: string_of(&json["name"]),
            run_list: texts(&json["run_list"]),
            named_run_lists: named.into_iter().flatten().map(|(name, list)| (name.clone(), texts(list))).collect(),
            sources: list("default_source")
                .iter()
                .map(|source| Source {
                    kind: string_of(&source[0]),
                    argument: source[1].as_str().map(str::to_string),
                    preferred: texts(&source[2]),
                })
                .collect(),
            cookbooks: list("cookbooks")
                .iter()
                .map(|line| Wanted {
                    name: string_of(&line[0]),
                    constraint: string_of(&line[1]),
                    options: options(&line[2]),
                })
                .collect(),
            included: list("included_policies")
                .iter()
                .map(|line| Included { name: string_of(&line[0]), options: options(&line[1]) })
                .collect(),
            default: tree(&json["default_attributes"]),
            overriding: tree(&json["override_attributes"]),
            errors: texts(&json["errors"]),
        }
    }
}

/// An included policy and its lock; cookbook paths in it are below the directory of the including Policyfile.
#[derive(Clone, Debug)]
pub struct IncludedLock {
    pub name: String,
    /// The options that say where the lock is.
    pub options: Value,
    pub lock: Value,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    pub version: String,
    /// The identifier of the contents.
    pub identifier: String,
    /// Dependencies and constraints, in the metadata's order.
    pub depends: Vec<(String, String)>,
    /// The constraint in the Policyfile itself.
    pub constraint: String,
    pub origin: Origin,
}

/// The location of a locked cookbook.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A directory relative to the Policyfile, and `scm_info`.
    Path(String, Value),
    /// chef-cli's cache: the directory name, and the URL it was downloaded from.
    Cache(String, String),
}

/// The text whose SHA-1 is the cookbook's identifier. `files` has paths and MD5 sums of the contents.
pub fn fingerprint(files: &[(String, String)]) -> String {
    let mut sorted: Vec<&(String, String)> = files.iter().collect();
    sorted.sort();
    sorted.iter().fold(String::new(), |mut found, (path, sum)| {
        let _ = writeln!(found, "{path}:{sum}");
        found
    })
}

/// The identifier as three decimal numbers, for servers that identify cookbooks by version; empty if it is not a SHA-1.
pub fn dotted(identifier: &str) -> String {
    if identifier.len() != 40 || !identifier.is_ascii() {
        return String::new();
    }
    let part = |from: usize, to: usize| u64::from_str_radix(&identifier[from..to], 16).unwrap_or_default();
    format!("{}.{}.{}", part(0, 14), part(14, 28), part(28, 40))
}

/// A constraint in the form of a lock: with its operator, and with three numbers unless it is `~>`.
pub fn constraint(given: &str) -> Result<String, InvalidConstraint> {
    let (operator, version) = split(given)?;
    let operator = operator.as_str();
    let mut parts: Vec<&str> = version.split('.').collect();
    while operator != "~>" && parts.len() < 3 {
        parts.push("0");
    }
    Ok(format!("{operator} {}", parts.join(".")))
}

/// Attributes in the form that the revision is computed from: sorted keys, no spaces, Floats with at most 15 digits.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            let parts: Vec<String> = keys.iter().map(|key| format!("\"{key}\":{}", canonical(&map[*key]))).collect();
            format!("{{{}}}", parts.join(","))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(canonical).collect::<Vec<_>>().join(",")),
        // chef-cli does not escape quotes and backslashes: the text is only hashed
        Value::String(text) => format!("\"{text}\""),
        Value::Number(number) if number.is_f64() => {
            rchef_text::sprintf::general(number.as_f64().unwrap_or_default(), 15)
        }
        other => other.to_string(),
    }
}

/// The text whose SHA-256 is a lock's revision: only what can change a run.
pub fn revision_text(lock: &Value) -> String {
    let mut found = format!("name:{}\n", lock["name"].as_str().unwrap_or_default());
    for item in texts(&lock["run_list"]) {
        let _ = writeln!(found, "run-list-item:{item}");
    }
    for (name, list) in lock["named_run_lists"].as_object().into_iter().flatten() {
        for item in texts(list) {
            let _ = writeln!(found, "named-run-list:{name};run-list-item:{item}");
        }
    }
    let locks = lock["cookbook_locks"].as_object().cloned().unwrap_or_default();
    let mut names: Vec<&String> = locks.keys().collect();
    names.sort();
    for name in names {
        let _ = writeln!(found, "cookbook:{name};id:{}", locks[name]["identifier"].as_str().unwrap_or_default());
    }
    for key in ["default_attributes", "override_attributes"] {
        let _ = writeln!(found, "{key}:{}", canonical(&tree(&lock[key])));
    }
    found
}

/// The distinct items of run lists, in order.
fn joined(lists: &[&[String]]) -> Result<Vec<Item>, InvalidItem> {
    let mut found: Vec<Item> = Vec::new();
    for text in lists.iter().copied().flatten() {
        let item = Item::parse(text)?;
        if !found.contains(&item) {
            found.push(item);
        }
    }
    Ok(found)
}

/// An item in the form `recipe[COOKBOOK::RECIPE]`.
fn normalized(item: &Item) -> String {
    match item {
        Item::Recipe(name, _) => format!("recipe[{}]", crate::run_list::qualified(name)),
        other => other.to_string(),
    }
}

/// The run list of a lock: first those of the included policies, then the Policyfile's own.
pub fn run_list(file: &Policyfile, included: &[IncludedLock]) -> Result<Vec<String>, InvalidItem> {
    let theirs: Vec<Vec<String>> = included.iter().map(|policy| texts(&policy.lock["run_list"])).collect();
    let mut lists: Vec<&[String]> = theirs.iter().map(Vec::as_slice).collect();
    lists.push(&file.run_list);
    Ok(joined(&lists)?.iter().map(normalized).collect())
}

pub fn named_run_lists(
    file: &Policyfile,
    included: &[IncludedLock],
) -> Result<Vec<(String, Vec<String>)>, InvalidItem> {
    let theirs = included.iter().flat_map(|policy| policy.lock["named_run_lists"].as_object().into_iter().flatten());
    let theirs = theirs.map(|(name, list)| (name.clone(), texts(list)));
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (name, list) in theirs.chain(file.named_run_lists.iter().cloned()) {
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.extend(list),
            None => found.push((name, list)),
        }
    }
    let mut lists = Vec::new();
    for (name, list) in found {
        lists.push((name, joined(&[&list])?.iter().map(normalized).collect()));
    }
    Ok(lists)
}

/// The cookbooks of run lists, each once.
pub fn named_cookbooks<'a>(lists: impl Iterator<Item = &'a Vec<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for item in lists.flatten().filter_map(|text| Item::parse(text).ok()) {
        if let Some(name) = item.cookbook()
            && !found.iter().any(|known| known == name)
        {
            found.push(name.to_string());
        }
    }
    found
}

/// An attribute with different values in a Policyfile and included policies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeConflict {
    /// The attribute's path, in the form `[a][b]`.
    pub path: String,
    /// The policies that set it; `user-specified` for the Policyfile itself.
    pub by: [String; 2],
}

/// The attributes of a lock: those of the Policyfile and of the included policies, which must not conflict.
fn attributes(own: &Value, key: &str, included: &[IncludedLock]) -> Result<Value, AttributeConflict> {
    let mut merged = tree(own);
    let mut leaves: Vec<(String, String)> = Vec::new();
    note(own, "", "user-specified", &mut leaves);
    for policy in included {
        let theirs = tree(&policy.lock[key]);
        add(&mut merged, &theirs, "", &policy.name, &leaves)?;
        note(&theirs, "", &policy.name, &mut leaves);
    }
    Ok(merged)
}

/// Records which policy sets which attribute.
fn note(value: &Value, path: &str, by: &str, leaves: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| note(value, &format!("{path}[{key}]"), by, leaves)),
        _ => leaves.push((path.to_string(), by.to_string())),
    }
}

fn add(
    into: &mut Value,
    from: &Value,
    path: &str,
    by: &str,
    leaves: &[(String, String)],
) -> Result<(), AttributeConflict> {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                let below = format!("{path}[{key}]");
                match into.get_mut(key) {
                    Some(known) => add(known, value, &below, by, leaves)?,
                    None => {
                        into.insert(key.clone(), value.clone());
                    }
                }
            }
            Ok(())
        }
        (into, from) if into == from => Ok(()),
        _ => {
            let known = leaves.iter().find(|(known, _)| known.starts_with(path));
            let first = known.map_or_else(|| "user-specified".to_string(), |(_, by)| by.clone());
            Err(AttributeConflict { path: path.to_string(), by: [first, by.to_string()] })
        }
    }
}

/// Why a lock cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoLock {
    /// A run list entry is invalid.
    Item(InvalidItem),
    /// A constraint is invalid.
    Constraint(InvalidConstraint),
    /// Attributes conflict.
    Attributes(AttributeConflict),
}

impl From<InvalidItem> for NoLock {
    fn from(error: InvalidItem) -> NoLock {
        NoLock::Item(error)
    }
}
impl From<InvalidConstraint> for NoLock {
    fn from(error: InvalidConstraint) -> NoLock {
        NoLock::Constraint(error)
    }
}
impl From<AttributeConflict> for NoLock {
    fn from(error: AttributeConflict) -> NoLock {
        NoLock::Attributes(error)
    }
}

impl std::fmt::Display for NoLock {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoLock::Item(error) => error.fmt(out),
            NoLock::Constraint(error) => error.fmt(out),
            NoLock::Attributes(AttributeConflict { path, by: [a, b] }) => {
                write!(out, "Attribute '{path}' provided conflicting values by the following sources {a} and {b}")
            }
        }
    }
}

/// The lock without its revision, with keys in chef-cli's order. `parts` are the cookbooks of the solution.
pub fn lock(file: &Policyfile, included: &[IncludedLock], parts: &[Part]) -> Result<Value, NoLock> {
    let mut lock = Map::new();
    lock.insert("revision_id".into(), Value::Null);
    lock.insert("name".into(), file.name.as_str().into());
    lock.insert("run_list".into(), run_list(file, included)?.into());
    let named = named_run_lists(file, included)?;
    if !named.is_empty() {
        lock.insert(
            "named_run_lists".into(),
            named.into_iter().map(|(name, list)| (name, Value::from(list))).collect::<Map<_, _>>().into(),
        );
    }
    let policies = included.iter().map(|policy| {
        json!({ "name": policy.name, "revision_id": policy.lock["revision_id"], "source_options": policy.options })
    });
    lock.insert("included_policy_locks".into(), policies.collect());
    let mut sorted: Vec<&Part> = parts.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let locks = sorted.iter().map(|part| (part.name.clone(), cookbook_lock(part)));
    lock.insert("cookbook_locks".into(), locks.collect());
    lock.insert("default_attributes".into(), attributes(&file.default, "default_attributes", included)?);
    lock.insert("override_attributes".into(), attributes(&file.overriding, "override_attributes", included)?);
    lock.insert("solution_dependencies".into(), dependencies(file, &sorted)?);
    Ok(Value::Object(lock))
}

fn cookbook_lock(part: &Part) -> Value {
    let mut lock = Map::new();
    lock.insert("version".into(), part.version.as_str().into());
    lock.insert("identifier".into(), part.identifier.as_str().into());
    lock.insert("dotted_decimal_identifier".into(), dotted(&part.identifier).into());
    match &part.origin {
        Origin::Path(path, scm) => {
            lock.insert("source".into(), path.as_str().into());
            lock.insert("cache_key".into(), Value::Null);
            lock.insert("scm_info".into(), scm.clone());
            lock.insert("source_options".into(), json!({ "path": path }));
        }
        Origin::Cache(key, address) => {
            lock.insert("cache_key".into(), key.as_str().into());
            lock.insert("origin".into(), address.as_str().into());
            lock.insert("source_options".into(), json!({ "artifactserver": address, "version": part.version }));
        }
    }
    Value::Object(lock)
}

/// `solution_dependencies`: the constraints in the Policyfile and in the cookbooks' metadata.
fn dependencies(file: &Policyfile, sorted: &[&Part]) -> Result<Value, InvalidConstraint> {
    let mut own: Vec<(String, String)> = Vec::new();
    for part in sorted {
        own.push((part.name.clone(), constraint(&part.constraint)?));
    }
    // the lock also lists constraints on cookbooks that are not in the solution
    for wanted in &file.cookbooks {
        if !own.iter().any(|(name, _)| *name == wanted.name) {
            own.push((wanted.name.clone(), constraint(&wanted.constraint)?));
        }
    }
    own.sort();
    let mut by_cookbook: Vec<(String, Value)> = Vec::new();
    for part in sorted {
        let mut list = Vec::new();
        for (name, asked) in &part.depends {
            list.push(json!([name, constraint(asked)?]));
        }
        by_cookbook.push((format!("{} ({})", part.name, part.version), list.into()));
    }
    by_cookbook.sort_by(|a, b| a.0.cmp(&b.0));
    let own: Vec<Value> = own.into_iter().map(|(name, asked)| json!([name, asked])).collect();
    Ok(json!({ "Policyfile": own, "dependencies": by_cookbook.into_iter().collect::<Map<_, _>>() }))
}

/// Replaces the dependencies of a locked cookbook in `solution_dependencies`.
///
/// # Errors
/// A dependency that no cookbook of the lock satisfies.
pub fn renew_dependencies(lock: &mut Value, name: &str, depends: &[(String, String)]) -> Result<(), String> {
    let mut list = Vec::new();
    for (on, asked) in depends {
        let asked = constraint(asked).map_err(|error| error.to_string())?;
        let wanted = Constraint::parse(&asked, Scheme::Cookbook).map_err(|error| error.to_string())?;
        let Some(locked) = lock["cookbook_locks"][on]["version"].as_str() else {
            return Err(format!("it depends on {on} {asked}, which the lock does not have"));
        };
        if !Version::parse(locked, Scheme::Cookbook).is_ok_and(|locked| wanted.allows(locked)) {
            return Err(format!("it depends on {on} {asked}, and the lock has {locked}"));
        }
        list.push(json!([on, asked]));
    }
    let key = format!("{name} ({})", string_of(&lock["cookbook_locks"][name]["version"]));
    match lock.pointer_mut("/solution_dependencies/dependencies").and_then(Value::as_object_mut) {
        Some(known) => known.insert(key, list.into()),
        None => return Err("the lock lacks `solution_dependencies`".into()),
    };
    Ok(())
}

/// JSON in the style of YAJL, which chef-cli uses: two spaces of indentation, and an empty line in an empty list or map.
pub fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, depth: usize, out: &mut String) {
    let (open, close, entries): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(map) => ('{', '}', map.iter().map(|(key, value)| (Some(key), value)).collect()),
        Value::Array(list) => ('[', ']', list.iter().map(|value| (None, value)).collect()),
        other => {
            out.push_str(&other.to_string());
            return;
        }
    };
    let indent = "  ".repeat(depth + 1);
    out.push(open);
    out.push('\n');
    for (at, (key, value)) in entries.iter().enumerate() {
        if at > 0 {
            out.push_str(",\n");
        }
        out.push_str(&indent);
        if let Some(key) = key {
            let _ = write!(out, "{}: ", Value::String((*key).clone()));
        }
        write(value, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&indent[2..]);
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identifier_of_a_cookbook_of_chef_clis_own_specs() {
        let files = [
            ("metadata.rb", "4879d0004b177546cfbcfb2fd26df7c8"),
            ("README.md", "0f15038071e5a131bef176cbe2a956d1"),
            ("recipes/default.rb", "9a0f27d741deaca21461073f7452474f"),
            ("chefignore", "03485640b005eb1083c76518764053dd"),
            ("kitchen.yml", "85ba09a085dab072722cb197e04fa805"),
        ]
        .map(|(path, sum)| (path.to_string(), sum.to_string()));
        assert_eq!(
            fingerprint(&files),
            "README.md:0f15038071e5a131bef176cbe2a956d1\nchefignore:03485640b005eb1083c76518764053dd\nkitchen.yml:85ba09a085dab072722cb197e04fa805\nmetadata.rb:4879d0004b177546cfbcfb2fd26df7c8\nrecipes/default.rb:9a0f27d741deaca21461073f7452474f\n"
        );
        assert_eq!(
            dotted("f24326bbf81d67fcab6a5615c75092d1c6da81cc"),
            "68190778005396839.71120167330236240.161429682029004"
        );
    }

    #[test]
    fn constraints_as_locks_write_them() {
        for (given, written) in [
            ("1.2", "= 1.2.0"),
            ("~> 1.2", "~> 1.2"),
            (">= 1", ">= 1.0.0"),
            ("<2.5.1", "< 2.5.1"),
            (">= 0.0.0", ">= 0.0.0"),
        ] {
            assert_eq!(constraint(given).unwrap(), written, "{given}");
        }
        assert!(constraint("newest").is_err());
    }

    #[test]
    fn the_text_of_a_revision() {
        let lock = json!({
            "name": "dev", "run_list": ["recipe[b::default]"], "named_run_lists": { "x": ["recipe[a::x]"] },
            "cookbook_locks": { "b": { "identifier": "2" }, "a": { "identifier": "1" } },
            "default_attributes": { "z": [1, 0.1, 1e9, 1.5e300, true, null], "a": { "k": "v\"" } }, "override_attributes": {},
        });
        assert_eq!(
            revision_text(&lock),
            "name:dev\nrun-list-item:recipe[b::default]\nnamed-run-list:x;run-list-item:recipe[a::x]\ncookbook:a;id:1\ncookbook:b;id:2\ndefault_attributes:{\"a\":{\"k\":\"v\"\"},\"z\":[1,0.1,1000000000,1.5e+300,true,null]}\noverride_attributes:{}\n"
        );
    }

    fn included(name: &str, lock: Value) -> IncludedLock {
        IncludedLock { name: name.into(), options: json!({ "path": "base.lock.json" }), lock }
    }

    #[test]
    fn included_policies_come_first() {
        let file = Policyfile {
            name: "app".into(),
            run_list: vec!["app".into(), "recipe[base]".into()],
            named_run_lists: vec![("quiet".into(), vec!["app::quiet".into()])],
            default: json!({ "a": { "own": 1 } }),
            overriding: json!({}),
            ..Policyfile::default()
        };
        let base = included(
            "base",
            json!({ "revision_id": "r", "run_list": ["recipe[base::default]"], "named_run_lists": { "quiet": ["recipe[base::quiet]"] }, "default_attributes": { "a": { "base": 2 } } }),
        );
        let made = lock(&file, &[base], &[]).unwrap();
        assert_eq!(made["run_list"], json!(["recipe[base::default]", "recipe[app::default]", "recipe[base::default]"]));
        assert_eq!(made["named_run_lists"]["quiet"], json!(["recipe[base::quiet]", "recipe[app::quiet]"]));
        assert_eq!(made["default_attributes"], json!({ "a": { "own": 1, "base": 2 } }));
        let keys: Vec<&String> = made.as_object().unwrap().keys().collect();
        assert_eq!(keys[..3], ["revision_id", "name", "run_list"]);
    }

    #[test]
    fn attributes_that_contradict_each_other() {
        let file = Policyfile { name: "app".into(), default: json!({ "a": { "b": 1 } }), ..Policyfile::default() };
        let found = lock(&file, &[included("base", json!({ "default_attributes": { "a": { "b": 2 } } }))], &[]);
        assert_eq!(
            found.unwrap_err().to_string(),
            "Attribute '[a][b]' provided conflicting values by the following sources user-specified and base"
        );
    }

    #[test]
    fn what_is_empty_has_an_empty_line() {
        assert_eq!(
            pretty(&json!({ "a": {}, "b": [1, []] })),
            "{\n  \"a\": {\n\n  },\n  \"b\": [\n    1,\n    [\n\n    ]\n  ]\n}\n"
        );
    }
}
