//! What MRI 3.1 made of the cases in `record/cases.rb` (`mri.txt`, written by `record/record.rb`), against this crate.
//! Each is run often enough that both engines behind answer it.
//! Known differences stand in `exceptions.txt`, each group with its reason; one that no longer differs fails the test.

#![allow(clippy::unwrap_used)] // a failure is the test's, and so is the machine

use rchef_regexp::{Captures, Options, Regexp, SourceKind, TextKind, inspect, to_s};
use std::collections::BTreeSet;

const CASES: &str = include_str!("mri.txt");
const EXCEPTIONS: &str = include_str!("exceptions.txt");

fn unescape(s: &str) -> Vec<u8> {
    let b = s.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < b.len() {
        if b[i] != b'\\' {
            out.push(b[i]);
            i += 1;
            continue;
        }
        match b[i + 1] {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'x' => {
                out.push(u8::from_str_radix(&s[i + 2..i + 4], 16).unwrap());
                i += 2;
            }
            other => out.push(other),
        }
        i += 2;
    }
    out
}

fn spans(captures: &Captures) -> String {
    let one = |c: &Option<(usize, usize)>| c.map_or("-".to_owned(), |(a, b)| format!("{a},{b}"));
    captures.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn run(re: &Regexp, f: &[&str]) -> String {
    let kind = match f[2] {
        "a" => TextKind::Ascii,
        "u" => TextKind::Utf8Valid,
        _ => TextKind::BinaryOrBroken,
    };
    let start = f[3].parse().unwrap();
    let text = unescape(f[4]);
    let mut captures = Captures::new();
    // Our own matcher answers the first searches of most patterns, the other engine later ones: both must be right.
    let first = search(re, f[1], &text, kind, start, &mut captures);
    for _ in 0..25 {
        let again = search(re, f[1], &text, kind, start, &mut captures);
        if again != first {
            return format!("{first} first, then {again}");
        }
    }
    first
}

fn search(re: &Regexp, mode: &str, text: &[u8], kind: TextKind, start: usize, captures: &mut Captures) -> String {
    let found = match mode {
        "m" => re.unwatched().match_at(text, kind, start, captures),
        "r" => re.unwatched().rmatch(text, kind, start, captures),
        _ => re.unwatched().match_anchored_at(text, kind, start, captures),
    };
    match found {
        Err(e) => format!("error: {e}"),
        Ok(false) => "N".into(),
        Ok(true) => spans(captures),
    }
}

fn described(re: &Regexp) -> String {
    let names: Vec<String> = re
        .named_groups()
        .iter()
        .map(|(n, g)| format!("{n}={}", g.iter().map(usize::to_string).collect::<Vec<_>>().join(",")))
        .collect();
    let text = |b: Vec<u8>| String::from_utf8_lossy(&b).into_owned();
    format!(
        "{}\t{}\t{}",
        names.join(" "),
        text(inspect(re.source(), re.options(), re.is_binary())),
        text(to_s(re.source(), re.options()))
    )
}

#[test]
fn equals_mri() {
    let known: BTreeSet<&str> = EXCEPTIONS.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let mut met = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut head = "";
    let mut re: Option<Result<Regexp, String>> = None;
    let mut count = 0;
    for line in CASES.lines() {
        let f: Vec<&str> = line.split('\t').collect();
        let got = match f[0] {
            "P" => {
                head = line;
                let source = unescape(f[3]);
                let options = Options::from_bits(f[1].parse().unwrap());
                let kind = if f[2] == "b" { SourceKind::Binary } else { SourceKind::Utf8 };
                re = Some(
                    Regexp::new(&source, options, kind)
                        .map_err(|e| String::from_utf8_lossy(&e.with_source(&source, options)).into_owned()),
                );
                continue;
            }
            kind => match (kind, re.as_ref().unwrap()) {
                ("E", Err(got)) => (got.clone(), String::from_utf8_lossy(&unescape(f[1])).into_owned()),
                ("E", Ok(_)) => ("accepted".into(), f[1].into()),
                (_, Err(got)) => (got.clone(), "accepted".into()),
                ("N", Ok(re)) => {
                    let want: Vec<String> =
                        f[1..].iter().map(|s| String::from_utf8_lossy(&unescape(s)).into_owned()).collect();
                    (described(re), want.join("\t"))
                }
                (_, Ok(re)) => (run(re, &f), f[5].to_owned()),
            },
        };
        count += 1;
        if got.0 == got.1 {
            continue;
        }
        let key = format!("{} | {}", head[2..].replace('\t', " "), f[..f.len() - 1].join(" "));
        if let Some(k) = known.get(key.as_str()) {
            met.insert(*k);
        } else {
            wrong.push(format!("{key}\n    got  {}\n    want {}", got.0, got.1));
        }
    }
    let stale: Vec<_> = known.difference(&met).collect();
    assert!(count > 1500, "only {count} cases");
    assert!(
        wrong.is_empty() && stale.is_empty(),
        "{} of {count} differ:\n{}\nno longer differ: {stale:#?}",
        wrong.len(),
        wrong.join("\n")
    );
}
