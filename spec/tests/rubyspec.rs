//! ruby/spec: `rubyspec.tsv` has, for each of its files, how many examples pass here, how many pass in MRI 3.1.2, and why some do not.
//!
//! Always: the list is in order and every gap has a reason. With `RUBYSPEC` naming a checkout (at the commit that the list names), every file is run
//! through a stand-in for mspec, which `MINISPEC` names: a count below the list's is an error, a higher one is reported. `RUBYSPEC_WRITE=1` writes the counts anew; `RUBYSPEC_ONLY=core/string` takes only what begins so. Code of the checkout is run: without
//! network and as an unprivileged user is the caller's to see to.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::panic)] // a test drives the machine itself and reports

use rchef_spec::binary::binary;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// One line of the list.
#[derive(Clone, Debug)]
struct Line {
    file: String,
    ours: usize,
    mri: usize,
    reason: String,
}

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/rubyspec.tsv");
/// For a file, on a machine that has other work too.
const LONGEST: Duration = Duration::from_secs(300);
/// For a file of which MRI passes nothing: some of these never end, there as here.
const LONGEST_WITHOUT_REFERENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let text = std::fs::read_to_string(LIST).unwrap_or_default();
    let (head, lines) = read(&text);
    let mut wrong = check(&lines);
    if let Some(checkout) = std::env::var_os("RUBYSPEC") {
        wrong.extend(compare(&head, &lines, Path::new(&checkout)));
    }
    for message in &wrong {
        println!("{message}");
    }
    let passed = lines.len() - wrong.len().min(lines.len());
    println!(
        "test result: {}. {passed} passed; {} failed",
        if wrong.is_empty() { "ok" } else { "FAILED" },
        wrong.len()
    );
    ExitCode::from(u8::from(!wrong.is_empty()))
}

/// The comment lines at the top, and the list.
fn read(text: &str) -> (String, Vec<Line>) {
    let head: String = text.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default().to_string();
        let (file, ours, mri) = (next(), next(), next());
        Line { file, ours: ours.parse().unwrap_or(0), mri: mri.parse().unwrap_or(0), reason: next() }
    });
    (head, lines.collect())
}

fn check(lines: &[Line]) -> Vec<String> {
    let mut wrong = Vec::new();
    if lines.is_empty() {
        wrong.push("rubyspec.tsv is empty".to_string());
    }
    for pair in lines.windows(2) {
        if pair[0].file >= pair[1].file {
            wrong.push(format!("{}: out of order", pair[1].file));
        }
    }
    for line in lines {
        if line.ours < line.mri && line.reason.is_empty() {
            wrong.push(format!("{}: {} of {} pass and no reason is given", line.file, line.ours, line.mri));
        }
        if line.ours >= line.mri && !line.reason.is_empty() {
            wrong.push(format!("{}: nothing is missing: the reason is stale", line.file));
        }
    }
    wrong
}

