//! Whether corrections change what recipes compile to: the recipes of every corrected cookbook are compiled before and after. Where the resources are different
//! then, the rules by which they are are found one by one, and what these correct is taken back.

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

/// A correction that is not made: a rule, in a file or in a folder whose path ends with a slash; the current folder is empty.
pub type Without = (&'static str, String);

/// Writes the corrections, and takes back those by which cookbooks compile to something else. `redo` makes the corrections of the files as they are, but for some.
pub fn write(host: &RealHost, corrections: &[Correction], redo: &dyn Fn(&[Without]) -> Vec<Correction>) -> Proof {
    let mut proof = Proof::default();
    let repository = match Repository::here(host, false) {
        Ok(repository) => repository,
        Err(problem) => {
            proof.problems.push(problem);
            return proof;
        }
    };
    let recipes = units(host, &repository, corrections);
    let proving = Proving { host, repository: &repository, redo };
    let plain: Vec<Unit> = recipes.values().flatten().cloned().collect();
    let before = proving.compile(&plain);
    proof.put(host, corrections);
    let after = proving.compile(&plain);
    let mut at = 0;
    let mut same = 0;
    let mut unproven = 0;
    for (cookbook, units) in &recipes {
        let range = at..at + units.len();
        at = range.end;
        let compiled = Compiled { units, before: &before[range.clone()] };
        let compared = compiled.before.iter().flatten().count();
        let changed = compiled.differences(&after[range]);
        same += compared - changed.len();
        unproven += usize::from(compared == 0);
        if !changed.is_empty() {
            let own: Vec<&Correction> =
                corrections.iter().filter(|one| cookbook_of(host, &one.path).as_ref() == Some(cookbook)).collect();
            proving.take_back(cookbook, &own, &compiled, changed, &mut proof);
        }
    }
    if same > 0 {
        proof.lines.push(format!("{same} recipes compile to the same resources before and after ({PLATFORM})"));
    }
    if unproven > 0 {
        proof.lines.push(format!(
            "{unproven} corrected cookbooks have no recipe that compiles here: what they do then was not compared"
        ));
    }
    let mut repository = repository;
    repository.remove(host);
    proof
}

impl Proof {
    /// Writes corrected files.
    fn put(&mut self, host: &RealHost, corrections: &[Correction]) {
        for correction in corrections {
            match compose::write_file(host, correction.path.as_bytes(), correction.after.as_bytes(), 0o644) {
                Ok(()) => self.corrected += 1,
                Err(error) => self.problems.push(format!("{}: {}", correction.path, error.message())),
            }
        }
    }

    /// Gives files back what they had.
    fn restore(&mut self, host: &RealHost, corrections: &[&Correction]) {
        for correction in corrections {
            match compose::write_file(host, correction.path.as_bytes(), &correction.before, 0o644) {
                Ok(()) => self.corrected = self.corrected.saturating_sub(1),
                Err(error) => self.problems.push(format!("{}: {}", correction.path, error.message())),
            }
        }
    }
}

/// The recipes of a cookbook, with what each compiled to before any correction.
struct Compiled<'a> {
    units: &'a [Unit],
    before: &'a [Option<Json>],
}

impl Compiled<'_> {
    /// What differs after corrections, a line each recipe.
    fn differences(&self, after: &[Option<Json>]) -> Vec<String> {
        let each = self.units.iter().zip(self.before).zip(after);
        each.filter_map(|((unit, before), after)| {
            difference(before.as_ref()?, after.as_ref()).map(|what| format!("{}: {what}", unit.name))
        })
        .collect()
    }
}

/// What a proof works with.
struct Proving<'a> {
    host: &'a RealHost,
    repository: &'a Repository,
    redo: &'a dyn Fn(&[Without]) -> Vec<Correction>,
}

