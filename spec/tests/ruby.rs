//! Every `ruby/**/*.rb` beside its recorded `.out` (see `record`), run by the built `rchef ruby`.
#![allow(clippy::disallowed_methods)] // a test drives the machine itself

use libtest_mimic::{Arguments, Failed, Trial};
use rchef_spec::{binary::binary, report::difference};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    let arguments = Arguments::from_args();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("ruby");
    let mut files = Vec::new();
    collect(&cases, &mut files);
    files.sort();
    let binary = if arguments.list { PathBuf::new() } else { binary().unwrap_or_default() };
    let trials = files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(&cases).unwrap_or(&file).with_extension("").display().to_string();
            let binary = binary.clone();
            Trial::test(name, move || check(&binary, &file))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rb") && path.with_extension("out").exists() {
            files.push(path);
        }
    }
}

/// What a run printed, in the form that `record` writes.
fn transcript(binary: &Path, file: &Path) -> Result<Vec<u8>, Failed> {
    let name = file.file_name().unwrap_or_default();
    let output = Command::new(binary)
        .arg("ruby")
        .arg(name)
        .current_dir(file.parent().unwrap_or(Path::new(".")))
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .env_remove("RUBYOPT")
        .env_remove("RUBYLIB")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    let mut out = output.stdout;
    if !output.stderr.is_empty() {
        out.extend_from_slice(b"--- stderr\n");
        out.extend_from_slice(&output.stderr);
    }
    if output.status.code() != Some(0) {
        out.extend_from_slice(format!("--- status {}\n", output.status.code().unwrap_or(-1)).as_bytes());
    }
    Ok(out)
}

fn check(binary: &Path, file: &Path) -> Result<(), Failed> {
    let expected = std::fs::read(file.with_extension("out")).map_err(|error| error.to_string())?;
    let got = transcript(binary, file)?;
    if got == expected {
        return Ok(());
    }
    let (expected, got) = (String::from_utf8_lossy(&expected).into_owned(), String::from_utf8_lossy(&got).into_owned());
    Err(difference(&expected, &got).into())
}
