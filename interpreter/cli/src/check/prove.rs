//! Whether corrections change what recipes compile to: the recipes of every corrected cookbook are compiled before and after. Where the resources are different
//! then, the rules by which they are are found one by one, and what these correct is left out. Compiles see the corrected texts on their overlay; the files are
//! written once, with what remains.

use super::compiled::{Repository, Unit, compile_all};
use super::found::Correction;
use crate::diff::{Ignore, Side, compare};
use rchef_host::files::{absolute, lexical};
use rchef_host::{RealHost, compose};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

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

/// Makes the corrections of files again, but for some.
pub type Redo<'a> = dyn Fn(&[String], &[Without]) -> Vec<Correction> + 'a;

/// Writes the corrections, but for those by which cookbooks compile to something else.
pub fn write(host: &RealHost, corrections: Vec<Correction>, redo: &Redo<'_>) -> Proof {
    let mut proof = Proof::default();
    let mut repository = match Repository::here(host, &[], false) {
        Ok(repository) => repository,
        Err(problem) => {
            proof.problems.push(problem);
            return proof;
        }
    };
    let (mut cookbooks, outside) = cookbooks(host, &repository, corrections);
    let all: Vec<Unit> = cookbooks.values().flat_map(|own| own.units.iter().cloned()).collect();
    let mut proving = Proving { repository: &mut repository, redo };
    let mut before = proving.compile(&all, &[]).into_iter();
    for own in cookbooks.values_mut() {
        own.before = before.by_ref().take(own.units.len()).collect();
    }
    let count = proving.all(&mut cookbooks, &mut proof);
    let unproven = cookbooks.values().filter(|own| own.before.iter().all(Option::is_none)).count();
    if count > 0 {
        proof.lines.push(format!("{count} recipes compile to the same resources before and after ({PLATFORM})"));
    }
    if unproven > 0 {
        proof.lines.push(format!(
            "{unproven} corrected cookbooks have no recipe that compiles here: what they do then was not compared"
        ));
    }
    repository.remove(host);
    proof.put(host, &outside);
    cookbooks.values().for_each(|own| proof.put(host, &own.corrections));
    proof
}

impl Proof {
    /// Writes corrected files.
    pub fn put(&mut self, host: &RealHost, corrections: &[Correction]) {
        for correction in corrections {
            match compose::write_file(host, correction.path.as_bytes(), correction.after.as_bytes(), 0o644) {
                Ok(()) => self.corrected += 1,
                Err(error) => self.problems.push(format!("{}: {}", correction.path, error.message())),
            }
        }
    }

    /// Says which corrections of a cookbook are not made, and what is different with them.
    fn taken_back(&mut self, cookbook: &str, rule: &str, files: &[String], what: &[String]) {
        let name = if cookbook.is_empty() { "the cookbook" } else { cookbook };
        let mut line = format!(
            "the corrections of {name} are taken back that {rule} makes in {}: its recipes compile to something else with them",
            files.join(", ")
        );
        for one in what.iter().take(3) {
            let _ = write!(line, "\n  {one}");
        }
        self.lines.push(line);
    }
}

/// A corrected cookbook.
#[derive(Default)]
struct Cookbook {
    corrections: Vec<Correction>,
    /// Its recipes, with what each compiled to before any correction.
    units: Vec<Unit>,
    before: Vec<Option<Json>>,
}

/// A recipe that compiles to something else: its number among the cookbook's, and what is different.
type Differing = Vec<(usize, String)>;

/// What a proof works with.
struct Proving<'a> {
    repository: &'a mut Repository,
    redo: &'a Redo<'a>,
}

