//! Plans of the recipes of `converge/plan`: their JSON form, whether they come true, and that they touch nothing.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // a test drives the machine itself

use rchef_spec::binary::binary;
use rchef_spec::schema::validate;
use rchef_spec::scratch::Scratch;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Recipes of which every change is known before.
const KNOWN: &[&str] = &["app", "app::secret"];

fn repository() -> Scratch {
    let scratch = Scratch::new().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("converge/plan");
    scratch.copy(&from, &scratch.repo()).unwrap();
    scratch
}

fn rchef(scratch: &Scratch, words: &[&str]) -> Output {
    command(scratch, &binary().unwrap(), words).output().unwrap()
}

fn command(scratch: &Scratch, program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words).current_dir(scratch.repo()).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command.env("HOME", scratch.root.join("home"));
    command
}

fn plan(scratch: &Scratch, recipe: &str) -> Json {
    let done = rchef(scratch, &["plan", "-o", &format!("recipe[{recipe}]"), "--new-node", "--json"]);
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    serde_json::from_slice(&done.stdout).unwrap_or_else(|error| panic!("{recipe}: {error}: {errors}"))
}

/// `type[name] action` of what has a status, with what is written to files.
fn with_status(records: &Json, status: &str, name: fn(&Json) -> String, action: &str) -> Vec<String> {
    let records = records.as_array().into_iter().flatten().filter(|record| record["status"] == status);
    let mut found: Vec<String> = records
        .map(|record| {
            let writes: Vec<String> = record["changes"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|change| format!("{} {} {}", change["change"], change["subject"], change["aspects"]))
                .collect();
            format!("{} {} {}", name(record), record[action], writes.join(" "))
        })
        .collect();
    found.sort();
    found
}

fn files(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        }
        found.insert(path.clone(), fs::read(&path).unwrap_or_default());
    }
}

#[test]
fn the_form_fits_its_schema() {
    let scratch = repository();
    let schema: Json = serde_json::from_slice(&rchef(&scratch, &["plan", "--schema"]).stdout).unwrap();
    for recipe in ["app", "app::open", "app::fails", "app::secret"] {
        let mut wrong = Vec::new();
        validate(&schema, &schema, &plan(&scratch, recipe), "", &mut wrong);
        assert!(wrong.is_empty(), "{recipe}: {}", wrong.join("\n"));
    }
    let mut wrong = Vec::new();
    validate(&schema, &schema, &serde_json::json!({"schema": "other"}), "", &mut wrong);
    assert!(!wrong.is_empty());
}

#[test]
fn plans_come_true() {
    for recipe in KNOWN {
        let scratch = repository();
        let planned = plan(&scratch, recipe);
        let list = format!("recipe[{recipe}]");
        let done =
            rchef(&scratch, &["client", "-z", "-o", &list, "--new-node", "--report", "report.json", "-F", "null"]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let report: Json = serde_json::from_slice(&fs::read(scratch.repo().join("report.json")).unwrap()).unwrap();
        let of_plan = |record: &Json| record["resource"].as_str().unwrap_or_default().to_string();
        let of_run = |record: &Json| {
            let text = |key: &str| record[key].as_str().unwrap_or_default().to_string();
            format!("{}[{}]", text("type"), text("name"))
        };
        assert_eq!(
            with_status(&planned["actions"], "change", of_plan, "action"),
            with_status(&report["resources"], "updated", of_run, "result"),
            "{recipe}"
        );
        assert_eq!(plan(&scratch, recipe)["summary"]["changes"], 0, "{recipe}: a second plan");
    }
}

#[test]
fn a_plan_touches_nothing() {
    let scratch = repository();
    let mut before = BTreeMap::new();
    files(&scratch.root, &mut before);
    for recipe in ["app", "app::open", "app::fails", "app::secret"] {
        plan(&scratch, recipe);
        let mut after = BTreeMap::new();
        files(&scratch.root, &mut after);
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>(), "{recipe}");
        assert!(before == after, "{recipe}: a file was changed");
    }
}

