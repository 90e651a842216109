//! Option values of both tiers of `rchef check`.

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
    /// Whatever is told, also what depends on an assumption.
    #[value(alias = "assumption")]
    Info,
    /// Warnings and errors.
    Warning,
    /// Errors only.
    Error,
}

impl Least {
    pub fn level(self) -> Level {
        match self {
            Self::Info => Level::Info,
            Self::Warning => Level::Warning,
            Self::Error => Level::Error,
        }
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    Error,
    /// Removed or changed in a later version, or probably wrong.
    Warning,
    /// Depends on an assumption.
    Assumption,
}

impl Weight {
    /// The corresponding level of static rules.
    pub fn level(self) -> Level {
        match self {
            Weight::Error => Level::Error,
            Weight::Warning => Level::Warning,
            Weight::Assumption => Level::Info,
        }
    }
}
