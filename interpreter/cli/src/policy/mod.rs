//! `rchef policy`: makes, shows, compares and exports policy locks as chef-cli does, with local cookbooks only.

mod changes;
mod export;
mod show;

use crate::compile::parse;
use crate::diagnostic;
use crate::input::repository;
use clap::{Args, Parser, Subcommand};
use rchef_host::compose::{self, Finish};
use rchef_host::{Files, RealHost};
use rchef_model::policyfile::{self as rules, Policyfile};
use rchef_recipe::policyfile::{self, Failure, Storage};
use rchef_ruby::Vm;
use serde_json::Value as Json;
use std::rc::Rc;

/// Policyfiles and their locks.
#[derive(Parser, Debug)]
#[command(
    name = "rchef policy",
    about = "Make, show, compare and export locks of Policyfiles",
    after_help = "Cookbooks come from this machine: `path:`, `default_source :chef_repo`, and what chef-cli has fetched into its cache. The locks are those of chef-cli, identifiers and revisions included.\n\nExamples:\n  rchef policy install policies/app.rb\n  rchef policy diff policies/app.rb --head\n  rchef policy export policies/app.rb out -a && rchef client -z --recipe-url out/app-REVISION.tgz"
)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Make the lock of a Policyfile; with a lock, see whether its cookbooks are there
    Install(Install),
    /// Make the lock anew
    Update(Update),
    /// Show a lock and whether its cookbooks are what it says
    Show(Show),
    /// What is different between two locks
    #[command(
        after_help = "Examples:\n  rchef policy diff --head                      # since the last commit\n  rchef policy diff app.rb --git v1.0...main    # between two git revisions\n  rchef policy diff app.rb prod                 # with what policy_groups/prod.json names\n  rchef policy diff old.lock.json new.lock.json"
    )]
    Diff(Diff),
    /// Write a chef-repo, or an archive, of the lock and its cookbooks, which `rchef client -z` (and chef-client -z) can run
    Export(Export),
}

#[derive(Args, Debug)]
struct Install {
    /// The Policyfile, or its lock (default: Policyfile.rb)
    file: Option<String>,
}

#[derive(Args, Debug)]
struct Update {
    /// The Policyfile (default: Policyfile.rb)
    file: Option<String>,
    /// Only these cookbooks and what they depend on
    cookbooks: Vec<String>,
    /// Only the cookbooks that are named, not what they depend on
    #[arg(long = "exclude-deps")]
    exclude_deps: bool,
    /// Only attributes
    #[arg(short = 'a', long)]
    attributes: bool,
}

#[derive(Args, Debug)]
struct Show {
    /// The Policyfile or its lock (default: Policyfile.rb)
    file: Option<String>,
    /// The lock as JSON, in chef-cli's form
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct Diff {
    /// A Policyfile, and policy groups (`GROUP`, `GROUP...GROUP`); or two locks
    given: Vec<String>,
    /// Compare with a git revision, or two of them (`A...B`)
    #[arg(short = 'g', long, value_name = "REF", conflicts_with = "head")]
    git: Option<String>,
    /// Compare with the last commit
    #[arg(long)]
    head: bool,
    /// As chef-cli has it; nothing is paged here
    #[arg(long, alias = "no-pager", hide = true, action = clap::ArgAction::Count)]
    pager: u8,
}

#[derive(Args, Debug)]
struct Export {
    /// The Policyfile or its lock, if it is not Policyfile.rb; then the directory to write to
    #[arg(required = true, num_args = 1..=2, value_name = "[FILE] DIRECTORY")]
    given: Vec<String>,
    /// An archive NAME-REVISION.tgz in the directory
    #[arg(short = 'a', long)]
    archive: bool,
    /// Replace what an earlier export wrote
    #[arg(short = 'f', long)]
    force: bool,
    /// The policy group
    #[arg(long = "policy-group", value_name = "NAME", default_value = "local")]
    group: String,
}

struct Work {
    vm: Vm,
    real: Rc<RealHost>,
    cwd: String,
    caches: Vec<String>,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef policy", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let mut work = match work() {
        Ok(work) => work,
        Err(text) => {
            diagnostic::complain(&format!("{text}\n"));
            return 1;
        }
    };
    let done = match options.command {
        Command::Install(given) => install(&mut work, given.file.as_deref()),
        Command::Update(given) => update(&mut work, &given),
        Command::Show(given) => show::run(&mut work, given.file.as_deref(), given.json),
        Command::Diff(given) => changes::run(&work, &given.given, given.git.as_deref(), given.head),
        Command::Export(given) => export::run(&mut work, &given),
    };
    work.real.settle();
    let failure = match done {
        Ok(()) => return 0,
        Err(Failure::Refused(text)) => text,
        Err(Failure::Raised(error)) => diagnostic::describe(&mut work.vm, error),
    };
    diagnostic::complain(&format!("rchef policy: {}\n", failure.trim_end()));
    1
}

fn work() -> Result<Work, String> {
    let real = Rc::new(RealHost::new());
    let vm = crate::compile::machine(real.clone())?;
    let cwd = real.getcwd().map_err(|error| error.to_string())?;
    let caches = repository::caches(&*real);
    Ok(Work { vm, real, cwd: String::from_utf8_lossy(&cwd).into_owned(), caches })
}

impl Work {
    fn storage(&self, file: Option<&str>) -> Result<Storage, Failure> {
        Storage::new(&self.cwd, file).map_err(Failure::Refused)
    }

