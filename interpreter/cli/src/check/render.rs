//! Renders findings as text and JSON.

use super::found::{Done, Found, Reach, What};
use super::options::Form;
use crate::diagnostic::counted;
use rchef_lint::engine::Engine;
use rchef_lint::rule::{Fix, Level, Rule};
use rchef_model::code::Code;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// The list of rules.
pub fn rules(all: &[&Rule], form: Form) -> String {
    if form != Form::Text {
        let mut list: Vec<Json> = all.iter().map(|rule| describe(rule)).collect();
        list.extend(Code::ALL.iter().map(|code| {
            json!({ "rule": format!("compile/{code}"), "aliases": [], "default": true, "message": code.summary(), "why": code.why() })
        }));
        return format!("{:#}\n", json!({ "schema": "rchef-rules/1", "rules": list }));
    }
    let mut out = String::new();
    for rule in all {
        let fix = if rule.fix == Fix::None { "" } else { " (fix)" };
        let off = if rule.default { "" } else { " (off)" };
        let _ = writeln!(out, "{:<8} {}{fix}{off}: {}", rule.level.name(), rule.id(), rule.summary);
    }
    for code in Code::ALL {
        let _ = writeln!(out, "{:<8} compile/{code}: {}", "compile", code.summary());
    }
    out
}

fn describe(rule: &Rule) -> Json {
    let mut map = Map::new();
    map.insert("rule".into(), json!(rule.id()));
    map.insert("aliases".into(), json!([rule.alias]));
    map.insert("level".into(), json!(rule.level.name()));
    map.insert("default".into(), json!(rule.default));
    map.insert("fix".into(), json!(applicability(rule.fix)));
    map.insert("message".into(), json!(rule.summary));
    about(rule, &mut map);
    Json::Object(map)
}

fn applicability(fix: Fix) -> Option<&'static str> {
    match fix {
        Fix::None => None,
        Fix::Safe => Some("safe"),
        Fix::Unsafe => Some("unsafe"),
    }
}

fn about(rule: &Rule, map: &mut Map<String, Json>) {
    map.insert("why".into(), json!(rule.why));
    for (key, value) in [("since", rule.since), ("removed_in", rule.removed_in), ("replaced_by", rule.replaced_by)] {
        if !value.is_empty() {
            map.insert(key.into(), json!(value));
        }
    }
}

/// The explanation of a rule.
pub fn explanation(rule: &Rule) -> String {
    let mut out = format!("{} ({}), {}\n\n{}.\n{}\n", rule.id(), rule.alias, rule.level.name(), rule.summary, rule.why);
    for (title, value) in
        [("Holds from Chef", rule.since), ("Removed in Chef", rule.removed_in), ("Use instead", rule.replaced_by)]
    {
        if !value.is_empty() {
            let _ = writeln!(out, "{title}: {value}");
        }
    }
    match rule.fix {
        Fix::None => {}
        Fix::Safe => out.push_str("Corrected by --fix.\n"),
        Fix::Unsafe => out.push_str("Corrected by --fix --unsafe-fixes.\n"),
    }
    if !rule.default {
        out.push_str("Off unless it is selected.\n");
    }
    let indented = |code: &str| code.lines().map(|line| format!("    {line}\n")).collect::<String>();
    let _ = write!(out, "\nFound ({}):\n\n{}", rule.file, indented(rule.bad));
    if !rule.good.is_empty() {
        let _ = write!(out, "\nBetter:\n\n{}", indented(rule.good));
    }
    out
}

/// The id of a finding's rule, and its message.
pub fn message(engine: &Engine, found: &Found) -> (String, String) {
    match &found.what {
        What::Rule(hit) => {
            let rule = engine.rule(hit);
            (rule.id(), hit.message.clone().unwrap_or_else(|| rule.summary.to_string()))
        }
        What::Syntax(text) if found.path.ends_with(".json") => ("json/syntax-error".into(), text.clone()),
        What::Syntax(text) => ("ruby/syntax-error".into(), text.clone()),
        What::Compiled(what) => (format!("compile/{}", what.rule), what.message.clone()),
    }
}

/// The result as text: for each finding its place, message, marked source line and advice.
pub fn text(engine: &Engine, done: &Done) -> String {
    let mut out = String::new();
    for found in &done.found {
        out.push_str(&excerpt(engine, found));
    }
    for note in &done.notes {
        let _ = writeln!(out, "{note}");
    }
    out.push_str(&summary(engine, done));
    out
}

/// The name of a finding's level.
fn level(engine: &Engine, found: &Found) -> &'static str {
    match &found.what {
        What::Compiled(what) if what.weight == super::options::Weight::Assumption => "assumption",
        _ => found.level(engine).name(),
    }
}

/// A finding as text.
pub fn excerpt(engine: &Engine, found: &Found) -> String {
    let cut = shown(&found.text);
    if cut.len() < found.text.len() {
        let end = (found.start.0, cut.chars().count() + 1);
        return excerpt_of(engine, &Found { text: format!("{cut}…"), end, ..found.clone() });
    }
    excerpt_of(engine, found)
}