/// What the kernel saw of rchef with these words, by `plan/inert`: what is wrong, a line each; and what rchef printed. Absent where nothing can be
/// traced.
fn seen(scratch: &Scratch, words: &[&str]) -> Option<(String, String)> {
    let strace = Path::new("/usr/bin/strace");
    if !strace.exists() {
        return None;
    }
    let judge = Path::new(env!("CARGO_MANIFEST_DIR")).join("plan/inert").display().to_string();
    let trace = scratch.root.join("trace").display().to_string();
    let _ = fs::remove_file(&trace);
    let options = rchef(scratch, &["ruby", &judge, "--strace", &trace]).stdout;
    let options = String::from_utf8(options).unwrap();
    let program = binary().unwrap().display().to_string();
    let options: Vec<&str> =
        options.split_whitespace().chain([program.as_str()]).chain(words.iter().copied()).collect();
    let printed = command(scratch, strace, &options).output().unwrap().stdout;
    if !Path::new(&trace).exists() {
        return None; // tracing is not allowed here
    }
    let home = scratch.root.join("home").display().to_string();
    let judged = rchef(scratch, &["ruby", &judge, "--own", &home, &trace]);
    assert!(judged.stderr.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&judged.stderr));
    let wrong = String::from_utf8_lossy(&judged.stdout).into_owned();
    assert_eq!(judged.status.success(), wrong.is_empty(), "{words:?}: {wrong}");
    Some((wrong, String::from_utf8_lossy(&printed).into_owned()))
}

/// The recipes of a chef-repo.
fn recipes(repo: &Path) -> Vec<String> {
    let names = |folder: PathBuf| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let mut found = Vec::new();
    for cookbook in names(repo.join("cookbooks")) {
        let files = names(repo.join("cookbooks").join(&cookbook).join("recipes"));
        found.extend(files.iter().filter_map(|file| Some(format!("{cookbook}::{}", file.strip_suffix(".rb")?))));
    }
    found
}

#[test]
fn the_kernel_saw_no_change() {
    let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("converge")).unwrap();
    let (mut count, mut whole, mut wrong) = (0, 0, Vec::new());
    for folder in folders.flatten().map(|folder| folder.path()).filter(|folder| folder.is_dir()) {
        let scratch = Scratch::new().unwrap();
        scratch.copy(&folder, &scratch.repo()).unwrap();
        for recipe in recipes(&folder) {
            let words = ["plan", "-o", &format!("recipe[{recipe}]"), "--new-node"];
            let Some((found, printed)) = seen(&scratch, &words) else { return };
            count += 1;
            let has_plan = printed.lines().any(|line| line.starts_with("Plan:"));
            whole += usize::from(has_plan && !printed.contains("would fail"));
            wrong.extend(found.lines().map(|line| format!("{} {recipe}: {line}", folder.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // one that ends before it does anything shows nothing
    assert!(count > 50 && whole > 25, "{whole} of {count} plans came to their end");
}

#[test]
fn the_kernel_sees_what_is_no_plan() {
    let scratch = repository();
    for (code, wanted) in [
        ("File.write('new', '')", "openat("),
        ("Dir.mkdir('new')", "mkdir("),
        ("File.chmod(0o755, 'cookbooks')", "chmod"),
        ("system('touch', 'started')", "not declared: touch started"),
        ("system('sh', '-c', 'touch started; true')", "touch started: "),
        ("Process.kill(:CONT, Process.ppid)", "kill("),
        ("File.read('cookbooks/app/metadata.rb')", ""),
    ] {
        let Some((found, _)) = seen(&scratch, &["ruby", "-e", code, "plan"]) else { return };
        assert_eq!(found.is_empty(), wanted.is_empty(), "{code}: {found}");
        assert!(found.contains(wanted), "{code}: {found}");
    }
}
