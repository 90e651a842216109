//! Comments that suppress rules.
//!
//! RuboCop's: `# rubocop:disable Chef/Style/FileMode` after code applies to that line; on a line of its own it applies up to `# rubocop:enable` or
//! the end of the file. `todo` is the same as `disable`, `cookstyle:` the same as `rubocop:`; names are rules, departments or `all`. rchef's: `#
//! rchef:ignore[chef/style/file-mode] reason` applies to its line; on a line of its own to the next line.

use crate::ast::{Span, Tree};
use crate::rule::Rule;
use crate::source::Source;

/// A suppressed name with the lines that it applies to.
#[derive(Clone, Debug)]
pub struct Suppression {
    pub name: String,
    first: usize,
    last: usize,
    pub span: Span,
    /// Whether the comment is `rchef:ignore`, which only takes rchef's names of rules.
    pub own: bool,
}

impl Suppression {
    /// Whether it suppresses a rule at a line.
    #[must_use]
    pub fn holds(&self, rule: &Rule, line: usize) -> bool {
        (self.first..=self.last).contains(&line) && self.names(rule)
    }

    /// Whether its name refers to a rule.
    #[must_use]
    pub fn names(&self, rule: &Rule) -> bool {
        self.name == "all"
            || self.name == rule.alias
            || self.name == rule.department()
            || rule.alias.rsplit('/').next() == Some(self.name.as_str())
            || self.name.contains('/') && self.name == rule.id()
    }
}

/// The names in `rchef:ignore[...]` comments of a text in any language, each with the line that it applies to.
#[must_use]
pub fn ignored(text: &str) -> Vec<(&str, usize)> {
    let lines = text.lines().zip(1..).filter_map(|(line, number)| {
        let (before, rest) = line.split_once("rchef:ignore[")?;
        let alone = ["#", "<%#"].contains(&before.trim());
        Some((rest.split(']').next()?, if alone { number + 1 } else { number }))
    });
    lines.flat_map(|(names, line)| names.split(',').map(move |name| (name.trim(), line))).collect()
}

/// The suppressions in a file.
#[must_use]
pub fn suppressions(tree: &Tree<'_>, source: &Source) -> Vec<Suppression> {
    let mut all: Vec<Suppression> = Vec::new();
    if !["rubocop", "cookstyle", "rchef:ignore"].iter().any(|word| tree.source.contains(word)) {
        return all;
    }
    for comment in &tree.comments {
        let text = comment.span.of(tree.source);
        let line = source.line(comment.span.start);
        let alone = source.line_text(line).trim_start().starts_with('#');
        if let Some(names) = text.find("rchef:ignore[").and_then(|at| text[at + 13..].split(']').next()) {
            let line_of_code = if alone { line + 1 } else { line };
            for name in names.split(',') {
                let name = name.trim().to_string();
                all.push(Suppression { name, first: line_of_code, last: line_of_code, span: comment.span, own: true });
            }
        }
        let Some(directive) = directive(text) else { continue };
        for name in directive.names {
            if !alone || !directive.first {
                if directive.disable {
                    all.push(Suppression { name, first: line, last: line, span: comment.span, own: false });
                }
            } else if directive.disable {
                all.push(Suppression { name, first: line, last: usize::MAX, span: comment.span, own: false });
            } else {
                for open in all.iter_mut().filter(|open| open.last == usize::MAX) {
                    if open.name == name
                        || name == "all"
                        || open.name.rsplit_once('/').is_some_and(|(group, _)| group == name)
                    {
                        open.last = line;
                    }
                }
            }
        }
    }
    all
}

struct Directive {
    disable: bool,
    /// Whether the directive is at the start of the comment.
    first: bool,
    names: Vec<String>,
}

/// Parses a directive, which may have spaces between its parts.
fn directive(text: &str) -> Option<Directive> {
    for (at, _) in text.match_indices('#') {
        let rest = text[at + 1..].trim_start();
        let Some(rest) = rest.strip_prefix("rubocop").or_else(|| rest.strip_prefix("cookstyle")) else { continue };
        let Some(rest) = rest.trim_start().strip_prefix(':') else { continue };
        let rest = rest.trim_start();
        let (disable, rest) = if let Some(rest) = rest.strip_prefix("disable") {
            (true, rest)
        } else if let Some(rest) = rest.strip_prefix("todo") {
            (true, rest)
        } else if let Some(rest) = rest.strip_prefix("enable") {
            (false, rest)
        } else {
            continue;
        };
        let mut names = Vec::new();
        for part in rest.split(',') {
            let part = part.trim_start();
            let end = part.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '/' && letter != '_');
            let name = &part[..end.unwrap_or(part.len())];
            if name != "all" && !name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
                break;
            }
            names.push(name.to_string());
            if end.is_some_and(|end| !part[end..].trim().is_empty()) {
                break;
            }
        }
        return Some(Directive { disable, first: at == 0, names });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::ignored;

    #[test]
    fn in_any_text() {
        let text = "a # rchef:ignore[x, compile/y] why\n\n  # rchef:ignore[z]\nb\n<%# rchef:ignore[t] %>\n";
        assert_eq!(ignored(text), [("x", 1), ("compile/y", 1), ("z", 4), ("t", 6)]);
    }
}
