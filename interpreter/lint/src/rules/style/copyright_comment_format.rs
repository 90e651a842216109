//! A copyright comment does not have the format of Chef's cookbooks or the current year.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Style/CopyrightCommentFormat",
    summary: "A copyright comment has not the form of Chef's cookbooks, or not this year",
    why: "Tools find `# Copyright:: 2011-2026, Holder`.",
    level: Level::Info,
    default: false,
    fix: Fix::Unsafe,
    on: &[On::File],
    check,
    bad: r"# Copyright 2020, Example
x = 1
",
    good: "",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.is(Kind::Empty) {
        return;
    }
    let year = cx.file.year;
    for comment in &cx.tree.comments {
        let text = comment.span.of(cx.tree.source);
        let Some(at) = text.find("# Copyright").filter(|_| text.starts_with('#')) else { continue };
        let current = after_word(&text[at + 11..]);
        let years = years(text);
        let oldest = years.iter().min().and_then(|at| at.0.parse::<u32>().ok());
        let range = match oldest {
            None => year.to_string(),
            Some(oldest) if oldest == year => year.to_string(),
            Some(oldest) => format!("{oldest}-{year}"),
        };
        let behind = match last_year(text) {
            Some(end) => &text[end..],
            None => after_word(&text[at + 11..]),
        };
        let behind = behind.strip_prefix(',').unwrap_or(behind);
        let behind = behind.strip_prefix(char::is_whitespace).unwrap_or(behind);
        let mut holder = behind.replace("Opscode", "Chef Software");
        let inc = ["Chef, Inc", "Chef Inc"].iter().filter_map(|name| holder.find(name)).min();
        if let Some(inc) = inc {
            holder.truncate(inc);
            holder.push_str("Chef Software, Inc.");
        }
        let wanted = format!("{range}, {holder}");
        if current != wanted {
            cx.report_fix(comment.span, Edit::replace(comment.span, format!("# Copyright:: {wanted}")));
        }
    }
}

/// The text after any punctuation and spaces.
fn after_word(text: &str) -> &str {
    text.trim_start_matches(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
}

/// Groups of four digits with their byte offsets, without overlaps.
fn years(text: &str) -> Vec<(&str, usize)> {
    let mut all = Vec::new();
    let mut at = 0;
    while at + 4 <= text.len() {
        match text.get(at..at + 4).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit())) {
            Some(part) => {
                all.push((part, at));
                at += 4;
            }
            None => at += 1,
        }
    }
    all
}

/// The end of the last four consecutive digits.
fn last_year(text: &str) -> Option<usize> {
    (4..=text.len())
        .rev()
        .find(|end| text.get(end - 4..*end).is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit())))
}
