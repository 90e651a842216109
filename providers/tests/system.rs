//! Providers that drive the system's tools, on a machine in memory whose tools give recorded answers.
//!
//! Each `system/*.txt` is a list of sections: `== file PATH` (its text), `== program PATH` (an empty one), `== directory PATH`, `== answer [STATUS] COMMAND` (what it
//! prints; a line `! TEXT` goes to standard error), `== writes PATH COMMAND` (what is in the file once the command has run), `== cookbook PATH` (a file of the cookbook), `== ohai` (facts
//! instead of a Debian's), `== recipe`, `== why-run` (instead of a run) and, last, `== expect`: resources and actions,
//! `- ` what was changed, `$ ` commands that were run (queries of answered tools are not shown), `? ` assumptions, `! ` failures.
//! `RECORD=1` writes what is found.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a failure is the test's; the test's own files

use rchef_host::overlay::skeleton::{self, SkeletonEntry};
use rchef_host::overlay::{Answer, Answerer};
use rchef_host::{EffectKind, OverlayHost, OverlayOptions, RealHost};
use rchef_recipe::compile::{Input, compile};
use rchef_recipe::events::{Line, Sink};
use rchef_recipe::provider::runner;
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::vm::on_large_stack;
use rchef_ruby::{Symbol, Value, Vm};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

const DEBIAN: &str = r#"{"platform": "debian", "platform_version": "12", "platform_family": "debian", "os": "linux"}"#;

/// What a case gives and wants.
#[derive(Default)]
struct Case {
    files: Vec<(String, String)>,
    programs: Vec<String>,
    directories: Vec<String>,
    answers: Vec<(String, i32, String)>,
    writes: Vec<(String, String, String)>,
    cookbook: Vec<(String, String)>,
    ohai: String,
    recipe: String,
    why_run: bool,
    expect: String,
}

fn parse(text: &str) -> Case {
    let mut case = Case::default();
    for section in text.split("== ").skip(1) {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        let (kind, rest) = head.split_once(' ').unwrap_or((head, ""));
        match kind {
            "file" => case.files.push((rest.into(), body.into())),
            "program" => case.programs.push(rest.into()),
            "directory" => case.directories.push(rest.into()),
            "answer" => {
                let (status, command) = rest.split_once(' ').unwrap_or((rest, ""));
                let (status, command) =
                    status.parse().map_or((0, rest.to_string()), |status| (status, command.to_string()));
                case.answers.push((command, status, body.into()));
            }
            "writes" => {
                let (path, command) = rest.split_once(' ').unwrap_or((rest, ""));
                case.writes.push((command.into(), path.into(), body.into()));
            }
            "cookbook" => case.cookbook.push((rest.into(), body.into())),
            "ohai" => case.ohai = body.into(),
            "recipe" => case.recipe = body.into(),
            "why-run" => case.why_run = true,
            "expect" => case.expect = body.into(),
            other => panic!("no section {other}"),
        }
    }
    case
}

/// Writes down events, and before each the commands that were run since the last.
struct Lines {
    host: Rc<OverlayHost>,
    answered: Vec<String>,
    lines: RefCell<Vec<String>>,
}

impl Lines {
    fn push(&self, line: String) {
        self.commands();
        self.lines.borrow_mut().push(line);
    }
    fn commands(&self) {
        for effect in self.host.take_effects() {
            let line = String::from_utf8_lossy(&effect.subject).into_owned();
            if effect.kind == EffectKind::Command && !self.answered.contains(&line) {
                self.lines.borrow_mut().push(format!("  $ {line}"));
            }
        }
    }
}

impl Sink for Lines {
    fn resource_action_start(&self, vm: &mut Vm, resource: &Value, action: Symbol, _: Option<(Symbol, &Value)>) {
        let shown = vm.to_s_text(resource).unwrap_or_default();
        self.push(format!("* {shown} {action}"));
    }
    fn resource_update_applied(&self, _: &mut Vm, _: &Value, _: Symbol, lines: &[Line]) {
        for line in lines {
            if let Line::Step(line) = line {
                self.push(format!("  - {line}"));
            }
        }
    }
    fn resource_failed(&self, vm: &mut Vm, _: &Value, _: Symbol, exception: &Value) {
        let class = vm.class_name_of(exception);
        let text = vm.call_name(exception, "message", &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
        self.push(format!("  ! {class}: {}", text.replace('\n', "\n    ")));
    }
    fn whyrun_assumption(&self, _: &mut Vm, _: Symbol, _: &Value, text: &str) {
        self.push(format!("  ? {text}"));
    }
}

fn answerer(command: &str, status: i32, text: &str) -> Answerer {
    let mut answer = Answer::status(status);
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("! ") {
            Some(line) => answer.stderr.extend_from_slice(line.as_bytes()),
            None => answer.stdout.extend_from_slice(line.as_bytes()),
        }
    }
    answer.when_line(command)
}

