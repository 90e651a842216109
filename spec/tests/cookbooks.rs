//! End-to-end tests of the built binary, all of them files; a new case is a new file.
//!
//! - `dumps/*.yaml`: a first line `# COMMAND`, then what that command prints in this crate's chef-repo, byte for byte.
//! - `converge/REPO/*.txt`: sessions ([`rchef_spec::session`]) in a scratch copy of that chef-repo.
//! - `chef/REPO/*.txt`: the same, with what Chef itself printed; never recorded anew here.
//! - `bad/NAME`: broken input, a `recipe.rb` or a whole chef-repo, with the session in `expected.txt`: diagnostics and exit status.
//!
//! `RCHEF_RECORD=1 cargo test -p rchef-spec --test cookbooks [NAME]` writes what it gets. To begin a dump, write its first line; to begin a
//! session, its `$` lines; a new case in `bad` needs neither.
#![allow(clippy::disallowed_methods)] // a test drives the machine itself

use libtest_mimic::{Arguments, Failed, Trial};
use rchef_spec::scratch::Scratch;
use rchef_spec::session::{self, Step};
use rchef_spec::{binary::binary, report::difference};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A session with this in its remarks is run by root only.
const NEEDS_ROOT: &str = "needs root";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let base = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = if arguments.list { Ok(PathBuf::new()) } else { binary() };
    let binary = match built {
        Ok(binary) => binary,
        Err(text) => {
            // the test's own output
            #[allow(clippy::print_stderr)] // why no case can run
            {
                eprintln!("{text}");
            }
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    let mut add = |kind: &str, path: PathBuf, check: fn(&Path, &Path, &Path) -> Result<(), Failed>| {
        let name = path.strip_prefix(base.join(kind)).unwrap_or(&path).with_extension("").display().to_string();
        let binary = binary.clone();
        trials.push(Trial::test(format!("{kind}/{name}"), move || check(base, &binary, &path)));
    };
    for path in entries(&base.join("dumps"), "yaml") {
        add("dumps", path, dump);
    }
    for (kind, check) in [("converge", recorded as fn(&Path, &Path, &Path) -> Result<(), Failed>), ("chef", as_chef)] {
        for repo in entries(&base.join(kind), "") {
            for path in entries(&repo, "txt") {
                add(kind, path, check);
            }
        }
    }
    for path in entries(&base.join("bad"), "") {
        add("bad", path, bad);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The directory's entries with this extension, in order.
fn entries(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.retain(|path| {
        path.extension().is_some_and(|found| found == extension) || extension.is_empty() && path.is_dir()
    });
    found.sort();
    found
}

fn failed(error: impl ToString) -> Failed {
    error.to_string().into()
}

/// Compares with the file, or writes it.
fn settle(path: &Path, recorded: &str, got: &str, may_record: bool) -> Result<(), Failed> {
    if recorded == got {
        return Ok(());
    }
    if may_record && session::recording() {
        return fs::write(path, got).map_err(failed);
    }
    Err(difference(recorded, got).into())
}

fn dump(base: &Path, binary: &Path, path: &Path) -> Result<(), Failed> {
    let recorded = fs::read_to_string(path).map_err(failed)?;
    let first = recorded.lines().next().unwrap_or_default();
    let command = first.strip_prefix("# rchef ").ok_or("the first line must be `# rchef …`")?;
    let words = command.split(' ').map(|word| word.trim_matches('\''));
    let output = Command::new(binary).args(words).current_dir(base).env("TZ", "UTC").output().map_err(failed)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    settle(path, &recorded, &format!("{first}\n{}", String::from_utf8_lossy(&output.stdout)), true)
}

/// Whether the session is left to root.
fn is_for_root(remarks: &str) -> bool {
    remarks.contains(NEEDS_ROOT) && Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout != b"0\n")
}

fn replay(binary: &Path, path: &Path, may_record: bool) -> Result<(), Failed> {
    let recorded = fs::read_to_string(path).map_err(failed)?;
    let (remarks, mut steps) = session::parse(&recorded);
    if is_for_root(&remarks) {
        return Ok(());
    }
    for step in &mut steps {
        step.errors = may_record; // Chef has no diagnostics there
    }
    let scratch = Scratch::new().map_err(failed)?;
    scratch.copy(path.parent().unwrap_or(path), &scratch.repo()).map_err(failed)?;
    let got = remarks + &session::run(&scratch, binary, &steps)?;
    settle(path, &recorded, &got, may_record)
}

fn recorded(_: &Path, binary: &Path, path: &Path) -> Result<(), Failed> {
    replay(binary, path, true)
}

fn as_chef(_: &Path, binary: &Path, path: &Path) -> Result<(), Failed> {
    replay(binary, path, false)
}

fn bad(_: &Path, binary: &Path, path: &Path) -> Result<(), Failed> {
    let expected = path.join("expected.txt");
    let recorded = fs::read_to_string(&expected).unwrap_or_default();
    let (remarks, mut steps) = session::parse(&recorded);
    if steps.is_empty() {
        let commands =
            ["rchef compile -o 'recipe[bad]' --platform ubuntu-22.04", "rchef client -z -N node1 -o 'recipe[bad]'"];
        steps =
            commands.iter().map(|command| Step { command: (*command).into(), output: true, errors: true }).collect();
    }
    for step in &mut steps {
        step.output = !step.command.starts_with("rchef compile"); // a partial dump, which is not the matter here
    }
    let scratch = Scratch::new().map_err(failed)?;
    let repo = scratch.repo();
    scratch.copy(path, &repo).map_err(failed)?;
    if repo.join("recipe.rb").exists() {
        let cookbook = repo.join("cookbooks/bad");
        fs::create_dir_all(cookbook.join("recipes")).map_err(failed)?;
        fs::rename(repo.join("recipe.rb"), cookbook.join("recipes/default.rb")).map_err(failed)?;
        if !cookbook.join("metadata.rb").exists() {
            fs::write(cookbook.join("metadata.rb"), "name 'bad'\nversion '1.0.0'\n").map_err(failed)?;
        }
    }
    let got = remarks + &session::run(&scratch, binary, &steps)?;
    if !got.contains("--- status ") || got.contains("panicked at") {
        return Err(format!("bad input must end with an error status and no panic:\n{got}").into());
    }
    settle(&expected, &recorded, &got, true)
}
