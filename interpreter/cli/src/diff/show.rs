//! Renders differences as text, Markdown and JSON.

use super::compare::{Attribute, Change, Found, Kind};
use super::side::Side;
use super::value::short;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Maximum length of a value in text.
const WIDTH: usize = 160;

fn cut(text: String) -> String {
    if text.chars().count() <= WIDTH { text } else { text.chars().take(WIDTH).chain("…".chars()).collect() }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Added => "added",
        Kind::Removed => "removed",
        Kind::Changed => "changed",
        Kind::Moved => "moved",
    }
}

/// The sign of a kind of difference.
pub fn sign(kind: Kind) -> char {
    match kind {
        Kind::Added => '+',
        Kind::Removed => '-',
        Kind::Changed => '~',
        Kind::Moved => '>',
    }
}

/// The former and new place of a resource, or the only one.
fn place(change: &Change) -> String {
    match (&change.from, &change.to) {
        (Some(from), Some(to)) if from == to => format!("  {to}"),
        (Some(from), Some(to)) => format!("  {from} → {to}"),
        (Some(one), None) | (None, Some(one)) => format!("  {one}"),
        (None, None) => String::new(),
    }
}

fn because(places: &[usize], found: &Found) -> Vec<String> {
    places
        .iter()
        .filter_map(|at| found.attributes.get(*at))
        .map(|attribute| format!("{}{}", attribute.name, by(attribute)))
        .collect()
}

/// Who set an attribute on both sides.
fn by(attribute: &Attribute) -> String {
    match (&attribute.from_by, &attribute.to_by) {
        (Some(from), Some(to)) if from == to => format!(", set by {to}"),
        (Some(from), Some(to)) => format!(", set by {from}, now by {to}"),
        (None, Some(to)) => format!(", set by {to}"),
        (Some(from), None) => format!(", was set by {from}"),
        (None, None) => String::new(),
    }
}

fn summary(found: &Found) -> String {
    let count = |kind| found.count(kind);
    format!(
        "resources: {} added, {} removed, {} changed, {} moved, {} the same; attributes: {} differ\n",
        count(Kind::Added),
        count(Kind::Removed),
        count(Kind::Changed),
        count(Kind::Moved),
        found.same,
        found.attributes.len()
    )
}

fn unified(change: &Change) -> Option<&str> {
    change.content.as_ref().map(|content| content.diff.as_str())
}

pub fn text(from: &Side, to: &Side, found: &Found) -> String {
    let mut out = format!("--- {}\n+++ {}\n", from.name, to.name);
    out.push_str(&body(found));
    if found.differ() {
        out.push('\n');
    }
    out + &summary(found)
}

pub fn body(found: &Found) -> String {
    listed(found, true)
}

/// The same without the lines around changes of contents, which may differ from node to node.
pub fn changes(found: &Found) -> String {
    listed(found, false)
}

fn listed(found: &Found, context: bool) -> String {
    let mut out = String::new();
    for change in &found.resources {
        let _ = writeln!(out, "{} {}{}", sign(change.kind), change.key, place(change));
        if let Some(was) = &change.was {
            let _ = writeln!(out, "    was {was}");
        }
        for part in &change.parts {
            let values = format!("{} → {}", cut(short(part.from.as_ref())), cut(short(part.to.as_ref())));
            let _ = writeln!(out, "    {}: {values}", part.path);
            for cause in because(&part.because, found) {
                let _ = writeln!(out, "        because of {cause}");
            }
        }
        let content = change.content.iter().flat_map(|content| because(&content.because, found));
        for cause in content {
            let _ = writeln!(out, "    content: because of {cause}");
        }
        let lines = unified(change).unwrap_or_default();
        for line in lines.lines().filter(|line| context || line.starts_with(['+', '-'])) {
            let _ = writeln!(out, "    {line}");
        }
    }
    if !found.attributes.is_empty() {
        out.push_str("\nAttributes\n");
    }
    for attribute in &found.attributes {
        let values = format!("{} → {}", cut(short(attribute.from.as_ref())), cut(short(attribute.to.as_ref())));
        let _ = writeln!(out, "  {}: {values}{}", attribute.name, by(attribute));
    }
    out
}

