//! `rchef check [PATH...]` without a run list: applies the static rules to a repository's files. No code is executed.
//!
//! Exit status: 0 no findings at or above `--fail-on`, 1 findings, 2 usage error, 3 a file could not be read or written.

use super::found::Done;
use super::options::{Form, Least};
use super::output::{Output, step_summary};
use super::prove::{self, Proof};
use super::work::{Asked, Correct, Ground};
use super::{baseline, changed, compiled, render, work};
use crate::compile::parse;
use crate::diagnostic::{self, counted};
use clap::Parser;
use rchef_host::files::{absolute, join};
use rchef_host::{Clock, Files, RealHost, compose};
use rchef_lint::config::Config;
use rchef_lint::engine::Engine;
use rchef_lint::rule::Rule;
use std::time::Duration;

/// Check files without running them.
#[derive(Parser, Debug)]
#[command(
    name = "rchef check",
    about = "Find what is wrong, removed or deprecated in cookbooks, without running them",
    after_help = "With -o RUNLIST, --all-recipes, --all-roles, --kitchen, --nodes DIR, --policy NAME or --policyfile LOCK the cookbooks are compiled instead, on each --platform NAME, and the answer is whether they run: `rchef check -o web --help`.\nRules are named by id (chef/deprecations/node-set), by Cookstyle's name (Chef/Deprecations/NodeSet), by department (Chef/Deprecations) or `all`.\nExit status: 0 nothing found at --fail-on or above, 1 findings, 2 wrong usage, 3 a file could not be read or written; the same with run lists, and whatever the --format.\n\nExamples:\n  rchef check\n  rchef check cookbooks/web --level info\n  rchef check --select Chef/Deprecations --fix\n  rchef check --explain chef/deprecations/node-set"
)]
pub struct Options {
    /// Folders and files; without one, the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// How to answer.
    #[command(flatten)]
    pub answer: Output,
    /// Only files that git has otherwise than in this revision, or not at all
    #[arg(long, value_name = "REF")]
    pub changed_since: Option<String>,
    /// Check again whenever a file changes, until interrupted
    #[arg(long)]
    pub watch: bool,
    /// Tell findings of this level and above: info, warning (default), error
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<Least>,
    /// Exit with 1 for findings of this level and above: info, warning (default), error
    #[arg(long, value_name = "LEVEL")]
    pub fail_on: Option<Least>,
    /// Only these rules (also those that are off by default), at any level; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,
    /// Not these rules; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// List the rules
    #[arg(long, help_heading = "Rules")]
    pub list_rules: bool,
    /// Tell what a rule finds, why, and what to do
    #[arg(long, value_name = "RULE", help_heading = "Rules")]
    pub explain: Option<String>,
    /// Write an `rchef.toml` with every setting
    #[arg(long, help_heading = "Rules")]
    pub init: bool,
    /// Print the JSON schema of `--format json`
    #[arg(long, help_heading = "Rules")]
    pub schema: bool,
    /// Read no `.rubocop.yml` and no `rchef.toml`
    #[arg(long, help_heading = "Rules")]
    pub no_config: bool,
    /// Tell only what this file does not list
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<String>,
    /// Take out of the baseline what is no longer found
    #[arg(long, conflicts_with_all = ["paths", "changed_since", "level", "select", "ignore"], help_heading = "Baseline")]
    pub prune_baseline: bool,
    /// Write what is found now into a file for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = "Baseline")]
    pub write_baseline: Option<String>,
    /// Correct what can be corrected without a change of behaviour
    #[arg(long, help_heading = "Corrections")]
    pub fix: bool,
    /// With --fix or --diff: also corrections that may change the behaviour
    #[arg(long, help_heading = "Corrections")]
    pub unsafe_fixes: bool,
    /// With --fix: do not compile recipes before and after to see that they compile to the same
    #[arg(long, requires = "fix", help_heading = "Corrections")]
    pub no_compile: bool,
    /// Show the corrections as a diff, and change nothing, also with --fix
    #[arg(long, help_heading = "Corrections")]
    pub diff: bool,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef check", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let all = rchef_lint::rules::all();
    for name in options.select.iter().chain(&options.ignore) {
        if !all.iter().any(|rule| rule.is_named(name)) {
            return usage(&format!("there is no rule {name}; `rchef check --list-rules` lists them"));
        }
    }
    if options.schema {
        diagnostic::print(include_str!("schema.json"));
        return 0;
    }
    if options.init {
        return init();
    }
    if options.list_rules {
        diagnostic::print(&render::rules(&all, options.answer.format.unwrap_or(Form::Text)));
        return 0;
    }
    if let Some(name) = &options.explain {
        let found = all
            .iter()
            .find(|rule| rule.alias == name || rule.id() == *name || rule.alias.ends_with(&format!("/{name}")));
        if let (None, Some(text)) = (found, compiled::explanation(name)) {
            diagnostic::print(&text);
            return 0;
        }
        let Some(rule) = found else {
            return usage(&format!("there is no rule {name}; `rchef check --list-rules` lists them"));
        };
        diagnostic::print(&render::explanation(rule));
        return 0;
    }
    if options.unsafe_fixes && !options.fix && !options.diff {
        return usage("--unsafe-fixes goes with --fix or --diff");
    }
    if !options.watch {
        return once(&options);
    }
    let host = RealHost::new();
    let summary = step_summary(&host);
    loop {
        diagnostic::print("\x1b[2J\x1b[H");
        let mut written = options.answer.files();
        written.extend(options.write_baseline.as_deref());
        written.extend(summary.as_deref());
        let seen = stamp(&host, &options.paths, &written);
        let status = once(&options);
        if status == 2 {
            return status;
        }
        while stamp(&host, &options.paths, &written) == seen {
            if host.sleep(Duration::from_millis(500)).is_err() {
                return status;
            }
        }
    }
}

