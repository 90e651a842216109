//! What a rule is: metadata, where it looks, its check.

use crate::ast::{Kind, N, Span, Tree};
use crate::file::File;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Style and modernization.
    Info,
    /// Removed or changed in a later version, or likely wrong.
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
    /// One that keeps the behaviour.
    Safe,
    /// One that may change it.
    Unsafe,
}

/// What makes a rule look.
#[derive(Clone, Copy, Debug)]
pub enum On {
    /// Once per file that parses; the node is the whole program.
    File,
    /// Once per file of any content.
    AnyText,
    /// A call of one of the names (without `&.`).
    Call(&'static [&'static str]),
    /// A block given to a call of one of the names, such as a resource.
    Block(&'static [&'static str]),
    /// Nodes of a kind.
    Kind(Kind),
}

pub struct Rule {
    /// Cookstyle's name of it, for configuration and comments that use that.
    pub alias: &'static str,
    /// What is found, in one sentence.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    pub level: Level,
    /// The version of Chef from which the advice holds.
    pub since: &'static str,
    /// The version of Chef that removed it.
    pub removed_in: &'static str,
    pub replaced_by: &'static str,
    /// Whether it is on without being asked for.
    pub default: bool,
    pub fix: Fix,
    /// Globs of paths: only these, if any.
    pub include: &'static [&'static str],
    /// Globs of paths: not these.
    pub exclude: &'static [&'static str],
    /// What makes it look.
    pub on: &'static [On],
    pub check: for<'t> fn(&mut Cx<'t>, N<'t>),
    /// The path of the examples.
    pub file: &'static str,
    /// Code that it finds something in.
    pub bad: &'static str,
    /// The same as it should be.
    pub good: &'static str,
}

impl Rule {
    /// What most rules are; a rule names what differs.
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

    /// The rule's own name: `chef/deprecations/node-set` for `Chef/Deprecations/NodeSet`.
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

    /// Whether no linter of Chef has it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.alias.starts_with("Rchef/")
    }

    /// Whether a name means it: its id, its name in Cookstyle, its department, `chef` for all that Cookstyle has, or `all`.
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

/// A change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

impl Edit {
    /// Another text in a place.
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// A text at a place.
    #[must_use]
    pub fn insert(at: u32, text: impl Into<String>) -> Self {
        Self { span: Span::new(at, at), text: text.into() }
    }

    /// Nothing in a place.
    #[must_use]
    pub fn remove(span: Span) -> Self {
        Self { span, text: String::new() }
    }
}

/// A finding as a rule makes it.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The rule, by its place among the engine's rules.
    pub rule: u16,
    pub span: Span,
    /// What, where it is not the rule's summary.
    pub message: Option<String>,
    /// The correction; empty for none.
    pub edits: Vec<Edit>,
}

/// What a check works with.
pub struct Cx<'t> {
    pub file: &'t File<'t>,
    pub tree: &'t Tree<'t>,
    pub(crate) rule: u16,
    pub(crate) hits: Vec<Hit>,
}

impl<'t> Cx<'t> {
    /// A finding without correction.
    pub fn report(&mut self, span: Span) {
        self.report_all(span, None, Vec::new());
    }

    /// A finding that says something of its own.
    pub fn report_saying(&mut self, span: Span, message: impl Into<String>) {
        self.report_all(span, Some(message.into()), Vec::new());
    }

    /// A finding with one edit.
    pub fn report_fix(&mut self, span: Span, edit: Edit) {
        self.report_all(span, None, vec![edit]);
    }

    /// A finding with edits that belong together.
    pub fn report_edits(&mut self, span: Span, edits: Vec<Edit>) {
        self.report_all(span, None, edits);
    }

    /// A finding; the same place is reported once.
    pub fn report_all(&mut self, span: Span, message: Option<String>, edits: Vec<Edit>) {
        if !self.hits.iter().rev().any(|hit| hit.rule == self.rule && hit.span == span) {
            self.hits.push(Hit { rule: self.rule, span, message, edits });
        }
    }

    /// The first place of the file, for what concerns it as a whole.
    #[must_use]
    pub fn top(&self) -> Span {
        Span::new(0, u32::from(!self.tree.source.is_empty()))
    }

    /// A node and the white space before it.
    #[must_use]
    pub fn with_space_before(&self, span: Span) -> Span {
        Span::new(space_before(self.tree.source, span.start), span.end)
    }

    /// Removes a node with the white space before it.
    #[must_use]
    pub fn remove_with_space(&self, node: N<'t>) -> Edit {
        Edit::remove(self.with_space_before(node.span()))
    }
}

/// Where the blanks, then the newlines before a place begin.
#[must_use]
pub fn space_before(source: &str, at: u32) -> u32 {
    let before = source.get(..at as usize).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t']).trim_end_matches('\n');
    u32::try_from(before.len()).unwrap_or(0)
}
