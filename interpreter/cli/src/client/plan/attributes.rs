//! The attributes that a resource's declaration reads, with who set them.
//!
//! They are found in the source text, so attributes with computed names are missing.

use crate::attribute_reads::named_in;
use rchef_host::{Host, compose};
use rchef_recipe::dump::{self, attributes::Sources};
use rchef_recipe::run::run_mut;
use rchef_ruby::Vm;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// Maximum number of attributes listed for one resource.
const MOST: usize = 12;

/// Adds to the records of changes the attributes that their declarations read.
pub fn add(vm: &mut Vm, records: &mut [Map<String, Json>]) {
    let node = run_mut(vm).node.clone();
    if node.is_nil() || !records.iter().any(|record| record["status"] == "change") {
        return;
    }
    let Ok(sources) = Sources::collect(vm, &node) else { return };
    let host = vm.host.clone();
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut known: BTreeMap<Vec<String>, Option<Json>> = BTreeMap::new();
    // resources declared in a loop share a line
    let mut of_line: BTreeMap<(String, usize), Vec<Json>> = BTreeMap::new();
    for record in records.iter_mut().filter(|record| record["status"] == "change") {
        let Some(source) = record.get("source") else { continue };
        let file = source["file"].as_str().unwrap_or_default().to_string();
        let line = source["line"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
        let found = of_line.entry((file, line)).or_insert_with_key(|(file, line)| {
            let rows = files.entry(file.clone()).or_insert_with(|| rows(&*host, file));
            let mut paths = Vec::new();
            named_in(&declaration(rows, *line), &mut paths);
            let mut found = Vec::new();
            for path in paths.into_iter().take(MOST) {
                let explained = known.entry(path.clone()).or_insert_with(|| {
                    let explained = sources.explain(vm, &path).ok()?;
                    let explained = dump::mask::apply(vm, explained);
                    let explained: Json = serde_json::from_str(&explained.to_json()).ok()?;
                    of_explained(&path, &explained)
                });
                found.extend(explained.clone());
            }
            found
        });
        if !found.is_empty() {
            record.insert("attributes".into(), Json::Array(found.clone()));
        }
    }
}

/// The lines of a file, with their line ends; empty if it cannot be read.
fn rows(host: &dyn Host, file: &str) -> Vec<String> {
    let text = compose::read_file(host, file.as_bytes()).unwrap_or_default();
    String::from_utf8_lossy(&text).split_inclusive('\n').map(str::to_string).collect()
}

fn of_explained(path: &[String], explained: &Json) -> Option<Json> {
    if explained["found"] != true {
        return None;
    }
    let name: String = path.iter().map(|key| format!("['{key}']")).collect();
    let mut found = json!({"attribute": format!("node{name}")});
    let fields = found.as_object_mut()?;
    // values of subtrees are left out
    if !explained["value"].is_object() {
        fields.insert("value".into(), explained["value"].clone());
    }
    for key in ["level", "set_by"] {
        if let Some(value) = explained.get(key) {
            fields.insert(key.into(), value.clone());
        }
    }
    Some(found)
}

/// The source of the resource declared at a line: up to the `end` with the same indentation, or one statement.
fn declaration(rows: &[String], line: usize) -> String {
    let rest = rows.get(line.saturating_sub(1)..).unwrap_or_default();
    let Some(first) = rest.first().map(|row| row.trim_end_matches(['\r', '\n'])) else { return String::new() };
    let indent = first.len() - first.trim_start().len();
    let opens = first.trim_end().ends_with(" do") || first.contains(" do |");
    let mut end = 0;
    for (at, row) in rest.iter().enumerate() {
        end += 1;
        let trimmed = row.trim();
        let closes = opens && at > 0 && row.len() - row.trim_start().len() == indent && trimmed.starts_with("end");
        let continues = trimmed.ends_with([',', '\\', '(', '{', '[', '+', '|', '&']);
        if closes || !opens && !continues {
            break;
        }
    }
    rest[..end].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        let text = "a 'x'\nfile node['p']['q'] do\n  content node[:r][\"s\"].to_s\n  if x\n  end\nend\nfile node['no'] do\nend\n";
        let mut found = Vec::new();
        let rows: Vec<String> = text.split_inclusive('\n').map(str::to_string).collect();
        named_in(&declaration(&rows, 2), &mut found);
        assert_eq!(found, [vec!["p", "q"], vec!["r", "s"]]);
        assert_eq!(declaration(&rows, 1), "a 'x'\n");
        assert_eq!(declaration(&rows, 90), "");
    }
}
