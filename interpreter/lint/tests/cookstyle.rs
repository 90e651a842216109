//! What Cookstyle found in public cookbooks, against the rules here.
//!
//! Runs only with `COOKSTYLE_GOLDEN`, the folder of the recorded findings, and `COOKSTYLE_CLONES`, which has the repositories as `owner+name` at the recorded commits.
//! `COOKSTYLE_ONLY=Chef/Style/FileMode` takes one rule or department and lists its differences; `COOKSTYLE_FIXES=1` compares the recorded corrections too.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)] // a test reads the files itself and reports

use rchef_lint::discover;
use rchef_lint::engine::Engine;
use rchef_lint::file::File;
use rchef_lint::known::Known;
use rchef_lint::source::Source;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Recorded, found, and both.
#[derive(Default, Clone, Copy)]
struct Count {
    expected: usize,
    found: usize,
    matched: usize,
}

impl Count {
    fn precision(self) -> f64 {
        if self.found == 0 { 1.0 } else { self.matched as f64 / self.found as f64 }
    }
    fn recall(self) -> f64 {
        if self.expected == 0 { 1.0 } else { self.matched as f64 / self.expected as f64 }
    }
}

fn department(cop: &str) -> &str {
    cop.rsplit_once('/').map_or("", |(department, _)| department)
}

