//! Recorded sessions: commands and what they printed.
//!
//! A file of `$ COMMAND` lines, each followed by what the command wrote on standard output, then, where there is any,
//! `--- stderr` with what it wrote there and `--- status N` with its exit status. Lines before the first command are remarks.
//! Commands are run by `sh` in a scratch copy of a chef-repo, with the `rchef` under test in the path.

use crate::normalise::normalise;
use crate::scratch::Scratch;
use std::path::Path;
use std::process::{Command, Stdio};

/// The environment variable that makes tests write what they get instead of comparing it.
pub const RECORD: &str = "RCHEF_RECORD";

pub fn recording() -> bool {
    std::env::var_os(RECORD).is_some_and(|value| !value.is_empty())
}

/// A command and how much of its output is kept.
pub struct Step {
    pub command: String,
    /// Whether standard output is part of the record.
    pub output: bool,
    /// Whether standard error is.
    pub errors: bool,
}

/// Remarks before the first command, and the commands of a recorded session.
pub fn parse(text: &str) -> (String, Vec<Step>) {
    let mut remarks = String::new();
    let mut steps: Vec<Step> = Vec::new();
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step { command: command.trim_end().into(), output: true, errors: true }),
            None if steps.is_empty() => remarks.push_str(line),
            None => {}
        }
    }
    (remarks, steps)
}

/// Runs the steps one after the other and returns the session as it is recorded.
pub fn run(scratch: &Scratch, binary: &Path, steps: &[Step]) -> Result<String, String> {
    let folder = binary.parent().unwrap_or(Path::new("/"));
    let mut session = String::new();
    for step in steps {
        let output = Command::new("/bin/sh")
            .args(["-c", &step.command])
            .current_dir(scratch.repo())
            .env_clear()
            .env("PATH", format!("{}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", folder.display()))
            .env("HOME", scratch.root.join("home"))
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| normalise(&String::from_utf8_lossy(bytes), &scratch.root);
        session.push_str(&format!("$ {}\n", step.command));
        if step.output {
            push(&mut session, &text(&output.stdout)?);
        }
        if step.errors && !output.stderr.is_empty() {
            session.push_str("--- stderr\n");
            push(&mut session, &text(&output.stderr)?);
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => session.push_str(&format!("--- status {code}\n")),
            None => return Err(format!("{} was killed: {}", step.command, output.status)),
        }
    }
    Ok(session)
}

fn push(session: &mut String, text: &str) {
    session.push_str(text);
    if !text.is_empty() && !text.ends_with('\n') {
        session.push('\n');
    }
}
