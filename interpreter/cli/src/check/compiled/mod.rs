//! `rchef check -o RUNLIST`, `--all-recipes`, `--kitchen`, `--nodes DIR`: compiles run lists and reports the findings of all of them together.
//!
//! [`unit`] defines what is compiled and where, [`judge`] turns a dump into findings, [`assumed`] finds the assumption that a failure depends on,
//! [`report`] joins and prints the findings, [`stubs`] drafts answers
//! for assumptions.

mod absent;
mod assumed;
mod cookbooks;
mod evaluator;
mod explanation;
mod finding;
mod fleet;
mod foreign;
mod gather;
mod judge;
mod kitchen;
mod learnt;
mod linked;
mod nameless;
mod policyfile;
mod progress;
mod removed;
mod report;
mod stubs;
mod unit;
mod unreached;
mod words;

use super::found::{Done, Found};
use super::options::Least;
use super::output::Output;
use super::settings::Settings;
use super::work::{self, Asked, Correct};
use super::{baseline, changed, ignored};
use crate::compile::{Node, parse};
use crate::diagnostic::{self, counted};
use crate::stubs::Stubs;
use clap::Parser;
use rchef_host::{Clock, RealHost};
use rchef_lint::config::Config;
use rchef_lint::engine::Engine;
use rchef_lint::rule::{Level, Rule};

pub use cookbooks::{gems, missing_cookbooks};
pub use explanation::explanation;
pub use fleet::{Each, compile_all};
pub use gather::{nodes, platforms};
pub use progress::Bar;
pub use unit::{Repository, Unit, recipes_of};

/// Say whether run lists run, and what stands in the way.
#[derive(Parser, Debug)]
#[command(
    name = "rchef check",
    about = "Compile run lists, and say whether they run and what stands in the way",
    after_help = "The current directory is a chef-repo, or one cookbook's own root. Each run list is compiled on each platform with the actions of cookbook-defined resources run and built-in ones doing nothing; blocks of guards decide whether a resource acts. A failure below something that nobody answers here (a command, a search, a data bag) is told as depending on that assumption: answer it with --stub-command or --stub.\nVerdicts: runs; runs, N deprecations; runs, N unanswered questions; depends on N assumptions; cannot converge: N resource types; input missing; refuses (the cookbook's own raise); fails.\nAn error of the static rules that these run lists do not run into is told as a warning.\nExit status: 0 nothing found at --fail-on or above, 1 findings, 2 wrong usage, 3 something could not be read (a node) or written. --fail-on and `fail-on` of rchef.toml mean the same as without run lists, whatever the --format.\n\nExamples:\n  rchef check -o 'role[web]' --platform ubuntu-22.04 --platform 'rocky-*'\n  rchef check --all-recipes --platform debian-12\n  rchef check --kitchen\n  rchef check --nodes nodes --format json"
)]
pub struct Options {
    /// Run list; may be repeated
    #[arg(
        short = 'o',
        long = "override-runlist",
        visible_short_alias = 'r',
        visible_alias = "runlist",
        value_name = "RUNLIST"
    )]
    pub run_lists: Vec<String>,
    /// Every recipe of the repository's cookbooks, each by itself
    #[arg(long)]
    pub all_recipes: bool,
    /// Every role of the repository, each by itself
    #[arg(long)]
    pub all_roles: bool,
    /// The suites of kitchen.yml, with their attributes, on its platforms (KITCHEN_YAML, KITCHEN_LOCAL_YAML and KITCHEN_GLOBAL_YAML name other files)
    #[arg(long)]
    pub kitchen: bool,
    /// Node objects (JSON) of a directory, each with its own run list, environment, attributes and facts
    #[arg(long, value_name = "DIR")]
    pub nodes: Option<String>,
    /// Simulated platform, or a pattern such as `ubuntu-*`; may be repeated (without one: this machine's facts, or `--ohai`)
    #[arg(long = "platform", value_name = "NAME", conflicts_with = "ohai")]
    pub platforms: Vec<String>,
    /// Facts (Ohai data) from a JSON file
    #[arg(long, value_name = "FILE", help_heading = "Node")]
    pub ohai: Option<String>,
    /// Write a draft of answers for --stub to what was assumed
    #[arg(long, value_name = "FILE")]
    pub write_stubs: Option<String>,
    /// How to answer.
    #[command(flatten)]
    pub answer: Output,
    /// Only what the compiles find, not the static rules
    #[arg(long)]
    pub no_static: bool,
    /// Only units that use a cookbook, a role, an environment or a data bag that git has otherwise than in this revision
    #[arg(long, value_name = "REF")]
    pub changed_since: Option<String>,
    /// Tell only what this file does not list
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Write what is found now into a file for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<String>,
    /// Exit with 1 for findings of this level and above: assumption, warning (default), error
    #[arg(long, value_name = "LEVEL", hide_possible_values = true)]
    pub fail_on: Option<Least>,
    /// Node and machine.
    #[command(flatten)]
    pub node: Node,
}

/// Whether arguments request compiles rather than the static rules.
pub fn is_meant(args: &[String]) -> bool {
    let long = [
        "--override-runlist",
        "--runlist",
        "--all-recipes",
        "--all-roles",
        "--kitchen",
        "--nodes",
        "--policy-name",
        "--policy",
        "--policyfile",
    ];
    args.iter().take_while(|arg| *arg != "--").any(|arg| {
        let short = ["-o", "-r"].iter().any(|name| arg.starts_with(name));
        short || long.iter().any(|name| arg == name || arg.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
    })
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef check", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    match check(&options, args) {
        Ok(status) => status,
        Err(text) => {
            diagnostic::complain(&format!("rchef check: {}\n", text.trim_end()));
            2
        }
    }
}

