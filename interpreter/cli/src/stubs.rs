//! Stubbed answers for machines and servers that a simulation lacks: `--stub FILE`; `rchef check --write-stubs` drafts such a file.
//!
//! A file has any of these keys: `commands` (a list of `match`, `output`, `status`), `data_bags` (bag, item, object), `searches` (a list of
//! `index`, `query`,
//! `found`), `files` (path, content), `users` and `groups` (name, fields as in passwd and group), `environment` (name, value) and `facts` (merged
//! into the node's).

use crate::compile::Node;
use rchef_host::{Group, RealHost, User, compose};
use rchef_lint::config::yaml::Value;
use rchef_recipe::data::repo;
use rchef_recipe::run::run_mut;
use rchef_ruby::Vm;
use serde_json::{Map, Value as Json};

/// The valid keys of a file.
const KEYS: &[&str] = &["commands", "data_bags", "searches", "files", "users", "groups", "environment", "facts"];

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stubs {
    /// In the format of `--stub-command`.
    commands: Vec<String>,
    /// Bag, item, object.
    items: Vec<(String, String, Json)>,
    /// Index, query, found objects.
    searches: Vec<(String, String, Vec<Json>)>,
    files: Vec<(String, String)>,
    users: Vec<User>,
    groups: Vec<Group>,
    /// In the format of `--env`.
    environment: Vec<String>,
    /// Merged into the node's facts.
    facts: Map<String, Json>,
}

