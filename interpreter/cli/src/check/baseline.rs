//! Baselines: files of known findings, which are not reported.

use super::found::{Done, Found};
use super::render::{fingerprint, message};
use rchef_host::{RealHost, compose};
use rchef_lint::engine::Engine;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

fn key(engine: &Engine, found: &Found) -> (String, String) {
    let (id, _) = message(engine, found);
    let print = fingerprint(&id, &found.path, &found.text);
    (id, print)
}

/// Writes the findings as a baseline; gives their number.
pub fn write(engine: &Engine, done: &Done, path: &str) -> Result<usize, String> {
    let mut entries: BTreeMap<(&str, String, String), usize> = BTreeMap::new();
    for found in &done.found {
        let (id, print) = key(engine, found);
        *entries.entry((&found.path, id, print)).or_default() += 1;
    }
    let entries: Vec<Json> = entries
        .into_iter()
        .map(|((path, rule, print), count)| json!({ "path": path, "rule": rule, "fingerprint": print, "count": count }))
        .collect();
    let text = format!("{:#}\n", json!({ "schema": "rchef-baseline/1", "findings": entries }));
    compose::write_file(&RealHost::new(), path.as_bytes(), text.as_bytes(), 0o644)
        .map_err(|error| format!("{path}: {}", error.message()))?;
    Ok(done.found.len())
}

/// Removes entries of a baseline that are no longer found; gives their number.
pub fn prune(engine: &Engine, done: &Done, path: &str) -> Result<usize, String> {
    let host = RealHost::new();
    let mut document = read(&host, path)?;
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for one in &done.found {
        *found.entry(key(engine, one).1).or_default() += 1;
    }
    let mut gone = 0;
    if let Some(entries) = document["findings"].as_array_mut() {
        for entry in entries.iter_mut() {
            let there = entry["fingerprint"].as_str().and_then(|print| found.get_mut(print));
            let count = entry["count"].as_u64().unwrap_or(0);
            let kept = there.map_or(0, |there| {
                let kept = count.min(*there);
                *there -= kept;
                kept
            });
            gone += count - kept;
            entry["count"] = json!(kept);
        }
        entries.retain(|entry| entry["count"] != 0);
    }
    compose::write_file(&host, path.as_bytes(), format!("{document:#}\n").as_bytes(), 0o644)
        .map_err(|error| format!("{path}: {}", error.message()))?;
    Ok(usize::try_from(gone).unwrap_or(usize::MAX))
}

fn read(host: &RealHost, path: &str) -> Result<Json, String> {
    let bytes = compose::read_file(host, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
    let document: Json = serde_json::from_slice(&bytes).map_err(|error| format!("{path}: {error}"))?;
    if document["schema"] != "rchef-baseline/1" {
        return Err(format!("{path}: it is not a baseline of `rchef check --write-baseline`"));
    }
    Ok(document)
}

/// Removes the findings that a baseline contains, each as often as it contains it.
pub fn apply(engine: &Engine, done: &mut Done, path: &str) -> Result<(), String> {
    let document = read(&RealHost::new(), path)?;
    let mut known: BTreeMap<String, u64> = BTreeMap::new();
    for entry in document["findings"].as_array().into_iter().flatten() {
        if let (Some(print), Some(count)) = (entry["fingerprint"].as_str(), entry["count"].as_u64()) {
            *known.entry(print.to_string()).or_default() += count;
        }
    }
    let before = done.found.len();
    done.found.retain(|found| match known.get_mut(&key(engine, found).1) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    done.known = before - done.found.len();
    done.gone = usize::try_from(known.values().sum::<u64>()).unwrap_or(usize::MAX);
    Ok(())
}