/// Runs the files and compares counts; what fell is an error.
fn compare(head: &str, lines: &[Line], checkout: &Path) -> Vec<String> {
    let only = std::env::var("RUBYSPEC_ONLY").unwrap_or_default();
    let write = std::env::var_os("RUBYSPEC_WRITE").is_some();
    let folder = std::env::temp_dir().join(format!("rchef-rubyspec-{}", std::process::id()));
    lay_out(checkout, &folder);
    let minispec = minispec();
    assert!(minispec.is_file(), "{}: there is no stand-in for mspec; MINISPEC names one", minispec.display());
    let binary = engine();
    let chosen: Vec<usize> = (0..lines.len()).filter(|&index| lines[index].file.starts_with(&only)).collect();
    let (next, fresh) = (AtomicUsize::new(0), Mutex::new(lines.to_vec()));
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (next, fresh, wrong, chosen, folder, binary) = (&next, &fresh, &wrong, &chosen, &folder, &binary);
            scope.spawn(move || {
                while let Some(&index) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let line = &lines[index];
                    let longest = if line.mri > 0 { LONGEST } else { LONGEST_WITHOUT_REFERENCE };
                    let (passed, ended) = run(binary, folder, &line.file, worker, longest);
                    if !ended && line.mri == 0 {
                        // how far it came says nothing
                        continue;
                    }
                    if !ended {
                        println!("{}: does not end by itself", line.file);
                    }
                    if passed > line.ours {
                        println!("{}: {passed} pass, the list has {}", line.file, line.ours);
                    } else if passed < line.ours && !write {
                        let message = format!("{}: {passed} pass, the list has {}", line.file, line.ours);
                        wrong.lock().map(|mut wrong| wrong.push(message)).unwrap_or_default();
                    }
                    fresh.lock().map(|mut fresh| fresh[index].ours = passed).unwrap_or_default();
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    if write {
        let mut text = head.to_string();
        for line in fresh.into_inner().unwrap_or_default() {
            let reason = if line.ours >= line.mri {
                ""
            } else if line.reason.is_empty() {
                "not looked at yet"
            } else {
                &line.reason
            };
            let _ = writeln!(text, "{}\t{}\t{}\t{reason}", line.file, line.ours, line.mri);
        }
        assert!(std::fs::write(LIST, text).is_ok(), "{LIST} cannot be written");
    }
    wrong.into_inner().unwrap_or_default()
}

/// A copy of the checkout with an own `spec_helper.rb`: the original would load mspec.
fn lay_out(checkout: &Path, folder: &Path) {
    for part in ["language", "core", "library", "fixtures", "shared"] {
        copy(&checkout.join(part), &folder.join(part));
    }
    let helper = "CODE_LOADING_DIR = File.expand_path(\"fixtures/code\", __dir__) unless defined?(CODE_LOADING_DIR)\n";
    assert!(std::fs::write(folder.join("spec_helper.rb"), helper).is_ok(), "{} cannot be written", folder.display());
}

fn copy(from: &Path, to: &Path) {
    let _ = std::fs::create_dir_all(to);
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => copy(&path, &target),
            Ok(kind) if kind.is_symlink() => {
                let _ = std::fs::read_link(&path).and_then(|link| std::os::unix::fs::symlink(link, target));
            }
            _ => drop(std::fs::copy(&path, &target)),
        }
    }
}

/// Examples that pass in a file, and whether it came to its end in time.
fn run(binary: &Path, folder: &Path, file: &str, worker: usize, longest: Duration) -> (usize, bool) {
    let place = folder.join(format!("work{worker}"));
    let _ = std::fs::remove_dir_all(&place);
    let _ = std::fs::create_dir_all(&place);
    let (Ok(out), Ok(out2)) = (std::fs::File::create(place.join("out")), std::fs::File::create(place.join("err")))
    else {
        return (0, false);
    };
    let child = Command::new(binary)
        .args(["ruby", "-W0", "-rset", "-r"])
        .arg(minispec())
        .arg(folder.join(file))
        .current_dir(&place)
        .env("RUBYSPEC_TMP", place.join("tmp"))
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(out2)
        .spawn();
    let Ok(mut child) = child else { return (0, false) };
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(_)) => break true,
            Ok(None) if begun.elapsed() < longest => std::thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break false;
            }
        }
    };
    let printed = std::fs::read(place.join("out")).unwrap_or_default();
    (printed.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"@@PASS")).count(), ended)
}

/// What stands in for mspec: it prints a line `@@PASS…` for each example that passes.
fn minispec() -> PathBuf {
    let named = std::env::var_os("MINISPEC").unwrap_or_else(|| panic!("MINISPEC must name the stand-in for mspec"));
    named.into()
}

/// `RCHEF`, or the one that is built.
fn engine() -> PathBuf {
    match std::env::var_os("RCHEF") {
        Some(named) => named.into(),
        None => binary().unwrap_or_else(|text| panic!("{text}")),
    }
}
