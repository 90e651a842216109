//! Whole processes, interleaved: each program of `programs/` on rchef, on MRI and, where it can run it, on mruby.
//!
//! `cargo bench -p rchef-spec --bench programs [-- NAME...]`; `RUNS` (default 5), `RCHEF` (default: the `dist` build, made now), `RUBY`, `MRUBY` choose.
//! Prints a Markdown table of processor seconds (user and system, the best of all runs) and the geometric mean of the ratios.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::panic)] // drives the machine, prints its table and stops where it cannot

use nix::sys::resource::{UsageWho, getrusage};
use rchef_spec::binary::built;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let runs: usize = std::env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(5);
    let rchef =
        std::env::var_os("RCHEF").map_or_else(|| built("dist").unwrap_or_else(|text| panic!("{text}")), PathBuf::from);
    let ruby = std::env::var("RUBY").unwrap_or_else(|_| "ruby".into());
    let mruby = std::env::var("MRUBY").unwrap_or_else(|_| "mruby".into());
    let mut programs: Vec<PathBuf> = std::fs::read_dir(root.join("benches/programs"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            wanted.is_empty() || wanted.iter().any(|name| path.file_stem().is_some_and(|stem| stem == &**name))
        })
        .collect();
    programs.sort();
    println!("| program | MRI | rchef | ratio | mruby |\n|--|--|--|--|--|");
    let mut logs = Vec::new();
    for program in &programs {
        let (mut ours, mut theirs, mut small) = (f64::MAX, f64::MAX, None);
        let mut outputs = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let (seconds, output) = run(Command::new(&rchef).arg("ruby").arg(program));
            (ours, outputs.0) = (ours.min(seconds), output);
            let (seconds, output) = run(Command::new(&ruby).arg(program));
            (theirs, outputs.1) = (theirs.min(seconds), output);
            let (seconds, output) = run(Command::new(&mruby).arg(program));
            if output == outputs.1 {
                small = Some(small.map_or(seconds, |best: f64| best.min(seconds)));
            }
        }
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        assert_eq!(outputs.0, outputs.1, "{name}: rchef prints something else than MRI");
        let small = small.map_or("-".to_string(), |seconds| format!("{seconds:.3}"));
        println!("| {name} | {theirs:.3} | {ours:.3} | {:.2} | {small} |", ours / theirs);
        logs.push((ours / theirs).ln());
    }
    println!("\ngeometric mean of the ratios: {:.2}", (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp());
    start_up(&rchef, &ruby, runs * 40);
}

/// `-e 1`: wall time of a process from its start to its end, the best and the median; `true` is what any process costs here.
fn start_up(rchef: &Path, ruby: &str, runs: usize) {
    println!("start-up of -e 1, milliseconds of wall time, best and median of {runs}:");
    for (name, program, arguments) in [
        ("true", Path::new("true"), &[][..]),
        ("rchef", rchef, &["ruby", "-e", "1"][..]),
        ("MRI", Path::new(ruby), &["-e", "1"][..]),
    ] {
        let mut times: Vec<f64> = (0..runs)
            .map(|_| {
                let start = Instant::now();
                let ended = Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).status();
                if ended.is_ok_and(|status| status.success()) { start.elapsed().as_secs_f64() * 1e3 } else { f64::NAN }
            })
            .collect();
        times.sort_by(f64::total_cmp);
        if let (Some(best), Some(median)) = (times.first(), times.get(runs / 2)) {
            println!("  {name} {best:.1} {median:.1}");
        }
    }
}

/// Processor seconds of one run, and what it printed; nothing when it could not run.
fn run(command: &mut Command) -> (f64, Vec<u8>) {
    let before = children();
    match command.stdin(Stdio::null()).stderr(Stdio::null()).output() {
        Ok(output) if output.status.success() => (children() - before, output.stdout),
        _ => (f64::MAX, Vec::new()),
    }
}

fn children() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return 0.0 };
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}
