//! SPEC-compile 7.2: every `compile/*.case`, named by the ids of its cases, run by the built `rchef`; `compile/README.md` tells the form.
//! Cases of `compile/pending.txt` are known not to hold yet: one that holds is reported.
#![allow(clippy::disallowed_methods, clippy::panic)] // a test drives the machine itself

use libtest_mimic::{Arguments, Failed, Trial};
use rchef_spec::binary::binary;
use rchef_spec::schema::validate;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SCHEMA: &str = "../interpreter/recipe/schema/rchef-dump-1.json";

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("compile");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "case"))
        .collect();
    files.sort();
    let pending = std::fs::read_to_string(folder.join("pending.txt")).unwrap_or_default();
    let pending: Vec<&str> = pending.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let schema: Json = std::fs::read_to_string(root.join(SCHEMA))
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let binary = if arguments.list { PathBuf::new() } else { binary().unwrap_or_else(|text| panic!("{text}")) };
    let mut trials = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (binary, schema) = (binary.clone(), schema.clone());
        let waits = pending.contains(&name.as_str());
        let shown = if waits { format!("pending/{name}") } else { name.clone() };
        trials.push(Trial::test(shown, move || match (run(&binary, &file, &schema), waits) {
            (Ok(()), true) => Err(format!("{name} holds now: take it off compile/pending.txt").into()),
            (Err(_), true) => Ok(()),
            (result, false) => result.map_err(Failed::from),
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A case as it is written.
#[derive(Default)]
struct Case {
    settings: Vec<(String, String)>,
    files: Vec<(String, String)>,
    wanted: Vec<(String, String)>,
}

impl Case {
    fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }
}

fn parse(text: &str) -> Case {
    let mut case = Case::default();
    let mut section: Option<(bool, String, String)> = None;
    let close = |case: &mut Case, section: Option<(bool, String, String)>| match section {
        Some((true, name, body)) => case.files.push((name, body)),
        Some((false, name, body)) => case.wanted.push((name, body)),
        None => {}
    };
    for line in text.lines() {
        let (file, wanted) = (line.strip_prefix("-- "), line.strip_prefix("== "));
        if let Some(name) = file.or(wanted) {
            close(&mut case, section.take());
            section = Some((file.is_some(), name.trim().to_string(), String::new()));
        } else if let Some((_, _, body)) = &mut section {
            body.push_str(line);
            body.push('\n');
        } else if let Some((key, value)) = line.split_once(':').filter(|_| !line.starts_with('#')) {
            case.settings.push((key.trim().to_string(), value.trim().to_string()));
        }
    }
    close(&mut case, section);
    case
}

/// Lays the repository out: a path that begins with a cookbook's name is below `cookbooks`; metadata is made where there is none.
fn lay_out(case: &Case, repo: &Path) -> Result<(), String> {
    let fail = |error: std::io::Error| error.to_string();
    let tops = ["roles", "environments", "nodes", "data_bags", "cookbooks", "policies", "policy_groups"];
    for (name, body) in &case.files {
        let first = name.split('/').next().unwrap_or_default();
        let path = if let Some(rest) = name.strip_prefix("./") {
            repo.join(rest)
        } else if tops.contains(&first) {
            repo.join(name)
        } else {
            repo.join("cookbooks").join(name)
        };
        std::fs::create_dir_all(path.parent().unwrap_or(repo)).map_err(fail)?;
        std::fs::write(path, body).map_err(fail)?;
    }
    std::fs::create_dir_all(repo.join("cookbooks")).map_err(fail)?;
    for entry in std::fs::read_dir(repo.join("cookbooks")).map_err(fail)?.flatten() {
        let folder = entry.path();
        if folder.is_dir() && !folder.join("metadata.rb").exists() && !folder.join("metadata.json").exists() {
            let name = entry.file_name().to_string_lossy().into_owned();
            std::fs::write(folder.join("metadata.rb"), format!("name '{name}'\nversion '1.0.0'\n")).map_err(fail)?;
        }
    }
    Ok(())
}

fn start(binary: &Path, case: &Case, repo: &Path, dump: &Path) -> Result<Output, String> {
    let mut command = Command::new(binary);
    let list = case.setting("run_list").unwrap_or_default();
    match case.setting("command").unwrap_or("compile") {
        "client" => command.args(["client", "-z", "-F", "null", "-L", "client.log", "-o", list]),
        "compile" => {
            command.args(["compile", "-N", "chef", "--platform", "ubuntu-22.04", "--dump=json"]);
            if case.setting("run_list").is_some() {
                command.args(["-o", list]);
            }
            command.arg("--dump-file").arg(dump)
        }
        other => command.args(other.split_whitespace()),
    };
    for argument in case.setting("args").unwrap_or_default().split_whitespace() {
        command.arg(argument);
    }
    command
        .current_dir(repo)
        .env("HOME", repo)
        .env("SCRATCH", repo)
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())
}

fn run(binary: &Path, file: &Path, schema: &Json) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let case = parse(&text);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let repo = folder.path().join("repo");
    lay_out(&case, &repo)?;
    let dump = folder.path().join("dump.json");
    let output = start(binary, &case, &repo, &dump)?;
    let bytes = std::fs::read(&dump).unwrap_or_default();
    let document: Json = serde_json::from_slice(&bytes).unwrap_or_default();
    let mut wrong = String::new();
    if case.setting("command").is_none() {
        let mut found = Vec::new();
        validate(schema, schema, &document, "", &mut found);
        for text in found {
            wrong.push_str(&format!("schema: {text}\n"));
        }
        start(binary, &case, &repo, &dump)?;
        if std::fs::read(&dump).unwrap_or_default() != bytes {
            wrong.push_str("a second dump differs\n");
        }
    }
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    for (what, wanted) in &case.wanted {
        let problem = match what.as_str() {
            "out" => (stdout.trim_end() != wanted.trim_end()).then(|| format!("out:\n{stdout}")),
            "out has" => lacking(&stdout, wanted),
            "err has" => lacking(&stderr, wanted),
            "status" => {
                let status = output.status.code().unwrap_or(-1);
                (wanted.trim() != status.to_string()).then(|| format!("status: {status}"))
            }
            "error" => failure(&document, wanted),
            "dump" => values(&document, wanted),
            "lints" => lints(&document, wanted),
            other => match other.split_once(' ') {
                Some(("json", path)) => {
                    let bytes = std::fs::read(repo.join(path)).unwrap_or_default();
                    values(&serde_json::from_slice(&bytes).unwrap_or_default(), wanted)
                }
                Some(("file", path)) => lacking(&std::fs::read_to_string(repo.join(path)).unwrap_or_default(), wanted),
                _ => Some(format!("`== {other}` is not known")),
            },
        };
        if let Some(problem) = problem {
            wrong.push_str(&problem);
            wrong.push('\n');
        }
    }
    let expects_failure = case.wanted.iter().any(|(what, _)| what == "error" || what == "status");
    if !output.status.success() && !expects_failure {
        wrong.push_str(&format!("status {:?}\n", output.status.code()));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong}--- stderr\n{stderr}")) }
}

