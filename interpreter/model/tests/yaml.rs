//! The dump's YAML read back by Psych, PyYAML and a reader of YAML 1.2: every text stays a text, every number what it was.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // a failure is the test's; it runs other readers

use rchef_model::yaml::to_yaml;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value as Json, json};
use std::io::Write;
use std::process::{Command, Stdio};

const HOSTILE: &str = include_str!("yaml_texts.txt");

/// Texts that one reader or another takes for something else, texts of random characters, numbers, odd keys and nesting.
fn document() -> Json {
    let mut texts: Vec<String> = HOSTILE.lines().map(|line| line.replace("\\n", "\n").replace("\\t", "\t")).collect();
    let alphabet: Vec<char> =
        "aZ0 .:-_#&*!|>'\"%@`,[]{}?/\\=~<+\n\t\u{85}\u{a0}\u{2028}\u{feff}\u{ffff}é日😀\u{1}\u{7f}".chars().collect();
    let mut state = 1u64;
    for length in 0..400 {
        let mut text = String::new();
        for _ in 0..length % 9 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        texts.push(text);
    }
    let mut keys = Map::new();
    for (index, text) in texts.iter().enumerate() {
        keys.insert(text.clone(), json!(index));
    }
    keys.insert("k".repeat(3000), json!({ "nested": [[1, [2]], [], {}] }));
    json!({
        "texts": texts, "keys": keys,
        "numbers": [0, -1, 755, i64::MAX, i64::MIN, 1.5, 1e20, 1e-7, 1.5e300, -0.25, 100.0, 1e16],
        "words": [true, false, null], "deep": [[[["x"]]], [{ "a": [{ "b": [] }] }]],
    })
}

/// The document as another program reads it; None when the program is not there.
fn read_by(program: &str, arguments: &[&str]) -> Option<Json> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let text = to_yaml(&document().into());
    let mut input = child.stdin.take()?;
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    // 77: the library is not there
    if output.status.code() == Some(77) {
        return None;
    }
    assert!(output.status.success(), "{program} cannot read it");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn same(left: &Json, right: &Json, at: &str) {
    match (left, right) {
        (Json::Array(a), Json::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{at}");
            a.iter().zip(b).enumerate().for_each(|(index, (a, b))| same(a, b, &format!("{at}/{index}")));
        }
        (Json::Object(a), Json::Object(b)) => {
            assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "{at}");
            a.iter().for_each(|(key, value)| same(value, &b[key], &format!("{at}/{key:?}")));
        }
        (Json::Number(a), Json::Number(b)) => {
            assert_eq!((a.is_f64(), a.as_f64()), (b.is_f64(), b.as_f64()), "{at}");
        }
        _ => assert_eq!(left, right, "{at}"),
    }
}

#[test]
fn psych() {
    let code = "require 'yaml'; require 'json'; puts JSON.generate(YAML.unsafe_load(STDIN.set_encoding('UTF-8').read))";
    if let Some(read) = read_by("ruby", &["-e", code]) {
        same(&document(), &read, "psych");
    }
}

#[test]
fn pyyaml() {
    let code = "import sys\ntry:\n  import yaml\nexcept ImportError:\n  sys.exit(77)\nimport json\nsys.stdout.buffer.write(json.dumps(yaml.safe_load(sys.stdin.buffer.read())).encode())";
    if let Some(read) = read_by("python3", &["-c", code]) {
        same(&document(), &read, "pyyaml");
    }
}

/// The core schema of YAML 1.2.
fn resolve(text: &str, style: ScalarStyle) -> Json {
    if style != ScalarStyle::Plain {
        return json!(text);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => json!(true),
        "false" | "False" | "FALSE" => json!(false),
        ".nan" | ".NaN" | ".NAN" => json!("nan"),
        _ if digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() => {
            json!(text.parse::<i64>().unwrap())
        }
        _ if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => match text.parse::<f64>() {
            Ok(number) => json!(number),
            Err(_) => json!(text),
        },
        _ => json!(text),
    }
}

fn load<'a>(events: &mut impl Iterator<Item = Event<'a>>, first: Event<'a>) -> Json {
    match first {
        Event::Scalar(text, style, ..) => resolve(&text, style),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match events.next().unwrap() {
                    Event::SequenceEnd => return Json::Array(items),
                    event => items.push(load(events, event)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut map = Map::new();
            loop {
                match events.next().unwrap() {
                    Event::MappingEnd => return Json::Object(map),
                    event => {
                        let key = load(events, event);
                        let value = events.next().unwrap();
                        map.insert(key.as_str().unwrap().to_string(), load(events, value));
                    }
                }
            }
        }
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn yaml_1_2() {
    let text = to_yaml(&document().into());
    let mut events = Parser::new_from_str(&text).map(|event| event.unwrap().0).filter(|event| {
        !matches!(event, Event::StreamStart | Event::StreamEnd | Event::DocumentStart(..) | Event::DocumentEnd)
    });
    let first = events.next().unwrap();
    same(&document(), &load(&mut events, first), "1.2");
}
