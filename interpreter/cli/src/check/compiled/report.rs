//! Joins the findings of all units: each is reported once with the units that it affects, those affecting most units first.

use super::finding::{Finding, Verdict};
use super::unit::{Repository, Result_, Unit};
use crate::check::formats;
use crate::check::options::{Form, Weight};
use crate::check::render;
use crate::check::work::{Compiled, Done, Found, Reach, What};
use crate::diagnostic::counted;
use rchef_host::{RealHost, compose};
use rchef_lint::engine::Engine;
use rchef_model::code::Code;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Maximum number of unit names shown for a finding.
const NAMES: usize = 4;
/// Maximum number of units listed; beyond it only the verdicts are counted.
const UNITS: usize = 12;

/// Joins the findings of units.
pub fn join(host: &RealHost, repository: &Repository, done: &[(&Unit, Result_)]) -> Vec<Found> {
    let mut all: BTreeMap<(Weight, String, String), (Compiled, String)> = BTreeMap::new();
    for (unit, result) in done {
        for finding in &result.findings {
            let path = repository.file(&finding.source, &result.cookbooks);
            let entry = all
                .entry((finding.weight, path.clone(), format!("{} {}", finding.rule, finding.message)))
                .or_insert_with(|| (compiled(finding), path));
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
    let mut told: Vec<Found> = all.into_values().map(|(what, place)| found(host, what, &place)).collect();
    told.sort_by_key(|found| match &found.what {
        What::Compiled(what) => (what.weight, what.rule == Code::Assumed, usize::MAX - what.places.len()),
        _ => (Weight::Error, false, 0),
    });
    told
}

fn compiled(finding: &Finding) -> Compiled {
    let why = finding.rule.why();
    let todo = finding.todo.clone().unwrap_or_else(|| finding.rule.todo().to_string());
    Compiled {
        rule: finding.rule,
        weight: finding.weight,
        message: finding.message.clone(),
        why,
        todo,
        assumed: finding.assumed.clone(),
        cascades: finding.cascades.clone(),
        places: Vec::new(),
        subject: String::new(),
    }
}

fn found(host: &RealHost, what: Compiled, place: &str) -> Found {
    let (path, line) =
        place.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse().ok()?))).unwrap_or((place, 1usize));
    let bytes = compose::read_file(host, path.as_bytes()).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).lines().nth(line.saturating_sub(1)).unwrap_or_default().to_string();
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
    /// Number of static findings in cookbooks that no unit uses.
    pub beyond: usize,
    /// Number of findings suppressed by comments or the settings file.
    pub suppressed: usize,
    pub took: u64,
}

/// Joins the findings of static rules with those of compiles: a problem that both find at one place is reported once, and static findings get
/// their [`Reach`]. Gives all findings, and the number of static ones in cookbooks that no unit uses.
pub fn combine(
    engine: &Engine,
    repository: &Repository,
    done: &[(&Unit, Result_)],
    mut told: Vec<Found>,
    fixed: Vec<Found>,
) -> (Vec<Found>, usize) {
    let mut reached: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (unit, result) in done {
        for file in &result.reached {
            reached.entry(repository.file(file, &result.cookbooks)).or_default().push(unit.name.clone());
        }
        used.extend(
            result
                .cookbooks
                .values()
                .map(|folder| if folder.is_empty() { String::new() } else { format!("{folder}/") }),
        );
    }
    let (mut all, mut beyond) = (Vec::new(), 0);
    for mut found in fixed {
        if let What::Compiled(what) = &mut found.what {
            // a document names what is not there: compiles tell it without its line
            let says = |other: &Found| match &other.what {
                What::Compiled(other) => other.rule == what.rule && other.message.contains(&what.subject),
                _ => false,
            };
            while let Some(at) = told.iter().position(|other| other.path == found.path && says(other)) {
                if let What::Compiled(other) = told.remove(at).what {
                    what.places.extend(other.places);
                }
            }
            all.push(found);
            continue;
        }
        let same = told.iter().position(|other| {
            let here = other.path == found.path && other.start.0 == found.start.0;
            here && matches!(&other.what, What::Compiled(what) if confirms(engine, what.rule, &found))
        });
        // a compile says, too, what fails of it
        if same.is_some() && matches!(&found.what, What::Rule(hit) if engine.rule(hit).alias == "Rchef/MissingDepends")
        {
            continue;
        }
        found.reach = match (same, reached.get(&found.path)) {
            (Some(at), _) => match told.remove(at).what {
                What::Compiled(what) => Some(Reach::Confirmed(what.weight, what.places)),
                _ => None,
            },
            (None, Some(units)) => Some(Reach::Reached(units.clone())),
            (None, None) if used.iter().any(|folder| found.path.starts_with(folder.as_str())) => Some(Reach::No),
            (None, None) => {
                beyond += 1;
                continue;
            }
        };
        all.push(found);
    }
    // findings of compiles come first
    told.extend(all);
    (told, beyond)
}

/// Rules of compiles with the static rules (prefixes of their aliases) that report the same problem.
const CONFIRMING: &[(Code, &[&str])] = &[
    (Code::Deprecated, &["Chef/Deprecations/", "Rchef/RemovedRuby"]),
    (Code::RemovedApi, &["Chef/Deprecations/", "Chef/Correctness/"]),
    (
        Code::CompileFailed,
        &[
            "Rchef/RemovedResource",
            "Rchef/RemovedRuby",
            "Rchef/UnknownResource",
            "Rchef/UnknownProperty",
            "Rchef/UnknownAction",
        ],
    ),
    (Code::UnresolvedRequire, &["Rchef/RemovedRuby", "Rchef/GemWithExtension"]),
    (Code::MissingCookbook, &["Rchef/MissingRecipe", "Rchef/UndeclaredDepends", "Rchef/MissingDepends"]),
    (Code::MissingCookbookDependency, &["Rchef/UndeclaredDepends"]),
    (Code::MissingRecipe, &["Rchef/MissingRecipe"]),
];

/// Whether a compile's finding and a static finding on the same line report the same problem.
fn confirms(engine: &Engine, compiled: Code, found: &Found) -> bool {
    match &found.what {
        What::Rule(hit) => {
            let alias = engine.rule(hit).alias;
            let partners = CONFIRMING.iter().filter(|(rule, _)| *rule == compiled);
            partners.flat_map(|(_, aliases)| *aliases).any(|prefix| alias.starts_with(prefix))
        }
        What::Syntax(_) => compiled == Code::SyntaxError,
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
    let Told { engine, done, found: all, skipped, took, .. } = *told;
    let mut out = String::new();
    for found in all.iter().filter(|found| !is_listed_only(found)) {
        out.push_str(&render::excerpt(engine, found));
        match &found.reach {
            Some(Reach::Confirmed(_, units)) => {
                let _ = writeln!(out, "    confirmed: {}", places(units));
            }
            Some(Reach::No) => out.push_str("    not reached by any checked run list\n"),
            Some(Reach::Reached(_)) | None => {}
        }
        let What::Compiled(what) = &found.what else { continue };
        if let Some(assumed) = &what.assumed {
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
            "{} more findings of the static rules in cookbooks that these run lists do not use: `rchef check` tells them",
            told.beyond
        );
    }
    if told.suppressed > 0 {
        let _ = writeln!(out, "{} suppressed", counted(told.suppressed, "finding"));
    }
    if let Some(coverage) = &told.coverage {
        let _ = writeln!(out, "{coverage}");
    }
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

fn places(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(NAMES).filter(|more| *more > 0) {
        Some(more) => format!("{shown} and {more} more"),
        None => shown,
    }
}