fn lacking(text: &str, wanted: &str) -> Option<String> {
    let missing: Vec<&str> = wanted.lines().filter(|line| !text.contains(line.trim())).collect();
    (!missing.is_empty()).then(|| format!("lacks {missing:?}:\n{text}"))
}

/// `Class: part of the message` of the dump's error.
fn failure(document: &Json, wanted: &str) -> Option<String> {
    let error = &document["error"];
    let (class, message) =
        (error["class"].as_str().unwrap_or("no error"), error["message"].as_str().unwrap_or_default());
    let (want_class, want_message) = wanted.trim().split_once(": ").unwrap_or((wanted.trim(), ""));
    let fine = class.rsplit("::").next() == Some(want_class) && message.contains(want_message);
    (!fine).then(|| format!("error: {class}: {message}"))
}

/// Lines `POINTER = JSON`; `*` in a pointer is every element, the values as a list.
fn values(document: &Json, wanted: &str) -> Option<String> {
    let mut wrong = String::new();
    for line in wanted.lines().filter(|line| !line.trim().is_empty()) {
        let Some((pointer, value)) = line.split_once(" = ") else { return Some(format!("{line}: no ` = `")) };
        let Ok(value) = serde_json::from_str::<Json>(value) else { return Some(format!("{line}: no JSON")) };
        let found = pick(document, pointer.trim());
        if found != value {
            wrong.push_str(&format!("{pointer} is {found}\n"));
        }
    }
    (!wrong.is_empty()).then_some(wrong)
}
fn pick(document: &Json, pointer: &str) -> Json {
    match pointer.split_once("/*") {
        Some((before, after)) => {
            let list = document.pointer(before).and_then(Json::as_array).cloned().unwrap_or_default();
            Json::Array(list.iter().map(|item| pick(item, after)).collect())
        }
        None => document.pointer(pointer).cloned().unwrap_or_default(),
    }
}

/// Lines `code source`.
fn lints(document: &Json, wanted: &str) -> Option<String> {
    let found: Vec<String> = document["lints"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|lint| {
            format!("{} {}", lint["code"].as_str().unwrap_or_default(), lint["source"].as_str().unwrap_or_default())
        })
        .collect();
    let missing: Vec<&str> =
        wanted.lines().map(str::trim).filter(|line| !found.iter().any(|found| found.trim() == *line)).collect();
    (!missing.is_empty()).then(|| format!("no lint {missing:?} in {found:?}"))
}
