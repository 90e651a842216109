//! Roles, environments and data bags of a chef-repo: whether they are JSON, and whether what they name is there.

use super::found::{Compiled, Found, What};
use super::options::Weight;
use rchef_host::{FileKind, Files, RealHost, compose};
use rchef_lint::known::Known;
use rchef_lint::source::Source;
use rchef_model::code::Code;
use rchef_model::run_list::Item;
use rchef_model::skim;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// Folders of documents, and how deep they lie in them.
const FOLDERS: &[(&str, usize)] = &[("roles", 2), ("environments", 0), ("data_bags", 1)];

/// A line and a column, from 1.
type Place = (usize, usize);

/// The chef-repo (empty, or with a trailing slash) of a file or folder that is checked: the folder itself, or the one above a folder of documents.
pub fn base_of(host: &RealHost, path: &str) -> String {
    let path = if path == "." { "" } else { path.trim_end_matches('/') };
    let slashed = |path: &str| if path.is_empty() { String::new() } else { format!("{path}/") };
    let has = |name: &str| compose::exists(host, format!("{}{name}", slashed(path)).as_bytes());
    let parts: Vec<&str> = path.split('/').collect();
    let above = parts.iter().rposition(|part| FOLDERS.iter().any(|(folder, _)| folder == part));
    match above {
        Some(at) if !has("cookbooks") && !FOLDERS.iter().any(|(folder, _)| has(folder)) => {
            parts[..at].iter().map(|part| format!("{part}/")).collect()
        }
        _ => slashed(path),
    }
}

/// Whether a path below a chef-repo is one of a document.
pub fn is_document(inner: &str) -> bool {
    let in_folder = inner.split_once('/').is_some_and(|(folder, rest)| {
        FOLDERS.iter().any(|(name, depth)| *name == folder && rest.matches('/').count() <= *depth)
    });
    in_folder && (inner.ends_with(".json") || inner.ends_with(".rb"))
}

/// Whether a path below a chef-repo is a folder that may have documents.
pub fn has_documents(inner: &str) -> bool {
    let (folder, rest) = inner.split_once('/').map_or((inner, 0), |(folder, rest)| (folder, rest.split('/').count()));
    FOLDERS.iter().any(|(name, depth)| *name == folder && rest <= *depth)
}

/// What documents may name.
pub struct Names<'k> {
    known: &'k Known,
    /// The roles of each chef-repo.
    roles: BTreeMap<String, BTreeSet<String>>,
}

impl<'k> Names<'k> {
    /// Those of chef-repos.
    pub fn of<'b>(host: &RealHost, bases: impl Iterator<Item = &'b str>, known: &'k Known) -> Self {
        let mut roles = BTreeMap::new();
        for base in bases {
            roles.entry(base.to_string()).or_insert_with(|| {
                let mut names = BTreeSet::new();
                role_names(host, &format!("{base}roles"), FOLDERS[0].1, &mut names);
                names
            });
        }
        Self { known, roles }
    }

    /// What an entry of a run list names that is not there: the rule, the message and the name.
    fn missing(&self, base: &str, item: &str) -> Option<(Code, String, String)> {
        match Item::parse(item).ok()? {
            Item::Role(name) => {
                let none = !self.roles.get(base).is_some_and(|roles| roles.contains(&name));
                none.then(|| (Code::MissingRole, format!("there is no role {name} in {base}roles"), name))
            }
            Item::Recipe(_, _) if self.known.cookbooks.is_empty() => None,
            Item::Recipe(name, _) => {
                let (cookbook, recipe) = name.split_once("::").unwrap_or((&name, "default"));
                match self.known.cookbooks.get(cookbook) {
                    None if self.known.fetched => None,
                    None => {
                        let message = format!("there is no cookbook {cookbook} in the repository");
                        Some((Code::MissingCookbook, message, cookbook.to_string()))
                    }
                    Some(known) if known.recipes.contains(recipe) => None,
                    Some(_) => {
                        let message = format!("the cookbook {cookbook} has no recipe {recipe}");
                        Some((Code::MissingRecipe, message, format!("{cookbook}::{recipe}")))
                    }
                }
            }
        }
    }
}

/// The names of the roles in a folder, and in those in it.
fn role_names(host: &RealHost, folder: &str, depth: usize, names: &mut BTreeSet<String>) {
    for entry in host.readdir(folder.as_bytes()).unwrap_or_default() {
        let Ok(name) = String::from_utf8(entry.name) else { continue };
        if entry.kind == FileKind::Directory {
            if depth > 0 {
                role_names(host, &format!("{folder}/{name}"), depth - 1, names);
            }
        } else if let Some(role) = name.strip_suffix(".json").or(name.strip_suffix(".rb")) {
            names.insert(role.to_string());
        }
    }
}

/// The findings of a document in Ruby.
pub fn ruby(names: &Names<'_>, base: &str, path: &str, source: &Source) -> Vec<Found> {
    if !is_role(base, path) {
        return Vec::new();
    }
    let entries = rchef_lint::role_run_lists(&source.text).into_iter();
    let found = entries.filter_map(|(span, item)| {
        let start = source.place(span.start);
        named(names, base, &item).map(|what| at(path, source.line_text(start.0), start, item.chars().count(), what))
    });
    found.collect()
}

