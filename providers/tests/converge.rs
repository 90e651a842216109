//! Recipes of `converge/*.rb`, each in a fresh directory `D`: what why-run says, what the run does, what a second run does; `*.out` holds the lines.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a failure is the test's; the test's own files

use rchef_host::RealHost;
use rchef_recipe::compile::{Input, compile};
use rchef_recipe::events::Sink;
use rchef_recipe::provider::runner;
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{Symbol, Value, Vm};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

#[path = "support/server.rs"]
mod server;

#[derive(Default)]
struct Lines(RefCell<Vec<String>>);
impl Lines {
    fn push(&self, line: String) {
        self.0.borrow_mut().push(line);
    }
}
impl Sink for Lines {
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, _: Option<(Symbol, &Value)>) {
        let shown = vm.to_s_text(resource).unwrap_or_default();
        self.push(format!("* {shown} {action}"));
    }
    fn resource_update_applied(&self, _: &mut Vm, _: &Value, _: Symbol, lines: &[rchef_recipe::events::Line]) {
        for line in lines {
            match line {
                rchef_recipe::events::Line::Detail(raw) if raw.starts_with("--- ") || raw.starts_with("+++ ") => {}
                rchef_recipe::events::Line::Detail(raw) => self.push(format!("    {raw}")),
                rchef_recipe::events::Line::Step(line) => self.push(format!("  - {line}")),
            }
        }
    }
    fn resource_failed(&self, vm: &mut Vm, _: &Value, _: Symbol, exception: &Value) {
        let class = vm.class_name_of(exception);
        let text = vm.call_name(exception, "message", &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
        self.push(format!("  ! {class}: {text}"));
    }
    fn whyrun_assumption(&self, _: &mut Vm, _: Symbol, _: &Value, text: &str) {
        self.push(format!("  ? {text}"));
    }
    fn stream_output(&self, _: &mut Vm, _: &Value, bytes: &[u8]) {
        self.push(format!("  > {}", String::from_utf8_lossy(bytes).trim_end()));
    }
}

fn converge(repo: &Path, target: &str, mode: ActionMode, servers: &server::Servers) -> String {
    let input = Input {
        cookbook_paths: vec![repo.to_string_lossy().into_owned()],
        run_list: "recipe[t]".into(),
        overriding: true,
        node_name: "n".into(),
        ohai: br#"{"platform": "debian", "platform_version": "12", "platform_family": "debian", "os": "linux", "fqdn": "n.example.com"}"#.to_vec(),
        json: Some(
            format!("{{\"d\": {target:?}, \"http\": {:?}, \"ftp\": {:?}}}", servers.http, servers.ftp).into_bytes(),
        ),
        ..Input::default()
    };
    on_large_stack(1 << 27, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        let lines = Rc::new(Lines::default());
        rchef_stdlib::register(&mut vm);
        let result = rchef_providers::boot(&mut vm).and_then(|()| compile(&mut vm, &input)).and_then(|()| {
            converge_mut(&mut vm).mode = mode;
            rchef_recipe::events::sinks(&mut vm).push(lines.clone());
            let config = rchef_recipe::chef_class::config(&mut vm)?;
            for (key, path) in [("file_backup_path", "backup"), ("file_cache_path", "cache")] {
                vm.call_name(&config, "[]=", &[Value::sym(key), Value::str(format!("{target}-{path}"))])?;
            }
            runner::converge_run(&mut vm)
        });
        if let Err(error) = result {
            let exception = vm.error_value(error);
            lines.push(format!("! {}", vm.full_message(&exception, false, false).trim_end()));
        }
        for asked in servers.take() {
            lines.push(asked);
        }
        let text = without_kept_names(&lines.0.borrow().join("\n"));
        text.replace(target, "D").replace(&servers.http, "HTTP").replace(&servers.ftp, "FTP")
    })
    .unwrap()
}

/// The names of what `verify` refused hold the time and the process.
fn without_kept_names(text: &str) -> String {
    let cut = |line: &str| match line.split_once("/failed_validations/") {
        Some((head, _)) => format!("{head}/failed_validations/NAME\n"),
        None => line.to_string(),
    };
    text.split_inclusive('\n').map(cut).collect()
}

/// Lines of updates that end before their checksums, without diffs.
fn without_content(text: &str) -> String {
    let cut = |line: &str| match line.split_once(" from ") {
        _ if ["    @@", "    +", "    -", "     "].iter().any(|head| line.starts_with(head)) => String::new(),
        Some((head, _)) if head.contains("update content in file") => format!("{head} ...\n"),
        _ => line.to_string(),
    };
    text.split_inclusive('\n').map(cut).collect()
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() {
            copy_tree(&from, &to);
        } else {
            std::fs::copy(&from, &to).unwrap();
        }
    }
}

#[test]
fn recipes() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/converge");
    let mut names: Vec<_> = std::fs::read_dir(&cases)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "rb"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let mut failures = String::new();
    let servers = server::Servers::start();
    for case in names {
        let repo = tempfile::tempdir().unwrap();
        let book = repo.path().join("t");
        for dir in ["recipes", "templates/default", "files/default"] {
            std::fs::create_dir_all(book.join(dir)).unwrap();
        }
        std::fs::write(book.join("metadata.rb"), "name 't'\nversion '1.0.0'\n").unwrap();
        std::fs::copy(&case, book.join("recipes/default.rb")).unwrap();
        for (kind, from) in [("templates/default", "templates"), ("files/default", "files")] {
            copy_tree(&cases.join(from), &book.join(kind));
        }
        let scratch = tempfile::tempdir().unwrap();
        let target = scratch.path().join("d");
        std::fs::create_dir(&target).unwrap();
        let target = target.to_string_lossy().into_owned();
        let mut got = String::new();
        for (head, mode) in
            [("why-run", ActionMode::WhyRun), ("run", ActionMode::Converge), ("again", ActionMode::Converge)]
        {
            let lines = converge(repo.path(), &target, mode, &servers);
            // keys are new each time
            let is_random = case.file_stem().is_some_and(|stem| stem == "openssl");
            let lines = if is_random { without_content(&lines) } else { lines };
            got.push_str(&format!("== {head}\n{lines}\n"));
        }
        let expected_path = case.with_extension("out");
        let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
        if std::env::var_os("RECORD").is_some() {
            std::fs::write(&expected_path, &got).unwrap();
        } else if got != expected {
            failures.push_str(&format!("{}\nwanted\n{expected}\ngot\n{got}\n", case.display()));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
