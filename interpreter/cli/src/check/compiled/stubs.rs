//! `--write-stubs`: drafts answers for assumptions, for use with `--stub`.

use super::finding::Finding;
use rchef_host::{RealHost, compose};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Answers of a kind: the subject and the place where it was needed.
type Answers<'f> = BTreeMap<&'f str, BTreeMap<&'f str, &'f str>>;

/// The kinds of questions that a file of stubs answers.
const KINDS: &[&str] = &["command", "data_bag", "data_bag_item", "search", "file", "user", "group", "env", "fact"];

/// Writes a draft of answers to what was assumed; gives their number, and that of paths in comments. A path of which only was asked whether it is there stands in a comment: as an answer it
/// would be there.
///
/// # Errors
/// The file cannot be written.
pub fn write<'f>(
    host: &RealHost,
    path: &str,
    findings: impl Iterator<Item = &'f Finding>,
) -> Result<(usize, usize), String> {
    let mut answers = Answers::new();
    for finding in findings {
        if let Some(asked) = &finding.asked {
            answers.entry(&asked.kind).or_default().entry(&asked.subject).or_insert(&asked.source);
        }
    }
    compose::write_file(host, path.as_bytes(), draft(&answers).as_bytes(), 0o644)
        .map_err(|error| format!("{path}: {}", error.message()))?;
    let drafted = answers.iter().filter(|(kind, _)| KINDS.contains(kind)).map(|(_, all)| all.len()).sum();
    Ok((drafted, only_asked(&answers).count()))
}

/// The paths of which only was asked whether they are there, not for their content.
fn only_asked<'a>(answers: &'a Answers<'_>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let read = answers.get("file");
    let all = answers.get("path").into_iter().flatten().map(|(path, source)| (*path, *source));
    all.filter(move |(path, _)| !read.is_some_and(|read| read.contains_key(path)))
}

fn draft(answers: &Answers<'_>) -> String {
    let mut out =
        String::from("# Answers for --stub: what the nodes and the server say in place of what was assumed.\n");
    let of = |kind: &str| answers.get(kind).into_iter().flatten().map(|(subject, source)| (*subject, *source));
    section(&mut out, "commands", of("command"), |out, command| {
        let _ = writeln!(
            out,
            "  - match: '{}'\n    output: ''\n    status: 0",
            format!("^{}$", escaped(command)).replace('\'', "''").replace('\n', "\\n")
        );
    });
    let mut bags: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (bag, source) in of("data_bag") {
        bags.entry(bag).or_default().push(("ITEM", source));
    }
    for (item, source) in of("data_bag_item") {
        let (bag, id) = item.split_once(' ').unwrap_or((item, "ITEM"));
        bags.entry(bag).or_default().push((id, source));
    }
    if !bags.is_empty() {
        out.push_str("data_bags:\n");
    }
    for (bag, items) in bags {
        let _ = writeln!(out, "  {}:", quoted(bag));
        for (id, source) in items {
            let _ = writeln!(out, "    # {source}\n    {}: {{}}", quoted(id));
        }
    }
    section(&mut out, "searches", of("search"), |out, search| {
        let (index, query) = search.split_once(' ').unwrap_or((search, "*:*"));
        let _ = writeln!(out, "  - index: {}\n    query: {}\n    found: []", quoted(index), quoted(query));
    });
    let is_read = |path: &str| answers.get("file").is_some_and(|read| read.contains_key(path));
    section(&mut out, "files", of("file").chain(only_asked(answers)), |out, subject| {
        let mark =
            if is_read(subject) { "" } else { "# only asked whether it is there; where the nodes have it:\n  # " };
        let _ = writeln!(out, "  {mark}{}: ''", quoted(subject));
    });
    for (key, kind, value) in
        [("users", "user", "{uid: 1000, gid: 1000}"), ("groups", "group", "{gid: 1000}"), ("environment", "env", "''")]
    {
        section(&mut out, key, of(kind), |out, subject| {
            let _ = writeln!(out, "  {}: {value}", quoted(subject));
        });
    }
    let mut facts = serde_json::Map::new();
    for (path, _) in of("fact") {
        let mut at = &mut facts;
        for key in path.split('/') {
            let next = at.entry(key).or_insert_with(|| serde_json::json!({}));
            let serde_json::Value::Object(inner) = next else { break };
            at = inner;
        }
    }
    if !facts.is_empty() {
        // JSON is YAML
        let _ = writeln!(out, "facts: {}", serde_json::Value::Object(facts));
    }
    out
}

fn section<'f>(
    out: &mut String,
    key: &str,
    answers: impl Iterator<Item = (&'f str, &'f str)>,
    each: impl Fn(&mut String, &str),
) {
    let mut first = true;
    for (subject, source) in answers {
        if std::mem::take(&mut first) {
            let _ = writeln!(out, "{key}:");
        }
        let _ = writeln!(out, "  # {source}");
        each(out, subject);
    }
}

/// A double-quoted YAML string.
fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_string()).to_string()
}

/// A regular expression that matches exactly this text.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, letter| {
        if "\\.+*?()[]{}|^$/".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
        out
    })
}

#[cfg(test)]
mod tests {
    use super::draft;
    use std::collections::BTreeMap;

    #[test]
    fn a_draft_names_everything() {
        let of = |subject: &'static str| BTreeMap::from([(subject, "a/b.rb:1")]);
        let all = [
            ("command", "dpkg -s 'a.b'"),
            ("data_bag_item", "users alice"),
            ("search", "node role:web AND a:\"b\""),
            ("file", "/etc/x"),
            ("path", "/etc/x"),
            ("path", "/etc/y"),
            ("fact", "packages/curl"),
        ];
        let text = draft(&all.map(|(kind, subject)| (kind, of(subject))).into_iter().collect());
        for line in [
            "  - match: '^dpkg -s ''a\\.b''$'",
            "  \"users\":\n    # a/b.rb:1\n    \"alice\": {}",
            "    query: \"role:web AND a:\\\"b\\\"\"",
            "  \"/etc/x\": ''",
            "  # \"/etc/y\": ''",
            "facts: {\"packages\":{\"curl\":{}}}",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert_eq!(text.matches("/etc/x").count(), 1, "{text}");
    }
}