impl Stubs {
    /// Reads stub files.
    ///
    /// # Errors
    /// The path and what is wrong with the file.
    pub fn read(host: &RealHost, paths: &[String]) -> Result<Self, String> {
        let mut all = Self::default();
        for path in paths {
            let bytes =
                compose::read_file(host, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
            all.add(&String::from_utf8_lossy(&bytes)).map_err(|error| format!("{path}: {error}"))?;
        }
        Ok(all)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let Json::Object(document) = json(&Value::parse(text)?) else {
            return Err("it is no map; --write-stubs drafts such a file".into());
        };
        for (key, value) in &document {
            match key.as_str() {
                // a draft may have nothing but comments there
                key if value.is_null() && KEYS.contains(&key) => {}
                "commands" => list(key, value)?.iter().try_for_each(|one| self.command(one))?,
                "searches" => list(key, value)?.iter().try_for_each(|one| self.search(one))?,
                "data_bags" => {
                    for (bag, items) in map(key, value)? {
                        for (id, item) in map(bag, items)? {
                            let mut item = map(id, item)?.clone();
                            item.insert("id".into(), Json::String(id.clone()));
                            self.items.push((bag.clone(), id.clone(), Json::Object(item)));
                        }
                    }
                }
                "files" => {
                    self.files.extend(map(key, value)?.iter().map(|(path, content)| (path.clone(), plain(content))));
                }
                "users" => self.users.extend(map(key, value)?.iter().map(|(name, fields)| user(name, fields))),
                "groups" => self.groups.extend(map(key, value)?.iter().map(|(name, fields)| group(name, fields))),
                "environment" => {
                    let pairs = map(key, value)?.iter();
                    self.environment.extend(pairs.map(|(name, value)| format!("{name}={}", plain(value))));
                }
                "facts" => merge(&mut self.facts, map(key, value)?),
                _ => return Err(format!("{key}: there is no such answer; there are {}", KEYS.join(", "))),
            }
        }
        Ok(())
    }

    fn command(&mut self, one: &Json) -> Result<(), String> {
        let Some(pattern) = one["match"].as_str() else { return Err("a command has no `match`".into()) };
        let status = match &one["status"] {
            Json::Null => 0,
            other => other
                .as_u64()
                .filter(|status| *status < 256)
                .ok_or_else(|| format!("{pattern}: a status is a number from 0 to 255"))?,
        };
        let output = plain(&one["output"]).replace('\n', "\\n");
        self.commands.push(format!("{}={output}:{status}", pattern.replace('=', "\\=")));
        Ok(())
    }

    fn search(&mut self, one: &Json) -> Result<(), String> {
        let Some(index) = one["index"].as_str() else { return Err("a search has no `index`".into()) };
        let query = one["query"].as_str().unwrap_or("*:*");
        let found = one["found"].as_array().cloned().unwrap_or_default();
        if found.iter().any(|object| !object.is_object()) {
            return Err(format!("search {index} {query}: `found` is a list of objects"));
        }
        self.searches.push((index.into(), query.into(), found));
        Ok(())
    }

    /// The command line's options for a node, extended by the stubbed commands and environment.
    pub fn added_to(&self, node: &Node) -> Node {
        let mut node = node.clone();
        node.stubs.extend(self.commands.iter().cloned());
        node.access.env.extend(self.environment.iter().cloned());
        node
    }

    /// The facts, with those of the stub files merged over them.
    pub fn facts(&self, facts: Vec<u8>) -> Vec<u8> {
        if self.facts.is_empty() {
            return facts;
        }
        let Ok(Json::Object(mut all)) = serde_json::from_slice(&facts) else { return facts };
        merge(&mut all, &self.facts);
        Json::Object(all).to_string().into_bytes()
    }

    /// Adds data bags, files, users and groups to the compile's overlay, and searches to the run.
    ///
    /// # Errors
    /// A file cannot be created in the overlay, or there is none (`--immediate=run`).
    pub fn plant(&self, vm: &mut Vm) -> Result<(), String> {
        run_mut(vm).answers.extend(self.searches.iter().cloned());
        let mut files = self.files.clone();
        for (bag, id, item) in &self.items {
            files.push((repo::path(vm, &format!("data_bags/{bag}/{id}.json")), item.to_string()));
        }
        if files.is_empty() && self.users.is_empty() && self.groups.is_empty() {
            return Ok(());
        }
        let host = vm.host.clone();
        let Some(overlay) = host.as_overlay() else {
            return Err("--stub answers for a simulated machine: it does not go with --immediate=run".into());
        };
        overlay.quietly(|| {
            for (path, content) in &files {
                let folder =
                    path.rsplit_once('/').map_or("/", |(folder, _)| if folder.is_empty() { "/" } else { folder });
                let made = compose::create_dir_all(overlay, folder.as_bytes(), 0o755)
                    .and_then(|_| compose::write_file(overlay, path.as_bytes(), content.as_bytes(), 0o644));
                made.map_err(|error| format!("--stub: {path}: {}", error.message()))?;
            }
            for user in &self.users {
                let name = String::from_utf8_lossy(&user.name).into_owned();
                overlay
                    .assume_user(&user.name, Some(user))
                    .map_err(|error| format!("--stub: user {name}: {}", error.message()))?;
            }
            for group in &self.groups {
                let name = String::from_utf8_lossy(&group.name).into_owned();
                overlay
                    .assume_group(&group.name, Some(group))
                    .map_err(|error| format!("--stub: group {name}: {}", error.message()))?;
            }
            Ok(())
        })
    }
}

fn list<'v>(key: &str, value: &'v Json) -> Result<&'v [Json], String> {
    match value {
        Json::Null => Ok(&[]),
        Json::Array(items) => Ok(items),
        _ => Err(format!("{key}: it is a list")),
    }
}

fn map<'v>(key: &str, value: &'v Json) -> Result<&'v Map<String, Json>, String> {
    value.as_object().ok_or_else(|| format!("{key}: it is a map"))
}

