//! Output formats for other programs.

use super::found::{Done, Found, What};
use super::options::Form;
use super::render::{self, fingerprint, message};
use rchef_lint::engine::Engine;
use rchef_lint::rule::Level;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

pub fn render(form: Form, engine: &Engine, done: &Done) -> String {
    match form {
        Form::Text => render::text(engine, done),
        Form::Json => format!("{:#}\n", render::json(engine, done)),
        Form::Sarif => format!("{:#}\n", sarif(engine, done)),
        Form::Github => github(engine, done),
        Form::Gitlab => format!("{:#}\n", gitlab(engine, done)),
        Form::Junit => junit(engine, done),
        Form::Markdown => markdown(engine, done),
    }
}

/// SARIF 2.1.0.
fn sarif(engine: &Engine, done: &Done) -> Json {
    let level = |found: &Found| match found.level(engine) {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    };
    let mut rules: BTreeMap<String, Json> = BTreeMap::new();
    let mut results = Vec::new();
    for found in &done.found {
        let (id, text) = message(engine, found);
        if let What::Rule(hit) = &found.what {
            let rule = engine.rule(hit);
            rules.entry(id.clone()).or_insert_with(|| {
                json!({ "id": id, "name": rule.alias, "shortDescription": { "text": rule.summary }, "fullDescription": { "text": rule.why } })
            });
        }
        if let What::Compiled(what) = &found.what {
            rules.entry(id.clone()).or_insert_with(|| {
                json!({ "id": id, "shortDescription": { "text": what.rule.summary() }, "fullDescription": { "text": what.why } })
            });
        }
        results.push(json!({
            "ruleId": id,
            "level": level(found),
            "message": { "text": text },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(&found.path), "uriBaseId": "%SRCROOT%" },
                "region": { "startLine": found.start.0, "startColumn": found.start.1, "endLine": found.end.0, "endColumn": found.end.1 },
            } }],
            "partialFingerprints": { "rchef/v1": fingerprint(&id, &found.path, &found.text) },
        }));
    }
    let rules: Vec<Json> = rules.into_values().collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "rchef", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// A path as part of a URL.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Workflow commands of GitHub Actions.
fn github(engine: &Engine, done: &Done) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut out = String::new();
    for found in &done.found {
        let (id, text) = message(engine, found);
        let word = match found.level(engine) {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Info => "notice",
        };
        let (line, column) = found.start;
        let _ = writeln!(
            out,
            "::{word} file={},line={line},col={column},title={}::{}",
            property(&found.path),
            property(&id),
            data(&text)
        );
    }
    out
}

/// GitLab's code quality report.
fn gitlab(engine: &Engine, done: &Done) -> Json {
    let list = done.found.iter().map(|found| {
        let (id, text) = message(engine, found);
        let severity = match found.level(engine) {
            Level::Error => "critical",
            Level::Warning => "major",
            Level::Info => "info",
        };
        json!({
            "description": text,
            "check_name": id,
            "fingerprint": fingerprint(&id, &found.path, &format!("{} {}", found.start.0, found.text)),
            "severity": severity,
            "location": { "path": found.path, "lines": { "begin": found.start.0 } },
        })
    });
    list.collect()
}

/// JUnit XML: a test suite per file, a test case per finding.
fn junit(engine: &Engine, done: &Done) -> String {
    let count = done.found.len();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rchef check\" tests=\"{count}\" failures=\"{count}\">\n"
    );
    for file in done.found.chunk_by(|a, b| a.path == b.path) {
        let Some(first) = file.first() else { continue };
        let (path, count) = (xml(&first.path), file.len());
        let _ = writeln!(out, "  <testsuite name=\"{path}\" tests=\"{count}\" failures=\"{count}\">");
        for found in file {
            let (id, text) = message(engine, found);
            let (line, column) = found.start;
            let _ = writeln!(
                out,
                "    <testcase name=\"{}:{line}:{column}\" classname=\"{path}\"><failure type=\"{}\" message=\"{}\">{path}:{line}:{column}</failure></testcase>",
                xml(&id),
                found.level(engine).name(),
                xml(&text)
            );
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' => out.push('?'),
            letter => out.push(letter),
        }
    }
    out
}

/// A table with a summary line.
fn markdown(engine: &Engine, done: &Done) -> String {
    let mut out = String::new();
    if !done.found.is_empty() {
        out.push_str("| where | level | rule | what |\n|--|--|--|--|\n");
    }
    for found in &done.found {
        let (id, text) = message(engine, found);
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let level = found.level(engine).name();
        let _ = writeln!(out, "| {}:{} | {level} | {id} | {} |", cell(&found.path), found.start.0, cell(&text));
    }
    let _ = write!(out, "\n{}", render::summary(engine, done));
    out
}