/// The findings of a document in JSON.
pub fn json(names: &Names<'_>, base: &str, path: &str, bytes: &[u8]) -> Vec<Found> {
    let text = String::from_utf8_lossy(bytes);
    let line_text = |line: usize| text.lines().nth(line - 1).unwrap_or_default();
    if let Err(error) = serde_json::from_slice::<&RawValue>(bytes) {
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let what = What::Syntax(format!("the file is not JSON: {reason}"));
        let start = (error.line().max(1), error.column().max(1));
        return vec![at(path, line_text(start.0), start, 1, what)];
    }
    if !is_role(base, path) {
        return Vec::new();
    }
    let found = run_lists(&text).into_iter().filter_map(|(offset, item)| {
        let start = place(&text, offset);
        named(names, base, &item).map(|what| at(path, line_text(start.0), start, item.chars().count(), what))
    });
    found.collect()
}

fn is_role(base: &str, path: &str) -> bool {
    path.strip_prefix(base).is_some_and(|inner| inner.starts_with("roles/"))
}

/// The line and column of an offset.
fn place(text: &str, offset: usize) -> Place {
    let before = &text[..offset];
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// The entries of the run lists of a role in JSON, with their offsets in the text.
fn run_lists(text: &str) -> Vec<(usize, String)> {
    let bytes = text.as_bytes();
    let entries = skim::entries(bytes).unwrap_or_default();
    let mut found = Vec::new();
    for key in ["run_list", "env_run_lists"] {
        let entry = entries.iter().rfind(|entry| skim::key(bytes, entry).is_some_and(|known| known == key));
        let Some(value) = entry.and_then(|entry| text.get(entry.1.clone()).map(|value| (entry.1.start, value))) else {
            continue;
        };
        let (start, value) = value;
        let mut items = Vec::new();
        match serde_json::from_str(value) {
            Ok(Json::Object(lists)) => lists.values().for_each(|list| texts(list, &mut items)),
            Ok(list) => texts(&list, &mut items),
            Err(_) => {}
        }
        let mut from = 0;
        for item in items {
            let quoted = format!("\"{item}\"");
            // an entry with escapes is told at the start of the list
            let at = value.get(from..).and_then(|rest| rest.find(&quoted)).or_else(|| {
                from = 0;
                value.find(&quoted)
            });
            let offset = at.map_or(start, |at| start + from + at + 1);
            from = at.map_or(from, |at| from + at + quoted.len());
            found.push((offset, item));
        }
    }
    found
}

/// The texts of a list.
fn texts(list: &Json, found: &mut Vec<String>) {
    found.extend(list.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_string));
}

/// The finding for an entry of a run list that names what is not there.
fn named(names: &Names<'_>, base: &str, item: &str) -> Option<What> {
    let (code, message, name) = names.missing(base, item)?;
    Some(What::Compiled(Box::new(Compiled {
        rule: code,
        weight: Weight::Error,
        message,
        why: code.why(),
        todo: code.todo().to_string(),
        assumed: None,
        cascades: Vec::new(),
        places: Vec::new(),
        subject: String::new(),
        missing: vec![name],
    })))
}

/// A finding at a place of so many letters.
fn at(path: &str, text: &str, start: Place, length: usize, what: What) -> Found {
    let end = (start.0, start.1 + length);
    Found { path: path.to_string(), what, start, end, text: text.to_string(), reach: None }
}

#[cfg(test)]
mod tests {
    use super::{has_documents, is_document, run_lists};

    #[test]
    fn entries_of_json() {
        let text = r#"{"description": "recipe[no]", "default_attributes": {"run_list": ["recipe[no]"]},
            "run_list": ["recipe[a]", "b"], "env_run_lists": {"prod": ["role[c]", "recipe[a]"], "x": []}}"#;
        let found = run_lists(text);
        let items: Vec<&str> = found.iter().map(|(_, item)| item.as_str()).collect();
        assert_eq!(items, ["recipe[a]", "b", "role[c]", "recipe[a]"]);
        for (offset, item) in &found {
            assert!(text[*offset..].starts_with(item), "{item}");
        }
        assert_eq!(run_lists(r#"{"run_list": ["role\u005ba]"]}"#), [(13, "role[a]".to_string())]);
    }

    #[test]
    fn folders() {
        for (path, is) in [
            ("roles/a.rb", true),
            ("roles/a/b/c.json", true),
            ("roles/a/b/c/d.json", false),
            ("environments/a/b.json", false),
            ("data_bags/a/b.json", true),
            ("cookbooks/roles/a.json", false),
            ("roles/README.md", false),
        ] {
            assert_eq!(is_document(path), is, "{path}");
        }
        assert!(has_documents("roles/a/b") && has_documents("data_bags/vendor") && !has_documents("environments/a"));
    }
}
