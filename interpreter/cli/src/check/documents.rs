//! Roles, environments and data bags of a chef-repo: whether they are JSON, and whether what they name is there.

use super::options::Weight;
use super::work::{Compiled, Found, What};
use rchef_host::{FileKind, Files, RealHost, compose};
use rchef_lint::known::Known;
use rchef_model::code::Code;
use rchef_model::run_list::Item;
use serde_json::value::RawValue;

/// Folders of documents, and how deep they lie in them.
const FOLDERS: &[(&str, usize)] = &[("roles", 2), ("environments", 0), ("data_bags", 1)];

/// The findings of the documents below the folders; below the current one where none is named.
pub fn check(host: &RealHost, paths: &[String], known: &Known) -> Vec<Found> {
    let here = [".".to_string()];
    let mut found = Vec::new();
    for path in if paths.is_empty() { &here } else { paths } {
        let base = match path.trim_end_matches('/') {
            "." => String::new(),
            path => format!("{}/", path.trim_start_matches("./")),
        };
        for (folder, depth) in FOLDERS {
            let mut files = Vec::new();
            list(host, &format!("{base}{folder}"), *depth, &mut files);
            for file in files {
                document(host, &base, &file, known, &mut found);
            }
        }
    }
    found
}

/// The files of a folder, and of those in it.
fn list(host: &RealHost, folder: &str, depth: usize, files: &mut Vec<String>) {
    let mut entries = host.readdir(folder.as_bytes()).unwrap_or_default();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let Ok(name) = String::from_utf8(entry.name) else { continue };
        let path = format!("{folder}/{name}");
        match entry.kind {
            FileKind::Directory if depth > 0 => list(host, &path, depth - 1, files),
            FileKind::File if name.ends_with(".json") || name.ends_with(".rb") => files.push(path),
            _ => {}
        }
    }
}

fn document(host: &RealHost, base: &str, path: &str, known: &Known, found: &mut Vec<Found>) {
    let Ok(bytes) = compose::read_file(host, path.as_bytes()) else { return };
    let text = String::from_utf8_lossy(&bytes);
    if path.ends_with(".json")
        && let Err(error) = serde_json::from_slice::<&RawValue>(&bytes)
    {
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let what = What::Syntax(format!("the file is not JSON: {reason}"));
        found.push(at(path, &text, (error.line().max(1), error.column().max(1), 1), what));
        return;
    }
    if !path.starts_with(&format!("{base}roles/")) {
        return;
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with('#')) {
        for (column, item) in items(line) {
            if let Some((code, message)) = missing(host, base, known, item) {
                let what = What::Compiled(Box::new(Compiled {
                    rule: code,
                    weight: Weight::Error,
                    message,
                    why: code.why(),
                    todo: code.todo().to_string(),
                    assumed: None,
                    cascades: Vec::new(),
                    places: Vec::new(),
                    subject: item.split_once('[').map_or(item, |(_, name)| name).trim_end_matches(']').to_string(),
                }));
                found.push(at(path, &text, (number + 1, column, item.chars().count()), what));
            }
        }
    }
}

/// A finding at a line and column, from 1, of so many letters.
fn at(path: &str, text: &str, (line, column, length): (usize, usize, usize), what: What) -> Found {
    let text = text.lines().nth(line - 1).unwrap_or_default().to_string();
    Found { path: path.to_string(), what, start: (line, column), end: (line, column + length), text, reach: None }
}

/// Entries of run lists in a line that stand in quotes, with their columns from 1.
fn items(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for start in ["recipe[", "role["] {
        for (at, _) in line.match_indices(start) {
            let quoted = line[..at].ends_with(['"', '\'']);
            if let Some(end) = line[at..].find(']').filter(|_| quoted) {
                found.push((line[..at].chars().count() + 1, &line[at..=at + end]));
            }
        }
    }
    found
}

/// What an entry of a run list names that is not there.
fn missing(host: &RealHost, base: &str, known: &Known, item: &str) -> Option<(Code, String)> {
    match Item::parse(item).ok()? {
        Item::Role(name) => {
            let mut files = Vec::new();
            list(host, &format!("{base}roles"), 2, &mut files);
            let is = |path: &String| {
                let file = path.rsplit('/').next().unwrap_or(path);
                file.strip_suffix(".json").or(file.strip_suffix(".rb")) == Some(name.as_str())
            };
            let none = !name.contains("#{") && !files.iter().any(is);
            none.then(|| (Code::MissingRole, format!("there is no role {name} in {base}roles")))
        }
        Item::Recipe(name, _) => {
            let (cookbook, recipe) = name.split_once("::").unwrap_or((&name, "default"));
            if name.contains("#{") || known.cookbooks.is_empty() {
                return None;
            }
            match known.cookbooks.get(cookbook) {
                None if known.fetched => None,
                None => Some((Code::MissingCookbook, format!("there is no cookbook {cookbook} in the repository"))),
                Some(known) if known.recipes.contains(recipe) => None,
                Some(_) => Some((Code::MissingRecipe, format!("the cookbook {cookbook} has no recipe {recipe}"))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn entries_in_quotes() {
        let found = items(r#"run_list "recipe[a::b]", 'role[c]', recipe[d] # "role[e""#);
        assert_eq!(found, [(11, "recipe[a::b]"), (27, "role[c]")]);
    }
}
