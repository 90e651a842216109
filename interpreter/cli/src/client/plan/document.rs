//! The plan as data: `--json` prints it, `--out` stores it, and the text and Markdown forms render it. `schema.json` beside this file describes it.

use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// Version of the format.
pub const SCHEMA: &str = "rchef-plan/1";

/// Something that the plan assumes without knowing it.
pub struct Assumption {
    /// Consecutive numbers from 1.
    pub id: usize,
    pub kind: &'static str,
    pub text: String,
    /// The resource whose action made it; None for the compile.
    pub resource: Option<String>,
    /// Where that resource is declared.
    pub source: Option<Json>,
}

#[derive(Default)]
pub struct Document {
    pub node: String,
    /// The run list, or the names of the policies.
    pub run_list: Vec<String>,
    /// One per action, in the order in which actions start.
    pub records: Vec<Map<String, Json>>,
    pub assumptions: Vec<Assumption>,
    /// The error that ended the run.
    pub failure: Option<Json>,
    /// The targets, if only these are planned.
    pub targets: Vec<String>,
}

impl Document {
    /// The plan as JSON, with marks and totals.
    pub fn into_json(mut self) -> Json {
        let mut records = std::mem::take(&mut self.records);
        coalesce(&mut records);
        mark(&mut records);
        let count = |status: &str| records.iter().filter(|record| record["status"] == status).count();
        let rests =
            records.iter().filter(|record| record["status"] == "change" && record.contains_key("rests_on")).count();
        let assumptions: Vec<Json> = self
            .assumptions
            .iter()
            .map(|found| {
                json!({"id": found.id, "kind": found.kind, "text": found.text, "resource": found.resource, "source": found.source})
            })
            .collect();
        let mut document = json!({
            "schema": SCHEMA,
            "node": self.node,
            "run_list": self.run_list,
            "status": if self.failure.is_some() { "failed" } else { "complete" },
            "summary": {
                "actions": records.len(),
                "changes": count("change"),
                "resting_on_assumptions": rests,
                "up_to_date": count("up_to_date"),
                "skipped": count("skipped"),
                "unknown": count("unknown"),
                "failed": count("failed"),
                "assumptions": assumptions.len(),
            },
        });
        if let Some(fields) = document.as_object_mut() {
            // moved: `json!` would copy thousands of records
            fields.insert("actions".into(), Json::Array(records.into_iter().map(Json::Object).collect()));
            fields.insert("assumptions".into(), Json::Array(assumptions));
            if let Some(failure) = &self.failure {
                fields.insert("error".into(), failure.clone());
            }
            if !self.targets.is_empty() {
                fields.insert("targets".into(), json!(self.targets));
            }
        }
        document
    }
}

/// A delayed action runs once for all that notify it: `notified_by` names the others too.
fn coalesce(records: &mut [Map<String, Json>]) {
    let mut senders: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for record in records.iter() {
        let by = record["resource"].as_str().unwrap_or_default();
        for sent in record.get("notifies").and_then(Json::as_array).into_iter().flatten() {
            if sent["timing"] != "delayed" {
                continue;
            }
            let text = |key: &str| sent[key].as_str().unwrap_or_default().to_string();
            let known = senders.entry((text("to"), text("action"))).or_default();
            if !known.iter().any(|name| name == by) {
                known.push(by.to_string());
            }
        }
    }
    for record in records {
        let key = (
            record["resource"].as_str().unwrap_or_default().to_string(),
            record["action"].as_str().unwrap_or_default().to_string(),
        );
        let Some(notified) = record.get_mut("notified").filter(|notified| notified["timing"] == "delayed") else {
            continue;
        };
        let by = notified["by"].as_str().unwrap_or_default().to_string();
        let also: Vec<&String> = senders.get(&key).into_iter().flatten().filter(|name| **name != by).collect();
        if !also.is_empty() {
            let also = json!(also);
            if let Some(fields) = notified.as_object_mut() {
                fields.insert("also_by".into(), also);
            }
        }
    }
}

/// Marks records that rest on assumptions: their action has some itself, was notified by such an action, or contains one.
fn mark(records: &mut [Map<String, Json>]) {
    let ids = |record: &Map<String, Json>, key: &str| -> Vec<u64> {
        record.get(key).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_u64).collect()
    };
    let nesting = |record: &Map<String, Json>| record["nesting"].as_u64().unwrap_or(0);
    let mut of_resource: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for at in 0..records.len() {
        let mut rests = ids(&records[at], "assumptions");
        let depth = nesting(&records[at]);
        for inner in records[at + 1..].iter().take_while(|inner| nesting(inner) > depth) {
            rests.extend(ids(inner, "assumptions"));
        }
        if let Some(by) = records[at].get("notified").and_then(|notified| notified["by"].as_str()) {
            rests.extend(of_resource.get(by).into_iter().flatten());
        }
        rests.sort_unstable();
        rests.dedup();
        if rests.is_empty() {
            continue;
        }
        let name = records[at]["resource"].as_str().unwrap_or_default().to_string();
        of_resource.entry(name).or_default().extend(&rests);
        records[at].insert("rests_on".into(), json!(rests));
    }
}

/// What identifies a plan: for each action that changes something, the changes with old and new values.
pub fn substance(document: &Json) -> Vec<String> {
    let mut lines = Vec::new();
    for record in document["actions"].as_array().into_iter().flatten() {
        if record["status"] == "up_to_date" || record["status"] == "skipped" {
            continue;
        }
        let policy = record["policy"].as_str().map(|policy| format!("policy {policy}: ")).unwrap_or_default();
        let head = format!(
            "{policy}{} action {}: {}",
            record["resource"].as_str().unwrap_or_default(),
            record["action"].as_str().unwrap_or_default(),
            record["status"].as_str().unwrap_or_default()
        );
        lines.push(head.clone());
        for change in record["changes"].as_array().into_iter().flatten() {
            let commands = change["commands"].as_array().into_iter().flatten().filter_map(Json::as_str);
            let commands: String = commands.map(|command| format!("; $ {command}")).collect();
            lines.push(format!("{head}: {}{commands}", shown_change(change)));
        }
        if record["changes"].is_null() {
            for step in record["steps"].as_array().into_iter().flatten() {
                lines.push(format!("{head}: {}", step.as_str().unwrap_or_default()));
            }
        }
    }
    lines
}

/// `write_file /etc/x: content 12ab34 -> 56cd78, mode none -> 0644`
pub fn shown_change(change: &Json) -> String {
    let kind = change["change"].as_str().unwrap_or_default();
    let subject = change["subject"].as_str().unwrap_or_default();
    let aspects: Vec<String> = change["aspects"].as_array().into_iter().flatten().map(shown_aspect).collect();
    let aspects = if aspects.is_empty() { String::new() } else { format!(": {}", aspects.join(", ")) };
    format!("{kind} {subject}{aspects}")
}

/// `mode 0600 -> 0644`; checksums are shortened.
pub fn shown_aspect(aspect: &Json) -> String {
    let short = |value: &Json| match value.as_str() {
        None => "none".to_string(),
        Some(text) if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => text[..8].to_string(),
        Some(text) => text.replace('\n', "\\n"),
    };
    let name = aspect["name"].as_str().unwrap_or_default();
    format!("{name} {} -> {}", short(&aspect["from"]), short(&aspect["to"]))
}