/// Detects changes of files below the paths: their number, and the sums of their modification times and sizes. Output files of the check are
/// left out.
fn stamp(host: &RealHost, paths: &[String], written: &[&str]) -> (u64, i128, u64) {
    let cwd = host.getcwd().unwrap_or_default();
    let place = |path: &str| absolute(&cwd, path.as_bytes());
    let written: Vec<Vec<u8>> = written.iter().map(|path| changed::whole(host, &place(path))).collect();
    let here = [".".to_string()];
    let mut open: Vec<Vec<u8>> =
        if paths.is_empty() { &here } else { paths }.iter().map(|path| changed::real(host, &place(path))).collect();
    let (mut count, mut times, mut sizes) = (0, 0, 0);
    while let Some(path) = open.pop() {
        let Ok(stat) = host.lstat(&path) else { continue };
        if stat.is_dir() {
            for entry in host.readdir(&path).unwrap_or_default() {
                if entry.name != b".git" {
                    open.push(join(&path, &entry.name));
                }
            }
        } else if !written.contains(&path) {
            count += 1;
            times += i128::from(stat.mtime.secs) * 1_000_000_000 + i128::from(stat.mtime.nanos);
            sizes += stat.size;
        }
    }
    (count, times, sizes)
}

fn once(options: &Options) -> u8 {
    let settings = match if options.no_config { Ok(None) } else { work::settings(&RealHost::new(), "") } {
        Ok(settings) => settings.unwrap_or_default(),
        Err(text) => return usage(&text),
    };
    let mut only = None;
    if let Some(revision) = &options.changed_since {
        only = match changed::since(&RealHost::new(), revision) {
            Ok(changed) => Some(changed),
            Err(text) => return usage(&text),
        };
    }
    let engine = Engine::new(rchef_lint::rules::all());
    let least = options.level.or(settings.level).unwrap_or(Least::Warning).level();
    let wanted = |config: &Config, rule: &Rule, path: &str| {
        let on = if options.select.is_empty() {
            rule.level >= least && config.wants(rule, path)
        } else {
            options.select.iter().any(|name| rule.is_named(name)) && config.reaches(rule, path)
        };
        on && !options.ignore.iter().any(|name| rule.is_named(name))
    };
    let links = !options.fix && !options.diff;
    let asked = |correct| Asked {
        paths: &options.paths,
        only: only.as_ref(),
        configured: !options.no_config,
        correct,
        links,
        unsafe_too: options.unsafe_fixes,
        documents: correct == Correct::No && options.select.is_empty(),
    };
    let proof =
        (options.fix && !options.diff).then(|| fix(&engine, &asked(Correct::Collect), options.no_compile, &wanted));
    let mut done = work::check(&engine, &asked(if options.diff { Correct::Show } else { Correct::No }), &wanted);
    if let Some(proof) = proof {
        done.corrected = proof.corrected;
        done.notes = proof.lines;
        done.problems.extend(proof.problems);
    }
    if let Some(path) = &options.write_baseline {
        return written(path, baseline::write(&engine, &done, path), &done);
    }
    let baseline = options.baseline.as_ref().or(settings.baseline.as_ref());
    if options.prune_baseline {
        let Some(path) = baseline else {
            return usage("--prune-baseline: name the file by --baseline or in rchef.toml");
        };
        match baseline::prune(&engine, &done, path) {
            Ok(gone) => diagnostic::complain(&format!("{path}: {} removed\n", counted(gone, "entry"))),
            Err(text) => return usage(&text),
        }
    }
    if let Some(path) = baseline
        && let Err(text) = baseline::apply(&engine, &mut done, path)
    {
        return usage(&text);
    }
    let told = if options.diff {
        diagnostic::print(&done.diffs.concat());
        Ok(())
    } else {
        options.answer.tell_done(&engine, &done)
    };
    done.problems.extend(told.err());
    for problem in &done.problems {
        diagnostic::complain(&format!("rchef check: {problem}\n"));
    }
    let fails = options.fail_on.or(settings.fail_on).unwrap_or(Least::Warning).level();
    if !done.problems.is_empty() { 3 } else { u8::from(done.found.iter().any(|found| found.level(&engine) >= fails)) }
}