fn excerpt_of(engine: &Engine, found: &Found) -> String {
    let mut out = String::new();
    let (id, message) = message(engine, found);
    let (line, column) = found.start;
    let place = match found.path.as_str() {
        "" => "run list".to_string(),
        path => format!("{path}:{line}:{column}"),
    };
    let _ = writeln!(out, "{place}: {} {id}: {message}", level(engine, found));
    let margin = line.to_string().len();
    let length = if found.end.0 == line {
        found.end.1.saturating_sub(column)
    } else {
        found.text.chars().count() + 1 - column.min(found.text.chars().count())
    };
    let before: String =
        found.text.chars().take(column - 1).map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect();
    if !found.text.trim().is_empty() {
        let _ = writeln!(out, "  {line} | {}", found.text);
        let _ = writeln!(out, "  {:margin$} | {before}{}", "", "^".repeat(length.max(1)));
    }
    if let What::Rule(hit) = &found.what {
        let rule = engine.rule(hit);
        if !rule.removed_in.is_empty() {
            let _ = writeln!(out, "  {:margin$} = removed in Chef {}", "", rule.removed_in);
        }
        if !rule.replaced_by.is_empty() {
            let _ = writeln!(out, "  {:margin$} = use {}", "", rule.replaced_by);
        }
    }
    out
}

/// The part of a line that an excerpt shows: a log needs no long data, and none of a private key.
fn shown(text: &str) -> &str {
    const LONGEST: usize = 200;
    let key = "PRIVATE KEY-----";
    let end = text.find(key).filter(|_| text.contains("-----BEGIN ")).map_or(text.len(), |at| at + key.len());
    let rest = text[end..].trim_matches(|letter: char| !letter.is_alphanumeric());
    let text = if rest.len() < 40 { text } else { &text[..end] };
    text.char_indices().nth(LONGEST).map_or(text, |(at, _)| &text[..at])
}

/// The summary line.
pub fn summary(engine: &Engine, done: &Done) -> String {
    let count = |level| done.found.iter().filter(|found| found.level(engine) == level).count();
    let (errors, warnings, infos) = (count(Level::Error), count(Level::Warning), count(Level::Info));
    let mut out = format!(
        "{} checked: {}, {}",
        counted(done.files, "file"),
        counted(errors, "error"),
        counted(warnings, "warning")
    );
    if infos > 0 {
        let _ = write!(out, ", {}", counted(infos, "info"));
    }
    if done.suppressed > 0 {
        let _ = write!(out, ", {} suppressed by comments", done.suppressed);
    }
    if done.known > 0 {
        let _ = write!(out, ", {} in the baseline", done.known);
    }
    if done.gone > 0 {
        let _ = write!(out, " ({} of its entries are gone: --prune-baseline)", done.gone);
    }
    if done.corrected > 0 {
        let _ = write!(out, "; {} corrected", counted(done.corrected, "file"));
    }
    let fixable = |fix| {
        let has = |found: &&Found| matches!(&found.what, What::Rule(hit) if !hit.edits.is_empty() && engine.rule(hit).fix == fix);
        done.found.iter().filter(has).count()
    };
    let (safe, more) = (fixable(Fix::Safe), fixable(Fix::Unsafe));
    if safe > 0 {
        let _ = write!(out, "; fixable with --fix: {safe}");
    }
    if more > 0 {
        let _ = write!(out, "; with --unsafe-fixes: {more} more");
    }
    out.push('\n');
    out
}

pub fn json(engine: &Engine, done: &Done) -> Json {
    let findings: Vec<Json> = done.found.iter().map(|found| finding(engine, found)).collect();
    json!({ "schema": "rchef-check/2", "files": done.files, "suppressed": done.suppressed, "corrected": done.corrected, "in_baseline": done.known, "findings": findings })
}

/// A finding as JSON.
pub fn finding(engine: &Engine, found: &Found) -> Json {
    let (id, message) = message(engine, found);
    let mut map = Map::new();
    map.insert("rule".into(), json!(id));
    if let What::Rule(hit) = &found.what {
        map.insert("aliases".into(), json!([engine.rule(hit).alias]));
    }
    let compiled = matches!(&found.what, What::Compiled(what) if !what.places.is_empty());
    let tier = if compiled { "compiled" } else { "static" };
    map.insert("level".into(), json!(level(engine, found)));
    map.insert("tier".into(), json!(tier));
    // consumers of RuboCop's JSON read `file`
    map.insert("path".into(), json!(found.path));
    map.insert("file".into(), json!(found.path));
    map.insert("line".into(), json!(found.start.0));
    map.insert("column".into(), json!(found.start.1));
    map.insert("end_line".into(), json!(found.end.0));
    map.insert("end_column".into(), json!(found.end.1));
    map.insert("message".into(), json!(message));
    if let What::Rule(hit) = &found.what {
        let rule = engine.rule(hit);
        about(rule, &mut map);
        if !hit.edits.is_empty() {
            map.insert("fix".into(), json!(applicability(rule.fix)));
        }
    }
    match &found.reach {
        Some(Reach::Confirmed(_, places)) => {
            map.insert("reached".into(), json!("confirmed"));
            map.insert("where".into(), json!(places));
        }
        Some(Reach::Reached { units, .. }) => {
            map.insert("reached".into(), json!("loaded"));
            map.insert("where".into(), json!(units.to_vec()));
        }
        Some(Reach::No) => {
            map.insert("reached".into(), json!("no"));
            map.insert("where".into(), json!([]));
        }
        None => {}
    }
    if let What::Compiled(what) = &found.what {
        map.insert("why".into(), json!(what.why));
        map.insert("todo".into(), json!(what.todo));
        map.insert("where".into(), json!(what.places));
        if let Some(assumed) = &what.assumed {
            map.insert("assumed".into(), json!([assumed]));
        }
        if !what.cascades.is_empty() {
            map.insert("cascades".into(), json!(what.cascades));
        }
    }
    map.insert("fingerprint".into(), json!(fingerprint(&id, &found.path, &found.text)));
    Json::Object(map)
}

/// Identifies a finding by rule, file and source text, not by line, so that changes above it do not matter.
pub fn fingerprint(id: &str, path: &str, code: &str) -> String {
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in [id, path, &code].join("\0").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}
