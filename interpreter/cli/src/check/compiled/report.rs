//! Findings of all units together: each told once, with the units that it concerns, the causes that concern most of them first.

use super::judge::{Finding, Verdict};
use super::unit::{Repository, Result_, Unit};
use crate::check::formats;
use crate::check::options::{Form, Weight};
use crate::check::render;
use crate::check::work::{Compiled, Done, Found, What};
use rchef_host::{RealHost, compose};
use rchef_lint::engine::Engine;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// So many names are told of the units that a finding concerns.
const NAMES: usize = 4;
/// So many units are listed; of more, only those that do not run.
const UNITS: usize = 12;

/// Joins what the units found.
pub fn join(host: &RealHost, repository: &Repository, done: &[(&Unit, Result_)]) -> Vec<Found> {
    let mut all: BTreeMap<(Weight, String, String), (Compiled, String)> = BTreeMap::new();
    for (unit, result) in done {
        for finding in &result.findings {
            let path = repository.file(&finding.source, &result.cookbooks);
            let entry = all
                .entry((finding.weight, path.clone(), format!("{} {}", finding.rule, finding.message)))
                .or_insert_with(|| (compiled(finding), path));
            entry.0.places.push(unit.name.clone());
            for key in &finding.cascades {
                if !entry.0.cascades.contains(key) {
                    entry.0.cascades.push(key.clone());
                }
            }
        }
    }
    let mut told: Vec<Found> = all.into_values().map(|(what, place)| found(host, what, &place)).collect();
    told.sort_by_key(|found| match &found.what {
        What::Compiled(what) => (what.weight, what.rule == "assumed", usize::MAX - what.places.len()),
        _ => (Weight::Error, false, 0),
    });
    told
}

fn compiled(finding: &Finding) -> Compiled {
    let (why, todo) = super::advice::advice(finding.rule);
    Compiled {
        rule: finding.rule,
        weight: finding.weight,
        message: finding.message.clone(),
        why,
        todo,
        assumed: finding.assumed.clone(),
        cascades: finding.cascades.clone(),
        places: Vec::new(),
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
    }
}

/// The answer in a form.
pub fn render(form: Form, done: &[(&Unit, Result_)], told: &[Found], skipped: &[String], took: u64) -> String {
    let units = || -> Vec<Json> {
        done.iter()
            .map(|(unit, result)| {
                json!({
                    "name": unit.name, "run_list": unit.run_list, "platform": unit.platform,
                    "verdict": result.verdict.words(), "resources": result.resources,
                })
            })
            .collect()
    };
    let engine = Engine::new(Vec::new());
    match form {
        Form::Text => text(&engine, done, told, skipped, took),
        Form::Json => {
            let findings: Vec<Json> = told.iter().map(|found| render::finding(&engine, found)).collect();
            format!(
                "{:#}\n",
                json!({ "schema": "rchef-check/2", "units": units(), "not_checked": skipped, "findings": findings })
            )
        }
        form => {
            let told = told.iter().filter(|found| !is_listed_only(found)).cloned().collect();
            formats::render(form, &engine, &Done { found: told, files: done.len(), ..Done::default() })
        }
    }
}

/// Whether a finding only says what was assumed.
fn is_listed_only(found: &Found) -> bool {
    matches!(&found.what, What::Compiled(what) if what.rule == "assumed")
}

fn text(engine: &Engine, done: &[(&Unit, Result_)], told: &[Found], skipped: &[String], took: u64) -> String {
    let mut out = String::new();
    for found in told.iter().filter(|found| !is_listed_only(found)) {
        let What::Compiled(what) = &found.what else { continue };
        out.push_str(&render::excerpt(engine, found));
        if let Some(assumed) = &what.assumed {
            let _ = writeln!(out, "    assumed: {assumed}");
        }
        for key in what.cascades.iter().take(NAMES) {
            let _ = writeln!(out, "    then fails: {key}");
        }
        if let Some(more) = what.cascades.len().checked_sub(NAMES).filter(|more| *more > 0) {
            let _ = writeln!(out, "    and {more} more");
        }
        if done.len() > 1 {
            let _ = writeln!(out, "    in {}", places(&what.places));
        }
        let _ = writeln!(out, "    do: {}", what.todo);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    for (unit, result) in
        done.iter().filter(|(_, result)| done.len() <= UNITS || result.verdict < Verdict::Deprecated(0))
    {
        let _ = writeln!(out, "{}: {} ({} resources)", unit.name, result.verdict.words(), result.resources);
    }
    for line in skipped {
        let _ = writeln!(out, "not checked: {line}");
    }
    let assumed = told.iter().filter(|found| is_listed_only(found)).count();
    if assumed > 0 {
        let _ = writeln!(
            out,
            "{assumed} commands, searches and data bags were not answered; --write-stubs FILE drafts answers"
        );
    }
    let kinds: [(&str, fn(&Verdict) -> bool); 6] = [
        ("run", |verdict| matches!(verdict, Verdict::Runs | Verdict::Deprecated(_))),
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