/// A scalar as text.
fn plain(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn number(fields: &Json, key: &str, other: u32) -> u32 {
    fields[key].as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(other)
}

fn user(name: &str, fields: &Json) -> User {
    let text = |key: &str, other: String| fields[key].as_str().map_or(other, str::to_string).into_bytes();
    let uid = number(fields, "uid", 1000);
    User {
        name: name.into(),
        passwd: b"x".to_vec(),
        uid,
        gid: number(fields, "gid", uid),
        gecos: text("gecos", String::new()),
        dir: text("home", if name == "root" { "/root".into() } else { format!("/home/{name}") }),
        shell: text("shell", "/bin/bash".into()),
    }
}

fn group(name: &str, fields: &Json) -> Group {
    let members = fields["members"].as_array().into_iter().flatten().map(|member| plain(member).into_bytes());
    Group { name: name.into(), passwd: b"x".to_vec(), gid: number(fields, "gid", 1000), members: members.collect() }
}

/// Merges `given` into `all`, recursively for maps; other given values replace existing ones.
pub fn merge(all: &mut Map<String, Json>, given: &Map<String, Json>) {
    for (key, value) in given {
        match (all.get_mut(key), value) {
            (Some(Json::Object(own)), Json::Object(given)) => merge(own, given),
            _ => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Converts a YAML value to JSON; plain scalars get their type from their form.
pub fn json(value: &Value) -> Json {
    match value {
        Value::Quoted(text) => Json::String(text.clone()),
        Value::Text(text) => match text.as_str() {
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            "" | "~" | "null" => Json::Null,
            other => match (other.parse::<i64>(), other.parse::<f64>()) {
                (Ok(number), _) => number.into(),
                (_, Ok(number)) if other.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') => {
                    number.into()
                }
                _ => Json::String(other.to_string()),
            },
        },
        Value::List(items) => Json::Array(items.iter().map(json).collect()),
        Value::Map(pairs) => {
            Json::Object(pairs.iter().map(|(key, value)| (key.clone(), json(value))).collect::<Map<_, _>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stubs;
    use serde_json::json;

    fn read(text: &str) -> Result<Stubs, String> {
        let mut stubs = Stubs::default();
        stubs.add(text).map(|()| stubs)
    }

    #[test]
    fn answers() {
        let stubs = read(
            "commands:\n  - match: a=b\n    output: \"1\\n2\"\n    status: 3\ndata_bags:\n  users:\n    alice: {uid: 7}\nsearches:\n  - {index: node, query: 'role:web', found: [{name: w1}]}\nfiles:\n  /etc/x: |\n    one\n    two\nusers:\n  vagrant: {uid: 900}\nenvironment: {STAGE: 1}\nfacts: {packages: {curl: {version: '7'}}}\n",
        )
        .unwrap();
        assert_eq!(stubs.commands, ["a\\=b=1\\n2:3"]);
        assert_eq!(stubs.items, [("users".into(), "alice".into(), json!({"uid": 7, "id": "alice"}))]);
        assert_eq!(stubs.searches, [("node".into(), "role:web".into(), vec![json!({"name": "w1"})])]);
        assert_eq!(stubs.files, [("/etc/x".into(), "one\ntwo\n".into())]);
        assert_eq!((stubs.users[0].uid, stubs.users[0].gid), (900, 900));
        assert_eq!(stubs.users[0].dir, b"/home/vagrant");
        assert_eq!(stubs.environment, ["STAGE=1"]);
        let facts = stubs.facts(br#"{"packages":{"git":{}},"a":1}"#.to_vec());
        assert_eq!(
            serde_json::from_slice::<serde_json::Value>(&facts).unwrap(),
            json!({"packages": {"git": {}, "curl": {"version": "7"}}, "a": 1})
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("commands:\n  - output: x\n", "no `match`"),
            ("commands:\n  - {match: x, status: 300}\n", "0 to 255"),
            ("x: 1\n", "there is no such answer"),
            ("- a\n", "it is no map"),
            ("data_bags: [a]\n", "data_bags: it is a map"),
            ("searches: [{query: a}]\n", "no `index`"),
        ] {
            assert!(read(text).unwrap_err().contains(says), "{text}");
        }
    }
}