/// Corrects files by the rules that are wanted; without `no_compile` not so that recipes compile to something else.
fn fix(
    engine: &Engine,
    asked: &Asked<'_>,
    no_compile: bool,
    wanted: &(impl Fn(&Config, &Rule, &str) -> bool + Sync),
) -> Proof {
    let ground = Ground::of(asked);
    let redo = |paths: Option<&[String]>, without: &[prove::Without]| {
        let is_left_out = |rule: &Rule, path: &str| {
            let covers =
                |place: &str| place.is_empty() || path == place || place.ends_with('/') && path.starts_with(place);
            without.iter().any(|(name, place)| *name == rule.alias && covers(place))
        };
        let rest = |config: &Config, rule: &Rule, path: &str| wanted(config, rule, path) && !is_left_out(rule, path);
        ground.check(engine, asked, &rest, paths).corrections
    };
    let (host, all) = (RealHost::new(), redo(None, &[]));
    if !no_compile {
        return prove::write(&host, all, &|paths, without| redo(Some(paths), without));
    }
    let mut proof = Proof::default();
    proof.put(&host, &all);
    proof
}

/// Writes a settings file unless there is one.
fn init() -> u8 {
    let host = RealHost::new();
    if let Some(name) = super::settings::NAMES.iter().find(|name| compose::exists(&host, name.as_bytes())) {
        return usage(&format!("{name} is there already"));
    }
    match compose::write_file(&host, b"rchef.toml", super::settings::DRAFT.as_bytes(), 0o644) {
        Ok(()) => {
            diagnostic::print("rchef.toml is written; every line of it shows the default\n");
            0
        }
        Err(error) => {
            diagnostic::complain(&format!("rchef check: rchef.toml: {}\n", error.message()));
            3
        }
    }
}

fn written(path: &str, result: Result<usize, String>, done: &Done) -> u8 {
    for problem in &done.problems {
        diagnostic::complain(&format!("rchef check: {problem}\n"));
    }
    match result {
        Ok(count) => {
            diagnostic::print(&format!(
                "{path}: {}; give it with --baseline to see what is new\n",
                counted(count, "finding")
            ));
            u8::from(!done.problems.is_empty()) * 3
        }
        Err(text) => {
            diagnostic::complain(&format!("rchef check: {text}\n"));
            3
        }
    }
}

fn usage(text: &str) -> u8 {
    diagnostic::complain(&format!("rchef check: {text}\n"));
    2
}