pub fn markdown(from: &Side, to: &Side, found: &Found) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ").replace('`', "'");
    let mut out = format!("### rchef diff: `{}` → `{}`\n\n{}", from.name, to.name, summary(found));
    if !found.resources.is_empty() {
        out.push_str("\n| | resource | what | where |\n|--|--|--|--|\n");
    }
    for change in &found.resources {
        let mut what: Vec<String> = change
            .parts
            .iter()
            .map(|part| {
                let causes = because(&part.because, found);
                let causes =
                    if causes.is_empty() { String::new() } else { format!(" (because of {})", causes.join("; ")) };
                format!(
                    "{}: `{}` → `{}`{causes}",
                    part.path,
                    cell(&cut(short(part.from.as_ref()))),
                    cell(&cut(short(part.to.as_ref())))
                )
            })
            .collect();
        what.extend(change.was.as_ref().map(|was| format!("was `{}`", cell(was))));
        what.extend(change.content.as_ref().map(|_| "content: see below".to_string()));
        let _ = writeln!(
            out,
            "| {} | `{}` | {} | {} |",
            word(change.kind),
            cell(&change.key),
            what.join("<br>"),
            cell(place(change).trim())
        );
    }
    for change in &found.resources {
        if let Some(diff) = unified(change) {
            // the fence must be longer than any in the content
            let fence = "`".repeat(3 + diff.split(|letter| letter != '`').map(str::len).max().unwrap_or(0));
            let _ = writeln!(
                out,
                "\n<details><summary>{}</summary>\n\n{fence}diff\n{diff}{fence}\n\n</details>",
                change.key.replace('<', "&lt;")
            );
        }
    }
    if !found.attributes.is_empty() {
        out.push_str("\n| attribute | before | after | set by |\n|--|--|--|--|\n");
    }
    for attribute in &found.attributes {
        let (from, to) = (cut(short(attribute.from.as_ref())), cut(short(attribute.to.as_ref())));
        let _ = writeln!(
            out,
            "| `{}` | `{}` | `{}` | {} |",
            cell(&attribute.name),
            cell(&from),
            cell(&to),
            cell(by(attribute).trim_start_matches(", "))
        );
    }
    out
}

fn names<'f>(places: &'f [usize], found: &'f Found) -> impl Iterator<Item = &'f str> {
    places.iter().filter_map(|at| found.attributes.get(*at)).map(|attribute| attribute.name.as_str())
}

pub fn json(from: &Side, to: &Side, found: &Found) -> Json {
    let resources: Vec<Json> = found.resources.iter().map(|change| resource(change, found)).collect();
    let attributes: Vec<Json> = found.attributes.iter().map(attribute).collect();
    json!({
        "schema": "rchef-diff/1",
        "from": from.name,
        "to": to.name,
        "summary": {
            "added": found.count(Kind::Added),
            "removed": found.count(Kind::Removed),
            "changed": found.count(Kind::Changed),
            "moved": found.count(Kind::Moved),
            "same": found.same,
            "attributes": found.attributes.len(),
        },
        "resources": resources,
        "attributes": attributes,
    })
}

fn both(map: &mut Map<String, Json>, from: Option<&Json>, to: Option<&Json>) {
    for (key, value) in [("from", from), ("to", to)] {
        if let Some(value) = value {
            map.insert(key.into(), value.clone());
        }
    }
}

fn resource(change: &Change, found: &Found) -> Json {
    let mut map = Map::new();
    map.insert("change".into(), json!(word(change.kind)));
    map.insert("resource".into(), json!(change.key));
    for (key, value) in [("was", &change.was), ("from_source", &change.from), ("to_source", &change.to)] {
        if let Some(value) = value {
            map.insert(key.into(), json!(value));
        }
    }
    let parts: Vec<Json> = change
        .parts
        .iter()
        .map(|part| {
            let mut map = Map::new();
            map.insert("property".into(), json!(part.path));
            both(&mut map, part.from.as_ref(), part.to.as_ref());
            let names: Vec<&str> = names(&part.because, found).collect();
            if !names.is_empty() {
                map.insert("because".into(), json!(names));
            }
            Json::Object(map)
        })
        .collect();
    if !parts.is_empty() {
        map.insert("properties".into(), Json::Array(parts));
    }
    if let (Some(diff), Some(content)) = (unified(change), &change.content) {
        map.insert("content".into(), json!(diff));
        let names: Vec<&str> = names(&content.because, found).collect();
        if !names.is_empty() {
            map.insert("content_because".into(), json!(names));
        }
    }
    Json::Object(map)
}

fn attribute(attribute: &Attribute) -> Json {
    let mut map = Map::new();
    map.insert("attribute".into(), json!(attribute.name));
    both(&mut map, attribute.from.as_ref(), attribute.to.as_ref());
    for (key, value) in [("from_set_by", &attribute.from_by), ("to_set_by", &attribute.to_by)] {
        if let Some(value) = value {
            map.insert(key.into(), json!(value));
        }
    }
    Json::Object(map)
}