impl Proving<'_> {
    /// Takes back what makes recipes different; gives the number of recipes that are the same with all corrections.
    fn all(&mut self, cookbooks: &mut BTreeMap<String, Cookbook>, proof: &mut Proof) -> usize {
        let compared = |own: &Cookbook| own.before.iter().flatten().count();
        let mut differing = self.differences(cookbooks);
        let same = cookbooks.iter().map(|(name, own)| compared(own) - differing.get(name).map_or(0, Vec::len)).sum();
        let mut first = true;
        while !differing.is_empty() {
            for (name, changed) in differing {
                let Some(own) = cookbooks.get_mut(&name) else { continue };
                if first {
                    self.take_back(&name, own, &changed, proof);
                    continue;
                }
                // no rule by itself, but several together, or those of other cookbooks
                let before = changed.iter().filter_map(|(at, _)| own.before[*at].as_ref());
                let reached: BTreeSet<String> = before.flat_map(|dump| self.repository.reached(dump)).collect();
                let what: Vec<String> = changed.into_iter().map(|(_, what)| what).collect();
                let reached = |path: &str| reached.contains(&self.repository.relative(path));
                drop_all(cookbooks, &name, &reached, &what, proof);
            }
            first = false;
            differing = self.differences(cookbooks);
        }
        same
    }

    /// The recipes of each cookbook that differ with all corrections as they are now.
    fn differences(&mut self, cookbooks: &BTreeMap<String, Cookbook>) -> BTreeMap<String, Differing> {
        let corrections: Vec<&Correction> = cookbooks.values().flat_map(|own| &own.corrections).collect();
        if corrections.is_empty() {
            return BTreeMap::new();
        }
        let all: Vec<Unit> = cookbooks.values().flat_map(|own| own.units.iter().cloned()).collect();
        let mut after = self.compile(&all, &corrections).into_iter();
        let mut found = BTreeMap::new();
        for (name, own) in cookbooks {
            let after: Vec<Option<Json>> = after.by_ref().take(own.units.len()).collect();
            let at: Vec<usize> = (0..own.units.len()).collect();
            let differing = own.differing(&at, &after);
            if !differing.is_empty() {
                found.insert(name.clone(), differing);
            }
        }
        found
    }

    fn compile(&mut self, units: &[Unit], corrections: &[&Correction]) -> Vec<Option<Json>> {
        let each = |_: &RealHost, _: &Unit, dump: Result<Json, String>| match dump {
            Ok(dump) if dump["status"] == "complete" => dump.to_string().into_bytes(),
            _ => Vec::new(),
        };
        let edited = corrections.iter().map(|one| {
            let path = lexical(&absolute(self.repository.cwd.as_bytes(), one.path.as_bytes()));
            (String::from_utf8_lossy(&path).into_owned(), one.after.clone().into_bytes())
        });
        self.repository.edited = Rc::new(edited.collect());
        let repository = &*self.repository;
        let left = compile_all(repository, units, &|unit| unit.arguments(repository, &[]), &each, &mut |_| {});
        let read = |left: Option<Vec<u8>>| serde_json::from_slice(&left?).ok();
        left.map_or_else(|_| vec![None; units.len()], |left| left.into_iter().map(read).collect())
    }

    /// Makes the corrections of a cookbook again, one rule after the other, and leaves those out with which its recipes compile to something else.
    fn take_back(&mut self, cookbook: &str, own: &mut Cookbook, changed: &Differing, proof: &mut Proof) {
        let folder = if cookbook.is_empty() { String::new() } else { format!("{cookbook}/") };
        let units: Vec<usize> = changed.iter().map(|(at, _)| *at).collect();
        let paths = |rule: &str| {
            own.corrections.iter().filter(|one| one.rules.contains(&rule)).map(|one| one.path.clone()).collect()
        };
        let rules: BTreeSet<&'static str> = own.corrections.iter().flat_map(|one| one.rules.iter().copied()).collect();
        let mut open: Vec<(&'static str, Vec<String>)> = rules.into_iter().map(|rule| (rule, paths(rule))).collect();
        let mut without: Vec<Without> = open.iter().map(|(rule, _)| (*rule, folder.clone())).collect();
        let mut told = false;
        while let Some((rule, files)) = open.pop() {
            without.retain(|left| left.0 != rule);
            let differing = self.tried(own, &without, &units);
            if differing.is_empty() {
                continue;
            }
            let guilty = if files.len() > 1 { self.guilty(own, rule, &files, &without, &differing) } else { files };
            let what: Vec<String> = differing.into_iter().map(|(_, what)| what).collect();
            proof.taken_back(cookbook, rule, &guilty, &what);
            without.extend(guilty.into_iter().map(|path| (rule, path)));
            told = true;
        }
        if told {
            own.corrections = self.again(own, &without);
        }
    }

    /// In which of its files a rule makes recipes different: first a file is tried with the recipes that load it, then, if some are different all the same, with those.
    fn guilty(
        &mut self,
        own: &Cookbook,
        rule: &'static str,
        files: &[String],
        without: &[Without],
        differing: &Differing,
    ) -> Vec<String> {
        let mut guilty: Vec<String> = Vec::new();
        let but = |left: &[String]| -> Vec<Without> {
            without.iter().cloned().chain(left.iter().map(|path| (rule, path.clone()))).collect()
        };
        let mut units: Vec<usize> = differing.iter().map(|(at, _)| *at).collect();
        let reached: BTreeMap<usize, BTreeSet<String>> = units
            .iter()
            .map(|at| (*at, own.before[*at].as_ref().map(|dump| self.repository.reached(dump)).unwrap_or_default()))
            .collect();
        for loads in [true, false] {
            for file in files {
                if guilty.contains(file) {
                    continue;
                }
                let here = self.repository.relative(file);
                let tried: Vec<usize> =
                    units.iter().copied().filter(|at| !loads || reached[at].contains(&here)).collect();
                let others: Vec<String> = files.iter().filter(|other| *other != file).cloned().collect();
                if !tried.is_empty() && !self.tried(own, &but(&others), &tried).is_empty() {
                    guilty.push(file.clone());
                }
            }
            units = self.tried(own, &but(&guilty), &units).into_iter().map(|(at, _)| at).collect();
            if units.is_empty() {
                return guilty;
            }
        }
        // several files together
        files.to_vec()
    }

    /// What differs in these recipes with the corrections of a cookbook but for some.
    fn tried(&mut self, own: &Cookbook, without: &[Without], units: &[usize]) -> Differing {
        let again = self.again(own, without);
        if again.is_empty() {
            return Vec::new();
        }
        let recipes: Vec<Unit> = units.iter().map(|at| own.units[*at].clone()).collect();
        let after = self.compile(&recipes, &again.iter().collect::<Vec<_>>());
        own.differing(units, &after)
    }

    /// The corrections of a cookbook, but for some.
    fn again(&self, own: &Cookbook, without: &[Without]) -> Vec<Correction> {
        let paths: Vec<String> = own.corrections.iter().map(|one| one.path.clone()).collect();
        (self.redo)(&paths, without)
    }
}