impl Proving<'_> {
    fn compile(&self, units: &[Unit]) -> Vec<Option<Json>> {
        let each = |_: &RealHost, _: &Unit, dump: Result<Json, String>| match dump {
            Ok(dump) if dump["status"] == "complete" => dump.to_string().into_bytes(),
            _ => Vec::new(),
        };
        let repository = self.repository;
        let left = compile_all(repository, units, &|unit| unit.arguments(repository, &[]), &each, &mut |_| {});
        let read = |left: Option<Vec<u8>>| serde_json::from_slice(&left?).ok();
        left.map_or_else(|_| vec![None; units.len()], |left| left.into_iter().map(read).collect())
    }

    /// Makes the corrections of a cookbook again, one rule after the other, and leaves those out with which its recipes compile to something else.
    fn take_back(
        &self,
        cookbook: &str,
        own: &[&Correction],
        compiled: &Compiled<'_>,
        changed: Vec<String>,
        proof: &mut Proof,
    ) {
        let folder = if cookbook.is_empty() { String::new() } else { format!("{cookbook}/") };
        let paths =
            |rule: &str| own.iter().filter(|one| one.rules.contains(&rule)).map(|one| one.path.clone()).collect();
        let rules: BTreeSet<&'static str> = own.iter().flat_map(|one| one.rules.iter().copied()).collect();
        let mut open: Vec<(&'static str, Vec<String>)> = rules.into_iter().map(|rule| (rule, paths(rule))).collect();
        let mut without: Vec<Without> = open.iter().map(|(rule, _)| (*rule, folder.clone())).collect();
        let mut told: Vec<(&'static str, Vec<String>, Vec<String>)> = Vec::new();
        proof.restore(self.host, own);
        while let Some((rule, files)) = open.pop() {
            without.retain(|left| left.0 != rule);
            let what = self.tried(own, &without, compiled, proof);
            if what.is_empty() {
                continue;
            }
            // in which of its files
            let mut guilty: Vec<String> = if files.len() > 1 { Vec::new() } else { files.clone() };
            let all = if files.len() > 1 { files.as_slice() } else { &[] };
            for (at, file) in all.iter().enumerate() {
                let later = all[at + 1..].iter().chain(&guilty).map(|path| (rule, path.clone()));
                let trial: Vec<Without> = without.iter().cloned().chain(later).collect();
                if !self.tried(own, &trial, compiled, proof).is_empty() {
                    guilty.push(file.clone());
                }
            }
            without.extend(guilty.iter().map(|path| (rule, path.clone())));
            told.push((rule, guilty, what));
        }
        let again = (self.redo)(&without);
        let again: Vec<Correction> =
            again.into_iter().filter(|one| own.iter().any(|own| own.path == one.path)).collect();
        proof.put(self.host, &again);
        let name = if cookbook.is_empty() { "the cookbook" } else { cookbook };
        if told.is_empty() {
            // together they change something, and none by itself
            proof.restore(self.host, &again.iter().collect::<Vec<_>>());
            told.push(("all rules together", own.iter().map(|one| one.path.clone()).collect(), changed));
        }
        for (rule, files, what) in told {
            let mut line = format!(
                "the corrections of {name} are taken back that {rule} makes in {}: its recipes compile to something else with them",
                files.join(", ")
            );
            for one in what.iter().take(3) {
                let _ = write!(line, "\n  {one}");
            }
            proof.lines.push(line);
        }
    }

    /// What differs with the corrections of a cookbook but for some; its files are then as they were.
    fn tried(
        &self,
        own: &[&Correction],
        without: &[Without],
        compiled: &Compiled<'_>,
        proof: &mut Proof,
    ) -> Vec<String> {
        let mut again = (self.redo)(without);
        again.retain(|one| own.iter().any(|own| own.path == one.path));
        if again.is_empty() {
            return Vec::new();
        }
        proof.put(self.host, &again);
        let found = compiled.differences(&self.compile(compiled.units));
        proof.restore(self.host, &again.iter().collect::<Vec<_>>());
        found
    }
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
