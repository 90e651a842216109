//! What a check finds: of a rule, of compiles, of documents, of the parser.

use super::options::Weight;
use rchef_lint::engine::Engine;
use rchef_lint::rule::{Hit, Level};
use rchef_model::code::Code;
use std::sync::Arc;

/// A finding in a file.
#[derive(Clone)]
pub struct Found {
    /// The path as it is reported.
    pub path: String,
    pub what: What,
    /// Line and column, from 1.
    pub start: (usize, usize),
    /// Line and column after the last character.
    pub end: (usize, usize),
    pub text: String,
    /// Whether compiles reach this place; None without compiles.
    pub reach: Option<Reach>,
}

/// Whether compiles reach the place of a static finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Compiles report the same problem, with this severity, in these units.
    Confirmed(Weight, Vec<String>),
    /// These units load the file without reporting the problem.
    Reached {
        /// Shared by all findings of the file.
        units: Arc<[String]>,
        /// Whether one of them compiled to its end, past this place or around it.
        whole: bool,
    },
    /// No unit loads the file.
    No,
}

/// The kind of a finding.
#[derive(Clone)]
pub enum What {
    Rule(Hit),
    Compiled(Box<Compiled>),
    /// The file cannot be parsed.
    Syntax(String),
}

#[derive(Clone)]
pub struct Compiled {
    pub rule: Code,
    pub weight: Weight,
    pub message: String,
    /// Why it matters.
    pub why: &'static str,
    /// What to do now.
    pub todo: String,
    pub assumed: Option<String>,
    /// Resources that fail only because of it.
    pub cascades: Vec<String>,
    /// The affected units.
    pub places: Vec<String>,
    /// The name in the code that it is about, such as that of a method or constant; empty where there is none.
    pub subject: String,
    /// The names of what is not there: cookbooks, roles, a recipe with its cookbook.
    pub missing: Vec<String>,
}

impl Found {
    /// The level, which takes compiles into account.
    pub fn level(&self, engine: &Engine) -> Level {
        match &self.what {
            // an error breaks a run, but those that were asked for do not break here
            What::Rule(hit) if matches!(self.reach, Some(Reach::Reached { whole: true, .. } | Reach::No)) => {
                engine.rule(hit).level.min(Level::Warning)
            }
            What::Rule(hit) => match self.reach {
                Some(Reach::Confirmed(weight, _)) => engine.rule(hit).level.max(weight.level()),
                _ => engine.rule(hit).level,
            },
            What::Syntax(_) => Level::Error,
            What::Compiled(what) => what.weight.level(),
        }
    }
}

/// The result of a check.
#[derive(Default)]
pub struct Done {
    /// In the order of paths and places.
    pub found: Vec<Found>,
    /// Number of checked files.
    pub files: usize,
    /// Number of findings suppressed by comments.
    pub suppressed: usize,
    /// Number of corrected files.
    pub corrected: usize,
    /// Corrections to be written.
    pub corrections: Vec<Correction>,
    /// Messages about corrections that were made.
    pub notes: Vec<String>,
    /// Diffs of corrections that were not made, one per file.
    pub diffs: Vec<String>,
    /// Number of findings that the baseline contains.
    pub known: usize,
    /// Number of baseline entries that are no longer found.
    pub gone: usize,
    /// Files that could not be read or written.
    pub problems: Vec<String>,
}

/// A file with its correction.
pub struct Correction {
    pub path: String,
    pub after: String,
    /// The rules that correct something in the file as it was.
    pub rules: Vec<&'static str>,
}
