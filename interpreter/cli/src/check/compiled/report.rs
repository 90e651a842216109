//! Joins the findings of all units: each is reported once with the units that it affects, those affecting most units first.

use super::finding::{Finding, Verdict};
use super::removed;
use super::unit::{Repository, Result_, Unit};
use super::words::{self, has_name};
use crate::check::formats;
use crate::check::found::{Compiled, Done, Found, Reach, What};
use crate::check::options::{Form, Weight};
use crate::check::render;
use crate::diagnostic::counted;
use rchef_host::{RealHost, compose};
use rchef_lint::engine::Engine;
use rchef_model::code::Code;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Maximum number of unit names shown for a finding.
const NAMES: usize = 4;
/// Maximum number of units listed; beyond it only the verdicts are counted.
const UNITS: usize = 12;

/// The place and the words by which findings are one. What fails in a guard, in a template or in a subscription is one problem for all resources of a line, and
/// a name that is missing there is one for all lines of a file.
fn identity(path: &str, finding: &Finding) -> (String, String) {
    let rule = finding.rule;
    let (file, line) = path.rsplit_once(':').unwrap_or((path, ""));
    match (rule, &finding.subject) {
        (Code::GuardFails | Code::TemplateFails, Some(name)) => (file.to_string(), format!("{rule} {name}")),
        (Code::GuardFails | Code::TemplateFails, None) if finding.message.contains("undefined ") => {
            (path.to_string(), rule.to_string())
        }
        (Code::SubscriptionUnresolved, _) => (path.to_string(), rule.to_string()),
        _ => (format!("{file}:{line}"), format!("{rule} {}", finding.message)),
    }
}

/// Adds to a message how many more are told with it: of other lines, or of its own.
fn with_others(message: &mut String, place: &str, others: &BTreeMap<String, String>) {
    let line = |place: &str| place.rsplit_once(':').map(|(_, line)| line.to_string()).unwrap_or_default();
    let mut lines: Vec<String> =
        others.values().map(|place| line(place)).filter(|other| *other != line(place)).collect();
    lines.sort_by_key(|line| line.parse::<usize>().unwrap_or_default());
    lines.dedup();
    match (lines.len(), others.len()) {
        (_, 0) => {}
        (0, count) => {
            let _ = write!(message, " (and {count} more)");
        }
        (1, _) => {
            let _ = write!(message, " (and in line {})", lines.concat());
        }
        _ => {
            let _ = write!(message, " (and in lines {})", lines.join(", "));
        }
    }
}

/// Joins the findings of units.
pub fn join(host: &RealHost, repository: &Repository, done: &[(&Unit, Result_)]) -> Vec<Found> {
    let mut all: BTreeMap<(Weight, String, String), (Compiled, String)> = BTreeMap::new();
    let mut others: BTreeMap<(Weight, String, String), BTreeMap<String, String>> = BTreeMap::new();
    for (unit, result) in done {
        for finding in &result.findings {
            let path = repository.file(&finding.source, &result.cookbooks);
            // an item of several suites' run lists is one cause, which the first of them shows
            let item = |(file, _): &(&str, usize)| unit.section.is_some() && unit.origin.as_deref() == Some(*file);
            let (place, told) = identity(&path, finding);
            let place = words::place(&path).filter(item).map_or(place, |(file, _)| file.to_string());
            let key = (finding.weight, place, told);
            let entry = all.entry(key.clone()).or_insert_with(|| (compiled(host, repository, finding), path.clone()));
            if entry.0.message != finding.message {
                others.entry(key).or_default().insert(finding.message.clone(), path);
            }
            if entry.0.places.last() != Some(&unit.name) {
                entry.0.places.push(unit.name.clone());
            }
            for key in &finding.cascades {
                if !entry.0.cascades.contains(key) {
                    entry.0.cascades.push(key.clone());
                }
            }
        }
    }
    for (key, others) in &others {
        if let Some((what, place)) = all.get_mut(key) {
            with_others(&mut what.message, place, others);
        }
    }
    let mut told: Vec<Found> = all.into_values().map(|(what, place)| found(host, what, &place)).collect();
    told.sort_by_key(|found| match &found.what {
        What::Compiled(what) => (what.weight, what.rule == Code::Assumed, usize::MAX - what.places.len()),
        _ => (Weight::Error, false, 0),
    });
    told
}

