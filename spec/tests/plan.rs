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

/// System calls that change files, and programs that are started, by strace where there is one.
#[test]
fn the_kernel_saw_no_change() {
    let strace = Path::new("/usr/bin/strace");
    if !strace.exists() {
        return;
    }
    let scratch = repository();
    let trace = scratch.root.join("trace");
    let program = binary().unwrap().display().to_string();
    let shown = trace.display().to_string();
    for recipe in ["app", "app::open"] {
        let calls = "trace=execve,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,chmod,fchmod,fchmodat,chown,fchown,fchownat,utimensat,truncate,mount,umount2";
        let list = format!("recipe[{recipe}]");
        let words = ["-f", "-o", &shown, "-e", calls, &program, "plan", "-o", &list, "--new-node"];
        let done = command(&scratch, strace, &words).output().unwrap();
        if !trace.exists() {
            return; // tracing is not allowed here
        }
        assert!(done.status.success());
        let text = fs::read_to_string(&trace).unwrap();
        let allowed = |line: &&str| {
            let opens = line.contains(" open")
                && !line.contains("O_WRONLY")
                && !line.contains("O_RDWR")
                && !line.contains("O_CREAT");
            let null = line.contains("\"/dev/null\"") || line.contains("\"/dev/tty\"");
            opens
                || null
                || line.contains("execve")
                || line.contains("+++")
                || line.contains("---")
                || line.contains("ENOENT")
        };
        let wrong: Vec<&str> = text.lines().filter(|line| !allowed(line)).collect();
        assert!(wrong.is_empty(), "{recipe}: {}", wrong.join("\n"));
        let programs: Vec<&str> =
            text.lines().filter(|line| line.contains("execve(") && !line.contains("= -1")).collect();
        for line in programs.iter().skip(1) {
            // facts, what lsb_release runs itself, and the guards of the recipes
            let known = ["lsb_release", "cut", "tr", "getopt", "python", "grep", "test"];
            assert!(known.iter().any(|name| line.contains(name)), "{recipe}: {line}");
        }
    }
}
