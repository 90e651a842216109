//! What `rchef check` says: every `check/*.case`; `check/README.md` tells the form.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // a test drives the machine itself

use rchef_spec::binary::binary;
use serde_json::Value as Json;
use std::path::Path;
use std::process::Command;

/// The parts of a case: arguments, files, and what is wanted by its heading.
#[derive(Default)]
struct Case {
    args: Vec<String>,
    files: Vec<(String, String)>,
    wanted: Vec<(String, String)>,
}

fn parse(text: &str) -> Case {
    let mut case = Case::default();
    let mut at: Option<&mut String> = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("-- ") {
            case.files.push((path.to_string(), String::new()));
            at = case.files.last_mut().map(|(_, text)| text);
        } else if let Some(heading) = line.strip_prefix("== ") {
            case.wanted.push((heading.to_string(), String::new()));
            at = case.wanted.last_mut().map(|(_, text)| text);
        } else if let Some(text) = &mut at {
            text.push_str(line);
            text.push('\n');
        } else if let Some(args) = line.strip_prefix("args: ") {
            case.args = args.split(' ').map(str::to_string).collect();
        }
    }
    case
}

/// All that is told of a finding, in a line.
fn told(one: &Json) -> String {
    let text = |key: &str| one[key].as_str().unwrap_or_default().to_string();
    let list = |key: &str| {
        let all = one[key].as_array().into_iter().flatten().filter_map(Json::as_str);
        all.collect::<Vec<&str>>().join("; ")
    };
    format!(
        "{} {} {}:{} {} <{}> then: {} do: {}",
        text("level"),
        text("rule"),
        text("path"),
        one["line"],
        text("message"),
        list("assumed"),
        list("cascades"),
        text("todo")
    )
}

/// What does not hold in a case.
fn run(rchef: &Path, path: &Path) -> Vec<String> {
    let case = parse(&std::fs::read_to_string(path).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let metadata = ("cookbooks/a/metadata.rb".to_string(), "name 'a'\nversion '1.0.0'\n".to_string());
    for (path, text) in std::iter::once(&metadata).chain(&case.files) {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let drafts = case.wanted.iter().any(|(heading, _)| heading == "draft");
    let check = |more: &[&str]| {
        let mut command = Command::new(rchef);
        command.arg("check").args(&case.args).args(more).current_dir(folder.path());
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let form = ["--format", "json"];
    let more: Vec<&str> =
        form.into_iter().chain(drafts.then_some(["--write-stubs", "draft.yml"]).into_iter().flatten()).collect();
    let [out, error] = check(&more);
    let Ok(found) = serde_json::from_str::<Json>(&out) else { return vec![format!("no answer\n{out}{error}")] };
    let all = found["findings"].as_array().unwrap().iter().filter(|one| one["rule"] != "compile/assumed");
    let all: Vec<String> = all.map(told).collect();
    let mut wrong = Vec::new();
    for (heading, wanted) in &case.wanted {
        let lines: Vec<&str> = wanted.lines().filter(|line| !line.trim().is_empty()).collect();
        match heading.as_str() {
            "findings" => {
                let holds = |line: &&str, told: &String| line.split(" | ").all(|part| told.contains(part));
                if lines.len() != all.len() || !lines.iter().zip(&all).all(|(line, told)| holds(line, told)) {
                    wrong.push(format!("findings: {all:#?}\nwanted: {lines:#?}"));
                }
            }
            "verdict" => {
                let verdict = found["units"][0]["verdict"].as_str().unwrap_or_default();
                if verdict != wanted.trim() {
                    wrong.push(format!("verdict: {verdict}; wanted: {wanted}"));
                }
            }
            "draft" => {
                let draft = std::fs::read_to_string(folder.path().join("draft.yml")).unwrap_or_default();
                let missing: Vec<&&str> = lines.iter().filter(|line| !draft.contains(**line)).collect();
                // a draft is taken as it is
                let [again, complaint] = check(&["--stub", "draft.yml", "--format", "json"]);
                let refused = complaint.contains("--stub") || again.contains("ENOTDIR");
                if !missing.is_empty() || refused {
                    wrong.push(format!("draft: {draft}\nmissing: {missing:?}\n{complaint}"));
                }
            }
            "text" => {
                let [out, _] = check(&["--color", "never"]);
                wrong.extend(
                    lines.iter().filter(|line| !out.contains(**line)).map(|line| format!("no {line} in {out}")),
                );
            }
            "not in text" => {
                let [out, _] = check(&["--color", "never"]);
                wrong.extend(lines.iter().filter(|line| out.contains(**line)).map(|line| format!("{line} in {out}")));
            }
            other => wrong.push(format!("there is no heading {other}")),
        }
    }
    wrong
}

#[test]
fn cases() {
    let rchef = binary().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("check");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "case"));
    paths.sort();
    let wrong: Vec<String> = paths
        .iter()
        .flat_map(|path| run(&rchef, path).into_iter().map(move |text| format!("{}: {text}", path.display())))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