fn compiled(host: &RealHost, repository: &Repository, finding: &Finding) -> Compiled {
    let why = finding.rule.why();
    let vendored = || finding.rule == Code::MissingCookbook && !repository.laid.is_empty();
    let todo = match &finding.todo {
        Some(todo) => todo.clone(),
        None if vendored() && compose::exists(host, b"Berksfile") => {
            "`berks vendor` fetches it into berks-cookbooks, where it is found here".to_string()
        }
        None if vendored() && compose::exists(host, b"Policyfile.rb") => {
            "`chef install` and `chef export DIR` fetch it: move DIR/cookbook_artifacts to vendor/cookbooks here"
                .to_string()
        }
        None if vendored() => "put it into berks-cookbooks or vendor/cookbooks here, or correct the name".to_string(),
        None => finding.rule.todo().to_string(),
    };
    Compiled {
        rule: finding.rule,
        weight: finding.weight,
        message: finding.message.clone(),
        why,
        todo,
        assumed: finding.assumed.clone(),
        cascades: finding.cascades.clone(),
        places: Vec::new(),
        subject: finding.subject.clone().unwrap_or_default(),
        missing: finding.missing.clone(),
    }
}

fn found(host: &RealHost, mut what: Compiled, place: &str) -> Found {
    let (path, line) = words::place(place).unwrap_or((place, 1));
    let bytes = compose::read_file(host, path.as_bytes()).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).lines().nth(line.saturating_sub(1)).unwrap_or_default().to_string();
    let unclear = matches!(what.rule, Code::CompileFailed | Code::UnresolvedRequire) && what.weight == Weight::Error;
    if unclear && let Some(told) = removed::told(path, &bytes, line, &what.subject) {
        if !what.message.starts_with(&told.message) {
            what.message = format!("{} ({})", told.message, what.message);
        }
        what.todo = told.todo.unwrap_or(what.todo);
    }
    let column = text.chars().take_while(|letter| letter.is_whitespace()).count() + 1;
    let end = text.trim_end().chars().count() + 1;
    Found {
        path: path.to_string(),
        what: What::Compiled(Box::new(what)),
        start: (line, column),
        end: (line, end.max(column)),
        text,
        reach: None,
    }
}

/// The input of a report.
pub struct Told<'a> {
    /// Has the static rules that were applied.
    pub engine: &'a Engine,
    pub done: &'a [(&'a Unit, Result_)],
    pub found: &'a [Found],
    /// What was not checked, and why.
    pub skipped: &'a [String],
    /// How much of the repository the compiles reached, as a message.
    pub coverage: Option<String>,
    /// Number of static findings in files that no unit can load.
    pub beyond: usize,
    /// Number of findings suppressed by comments or the settings file.
    pub suppressed: usize,
    /// Number of findings that the baseline contains.
    pub known: usize,
    pub took: u64,
}

/// Joins the findings of static rules with those of compiles: a problem that both find at one place is reported once, and static findings get
/// their [`Reach`]. Gives all findings, and the number of static ones that are left out: in cookbooks that no unit
/// uses, and in files that runs do not load, such as tests.
pub fn combine(
    engine: &Engine,
    repository: &Repository,
    done: &[(&Unit, Result_)],
    mut told: Vec<Found>,
    fixed: Vec<Found>,
) -> (Vec<Found>, usize) {
    let mut reached: BTreeMap<String, (Vec<String>, bool)> = BTreeMap::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (unit, result) in done {
        for file in &result.reached {
            let entry = reached.entry(repository.file(file, &result.cookbooks)).or_default();
            entry.0.push(unit.name.clone());
            entry.1 |= !result.stopped;
        }
        let folders = result.cookbooks.values();
        for folder in folders.map(|folder| if folder.is_empty() { String::new() } else { format!("{folder}/") }) {
            let entry = reached.entry(format!("{folder}metadata.rb")).or_default();
            entry.0.push(unit.name.clone());
            entry.1 |= !result.stopped;
            used.insert(folder);
        }
    }
    let reached: BTreeMap<String, (Arc<[String]>, bool)> =
        reached.into_iter().map(|(file, (units, whole))| (file, (units.into(), whole))).collect();
    let mut merged = vec![false; told.len()];
    let (mut all, mut beyond) = (Vec::new(), 0);
    for mut found in fixed {
        if let What::Compiled(what) = &mut found.what {
            // a document names what is not there: compiles tell it without its line
            for (other, merged) in told.iter().zip(&mut merged).filter(|(other, _)| other.path == found.path) {
                let What::Compiled(other) = &other.what else { continue };
                if other.rule == what.rule && what.missing.iter().all(|name| other.missing.contains(name)) {
                    *merged = true;
                    let new = other.places.iter().filter(|place| !what.places.contains(place));
                    what.places.extend(new.cloned().collect::<Vec<String>>());
                }
            }
            all.push(found);
            continue;
        }
        let same = told.iter().position(|other| is_same(other, &found));
        // a compile says, too, what fails of it
        if same.is_some() && matches!(&found.what, What::Rule(hit) if engine.rule(hit).alias == "Rchef/MissingDepends")
        {
            continue;
        }
        found.reach = match (same.map(|at| (at, &told[at].what)), reached.get(&found.path)) {
            (Some((at, What::Compiled(what))), _) => {
                merged[at] = true;
                Some(Reach::Confirmed(what.weight, what.places.clone()))
            }
            (_, Some((units, whole))) => Some(Reach::Reached { units: units.clone(), whole: *whole }),
            (_, None) if used.iter().any(|folder| found.path.strip_prefix(folder.as_str()).is_some_and(runs)) => {
                Some(Reach::No)
            }
            (_, None) => {
                beyond += 1;
                continue;
            }
        };
        all.push(found);
    }
    let mut merged = merged.into_iter();
    told.retain(|_| merged.next() != Some(true));
    // findings of compiles come first
    told.extend(all);
    (told, beyond)
}

