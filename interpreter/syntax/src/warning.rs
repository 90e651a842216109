//! Warnings about source that is accepted, in MRI 3.1's words.

use crate::lower::ParseKind;
use crate::tree::SourceFile;
use ruby_prism as prism;
use ruby_prism::Visit;
use std::collections::BTreeSet;

/// A warning about source that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub line: u32,
    pub text: String,
    /// Only printed with `-w`.
    pub verbose: bool,
}

/// What the parser warns of; `limit` is the lowest permitted address of the native stack.
pub(crate) fn warnings(
    file: &SourceFile,
    kind: ParseKind,
    result: &prism::ParseResult<'_>,
    limit: usize,
) -> Vec<Warning> {
    let one_liner = file.path == "-e" && kind == ParseKind::Main;
    let mut first_literals = None;
    let mut found = Vec::new();
    for warning in result.warnings() {
        let (at, text) = (warning.location().start(), String::from_utf8_lossy(warning.message()).into_owned());
        let line = file.position(at).0;
        if text.starts_with("possibly useless use of ")
            && first_literals.get_or_insert_with(|| FirstLiterals::of(result, limit)).offsets.contains(&at)
        {
            found.push(Warning { line, text: "unused literal ignored".into(), verbose: true });
        } else if one_liner && is_not_for_one_liners(&text) {
            continue;
        } else if is_printed(&text) {
            found.push(Warning { line, text: crate::error::name_quoted(text), verbose: false });
        } else {
            found.extend(verbose_texts(&text).into_iter().map(|text| Warning { line, text, verbose: true }));
        }
    }
    found
}

/// Whether MRI does not report this for `ruby -e`.
fn is_not_for_one_liners(text: &str) -> bool {
    text.starts_with("assigned but unused variable") || text.contains("literal in ")
}

/// Whether the warning is printed without `-w`.
fn is_printed(text: &str) -> bool {
    const WHOLE: &[&str] = &[
        "... at EOL, should be parenthesized?",
        "found `= literal' in conditional, should be ==",
        "END in method; use at_exit",
        "string literal in condition",
        "string literal in flip-flop",
        "regex literal in condition",
        "regex literal in flip-flop",
        "integer literal in flip-flop",
    ];
    WHOLE.contains(&text)
        || key_of_duplicate(text).is_some_and(|key| !["nil", "true", "false"].contains(&key))
        || text.starts_with("invalid character syntax; use ")
        || text.ends_with("is too big for a number variable, always nil")
        || text.contains("encountered \\r in middle of line")
}

/// The key that a Hash literal has twice, as the warning about it shows it.
fn key_of_duplicate(text: &str) -> Option<&str> {
    Some(text.strip_prefix("key ")?.rsplit_once(" is duplicated and overwritten on line ")?.0)
}

/// MRI 3.1's messages for a warning that only `-w` prints; none if that version does not give the warning.
fn verbose_texts(text: &str) -> Vec<String> {
    const SAME: &[&str] = &[
        "assigned but unused variable - ",
        "possibly useless use of ",
        "statement not reached",
        "mismatched indentations at ",
        "comparison '",
        "Float ",
        "invalid value for ",
        "literal in condition",
        "symbol literal in condition",
    ];
    if SAME.iter().any(|start| text.starts_with(start)) {
        return vec![text.to_string()];
    }
    if let Some((_, line)) = text.split_once(" duplicates 'when' clause on line ") {
        let line = line.split_once(' ').map_or(line, |(line, _)| line);
        return vec![format!("duplicated `when' clause with line {line} is ignored")];
    }
    if let Some(rest) = text.strip_prefix("ambiguous first argument; ") {
        return vec![format!("ambiguous first argument; {}", rest.replacen("` operator", "' operator", 1))];
    }
    if let Some(rest) = text.strip_prefix("ambiguous `/`; ") {
        let rest = rest.replacen("`/`", "`/'", 1);
        return vec![format!("ambiguity between regexp and two divisions: {rest}")];
    }
    if let Some((operator, seen)) = text
        .strip_prefix('\'')
        .and_then(|rest| rest.split_once("' after local variable or literal is interpreted as binary operator even "))
    {
        return vec![
            format!("`{operator}' after local variable or literal is interpreted as binary operator"),
            format!("even {seen}"),
        ];
    }
    if let Some((quoted, rest)) = text.strip_prefix('\'').and_then(|rest| rest.split_once("' is ignored ")) {
        return vec![format!("`{quoted}' is ignored {rest}")];
    }
    if let Some((word, rest)) = text.strip_prefix('`').and_then(|rest| rest.split_once("` at the end of line ")) {
        return vec![format!("`{word}' at the end of line {rest}")];
    }
    let prefix = text
        .strip_prefix("ambiguous `")
        .and_then(|rest| rest.strip_suffix("` has been interpreted as an argument prefix"));
    prefix.map(|prefix| format!("`{prefix}' interpreted as argument prefix")).into_iter().collect()
}

/// The offsets of literals that begin a sequence of statements: MRI's parser drops these.
struct FirstLiterals {
    offsets: BTreeSet<u32>,
    /// The lowest permitted address of the native stack.
    limit: usize,
}

impl FirstLiterals {
    fn of(result: &prism::ParseResult<'_>, limit: usize) -> FirstLiterals {
        let mut found = FirstLiterals { offsets: BTreeSet::new(), limit };
        found.visit(&result.node());
        found
    }
}

impl<'pr> Visit<'pr> for FirstLiterals {
    fn visit_statements_node(&mut self, node: &prism::StatementsNode<'pr>) {
        use prism::Node as P;
        if crate::stack::is_below(self.limit) {
            return;
        }
        if let Some(first) = node.body().first().filter(|_| node.body().len() > 1)
            && matches!(
                first,
                P::IntegerNode { .. }
                    | P::FloatNode { .. }
                    | P::RationalNode { .. }
                    | P::ImaginaryNode { .. }
                    | P::SymbolNode { .. }
                    | P::StringNode { .. }
                    | P::RegularExpressionNode { .. }
                    | P::SelfNode { .. }
                    | P::TrueNode { .. }
                    | P::FalseNode { .. }
                    | P::NilNode { .. }
            )
        {
            self.offsets.insert(first.location().start());
        }
        prism::visit_statements_node(self, node);
    }
}
