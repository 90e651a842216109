//! Checks that corrections do not change what recipes compile to: the recipes of every corrected cookbook are compiled before and after. A
//! cookbook whose resources differ is restored.

use super::compiled::{Repository, Unit, compile_all};
use super::work::Correction;
use crate::diff::{Ignore, Side, compare};
use rchef_host::{RealHost, compose};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The platform for these compiles.
const PLATFORM: &str = "ubuntu-22.04";

/// The outcome of corrections.
#[derive(Default)]
pub struct Proof {
    /// Number of corrected files.
    pub corrected: usize,
    /// Messages, one per line.
    pub lines: Vec<String>,
    /// Files that could not be written.
    pub problems: Vec<String>,
}

/// Writes the corrections, and restores cookbooks that then compile differently.
pub fn write(host: &RealHost, corrections: &[Correction]) -> Proof {
    let mut proof = Proof::default();
    let repository = Repository::here(host, false);
    let units = repository.as_ref().map(|repository| units(host, repository, corrections)).unwrap_or_default();
    let all: Vec<(&String, &Unit)> =
        units.iter().flat_map(|(cookbook, units)| units.iter().map(move |unit| (cookbook, unit))).collect();
    let each = |_: &RealHost, _: &Unit, dump: Result<Json, String>| match dump {
        Ok(dump) if dump["status"] == "complete" => dump.to_string().into_bytes(),
        _ => Vec::new(),
    };
    let plain: Vec<Unit> = all.iter().map(|(_, unit)| (*unit).clone()).collect();
    let compile = || -> Vec<Option<Json>> {
        let none = || vec![None; plain.len()];
        let Ok(repository) = &repository else { return none() };
        let left = compile_all(repository, &plain, &|unit| unit.arguments(repository, &[]), &each, &mut |_| {});
        let read = |left: Option<Vec<u8>>| serde_json::from_slice(&left?).ok();
        left.map_or_else(|_| none(), |left| left.into_iter().map(read).collect())
    };
    let before = compile();
    for correction in corrections {
        match compose::write_file(host, correction.path.as_bytes(), correction.after.as_bytes(), 0o644) {
            Ok(()) => proof.corrected += 1,
            Err(error) => proof.problems.push(format!("{}: {}", correction.path, error.message())),
        }
    }
    let after = compile();
    let mut changed: BTreeMap<&String, Vec<String>> = BTreeMap::new();
    let mut compared: BTreeSet<&String> = BTreeSet::new();
    let mut same = 0;
    for (((cookbook, unit), before), after) in all.iter().zip(&before).zip(&after) {
        let Some(before) = before else { continue };
        compared.insert(cookbook);
        match difference(before, after.as_ref()) {
            Some(what) => changed.entry(cookbook).or_default().push(format!("{}: {what}", unit.name)),
            None => same += 1,
        }
    }
    for (cookbook, what) in &changed {
        for correction in
            corrections.iter().filter(|correction| cookbook_of(host, &correction.path).as_ref() == Some(*cookbook))
        {
            match compose::write_file(host, correction.path.as_bytes(), &correction.before, 0o644) {
                Ok(()) => proof.corrected = proof.corrected.saturating_sub(1),
                Err(error) => proof.problems.push(format!("{}: {}", correction.path, error.message())),
            }
        }
        let name = if cookbook.is_empty() { "the cookbook" } else { cookbook };
        let mut line =
            format!("the corrections of {name} are taken back: its recipes compile to something else with them");
        for one in what.iter().take(3) {
            let _ = write!(line, "\n  {one}");
        }
        proof.lines.push(line);
    }
    if same > 0 {
        proof.lines.push(format!("{same} recipes compile to the same resources before and after ({PLATFORM})"));
    }
    let touched: BTreeSet<String> =
        corrections.iter().filter_map(|correction| cookbook_of(host, &correction.path)).collect();
    let unproven = touched.iter().filter(|cookbook| !compared.contains(cookbook)).count();
    if unproven > 0 {
        proof.lines.push(format!(
            "{unproven} corrected cookbooks have no recipe that compiles here: what they do then was not compared"
        ));
    }
    if let Ok(mut repository) = repository {
        repository.remove(host);
    }
    proof
}

/// The first difference of two compiles, as a message.
fn difference(before: &Json, after: Option<&Json>) -> Option<String> {
    let Some(after) = after else { return Some("it no longer compiles".into()) };
    let side = |dump: &Json| Side { name: String::new(), dump: dump.clone(), expanded: true };
    let found = compare(&side(before), &side(after), &Ignore::default());
    let resource = found.resources.first().map(|change| change.key.clone());
    resource
        .or_else(|| found.attributes.first().map(|attribute| attribute.name.clone()))
        .map(|what| format!("{what} is different"))
}

/// The recipes of every corrected cookbook, by the cookbook's directory.
fn units(host: &RealHost, repository: &Repository, corrections: &[Correction]) -> BTreeMap<String, Vec<Unit>> {
    let folders: BTreeSet<String> =
        corrections.iter().filter_map(|correction| cookbook_of(host, &correction.path)).collect();
    folders
        .into_iter()
        .map(|folder| {
            let units = super::compiled::recipes_of(host, repository, &folder);
            let units = units.into_iter().map(|unit| Unit { platform: Some(PLATFORM.into()), ..unit }).collect();
            (folder, units)
        })
        .collect()
}

/// The directory of a file's cookbook: the nearest with metadata.
fn cookbook_of(host: &RealHost, path: &str) -> Option<String> {
    let mut folder = path;
    loop {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let at = |name: &str| if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") };
        if ["metadata.rb", "metadata.json"].iter().any(|name| compose::exists(host, at(name).as_bytes())) {
            return Some(folder.to_string());
        }
        if folder.is_empty() {
            return None;
        }
    }
}