/// What a rule's precision and recall must be.
fn bar(cop: &str) -> f64 {
    let strict = ["Chef/Deprecations", "Chef/Correctness", "Chef/Security", "Chef/Modernize"];
    if strict.contains(&department(cop)) { 0.98 } else { 0.95 }
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap();
    // The header of gzip is ten bytes and, by its flags, a name that a zero ends.
    let named = bytes[3] & 8 != 0;
    let start = 10 + if named { bytes[10..].iter().position(|byte| *byte == 0).unwrap() + 1 } else { 0 };
    let text = miniz_oxide::inflate::decompress_to_vec(&bytes[start..]).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn folders() -> Option<(PathBuf, PathBuf)> {
    Some((std::env::var_os("COOKSTYLE_GOLDEN")?.into(), std::env::var_os("COOKSTYLE_CLONES")?.into()))
}

/// A path with a line.
type Place = (String, u64);

fn places(golden: &Value, key: &str, cop: &str) -> Vec<Place> {
    let list = golden[key][cop].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|place| {
            let file = place[0].as_u64().unwrap() as usize;
            (golden["files"][file].as_str().unwrap().to_string(), place[1].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn findings() {
    let Some((golden, clones)) = folders() else { return };
    let only = std::env::var("COOKSTYLE_ONLY").unwrap_or_default();
    let mut rules = rchef_lint::rules::all();
    rules.retain(|rule| !rule.is_own());
    let cops: Vec<&str> = rules.iter().map(|rule| rule.alias).collect();
    let engine = Engine::new(rules);
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(&golden).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".json.gz").filter(|name| name.contains('+')) else { continue };
        compare(&engine, &cops, &read(&path), &clones.join(name), &only, &mut counts);
    }
    let mut departments: BTreeMap<String, Count> = BTreeMap::new();
    let mut low = Vec::new();
    for (cop, count) in &counts {
        let sum = departments.entry(department(cop).to_string()).or_default();
        sum.expected += count.expected;
        sum.found += count.found;
        sum.matched += count.matched;
        if count.matched != count.found || count.matched != count.expected {
            println!("{cop}: expected {} found {} matched {}", count.expected, count.found, count.matched);
        }
        let least = count.precision().min(count.recall());
        if count.expected.max(count.found) >= 20 && least < bar(cop) {
            low.push(format!("{cop}: precision {:.3} recall {:.3}", count.precision(), count.recall()));
        }
    }
    for (name, count) in &departments {
        println!(
            "{name}: expected {} found {} precision {:.4} recall {:.4}",
            count.expected,
            count.found,
            count.precision(),
            count.recall()
        );
        if count.precision().min(count.recall()) < bar(&format!("{name}/")) {
            low.push(name.clone());
        }
    }
    assert!(low.is_empty(), "below the bar:\n{}", low.join("\n"));
}

fn compare(
    engine: &Engine,
    cops: &[&str],
    golden: &Value,
    tree: &Path,
    only: &str,
    counts: &mut BTreeMap<String, Count>,
) {
    let unparsed: BTreeSet<u64> =
        golden["unparsed"].as_array().unwrap().iter().map(|file| file.as_u64().unwrap()).collect();
    let mut found: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
    let name = tree.file_name().unwrap().to_string_lossy().into_owned();
    for (at, path) in golden["files"].as_array().unwrap().iter().enumerate() {
        let path = path.as_str().unwrap();
        if unparsed.contains(&(at as u64)) {
            continue;
        }
        let Ok(bytes) = std::fs::read(tree.join(path)) else { continue };
        if !discover::is_ruby(path) && !discover::has_shebang(path, &bytes) || discover::excluded(path) {
            println!("{name}/{path}: not looked at");
        }
        let Some(source) = Source::new(&bytes) else { continue };
        let file = File { path, root_name: &name, cookbook_name: None, year: 2026, known: Known::NOTHING };
        let report = engine.check(&file, &source, &engine.active(path, |_| true));
        if !report.errors.is_empty() && path.ends_with(".rb") {
            println!("{name}/{path}: {}", report.errors[0].text);
        }
        for hit in &report.hits {
            let line = source.line(hit.span.start) as u64;
            found.entry(engine.rule(hit).alias).or_default().push((path.to_string(), line));
        }
    }
    for cop in cops {
        let crashed: BTreeSet<String> = places(golden, "crashed", cop).into_iter().map(|place| place.0).collect();
        let mut hidden = places(golden, "suppressed", cop);
        let mut expected = places(golden, "cops", cop);
        expected.retain(|place| !crashed.contains(&place.0));
        let mut ours = found.remove(cop).unwrap_or_default();
        ours.retain(|place| !crashed.contains(&place.0));
        let count = counts.entry((*cop).to_string()).or_default();
        count.expected += expected.len();
        let mut extra = Vec::new();
        for place in ours {
            if let Some(at) = expected.iter().position(|other| *other == place) {
                expected.swap_remove(at);
                count.found += 1;
                count.matched += 1;
            } else if let Some(at) = hidden.iter().position(|other| *other == place) {
                hidden.swap_remove(at);
            } else {
                count.found += 1;
                extra.push(place);
            }
        }
        if !only.is_empty() && cop.starts_with(only) {
            expected.iter().for_each(|(path, line)| println!("missed {cop} {name}/{path}:{line}"));
            extra.iter().for_each(|(path, line)| println!("extra {cop} {name}/{path}:{line}"));
        }
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn corrections() {
    let Some((golden, clones)) = folders() else { return };
    if std::env::var_os("COOKSTYLE_FIXES").is_none() {
        return;
    }
    let only = std::env::var("COOKSTYLE_ONLY").unwrap_or_default();
    let rules = rchef_lint::rules::all();
    let mut tally: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for fix in read(&golden.join("fixes.json.gz"))["fixes"].as_array().unwrap() {
        let text = |key: &str| fix[key].as_str().unwrap();
        let Some(rule) = rules.iter().find(|rule| rule.alias == text("cop")) else { continue };
        if !only.is_empty() && !rule.alias.starts_with(&only) {
            continue;
        }
        let name = text("repository").replace('/', "+");
        let Ok(bytes) = std::fs::read(clones.join(&name).join(text("file"))) else { continue };
        if hash(&bytes) != text("sha256_before") {
            continue;
        }
        let engine = Engine::new(vec![rule]);
        let path = text("file");
        let metadata = Path::new(path).parent().and_then(Path::parent).map(|cookbook| cookbook.join("metadata.rb"));
        let metadata = metadata.and_then(|path| std::fs::read(clones.join(&name).join(path)).ok());
        let cookbook = metadata.and_then(|bytes| rchef_lint::cookbook_name(&bytes));
        let root = name.split('+').nth(1).unwrap();
        let file =
            File { path, root_name: root, cookbook_name: cookbook.as_deref(), year: 2026, known: Known::NOTHING };
        let after = engine.correct(&file, &bytes, &engine.active(path, |_| true), true).map(|(text, _)| text);
        let after = after.map_or_else(|| bytes.clone(), String::into_bytes);
        let same = hash(&after) == text("sha256_after");
        let count = tally.entry(rule.alias.to_string()).or_default();
        count.0 += 1;
        count.1 += usize::from(same);
        if !same && !only.is_empty() {
            println!("differs {} {name}/{path}{}", rule.alias, if after == bytes { " (untouched)" } else { "" });
        }
    }
    let (mut all, mut same) = (0, 0);
    for (cop, count) in &tally {
        all += count.0;
        same += count.1;
        if count.0 != count.1 {
            println!("fixes {cop}: {} of {}", count.1, count.0);
        }
    }
    println!("corrections: {same} of {all} the same");
    assert!(same as f64 >= 0.95 * all as f64);
}