impl Cookbook {
    /// Which of these recipes compile to something else.
    fn differing(&self, units: &[usize], after: &[Option<Json>]) -> Differing {
        let each = units.iter().zip(after);
        each.filter_map(|(at, after)| {
            let what = difference(self.before[*at].as_ref()?, after.as_ref())?;
            Some((*at, format!("{}: {what}", self.units[*at].name)))
        })
        .collect()
    }
}

/// Drops all corrections of the cookbook whose recipes differ, and of those whose files these recipes load; all where there are none such.
fn drop_all(
    cookbooks: &mut BTreeMap<String, Cookbook>,
    name: &str,
    reached: &dyn Fn(&str) -> bool,
    what: &[String],
    proof: &mut Proof,
) {
    let concerned = |(other, own): (&String, &Cookbook)| {
        let loaded = own.corrections.iter().any(|one| reached(&one.path));
        (!own.corrections.is_empty() && (loaded || other == name)).then(|| other.clone())
    };
    let mut names: Vec<String> = cookbooks.iter().filter_map(concerned).collect();
    if names.is_empty() {
        names = cookbooks.keys().cloned().collect();
    }
    for name in names {
        let Some(own) = cookbooks.get_mut(&name).filter(|own| !own.corrections.is_empty()) else { continue };
        let files: Vec<String> = own.corrections.drain(..).map(|one| one.path).collect();
        proof.taken_back(&name, "all rules together", &files, what);
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

/// The corrected cookbooks by their directories, with their recipes, and the corrections outside of cookbooks.
fn cookbooks(
    host: &RealHost,
    repository: &Repository,
    corrections: Vec<Correction>,
) -> (BTreeMap<String, Cookbook>, Vec<Correction>) {
    let mut all: BTreeMap<String, Cookbook> = BTreeMap::new();
    let mut outside = Vec::new();
    for correction in corrections {
        let Some(folder) = cookbook_of(host, &correction.path) else {
            outside.push(correction);
            continue;
        };
        let own = all.entry(folder.clone()).or_default();
        if own.corrections.is_empty() {
            let units = super::compiled::recipes_of(host, repository, &repository.relative(&folder)).into_iter();
            own.units = units.map(|unit| Unit { platform: Some(PLATFORM.into()), ..unit }).collect();
        }
        own.corrections.push(correction);
    }
    (all, outside)
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