/// Whether runs load a file of a cookbook; tests and files for tools are not among them.
fn runs(inner: &str) -> bool {
    let folders = [
        "attributes/",
        "definitions/",
        "files/",
        "libraries/",
        "ohai/",
        "providers/",
        "recipes/",
        "resources/",
        "templates/",
    ];
    let files = ["attributes.rb", "metadata.json", "metadata.rb", "recipe.rb"];
    files.contains(&inner) || folders.iter().any(|folder| inner.starts_with(folder))
}

/// Whether a finding of a compile and one of the static rules report the same problem: they are on one line, and the name that the compile
/// stumbled over is in the code that the rule marks.
fn is_same(told: &Found, fixed: &Found) -> bool {
    let What::Compiled(what) = &told.what else { return false };
    if told.path != fixed.path || told.start.0 != fixed.start.0 || what.weight == Weight::Assumption {
        return false;
    }
    match &fixed.what {
        What::Syntax(_) => what.rule == Code::SyntaxError,
        What::Rule(_) => {
            let end = if fixed.end.0 == fixed.start.0 { fixed.end.1 } else { usize::MAX };
            let marked: String = fixed.text.chars().take(end - 1).skip(fixed.start.1 - 1).collect();
            has_name(&marked, &what.subject)
        }
        What::Compiled(_) => false,
    }
}

/// How many cookbooks and recipes of the repository were reached, and which recipes were not; None if there are fewer than two cookbooks.
pub fn coverage(all: &[Unit], done: &[(&Unit, Result_)]) -> Option<String> {
    let reached: BTreeSet<String> = done
        .iter()
        .flat_map(|(_, result)| &result.reached)
        .filter_map(|file| {
            let (cookbook, recipe) = file.split_once("/recipes/")?;
            Some(format!("{cookbook}::{}", recipe.rsplit_once('.').map_or(recipe, |(name, _)| name)))
        })
        .collect();
    let cookbook = |name: &str| name.split("::").next().unwrap_or_default().to_string();
    let every: BTreeSet<String> = all.iter().map(|unit| cookbook(&unit.name)).collect();
    if every.len() < 2 {
        return None;
    }
    let missed: Vec<String> = all.iter().map(|unit| unit.name.clone()).filter(|name| !reached.contains(name)).collect();
    let books = every.iter().filter(|book| reached.iter().any(|recipe| cookbook(recipe) == **book)).count();
    let mut text =
        format!("checked {books} of {} cookbooks, {} of {} recipes", every.len(), all.len() - missed.len(), all.len());
    if !missed.is_empty() {
        let _ = write!(text, "; not reached: {}", places(&missed));
    }
    Some(text)
}

pub fn render(form: Form, told: &Told<'_>) -> String {
    let Told { engine, done, found: all, skipped, .. } = *told;
    let units = || -> Vec<Json> {
        done.iter()
            .map(|(unit, result)| {
                json!({
                    "name": unit.name, "run_list": unit.run_list, "platform": unit.platform,
                    "verdict": result.verdict.words(), "with_chef": result.verdict.with_chef(), "resources": result.resources,
                })
            })
            .collect()
    };
    match form {
        Form::Text => text(told),
        Form::Json => {
            let findings: Vec<Json> = all.iter().map(|found| render::finding(engine, found)).collect();
            format!(
                "{:#}\n",
                json!({ "schema": "rchef-check/2", "units": units(), "not_checked": skipped, "coverage": told.coverage, "findings": findings })
            )
        }
        form => {
            let listed = all.iter().filter(|found| !is_listed_only(found)).cloned().collect();
            formats::render(form, engine, &Done { found: listed, files: done.len(), ..Done::default() })
        }
    }
}

