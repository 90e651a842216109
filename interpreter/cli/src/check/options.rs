//! What both tiers of `rchef check` are asked for.

use clap::ValueEnum;
use rchef_lint::rule::Level;

/// Form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people, with the source.
    Text,
    Json,
    /// SARIF 2.1, as code scanners exchange it.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    Junit,
    /// A table for a pull request.
    Markdown,
}

/// A level, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Least {
    Info,
    /// Warnings and errors.
    Warning,
    /// Errors only.
    Error,
}

impl Least {
    /// The level of rules.
    pub fn level(self) -> Level {
        match self {
            Self::Info => Level::Info,
            Self::Warning => Level::Warning,
            Self::Error => Level::Error,
        }
    }
}

/// How much a finding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    Error,
    /// It is removed or changed later, or likely wrong.
    Warning,
    /// It is as it is here because something was assumed.
    Assumption,
}

impl Weight {
    /// The level of a static rule that counts as much.
    pub fn level(self) -> Level {
        match self {
            Weight::Error => Level::Error,
            Weight::Warning => Level::Warning,
            Weight::Assumption => Level::Info,
        }
    }
}
