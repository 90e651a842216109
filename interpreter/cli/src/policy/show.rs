//! `rchef policy show`: a lock, and whether its cookbooks are unchanged.

use super::Work;
use crate::diagnostic;
use rchef_model::policyfile as rules;
use rchef_recipe::policyfile::{Failure, Place, Storage, locate};
use serde_json::Value as Json;
use std::fmt::Write as _;

/// A locked cookbook and its local state.
pub(super) struct State {
    pub name: String,
    pub version: String,
    identifier: String,
    /// The source that the lock gives.
    from: String,
    /// The local cookbook; the error is a message.
    pub found: Result<Place, String>,
}

impl State {
    /// What is wrong with the cookbook, if anything.
    pub(super) fn complaint(&self) -> Option<String> {
        match &self.found {
            Err(why) => Some(format!("cookbook {} {}: {why}", self.name, self.version)),
            Ok(place) if place.identifier == self.identifier => None,
            Ok(Place { cookbook, identifier }) => Some(format!(
                "cookbook {} {} at {} is not what the lock has: it is {} with the identifier {identifier}, the lock has {}",
                self.name, self.version, self.from, cookbook.metadata.version, self.identifier
            )),
        }
    }

    fn word(&self) -> &'static str {
        match &self.found {
            Err(_) => "missing",
            Ok(place) if place.identifier == self.identifier => "unchanged",
            Ok(_) => "changed",
        }
    }
}

/// The local state of a lock's cookbooks.
pub(super) fn states(work: &mut Work, storage: &Storage, lock: &Json) -> Result<Vec<State>, Failure> {
    let mut found = Vec::new();
    let caches = work.caches.clone();
    for (name, entry) in lock["cookbook_locks"].as_object().into_iter().flatten() {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_string();
        let from = entry["source"].as_str().or(entry["origin"].as_str()).unwrap_or_default().to_string();
        let there = match locate(&mut work.vm, storage, name, entry, &caches) {
            Ok(place) => Ok(place),
            Err(Failure::Refused(why)) => Err(why),
            Err(raised) => return Err(raised),
        };
        let (version, identifier) = (text("version"), text("identifier"));
        found.push(State { name: name.clone(), version, identifier, from, found: there });
    }
    Ok(found)
}

pub(super) fn run(work: &mut Work, file: Option<&str>, json: bool) -> Result<(), Failure> {
    let storage = work.storage(file)?;
    let lock = work.lock(&storage)?;
    if json {
        diagnostic::print(&rules::pretty(&lock));
        return Ok(());
    }
    let text = |value: &Json| value.as_str().unwrap_or_default().to_string();
    let items = |list: &Json| {
        let items: Vec<String> = list.as_array().into_iter().flatten().map(&text).collect();
        items.join(", ")
    };
    let mut out = format!(
        "policy:    {}\nrevision:  {}\nrun list:  {}\n",
        text(&lock["name"]),
        text(&lock["revision_id"]),
        items(&lock["run_list"])
    );
    for (name, list) in lock["named_run_lists"].as_object().into_iter().flatten() {
        let _ = writeln!(out, "  {name}: {}", items(list));
    }
    for policy in lock["included_policy_locks"].as_array().into_iter().flatten() {
        let _ = writeln!(out, "includes:  {} {}", text(&policy["name"]), text(&policy["revision_id"]));
    }
    out.push_str("cookbooks:\n");
    let states = states(work, &storage, &lock)?;
    let width = |get: fn(&State) -> &String| states.iter().map(|state| get(state).len()).max().unwrap_or_default();
    let (names, versions) = (width(|state| &state.name), width(|state| &state.version));
    for state in &states {
        let short: String = state.identifier.chars().take(10).collect();
        let (name, version, from, word) = (&state.name, &state.version, &state.from, state.word());
        let _ = writeln!(out, "  {name:names$} {version:versions$} {short} {word:9} {from}");
    }
    for (key, title) in [("default_attributes", "default"), ("override_attributes", "override")] {
        if lock[key].as_object().is_some_and(|map| !map.is_empty()) {
            let _ = writeln!(out, "{title}:  {}", lock[key]);
        }
    }
    diagnostic::print(&out);
    Ok(())
}
