//! Providers that drive the system's tools, on a machine in memory whose tools give recorded answers.
//!
//! Each `system/*.txt` is a list of sections: `== file PATH` (its text), `== program PATH` (an empty one), `== directory PATH`, `== answer [STATUS] COMMAND` (what it
//! prints; a line `! TEXT` goes to standard error), `== writes PATH COMMAND` (what is in the file once the command has run), `== cookbook PATH` (a file of the cookbook), `== ohai` (facts
//! instead of a Debian's), `== recipe`, `== why-run` or `== plan` (instead of a run) and, last, `== expect`: resources and actions,
//! `== again`: the recipe runs twice on the same machine. In `== expect`: `- ` what was changed, `$ ` commands that were run (queries of answered tools are not shown), `? ` assumptions, `! ` failures.
//! `RECORD=1` writes what is found.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a failure is the test's; the test's own files

use rchef_host::overlay::skeleton::{self, SkeletonEntry};
use rchef_host::overlay::{Answer, Answerer, Policy};
use rchef_host::queries::Topic;
use rchef_host::{EffectKind, Fault, FaultyHost, Host, OverlayHost, OverlayOptions, Queries, RealHost};
use rchef_recipe::compile::{Input, compile};
use rchef_recipe::events::{Line, Sink};
use rchef_recipe::provider::runner;
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::embed::vm::on_large_stack;
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
    mode: Option<ActionMode>,
    /// Whether it runs twice.
    again: bool,
    /// Whether calls of the machine are to fail.
    faulty: bool,
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
            "why-run" => case.mode = Some(ActionMode::WhyRun),
            "plan" => case.mode = Some(ActionMode::Plan),
            "again" => case.again = true,
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
    converge_with(case, None).shown
}

/// What a converge came to.
struct Outcome {
    /// The lines of a case's expectation.
    shown: String,
    /// The host's calls that could have failed, of the converge itself.
    calls: Vec<(&'static str, Vec<u8>)>,
    /// Whether the fault was met.
    fired: bool,
}

/// With the nth call of the converge failing with an errno.
fn converge_with(case: &Case, fault: Option<(u32, i32)>) -> Outcome {
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
            policy: if case.mode == Some(ActionMode::Plan) { Policy::Simulate } else { Policy::Record },
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
        let faulty = Rc::new(FaultyHost::new(host.clone(), []));
        let (mut shown, mut begun) = (String::new(), 0);
        for turn in 0..1 + usize::from(case.again) {
            if turn > 0 {
                shown.push_str("again\n");
                // another process knows no answers
                [Topic::Packages, Topic::Candidates, Topic::Services]
                    .into_iter()
                    .for_each(|topic| host.invalidate(topic));
            }
            let mut vm = Vm::new(if case.faulty { faulty.clone() as Rc<dyn Host> } else { host.clone() }).unwrap();
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
                converge_mut(&mut vm).mode = case.mode.unwrap_or(ActionMode::Converge);
                host.take_effects();
                rchef_recipe::events::sinks(&mut vm).push(lines.clone());
                begun = faulty.calls().len();
                if let Some((nth, errno)) = fault {
                    faulty.fail(Fault::nth("*", nth, errno));
                }
                runner::converge_run(&mut vm)
            });
            if let Err(error) = result {
                let exception = vm.error_value(error);
                lines.push(format!("! {}", vm.class_name_of(&exception)));
            }
            lines.commands();
            shown.push_str(&(lines.lines.borrow().join("\n") + "\n"));
        }
        Outcome { shown, calls: faulty.calls().split_off(begun), fired: faulty.fired() > 0 }
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

/// How many calls of a case are failed; all of them with `RCHEF_FAULTS=all`.
const POINTS: usize = 12;

/// The file's name that a message has: of a temporary file that of its target, of a file in the case's own cookbook its own.
fn target(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once(".rchef-").map_or(name, |(target, _)| target.trim_start_matches('.'))
}

/// Each call of the machine fails in turn: the run ends with a message that names what failed, where and why, or does without.
#[test]
fn faults() {
    const ERRORS: [(i32, &str); 4] = [
        (28, "No space left on device"),
        (13, "Permission denied"),
        (5, "Input/output error"),
        (24, "Too many open files"),
    ];
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/system");
    let mut paths: Vec<_> = std::fs::read_dir(&cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut points, mut told, mut wrong) = (0, 0, String::new());
    for path in paths {
        let case = Case { faulty: true, ..parse(&std::fs::read_to_string(&path).unwrap()) };
        // its calls are of two processes, and so is what they know of earlier ones
        if case.again {
            continue;
        }
        let usual = converge_with(&case, None);
        let step =
            if std::env::var_os("RCHEF_FAULTS").is_some() { 1 } else { usual.calls.len().div_ceil(POINTS).max(1) };
        for at in (0..usual.calls.len()).step_by(step) {
            let (errno, text) = ERRORS[(at / step) % ERRORS.len()];
            let (op, subject) = &usual.calls[at];
            let subject = String::from_utf8_lossy(subject).into_owned();
            let got = converge_with(&case, Some((at as u32 + 1, errno)));
            points += 1;
            let mut complain = |why: &str| {
                let case = path.file_name().unwrap().to_string_lossy().into_owned();
                wrong.push_str(&format!("{case}, {op} {subject:?}: {why}\n{}\n", got.shown));
            };
            if !got.fired {
                complain("the call does not come again");
            } else if got.shown.contains("panicked") || got.shown.contains("NoMethodError") {
                complain("not told as what it is");
            } else if got.shown != usual.shown && got.shown.contains("\n! ") && !usual.shown.contains("\n! ") {
                told += 1;
                // what cannot be looked at is not there, as for Ruby's File.exist?
                // and what may not be written is told in Chef's words
                let refused = *op == "access" && errno == 13 && got.shown.contains(target(&subject));
                let named =
                    *op == "stat" || refused || got.shown.contains(text) && got.shown.contains(target(&subject));
                if !named {
                    complain("names not what failed and why");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{points} calls failed, {told} told\n{wrong}");
    assert!(points > 300 && told > 100, "{points} calls failed, {told} told");
}
