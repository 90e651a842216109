//! grep(1), as far as Ruby's regular expressions can stand in for its own.

use super::told::{Told, exactly};
use rchef_host::options::parsed;
use rchef_host::{Files, OverlayHost, compose};
use rchef_regexp::{self as regexp, Regexp};
use std::iter::Peekable;
use std::str::Chars;

/// Most bytes of a file that is searched.
const LONGEST: u64 = 10 << 20;

/// Supported long options.
const LONG: &str = "extended-regexp fixed-strings ignore-case invert-match line-regexp no-filename no-messages quiet regexp= silent word-regexp";

/// grep(1) on files or on standard input.
pub(super) fn grep(overlay: &OverlayHost, program: &str, words: &[&str], input: Option<&[u8]>) -> Option<Told> {
    let given = parsed("sqhivEFxwe:", LONG, false, words)?;
    let extended = program == "egrep" || given.has(&["E", "extended-regexp"]);
    let fixed = program == "fgrep" || given.has(&["F", "fixed-strings"]);
    let quiet = given.has(&["q", "quiet", "silent"]);
    let inverted = given.has(&["v", "invert-match"]);
    let patterns: Vec<&str> = given.values(&["e", "regexp"]).collect();
    let (pattern, paths) = match (&patterns[..], &given.operands[..]) {
        ([], [pattern, paths @ ..]) | ([pattern], paths) => (*pattern, paths),
        _ => return None,
    };
    // several patterns, or output prefixed with file names
    if pattern.contains('\n') || paths.len() > 1 && !quiet && !given.has(&["h", "no-filename"]) {
        return None;
    }
    let source = match (fixed, extended) {
        (true, _) => String::from_utf8(regexp::escape(pattern.as_bytes())).ok()?,
        (false, true) if !is_ruby_too(pattern) => return None,
        (false, true) => pattern.to_string(),
        (false, false) => of_basic(pattern)?,
    };
    let source = if given.has(&["w", "word-regexp"]) { format!("(?<!\\w)(?:{source})(?!\\w)") } else { source };
    let source = if given.has(&["x", "line-regexp"]) { format!("\\A(?:{source})\\z") } else { source };
    let source = if given.has(&["i", "ignore-case"]) { format!("(?i:{source})") } else { source };
    let regexp = Regexp::new(source.as_bytes(), regexp::Options::default(), regexp::SourceKind::Utf8).ok()?;
    let (mut texts, mut failed) = (Vec::new(), false);
    match (input, paths) {
        (Some(input), []) => texts.push(input.to_vec()),
        (_, []) => return None,
        (_, paths) => {
            for path in paths {
                // a device, or a file that is too large
                if overlay.stat(path.as_bytes()).is_ok_and(|stat| !stat.is_file() || stat.size > LONGEST) {
                    return None;
                }
                match compose::read_file(overlay, path.as_bytes()) {
                    Ok(content) => texts.push(content),
                    Err(_) => failed = true,
                }
            }
        }
    }
    let (mut found, mut output) = (false, Vec::new());
    for text in texts {
        let text = String::from_utf8(text).ok()?;
        for row in text.lines() {
            if regexp.unwatched().is_match_at(row.as_bytes(), regexp::TextKind::of(row), 0).ok()? != inverted {
                found = true;
                output.extend(row.bytes().chain([b'\n']));
            }
        }
    }
    let code = if failed && !(quiet && found) { 2 } else { i32::from(!found) };
    Some(exactly(code, if quiet { Vec::new() } else { output }))
}

/// Whether an extended regular expression certainly means the same in Ruby as in GNU grep.
fn is_ruby_too(pattern: &str) -> bool {
    let mut rest = pattern.chars().peekable();
    // at the start of the expression, a group or an alternative; after a repetition operator
    let (mut begins, mut repeated) = (true, false);
    while let Some(c) = rest.next() {
        let repeats = matches!(c, '*' | '+' | '?' | '{');
        if repeats && (begins || repeated) {
            return false;
        }
        match c {
            '\\' => match rest.next() {
                Some(c) if c.is_ascii_alphanumeric() && !"wWsSbB".contains(c) => return false,
                None | Some('<' | '>' | '`' | '\'') => return false,
                _ => {}
            },
            '[' => {
                rest.next_if(|c| *c == '^');
                if !steps_over_bracket(&mut rest) {
                    return false;
                }
            }
            '{' if !rest.peek().is_some_and(|c| c.is_ascii_digit() || *c == ',') => return false,
            '{' => while rest.next().is_some_and(|c| c != '}') {},
            _ => {}
        }
        begins = matches!(c, '(' | '|' | '^');
        repeated = repeats;
    }
    true
}

/// Skips a bracket expression; gives whether it means the same in Ruby.
fn steps_over_bracket(rest: &mut Peekable<Chars<'_>>) -> bool {
    if rest.peek() == Some(&']') {
        return false;
    }
    while let Some(c) = rest.next() {
        match c {
            ']' => return true,
            '\\' | '&' => return false,
            '[' if rest.next() != Some(':') => return false,
            '[' => while rest.next().is_some_and(|c| c != ']') {},
            _ => {}
        }
    }
    false
}

/// Converts a basic regular expression to an extended one, where `\(` groups and `(` is literal. None if Ruby's patterns have no equivalent.
fn of_basic(pattern: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        let is_end = rest.as_str().is_empty() || ["\\)", "\\|"].iter().any(|end| rest.as_str().starts_with(end));
        match c {
            // in other positions these are literals
            '^' if !(text.is_empty() || text.ends_with(['(', '|'])) => return None,
            '$' if !is_end => return None,
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => text.extend(['\\', c]),
            '\\' => match rest.next() {
                Some(c @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => text.push(c),
                Some(c) => text.extend(['\\', c]),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    is_ruby_too(&text).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_expressions() {
        assert_eq!(of_basic(r"a\(b\|c\)+").as_deref(), Some(r"a(b|c)\+"));
        assert_eq!(of_basic(r"\<a\>"), None);
        for (pattern, is_known) in [
            ("^a$", true),
            (r"\(^a\|b$\)", true),
            ("a^b", false),
            ("a$b", false),
            ("^*", false),
            ("*a", false),
            (r"\d", false),
            (r"\w*", true),
            ("[[:alpha:]_]x", true),
            (r"[\w]", false),
            ("[]a]", false),
            (r"a\{1,2\}b", true),
            (r"a\{1,2\}*", false),
        ] {
            assert_eq!(of_basic(pattern).is_some(), is_known, "{pattern}");
        }
        for (pattern, is_known) in
            [("(?i)X", false), ("a+?", false), ("x{,2}y?", true), ("a{", false), ("^(a|b)$", true)]
        {
            assert_eq!(is_ruby_too(pattern), is_known, "{pattern}");
        }
    }
}
