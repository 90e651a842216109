//! Answers to commands that code runs while it is compiled: read from a YAML file, and drafted from what was assumed.

use super::judge::Finding;
use rchef_host::{RealHost, compose};
use rchef_lint::config::yaml::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The answers of files, in the form of `--stub-command`.
///
/// # Errors
/// The file and what is wrong with it.
pub fn read(host: &RealHost, paths: &[String]) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for path in paths {
        let bytes =
            compose::read_file(host, path.as_bytes()).map_err(|error| format!("{path}: {}", error.message()))?;
        all.extend(parse(&String::from_utf8_lossy(&bytes)).map_err(|error| format!("{path}: {error}"))?);
    }
    Ok(all)
}

fn parse(text: &str) -> Result<Vec<String>, String> {
    let document = Value::parse(text)?;
    let Some(Value::List(commands)) = document.get("commands") else {
        return Err("it has no list `commands`; --write-stubs drafts such a file".into());
    };
    let mut all = Vec::new();
    for command in commands {
        let text = |key: &str| command.get(key).and_then(Value::text);
        let Some(pattern) = text("match") else { return Err("a command has no `match`".into()) };
        let status: u8 = match text("status").map(str::parse) {
            None => 0,
            Some(Ok(status)) => status,
            Some(Err(_)) => return Err(format!("{pattern}: a status is a number from 0 to 255")),
        };
        let output = text("output").unwrap_or_default().replace('\n', "\\n");
        all.push(format!("{}={output}:{status}", pattern.replace('=', "\\=")));
    }
    Ok(all)
}

/// Writes a draft that answers every command as it was assumed, and names what else was.
///
/// # Errors
/// The file cannot be written.
pub fn write<'f>(host: &RealHost, path: &str, findings: impl Iterator<Item = &'f Finding>) -> Result<(), String> {
    let assumed: BTreeSet<(&str, &str)> = findings
        .filter(|finding| finding.rule == "assumed")
        .filter_map(|finding| Some((finding.assumed.as_deref()?, finding.source.as_str())))
        .collect();
    compose::write_file(host, path.as_bytes(), draft(&assumed).as_bytes(), 0o644)
        .map_err(|error| format!("{path}: {}", error.message()))
}

fn draft(assumed: &BTreeSet<(&str, &str)>) -> String {
    let mut out = String::from(
        "# Answers for `rchef check --stub`: write what each command prints and its exit status on the nodes.\ncommands:\n",
    );
    let mut told = BTreeSet::new();
    let mut rest = String::new();
    for (words, source) in assumed {
        let command =
            words.strip_prefix("the command `").and_then(|rest| rest.strip_suffix("` prints nothing and succeeds"));
        match command {
            Some(command) if told.insert(command) => {
                let quoted = format!("^{}$", escaped(command)).replace('\'', "''").replace('\n', "\\n");
                let _ = writeln!(out, "  # {source}\n  - match: '{quoted}'\n    output: ''\n    status: 0");
            }
            Some(_) => {}
            None => {
                let _ = writeln!(rest, "#   {words} ({source})");
            }
        }
    }
    if told.is_empty() {
        out.push_str("  []\n");
    }
    if !rest.is_empty() {
        let _ = write!(out, "# Also assumed; put the objects into data_bags/ and nodes/ of the repository:\n{rest}");
    }
    out
}

/// A text as a regular expression that means just it.
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
    use super::{draft, parse};

    #[test]
    fn a_draft_is_read_back() {
        let assumed = [
            ("the command `dpkg -s 'a.b'` prints nothing and succeeds", "a/b.rb:1"),
            ("the search node x finds nothing", "a/b.rb:2"),
        ];
        let text = draft(&assumed.into_iter().collect());
        assert_eq!(parse(&text).unwrap(), ["^dpkg -s 'a\\.b'$=:0"]);
        assert!(text.contains("#   the search node x finds nothing (a/b.rb:2)"));
        assert_eq!(
            parse("commands:\n  - match: a=b\n    output: \"1\\n2\"\n    status: 3\n").unwrap(),
            ["a\\=b=1\\n2:3"]
        );
        assert!(parse("commands:\n  - output: x\n").is_err() && parse("x: 1\n").is_err());
    }
}
