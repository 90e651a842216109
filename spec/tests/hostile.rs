//! Hostile programs: `hostile/*.rb`, each run in a process of its own under limits on memory and time, and with so few addresses that a failed
//! allocation would end it. The first line of a program says what it ends with: a class of exceptions, or `ok`.
#![allow(clippy::disallowed_methods, clippy::print_stdout)] // a test drives the machine itself, and tells its parent what it saw

use libtest_mimic::{Arguments, Failed, Trial};
use rchef_host::{Clock, RealHost};
use rchef_ruby::Vm;
use rchef_ruby::embed::vm::on_large_stack;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: rchef_ruby::embed::memory::Counting = rchef_ruby::embed::memory::Counting;

/// Names the program to run in the process that runs one.
const CASE: &str = "RCHEF_HOSTILE_CASE";
/// The limit on memory, in bytes.
const MEMORY: usize = 400 << 20;
/// The limit on one object.
const SIZE: usize = 100 << 20;
/// The limit on time.
const TIME: Duration = Duration::from_secs(4);
/// Addresses that the process may use, in KiB.
const ADDRESSES: usize = 3_000_000;
/// How long a process may take altogether: the limit and what a native may do between two looks at it.
const PATIENCE: Duration = Duration::from_secs(30);

fn main() {
    if let Some(case) = std::env::var_os(CASE) {
        println!("{}", outcome(Path::new(&case)));
        return;
    }
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rb"));
    files.sort();
    let trials = files
        .into_iter()
        .map(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(name, move || check(&file))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// The class of the exception that a program ends with, or `ok`.
fn outcome(file: &Path) -> String {
    let Ok(source) = std::fs::read(file) else { return "no such program".to_string() };
    let done = on_large_stack(64 << 20, || {
        let host = Rc::new(RealHost::new());
        let Some(mut vm) = Vm::new(host.clone()) else { return "no machine".to_string() };
        rchef_stdlib::register(&mut vm);
        vm.limits.memory = Some(MEMORY);
        vm.limits.size = SIZE;
        vm.limits.wall_time = Some(host.monotonic_ns() + TIME.as_nanos() as u64);
        match vm.run_main(&source, "hostile.rb") {
            Ok(_) => "ok".to_string(),
            Err(error) => {
                let exception = vm.error_value(error);
                vm.class_name_of(&exception)
            }
        }
    });
    done.unwrap_or_else(|error| format!("panic: {error}"))
}

fn check(file: &Path) -> Result<(), Failed> {
    let source = std::fs::read_to_string(file)?;
    let expected = source.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default().to_string();
    let own = std::env::current_exe()?;
    let started = Instant::now();
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {ADDRESSES}; exec \"$0\""), &own.display().to_string()])
        .env(CASE, file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    while child.try_wait()?.is_none() {
        if started.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Err(format!("still running after {PATIENCE:?}").into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output()?;
    let (shown, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let found = shown.lines().last().unwrap_or_default();
    if output.status.success() && found == expected {
        return Ok(());
    }
    Err(format!("expected {expected}, found {found} ({}, {:?})\n{errors}", output.status, started.elapsed()).into())
}