fn check(options: &Options, args: &[String]) -> Result<u8, String> {
    let host = RealHost::new();
    let started = host.monotonic_ns();
    let mut repository =
        unit::Repository::here(&host, &options.node.options.cookbook_path, options.node.options.config.is_some())?;
    let settings = work::settings(&host, "")?.unwrap_or_default();
    Stubs::read(&host, &options.node.answers)?;
    let units = gather::units(&host, &mut repository, options, &settings.platforms)?;
    if units.is_empty() {
        return Err(nothing(options, &repository));
    }
    let more = common(&repository, &settings, args);
    let least = options.fail_on.or(settings.fail_on).unwrap_or(Least::Warning).level();
    let changed = options.changed_since.as_ref().map(|revision| changed::since(&host, revision)).transpose()?;
    let each = |host: &RealHost, unit: &Unit, dump| unit.left(host, &repository, dump).to_string().into_bytes();
    let mut bar = progress::Bar::new(&host, units.len());
    let left =
        fleet::compile_all(&repository, &units, &|unit| unit.arguments(&repository, &more), &each, &mut |done| {
            bar.show(done)
        });
    bar.remove();
    repository.remove(&host);
    let left = left?;
    let mut done: Vec<(&Unit, unit::Result_)> =
        units.iter().zip(left).map(|(unit, left)| (unit, unit.result(left.as_deref()))).collect();
    if let Some(changed) = changed {
        done.retain(|(_, result)| {
            let folders = result.cookbooks.values().chain(&result.sources);
            result.cookbooks.is_empty() || folders.into_iter().any(|path| changed.touches(&host, path))
        });
    }
    if let Some(path) = &options.write_stubs {
        let (count, asked) = stubs::write(&host, path, done.iter().flat_map(|(_, result)| &result.findings))?;
        diagnostic::complain(&format!(
            "{path}: {} drafted{}; fill them in and give the file with --stub\n",
            counted(count, "answer"),
            if asked > 0 { format!(", {} in comments", counted(asked, "path")) } else { String::new() }
        ));
    }
    let engine = Engine::new(if options.no_static { Vec::new() } else { rchef_lint::rules::all() });
    let fixed = if options.no_static { Vec::new() } else { by_rules(&engine) };
    let found = report::join(&host, &repository, &done);
    let (found, beyond) = report::combine(&engine, &repository, &done, found, fixed);
    let mut all = Done { found, files: done.len(), ..Done::default() };
    all.suppressed = ignored::remove(&host, &settings.wishes, &mut all.found);
    if let Some(path) = &options.write_baseline {
        let count = baseline::write(&engine, &all, path)?;
        diagnostic::print(&format!(
            "{path}: {}; give it with --baseline to see what is new\n",
            counted(count, "finding")
        ));
        return Ok(0);
    }
    let baseline = options.baseline.as_ref().or(settings.baseline.as_ref());
    if let Some(path) = baseline {
        baseline::apply(&engine, &mut all, path)?;
    }
    let told = report::Told {
        engine: &engine,
        done: &done,
        found: &all.found,
        skipped: &[repository.problems.as_slice(), &repository.skipped].concat(),
        coverage: report::coverage(&unit::recipes(&host, &repository), &done),
        beyond,
        suppressed: all.suppressed,
        known: all.known,
        took: host.monotonic_ns().saturating_sub(started),
    };
    if let Err(text) = options.answer.tell(&|form| report::render(form, &told)) {
        diagnostic::complain(&format!("rchef check: {text}\n"));
        return Ok(3);
    }
    Ok(match repository.problems.is_empty() {
        true => u8::from(all.found.iter().any(|found| found.level(&engine) >= least)),
        false => 3,
    })
}

/// The options that all units are compiled with.
fn common(repository: &unit::Repository, settings: &Settings, args: &[String]) -> Vec<String> {
    let mut more = gather::forwarded(repository, args);
    for path in &settings.stubs {
        more.extend(["--stub".to_string(), crate::input::config::absolute(&repository.cwd, path)]);
    }
    more
}

/// Why there is no unit.
fn nothing(options: &Options, repository: &Repository) -> String {
    let why: String = repository.problems.iter().chain(&repository.skipped).map(|line| format!("\n  {line}")).collect();
    let other = match options.kitchen && options.platforms.is_empty() {
        true => {
            "\n--platform NAME compiles the suites on a platform that there are facts of, for instance --platform 'ubuntu-2*'"
        }
        false => "",
    };
    let places = if options.all_recipes { gather::elsewhere(&RealHost::new()) } else { Vec::new() };
    let asked = [
        options.all_recipes.then(|| "no recipe".to_string()),
        options.all_roles.then(|| "no role in roles".to_string()),
        options.kitchen.then(|| "no suite".to_string()),
        options.nodes.as_ref().map(|folder| format!("no node object (*.json) in {folder}")),
    ];
    let asked: Vec<String> = asked.into_iter().flatten().collect();
    let asked = asked.join(", ");
    let elsewhere = match places.first() {
        Some(first) => format!(
            "\ncookbooks are in {}: run this beside that folder, or give it with --cookbook-path {first}",
            places.join(", ")
        ),
        None => String::new(),
    };
    format!("there is nothing to compile: {asked}{why}{other}{elsewhere}")
}

/// The findings of the static rules in the repository, at level warning and above.
fn by_rules(engine: &Engine) -> Vec<Found> {
    let asked = Asked {
        paths: &[],
        only: None,
        configured: true,
        correct: Correct::No,
        links: true,
        unsafe_too: false,
        documents: true,
    };
    let wanted = |config: &Config, rule: &Rule, path: &str| rule.level >= Level::Warning && config.wants(rule, path);
    work::check(engine, &asked, &wanted).found
}
