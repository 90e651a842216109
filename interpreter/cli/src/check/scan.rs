//! `rchef check [PATH...]` without a run list: the static rules over a repository's files. Nothing is executed.
//!
//! Exit status: 0 nothing at or above `--fail-on`, 1 findings, 2 wrong usage, 3 a file could not be read or written.

use super::{render, work};
use crate::compile::parse;
use crate::diagnostic;
use clap::{Parser, ValueEnum};
use rchef_lint::engine::Engine;
use rchef_lint::rule::{Level, Rule};

/// Form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people, with the source.
    Text,
    /// For programs.
    Json,
}

/// A level, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Least {
    /// Everything.
    Info,
    /// Warnings and errors.
    Warning,
    /// Errors only.
    Error,
}

impl Least {
    fn level(self) -> Level {
        match self {
            Self::Info => Level::Info,
            Self::Warning => Level::Warning,
            Self::Error => Level::Error,
        }
    }
}

/// Check files without running them.
#[derive(Parser, Debug)]
#[command(
    name = "rchef check",
    about = "Find what is wrong, removed or deprecated in cookbooks, without running them",
    after_help = "With a run list (-o, see `rchef check -o web --help`) the cookbooks are compiled instead, and the answer is whether it runs.\nRules are named by id (chef/deprecations/node-set), by Cookstyle's name (Chef/Deprecations/NodeSet), by department (Chef/Deprecations) or `all`.\nExit status: 0 nothing found at --fail-on or above, 1 findings, 2 wrong usage, 3 a file could not be read or written.\n\nExamples:\n  rchef check\n  rchef check cookbooks/web --level info\n  rchef check --select Chef/Deprecations --fix\n  rchef check --explain chef/deprecations/node-set"
)]
pub struct Options {
    /// Folders and files; without one, the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Form of the answer
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub format: Form,
    /// Tell findings of this level and above
    #[arg(long, value_name = "LEVEL", default_value = "warning")]
    pub level: Least,
    /// Exit with 1 for findings of this level and above
    #[arg(long, value_name = "LEVEL", default_value = "warning")]
    pub fail_on: Least,
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
    /// Correct what can be corrected without a change of behaviour
    #[arg(long, help_heading = "Corrections")]
    pub fix: bool,
    /// With --fix: also corrections that may change the behaviour
    #[arg(long, requires = "fix", help_heading = "Corrections")]
    pub unsafe_fixes: bool,
}

/// Runs; the number is the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef check", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let all = rchef_lint::rules::all();
    for name in options.select.iter().chain(&options.ignore) {
        if !all.iter().any(|rule| names(rule, name)) {
            return usage(&format!("there is no rule {name}; `rchef check --list-rules` lists them"));
        }
    }
    if options.list_rules {
        diagnostic::print(&render::rules(&all, options.format));
        return 0;
    }
    if let Some(name) = &options.explain {
        let found = all
            .iter()
            .find(|rule| rule.alias == name || rule.id() == *name || rule.alias.ends_with(&format!("/{name}")));
        let Some(rule) = found else {
            return usage(&format!("there is no rule {name}; `rchef check --list-rules` lists them"));
        };
        diagnostic::print(&render::explanation(rule));
        return 0;
    }
    let engine = Engine::new(all);
    let least = options.level.level();
    let wanted = |rule: &Rule| {
        let asked = options.select.iter().any(|name| names(rule, name));
        let on = if options.select.is_empty() { rule.default && rule.level >= least } else { asked };
        on && !options.ignore.iter().any(|name| names(rule, name))
    };
    let fix = options.fix.then_some(options.unsafe_fixes);
    let done = work::check(&engine, &options.paths, &wanted, fix);
    let text = match options.format {
        Form::Text => render::text(&engine, &done),
        Form::Json => format!("{:#}\n", render::json(&engine, &done)),
    };
    diagnostic::print(&text);
    for problem in &done.problems {
        diagnostic::complain(&format!("rchef check: {problem}\n"));
    }
    let fails = options.fail_on.level();
    if !done.problems.is_empty() { 3 } else { u8::from(done.found.iter().any(|found| found.level(&engine) >= fails)) }
}

fn usage(text: &str) -> u8 {
    diagnostic::complain(&format!("rchef check: {text}\n"));
    2
}

/// Whether a name means a rule: its id, its name in Cookstyle, its department or all.
fn names(rule: &Rule, name: &str) -> bool {
    name == "all"
        || name == rule.alias
        || name == rule.department()
        || name.eq_ignore_ascii_case("chef") && rule.alias.starts_with("Chef/")
        || name == rule.id()
}
