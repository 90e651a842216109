//! `rchef check`: what stands in the way of a migration.
//!
//! [`scan`] applies the static rules to a repository's files, [`compiled`] compiles run lists. Both report findings in the same format, which
//! `check/schema.json` describes.

mod baseline;
mod changed;
pub mod compiled;
mod documents;
mod encoding;
mod formats;
mod found;
mod ignored;
mod index;
mod options;
mod output;
mod parallel;
mod prove;
mod render;
pub mod scan;
mod settings;
mod work;

pub use parallel::on_all;

use crate::diagnostic;
use clap::{Command, CommandFactory};

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let compiles = compiled::is_meant(args);
    if let Some(text) = misplaced(args, compiles) {
        diagnostic::complain(&format!("rchef check: {text}\n"));
        return 2;
    }
    if compiles { compiled::run(args) } else { scan::run(args) }
}

/// A clap command with the options of both tiers.
pub fn command() -> Command {
    let compiles = compiled::Options::command();
    let known: Vec<String> = compiles.get_arguments().map(|arg| arg.get_id().to_string()).collect();
    let scans = scan::Options::command();
    let more: Vec<_> =
        scans.get_arguments().filter(|arg| !known.contains(&arg.get_id().to_string())).cloned().collect();
    compiles.args(more)
}

/// The message about an option that only the other tier has.
fn misplaced(args: &[String], compiles: bool) -> Option<String> {
    let (mut this, mut other) = (scan::Options::command(), compiled::Options::command());
    if compiles {
        std::mem::swap(&mut this, &mut other);
    }
    let has = |command: &Command, name: &str| {
        command.get_arguments().any(|arg| {
            let long = name.strip_prefix("--").is_some_and(|name| {
                arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|names| names.contains(&name))
            });
            long || name
                .strip_prefix('-')
                .and_then(|name| name.parse().ok())
                .is_some_and(|name| arg.get_short() == Some(name))
        })
    };
    let names = args.iter().take_while(|arg| *arg != "--").map(|arg| arg.split('=').next().unwrap_or_default());
    let name = names.filter(|name| name.starts_with('-')).find(|name| !has(&this, name) && has(&other, name))?;
    Some(if compiles {
        format!("{name} is of the static rules: give it without a run list (see `rchef check --help`)")
    } else {
        format!("{name} goes with what is to be compiled: {ENTRIES}")
    })
}

/// Options that request compiles.
const ENTRIES: &str =
    "-o RUNLIST, --all-recipes, --all-roles, --kitchen, --nodes DIR, --policy NAME or --policyfile LOCK";
