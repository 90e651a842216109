//! The cases of Cookstyle's own specs, against the rules here.
//!
//! Runs only with `COOKSTYLE_SPECS`, a file that `tests/specs.rb` writes from a checkout of chef/cookstyle: code, where the offences are, and the corrected code.
//! What is known to differ stands in `tests/differences.tsv`, each with its reason.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)] // a test reads the files itself and reports

use rchef_lint::engine::Engine;
use rchef_lint::file::File;
use rchef_lint::known::Known;
use rchef_lint::rules::at_least;
use rchef_lint::source::Source;
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn specs() {
    let Some(path) = std::env::var_os("COOKSTYLE_SPECS") else { return };
    let cases: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let known = include_str!("differences.tsv");
    let rules = rchef_lint::rules::all();
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases.as_array().unwrap() {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let cop = text("cop").replace("Redundant/", "RedundantCode/").replace("Deprecation/", "Deprecations/");
        let Some(rule) = rules.iter().find(|rule| rule.alias == cop) else {
            // Cops for gems rather than cookbooks are not ported.
            if !cop.starts_with("Chef/Ruby/") {
                wrong.push(format!("there is no rule {cop}"));
            }
            continue;
        };
        let path = if text("file").is_empty() { rule.file } else { text("file") };
        let path = path.trim_start_matches('/');
        let engine = Engine::new(vec![rule]);
        let source = Source::new(text("code").as_bytes()).unwrap();
        let file = File { path, root_name: "my_cookbook", cookbook_name: None, year: 2026, known: Known::NOTHING };
        let target = case["target"].as_str();
        let active = vec![target.is_none_or(|target| rule.since.is_empty() || at_least(target, rule.since))];
        let report = engine.check(&file, &source, &active);
        let mut found: Vec<(u64, u64)> = report
            .hits
            .iter()
            .map(|hit| source.place(hit.span.start))
            .map(|(line, column)| (line as u64, column as u64))
            .collect();
        found.sort_unstable();
        let mut expected: Vec<(u64, u64)> = case["offenses"]
            .as_array()
            .unwrap()
            .iter()
            .map(|place| (place[0].as_u64().unwrap(), place[1].as_u64().unwrap()))
            .collect();
        expected.sort_unstable();
        *counts.entry(rule.alias).or_default() += 1;
        let number = counts[rule.alias];
        let name = format!("{cop}#{number}");
        if known.lines().any(|line| line.split('\t').next() == Some(name.as_str())) {
            continue;
        }
        if found != expected {
            wrong.push(format!("{name}: expected {expected:?} found {found:?} in\n{}", text("code")));
        }
        if let Some(correction) = case["correction"].as_str() {
            let after = engine.correct(&file, text("code").as_bytes(), &active, true).map(|(text, _)| text);
            let after = after.unwrap_or_else(|| text("code").to_string());
            if after != correction {
                wrong.push(format!("{name}: expected\n{correction}\ncorrected to\n{after}"));
            }
        }
    }
    let total = cases.as_array().unwrap().len();
    println!("{} of {total} cases differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
}