/// Whether a finding is only an assumption.
fn is_listed_only(found: &Found) -> bool {
    matches!(&found.what, What::Compiled(what) if what.rule == Code::Assumed)
}

fn text(told: &Told<'_>) -> String {
    let Told { engine, done, found: all, took, .. } = *told;
    let mut out = String::new();
    for found in all.iter().filter(|found| !is_listed_only(found)) {
        out.push_str(&render::excerpt(engine, found));
        match &found.reach {
            Some(Reach::Confirmed(_, units)) => {
                let _ = writeln!(out, "    confirmed: {}", places(units));
            }
            Some(Reach::No) => out.push_str("    not reached by any checked run list\n"),
            Some(Reach::Reached { .. }) | None => {}
        }
        let What::Compiled(what) = &found.what else { continue };
        // a failure on the overlay is its own assumption
        if let Some(assumed) = what.assumed.as_ref().filter(|assumed| **assumed != what.message) {
            let _ = writeln!(out, "    assumed: {assumed}");
        }
        for key in what.cascades.iter().take(NAMES) {
            let _ = writeln!(out, "    then fails: {key}");
        }
        if let Some(more) = what.cascades.len().checked_sub(NAMES).filter(|more| *more > 0) {
            let _ = writeln!(out, "    and {more} more");
        }
        if done.len() > 1 && !what.places.is_empty() {
            let _ = writeln!(out, "    in {}", places(&what.places));
        }
        let _ = writeln!(out, "    do: {}", what.todo);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    for (unit, result) in done.iter().filter(|_| done.len() <= UNITS) {
        let chef = result.verdict.with_chef().map(|ends| format!("; with Chef 18 it {ends}")).unwrap_or_default();
        let resources = counted(result.resources, "resource");
        let _ = writeln!(out, "{}: {} ({resources}){chef}", unit.name, result.verdict.words());
    }
    remarks(&mut out, told);
    let kinds: [(&str, fn(&Verdict) -> bool); 6] = [
        ("run", |verdict| {
            matches!(verdict, Verdict::Runs | Verdict::Assuming(_) | Verdict::Deprecated(_) | Verdict::Removed(_))
        }),
        ("depend on assumptions", |verdict| matches!(verdict, Verdict::Depends(_))),
        ("cannot converge", |verdict| matches!(verdict, Verdict::CannotConverge(_))),
        ("lack input", |verdict| *verdict == Verdict::InputMissing),
        ("refuse", |verdict| *verdict == Verdict::Refuses),
        ("fail", |verdict| *verdict == Verdict::Fails),
    ];
    let counts: Vec<String> = kinds
        .iter()
        .map(|(word, is)| (word, done.iter().filter(|(_, result)| is(&result.verdict)).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let _ = writeln!(out, "{} compiled in {:.1} s: {}", done.len(), took as f64 / 1e9, counts.join(", "));
    out
}

/// What was not checked, not answered, not told and not reached.
fn remarks(out: &mut String, told: &Told<'_>) {
    let Told { found: all, skipped, .. } = *told;
    for line in skipped.iter().take(UNITS) {
        let _ = writeln!(out, "not checked: {line}");
    }
    if let Some(more) = skipped.len().checked_sub(UNITS).filter(|more| *more > 0) {
        let _ = writeln!(out, "not checked: {more} more");
    }
    let assumed = all.iter().filter(|found| is_listed_only(found)).count();
    if assumed > 0 {
        let _ = writeln!(
            out,
            "not answered: {assumed} commands, searches and data bags; --write-stubs FILE drafts answers"
        );
    }
    if told.beyond > 0 {
        let _ = writeln!(
            out,
            "{} more findings of the static rules in files that these run lists do not use: `rchef check` tells them",
            told.beyond
        );
    }
    if told.suppressed > 0 {
        let _ = writeln!(out, "{} suppressed", counted(told.suppressed, "finding"));
    }
    if told.known > 0 {
        let _ = writeln!(out, "{} in the baseline", counted(told.known, "finding"));
    }
    if let Some(coverage) = &told.coverage {
        let _ = writeln!(out, "{coverage}");
    }
}

fn places(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(NAMES).filter(|more| *more > 0) {
        Some(more) => format!("{shown} and {more} more"),
        None => shown,
    }
}