    fn lock(&self, storage: &Storage) -> Result<Json, Failure> {
        if !compose::exists(&*self.real, storage.lock.as_bytes()) {
            return Err(Failure::Refused(format!(
                "Policyfile lock not found at path {}\nhint: `rchef policy install` makes it",
                storage.lock
            )));
        }
        policyfile::read_lock(&*self.real, &storage.lock).map_err(Failure::Refused)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Failure> {
        let finish = Finish { mode: Some(0o644), uid: None, gid: None, sync: true };
        let written = compose::atomic_write(&*self.real, path.as_bytes(), text.as_bytes(), finish);
        written.map(drop).map_err(|error| Failure::Refused(format!("{path}: {}", error.message())))
    }
}

/// Makes the lock; if there is one, checks that its cookbooks are available.
fn install(work: &mut Work, file: Option<&str>) -> Result<(), Failure> {
    let storage = work.storage(file)?;
    if !compose::exists(&*work.real, storage.lock.as_bytes()) {
        return generate(work, &storage, &[]);
    }
    let lock = work.lock(&storage)?;
    diagnostic::print("Installing cookbooks from lock\n");
    let states = show::states(work, &storage, &lock)?;
    let width = states.iter().map(|state| state.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for state in &states {
        text.push_str(&format!("Using      {:width$} {}\n", state.name, state.version));
    }
    diagnostic::print(&text);
    let wrong: Vec<String> = states.iter().filter_map(show::State::complaint).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::Refused(format!("{}\nhint: `rchef policy update` locks what is there now", wrong.join("\n"))))
}

fn generate(work: &mut Work, storage: &Storage, pins: &[(String, String)]) -> Result<(), Failure> {
    let file = policyfile::evaluate(&mut work.vm, storage)?;
    diagnostic::print(&format!("Building policy {}\n", file.name));
    let caches = work.caches.clone();
    let solved = policyfile::solve(&mut work.vm, storage, &file, &caches, pins)?;
    let items: Vec<&str> = solved.lock["run_list"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let mut text = format!("Expanded run list: {}\nCaching Cookbooks...\n", items.join(", "));
    let cookbooks = solved.lock["cookbook_locks"].as_object();
    let width = cookbooks.into_iter().flatten().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (name, lock) in cookbooks.into_iter().flatten() {
        let from = lock["source"].as_str().or(lock["origin"].as_str()).unwrap_or_default();
        text.push_str(&format!(
            "Using      {name:width$} {} from {from}\n",
            lock["version"].as_str().unwrap_or_default()
        ));
    }
    diagnostic::print(&text);
    for warning in &solved.warnings {
        diagnostic::complain(&format!("warning: {warning}\n"));
    }
    work.write(&storage.lock, &rules::pretty(&solved.lock))?;
    let revision = solved.lock["revision_id"].as_str().unwrap_or_default();
    diagnostic::print(&format!("\nLockfile written to {}\nPolicy revision id: {revision}\n", storage.lock));
    Ok(())
}

fn update(work: &mut Work, given: &Update) -> Result<(), Failure> {
    let storage = work.storage(given.file.as_deref())?;
    if given.attributes {
        return update_attributes(work, &storage);
    }
    if given.cookbooks.is_empty() || !compose::exists(&*work.real, storage.lock.as_bytes()) {
        return generate(work, &storage, &[]);
    }
    let lock = work.lock(&storage)?;
    let mut renewed = given.cookbooks.clone();
    for name in &renewed {
        if lock["cookbook_locks"].get(name).is_none() {
            return Err(Failure::Refused(format!("{} has no cookbook {name}", storage.lock)));
        }
    }
    let mut at = 0;
    while let Some(name) = renewed.get(at).filter(|_| !given.exclude_deps).cloned() {
        at += 1;
        let start = format!("{name} (");
        let dependencies = lock["solution_dependencies"]["dependencies"].as_object().into_iter().flatten();
        for (_, list) in dependencies.filter(|(key, _)| key.starts_with(&start)) {
            let names = list.as_array().into_iter().flatten().filter_map(|pair| pair[0].as_str());
            let fresh: Vec<String> =
                names.filter(|name| !renewed.iter().any(|known| known == name)).map(str::to_string).collect();
            renewed.extend(fresh);
        }
    }
    diagnostic::print(&format!("Will relax constraints on: {}\n", renewed.join(", ")));
    let locked = lock["cookbook_locks"].as_object().into_iter().flatten();
    let kept = locked.filter(|(name, _)| !renewed.contains(name));
    let pins: Vec<(String, String)> =
        kept.map(|(name, lock)| (name.clone(), lock["version"].as_str().unwrap_or_default().to_string())).collect();
    generate(work, &storage, &pins)
}

fn update_attributes(work: &mut Work, storage: &Storage) -> Result<(), Failure> {
    let mut lock = work.lock(storage)?;
    let file: Policyfile = policyfile::evaluate(&mut work.vm, storage)?;
    let fresh = policyfile::attributes(&mut work.vm, storage, &file)?;
    let mut is_changed = false;
    for (key, tree) in ["default_attributes", "override_attributes"].into_iter().zip(fresh) {
        is_changed |= lock[key] != tree;
        lock[key] = tree;
    }
    if !is_changed {
        diagnostic::print("Attributes already up to date\n");
        return Ok(());
    }
    lock["revision_id"] = policyfile::identity::revision(&lock).into();
    work.write(&storage.lock, &rules::pretty(&lock))?;
    diagnostic::print(&format!("Updated attributes in {}\n", storage.lock));
    Ok(())
}
