//! Views of a dump for people: a table of the resource collection, a tree of recipes.

use rchef_model::document::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;

fn string<'a>(value: &'a Json, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}
fn list<'a>(value: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    value[key].as_array().into_iter().flatten()
}

/// The notifications by the id of the sending resource.
fn arrows(document: &Json) -> BTreeMap<&str, Vec<&Json>> {
    let mut found: BTreeMap<&str, Vec<&Json>> = BTreeMap::new();
    for edge in list(document, "notifications") {
        found.entry(string(edge, "from_id")).or_default().push(edge);
    }
    found
}

fn arrow(edge: &Json) -> String {
    let action = string(edge, "action");
    let action = if action.is_empty() { "default action".to_string() } else { format!(":{action}") };
    let sign = match string(edge, "direction") {
        "forward" => "↓",
        "self" => "↻",
        _ => "↑",
    };
    let to_id = edge["to_id"].as_str().map(|id| format!(" {id}")).unwrap_or_default();
    let trouble = match (edge["will_fail"].as_bool(), edge["reason"].as_str()) {
        (Some(true), Some(reason)) => format!("  ✗ {reason}"),
        _ => String::new(),
    };
    format!("└─ {} {sign}{to_id} {} {action}{trouble}", string(edge, "timing"), string(edge, "to"))
}

fn actions(resource: &Json) -> String {
    let names: Vec<&str> = list(resource, "action").filter_map(Json::as_str).collect();
    format!(":{}", names.join(", :"))
}

fn guards(resource: &Json) -> String {
    let mut out = String::new();
    for guard in list(resource, "guards") {
        let what = match guard["command"].as_str() {
            Some(command) => format!("`{command}`"),
            None => "block".into(),
        };
        let _ = write!(out, "  {} {what}", string(guard, "kind"));
    }
    out
}

fn failure(document: &Json, out: &mut String) {
    if let Some(error) = document.get("error") {
        let _ = writeln!(
            out,
            "FAILED: {}: {}\n  at {}\n",
            string(error, "class"),
            string(error, "message"),
            string(error, "location")
        );
    }
}

/// The resources that an action declares, always and if something has to change. `depth`: indentation of their rows.
fn action_rows(child: &Json, depth: usize, sent: &BTreeMap<&str, Vec<&Json>>, out: &mut String) {
    let (pad, action) = ("  ".repeat(depth.saturating_sub(1)), string(child, "action"));
    let _ = writeln!(out, "{pad}action :{action}");
    rows(&child["resources"], depth, sent, out);
    if !child["on_change"].is_null() {
        let _ = writeln!(out, "{pad}action :{action}, where something is to change");
        rows(&child["on_change"], depth, sent, out);
    }
}

fn rows(resources: &Json, depth: usize, sent: &BTreeMap<&str, Vec<&Json>>, out: &mut String) {
    for resource in resources.as_array().into_iter().flatten() {
        let pad = "  ".repeat(depth);
        let _ = writeln!(
            out,
            "{pad}{:<8} {:<44} {:<18} {}{}",
            string(resource, "id"),
            string(resource, "key"),
            actions(resource),
            string(resource, "source"),
            guards(resource)
        );
        for edge in sent.get(string(resource, "id")).into_iter().flatten() {
            let _ = writeln!(out, "{pad}         {}", arrow(edge));
        }
        for child in list(resource, "children") {
            action_rows(child, depth + 2, sent, out);
        }
    }
}

/// The collection line by line, attributes with who set them, findings, and the compile's duration.
pub fn table(document: &Json, nanoseconds: u64) -> String {
    let mut out = String::new();
    failure(document, &mut out);
    let count = document["resources"].as_array().map_or(0, Vec::len);
    let _ = writeln!(out, "Resources ({count})");
    rows(&document["resources"], 0, &arrows(document), &mut out);
    let values = document["attributes"]["provenance"].as_array().cloned().unwrap_or_default();
    if !values.is_empty() {
        let _ = writeln!(out, "\nAttributes ({})", values.len());
        for value in &values {
            let path: Vec<&str> = list(value, "path").filter_map(Json::as_str).collect();
            let by = value.get("set_by").or(value.get("vivified_by")).cloned().unwrap_or_default();
            let place = by["source"].as_str().or(by["kind"].as_str()).unwrap_or_default().to_string();
            let _ = writeln!(
                out,
                "{:<44} {:<30} {:<14} {place}",
                path.join("."),
                value["value"].to_string(),
                string(value, "level")
            );
        }
    }
    let findings: Vec<&Json> = list(document, "lints").collect();
    if !findings.is_empty() {
        let _ = writeln!(out, "\nFindings ({})", findings.len());
        for lint in findings {
            let _ = writeln!(out, "{} {}: {}", string(lint, "source"), string(lint, "code"), string(lint, "text"));
        }
    }
    let _ = writeln!(out, "\nCompiled in {:.1} ms", nanoseconds as f64 / 1e6);
    out
}

/// Recipes nested by inclusion, with the resources that they declare.
pub fn tree(document: &Json) -> String {
    let mut out = String::new();
    failure(document, &mut out);
    for item in list(&document["run_list"], "tree") {
        branch(item, 0, &mut out);
    }
    out.push('\n');
    let sent = arrows(document);
    let by_id: BTreeMap<&str, &Json> =
        list(document, "resources").map(|resource| (string(resource, "id"), resource)).collect();
    let recipes: Vec<&Json> = list(document, "recipes").collect();
    for recipe in &recipes {
        let by = string(recipe, "included_by");
        let depth = depth_of(recipe, &recipes, 0);
        let pad = "  ".repeat(depth);
        let mode = if string(recipe, "mode") == "immediate" { ", immediate" } else { "" };
        let _ = writeln!(out, "{pad}{} ({by}{mode})", string(recipe, "recipe"));
        for id in list(recipe, "resources").filter_map(Json::as_str) {
            let Some(resource) = by_id.get(id) else { continue };
            let _ = writeln!(out, "{pad}  {} {}{}", string(resource, "key"), actions(resource), guards(resource));
            for edge in sent.get(id).into_iter().flatten() {
                let _ = writeln!(out, "{pad}    {}", arrow(edge));
            }
            for child in list(resource, "children") {
                action_rows(child, depth + 4, &sent, &mut out);
            }
        }
    }
    out
}

/// Inclusion depth of a recipe below the run list.
fn depth_of(recipe: &Json, all: &[&Json], seen: usize) -> usize {
    let by = string(recipe, "included_by");
    let file = by.rsplit_once(':').map_or("", |(file, _)| file);
    match all.iter().find(|other| !file.is_empty() && string(other, "file") == file) {
        Some(outer) if seen < all.len() => 1 + depth_of(outer, all, seen + 1),
        _ => 0,
    }
}

fn branch(item: &Json, depth: usize, out: &mut String) {
    let mut notes = String::new();
    for note in ["skipped", "missing"] {
        if item[note].as_bool() == Some(true) {
            let _ = write!(notes, " ({note})");
        }
    }
    let _ = writeln!(out, "{}{}[{}]{notes}", "  ".repeat(depth), string(item, "type"), string(item, "name"));
    for child in list(item, "children") {
        branch(child, depth + 1, out);
    }
}