/// Does what a command does to a file.
fn writer(command: &str, path: &str, text: &str) -> Answerer {
    let (command, path, text) = (command.as_bytes().to_vec(), path.to_string(), text.as_bytes().to_vec());
    Rc::new(move |host, spec| {
        (spec.display() == command).then(|| {
            host.plant(&SkeletonEntry::file(&path, 0o644, &*text)).unwrap();
            Answer::status(0)
        })
    })
}

fn converge(case: &Case) -> String {
    let repo = tempfile::tempdir().unwrap();
    let book = repo.path().join("t/recipes");
    std::fs::create_dir_all(&book).unwrap();
    std::fs::write(repo.path().join("t/metadata.rb"), "name 't'\nversion '1.0.0'\n").unwrap();
    std::fs::write(book.join("default.rb"), &case.recipe).unwrap();
    for (path, text) in &case.cookbook {
        let path = repo.path().join("t").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let repo_path = repo.path().to_string_lossy().into_owned();
    on_large_stack(1 << 27, || {
        let options = OverlayOptions {
            passthrough: vec![repo_path.clone().into_bytes()],
            cwd: Some(b"/".to_vec()),
            answers: case
                .answers
                .iter()
                .map(|(command, status, text)| answerer(command, *status, text))
                .chain(case.writes.iter().map(|(command, path, text)| writer(command, path, text)))
                .collect(),
            clock: Some(1_700_000_000_000_000_000),
            ..OverlayOptions::default()
        };
        let host = Rc::new(OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap());
        for path in &case.directories {
            host.plant(&SkeletonEntry::dir(path, 0o755)).unwrap();
        }
        for (path, text) in &case.files {
            host.plant(&SkeletonEntry::file(path, 0o644, text.as_bytes())).unwrap();
        }
        for path in &case.programs {
            host.plant(&SkeletonEntry::file(path, 0o755, b"")).unwrap();
        }
        let mut vm = Vm::new(host.clone()).unwrap();
        rchef_stdlib::register(&mut vm);
        let lines = Rc::new(Lines {
            host: host.clone(),
            answered: case.answers.iter().map(|(command, ..)| command.clone()).collect(),
            lines: RefCell::default(),
        });
        let input = Input {
            cookbook_paths: vec![repo_path.clone()],
            run_list: "recipe[t]".into(),
            node_name: "n".into(),
            ohai: if case.ohai.is_empty() { DEBIAN.as_bytes().to_vec() } else { case.ohai.clone().into_bytes() },
            ..Input::default()
        };
        let result = rchef_providers::boot(&mut vm).and_then(|()| compile(&mut vm, &input)).and_then(|()| {
            converge_mut(&mut vm).mode = if case.why_run { ActionMode::WhyRun } else { ActionMode::Converge };
            host.take_effects();
            rchef_recipe::events::sinks(&mut vm).push(lines.clone());
            runner::converge_run(&mut vm)
        });
        if let Err(error) = result {
            let exception = vm.error_value(error);
            lines.push(format!("! {}", vm.class_name_of(&exception)));
        }
        lines.commands();
        let text = lines.lines.borrow().join("\n");
        text + "\n"
    })
    .unwrap()
}

#[test]
fn tools() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/system");
    let mut paths: Vec<_> = std::fs::read_dir(&cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut failures = String::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let case = parse(&text);
        let got = converge(&case);
        if got == case.expect {
            continue;
        }
        if std::env::var_os("RECORD").is_some() {
            let head = text.split("== expect").next().unwrap_or_default();
            std::fs::write(&path, format!("{head}== expect\n{got}")).unwrap();
        } else {
            failures.push_str(&format!("{}\nwanted\n{}\ngot\n{got}\n", path.display(), case.expect));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
