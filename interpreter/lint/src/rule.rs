//! A rule: its metadata, the files and nodes that it matches, and its check.

use crate::ast::{Kind, N, Span, Tree};
use crate::file::File;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Style and modernization.
    Info,
    /// Removed or changed in a later version, or probably wrong.
    Warning,
    Error,
}

impl Level {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Whether a rule has a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    None,
    /// A correction that keeps the behaviour.
    Safe,
    /// A correction that may change the behaviour.
    Unsafe,
}

/// When a rule's check is called.
#[derive(Clone, Copy, Debug)]
pub enum On {
    /// Once per file that parses; the node is the whole program.
    File,
    /// Once per file, even with syntax errors.
    AnyText,
    /// For a call of one of these names (without `&.`).
    Call(&'static [&'static str]),
    /// For a block of a call of one of these names, such as a resource.
    Block(&'static [&'static str]),
    /// For each node of this kind.
    Kind(Kind),
}

pub struct Rule {
    /// Cookstyle's name of the rule, as used in configuration and comments.
    pub alias: &'static str,
    /// The finding in one sentence.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    pub level: Level,
    /// The version of Chef since which the rule applies.
    pub since: &'static str,
    /// The version of Chef that removed the feature.
    pub removed_in: &'static str,
    pub replaced_by: &'static str,
    /// Whether the rule is enabled by default.
    pub default: bool,
    pub fix: Fix,
    /// Globs of the only paths to check; all if empty.
    pub include: &'static [&'static str],
    /// Globs of paths to leave out.
    pub exclude: &'static [&'static str],
    pub on: &'static [On],
    pub check: for<'t> fn(&mut Cx<'t>, N<'t>),
    /// The path of the example files.
    pub file: &'static str,
    /// Example code with a finding.
    pub bad: &'static str,
    /// The same code without it.
    pub good: &'static str,
}

impl Rule {
    /// Defaults for the fields of a rule.
    pub const BASE: Self = Self {
        alias: "",
        summary: "",
        why: "",
        level: Level::Warning,
        since: "",
        removed_in: "",
        replaced_by: "",
        default: true,
        fix: Fix::None,
        include: &[],
        exclude: &[],
        on: &[],
        check: nothing,
        file: "recipes/default.rb",
        bad: "",
        good: "",
    };

    /// The rule's ID: `chef/deprecations/node-set` for `Chef/Deprecations/NodeSet`.
    #[must_use]
    pub fn id(&self) -> String {
        let mut id = String::with_capacity(self.alias.len() + 8);
        let letters: Vec<char> = self.alias.chars().collect();
        for (at, letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| letters[before]);
            let after = letters.get(at + 1);
            let starts_word = letter.is_ascii_uppercase()
                && before.is_some_and(|before| {
                    before.is_ascii_lowercase()
                        || before.is_ascii_digit()
                        || (before.is_ascii_uppercase() && after.is_some_and(char::is_ascii_lowercase))
                });
            if starts_word {
                id.push('-');
            }
            id.push(letter.to_ascii_lowercase());
        }
        id
    }

    /// Whether the rule is rchef's own, not Cookstyle's.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.alias.starts_with("Rchef/")
    }

    /// Whether a name refers to the rule: its ID, its name in Cookstyle, its department, `chef` or `rchef` for all rules of one origin, or `all`.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        name == "all"
            || name == self.alias
            || name == self.department()
            || name.eq_ignore_ascii_case("chef") && self.alias.starts_with("Chef/")
            || name.eq_ignore_ascii_case("rchef") && self.is_own()
            || name == self.id()
    }

    #[must_use]
    pub fn department(&self) -> &'static str {
        self.alias.rsplit_once('/').map_or("", |(department, _)| department)
    }
}

fn nothing(_: &mut Cx<'_>, _: N<'_>) {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

impl Edit {
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    #[must_use]
    pub fn insert(at: u32, text: impl Into<String>) -> Self {
        Self { span: Span::new(at, at), text: text.into() }
    }

    #[must_use]
    pub fn remove(span: Span) -> Self {
        Self { span, text: String::new() }
    }
}

#[derive(Clone, Debug)]
pub struct Hit {
    /// Index into the engine's rules.
    pub rule: u16,
    pub span: Span,
    /// A message in place of the rule's summary.
    pub message: Option<String>,
    /// The correction; empty if there is none.
    pub edits: Vec<Edit>,
}

/// The context of a check.
pub struct Cx<'t> {
    pub file: &'t File<'t>,
    pub tree: &'t Tree<'t>,
    pub(crate) rule: u16,
    pub(crate) hits: Vec<Hit>,
}

impl<'t> Cx<'t> {
    /// Reports a finding without a correction.
    pub fn report(&mut self, span: Span) {
        self.report_all(span, None, Vec::new());
    }

    /// Reports a finding with a message of its own.
    pub fn report_saying(&mut self, span: Span, message: impl Into<String>) {
        self.report_all(span, Some(message.into()), Vec::new());
    }

    /// Reports a finding with one edit.
    pub fn report_fix(&mut self, span: Span, edit: Edit) {
        self.report_all(span, None, vec![edit]);
    }

    /// Reports a finding with several edits that are only applied together.
    pub fn report_edits(&mut self, span: Span, edits: Vec<Edit>) {
        self.report_all(span, None, edits);
    }

    /// Reports a finding, once for each place.
    pub fn report_all(&mut self, span: Span, message: Option<String>, edits: Vec<Edit>) {
        if !self.hits.iter().rev().any(|hit| hit.rule == self.rule && hit.span == span) {
            self.hits.push(Hit { rule: self.rule, span, message, edits });
        }
    }

    /// The start of the file, for findings about the file as a whole.
    #[must_use]
    pub fn top(&self) -> Span {
        Span::new(0, u32::from(!self.tree.source.is_empty()))
    }

    /// A range extended to the white space before it.
    #[must_use]
    pub fn with_space_before(&self, span: Span) -> Span {
        Span::new(space_before(self.tree.source, span.start), span.end)
    }

    /// An edit that removes a node and the white space before it.
    #[must_use]
    pub fn remove_with_space(&self, node: N<'t>) -> Edit {
        Edit::remove(self.with_space_before(node.span()))
    }
}

/// The start of the spaces, and the newlines before these, in front of a position.
#[must_use]
pub fn space_before(source: &str, at: u32) -> u32 {
    let before = source.get(..at as usize).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t']).trim_end_matches('\n');
    u32::try_from(before.len()).unwrap_or(0)
}
