//! Answers command lines of guards and recipes from what a plan assumes.

use rchef_change::shell::looks::has_plain_environment;
use rchef_change::shell::{Told, base, commands_of, told};
use rchef_host::overlay::Answer;
use rchef_host::processes::is_of_system;
use rchef_host::{CommandSpec, Files, OverlayHost, Processes, Purpose, Queries, compose, files};
use rchef_ruby::regexp::{self, Regexp};
use std::iter::Peekable;
use std::str::Chars;

/// The answer to a command from assumed changes; None if nothing is assumed yet or the overlay alone cannot tell. While content is verified
/// (`Purpose::Check`), the content exists only in the overlay.
pub fn answer(overlay: &OverlayHost, spec: &CommandSpec) -> Option<Answer> {
    let of_overlay = match overlay.purpose() {
        Purpose::Query => false,
        Purpose::Check => true,
        Purpose::Code | Purpose::Guard => overlay.assumed() > 0,
    };
    // what other users see is not known
    let is_roots = [spec.uid, spec.gid].iter().all(|id| id.is_none_or(|id| id == 0)) && spec.argv0.is_none();
    if !overlay.simulates() || !of_overlay || spec.cwd.is_some() || !is_roots || !has_plain_environment(overlay, spec) {
        return None;
    }
    let commands = commands_of(spec)?;
    // these are shell builtins without an executable
    if spec.program.to_argv().first().is_some_and(|first| [&b"command"[..], b"type"].contains(&first.as_slice())) {
        return None;
    }
    let path = spec.env.get(&b"PATH"[..]).cloned().flatten().or_else(|| overlay.env(b"PATH")).unwrap_or_default();
    let (mut code, mut output) = (0, Vec::new());
    let mut at = 0;
    while let Some((operator, words)) = commands.get(at) {
        let runs = match *operator {
            "&&" => code == 0,
            "||" => code != 0,
            _ => true,
        };
        // skip to the end of the pipeline
        let mut end = at + 1;
        while commands.get(end).is_some_and(|(operator, _)| *operator == "|") {
            end += 1;
        }
        if runs {
            let (is_negated, words) = match words.split_first() {
                Some((first, rest)) if first == "!" => (true, rest),
                _ => (false, &words[..]),
            };
            let (mut status, mut text) = run(overlay, &path, words, None)?;
            for (_, words) in &commands[at + 1..end] {
                (status, text) = run(overlay, &path, words, Some(&text))?;
            }
            code = if is_negated { i32::from(status == 0) } else { status };
            output.extend(text);
        }
        at = end;
    }
    Some(Answer { stdout: output, stderr: Vec::new(), code })
}

type Outcome = Option<(i32, Vec<u8>)>;

fn status(holds: bool) -> Outcome {
    Some((i32::from(!holds), Vec::new()))
}

/// Runs one command; `path` lists the directories of programs.
fn run(overlay: &OverlayHost, path: &[u8], words: &[String], input: Option<&[u8]>) -> Outcome {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (program, rest) = words.split_first()?;
    if !is_of_system(program) {
        return None;
    }
    if let Some(Told { code: Some(code), text: Some(text) }) = told(overlay, path, base(program), rest) {
        return Some((code, text));
    }
    match (base(program), rest) {
        ("grep" | "egrep" | "fgrep", rest) => grep(overlay, base(program), rest, input),
        ("dpkg", ["-s" | "--status", name]) => match overlay.package(name).ok()? {
            Some(package) => {
                let text = format!(
                    "Package: {}\nStatus: {} {} {}\nArchitecture: {}\nVersion: {}\n",
                    package.name, package.want, package.flag, package.state, package.architecture, package.version
                );
                Some((0, text.into_bytes()))
            }
            None => status(false),
        },
        ("systemctl", ["is-active", rest @ ..] | ["-q" | "--quiet", "is-active", rest @ ..]) => {
            let name = rest.iter().rfind(|word| !word.starts_with('-'))?;
            let found = overlay.services(&[name]).ok()?;
            let active = found.get(*name).map_or("inactive", |state| &state.active).to_string();
            Some((if active == "active" { 0 } else { 3 }, format!("{active}\n").into_bytes()))
        }
        ("systemctl", ["is-enabled", rest @ ..]) => {
            let name = rest.iter().rfind(|word| !word.starts_with('-'))?;
            let found = overlay.services(&[name]).ok()?;
            let state = found.get(*name).map_or("disabled", |state| &state.unit_file).to_string();
            Some((
                i32::from(!matches!(state.as_str(), "enabled" | "static" | "alias" | "indirect" | "generated")),
                format!("{state}\n").into_bytes(),
            ))
        }
        ("mountpoint", ["-q" | "--quiet", path] | [path]) if !path.starts_with('-') => {
            let mounts = overlay.mounts().ok()?;
            let point = overlay.realpath(path.as_bytes()).unwrap_or_else(|_| files::lexical(path.as_bytes()));
            status(mounts.iter().any(|mount| mount.point == point))
        }
        _ => None,
    }
}

/// grep(1) on files or on standard input.
fn grep(overlay: &OverlayHost, program: &str, words: &[&str], input: Option<&[u8]>) -> Outcome {
    let (mut extended, mut fixed) = (program == "egrep", program == "fgrep");
    let (mut quiet, mut insensitive, mut inverted, mut line, mut word) = (false, false, false, false, false);
    let (mut pattern, mut paths, mut are_operands, mut unnamed) = (None, Vec::new(), false, false);
    let mut words = words.iter();
    while let Some(text) = words.next() {
        match *text {
            text if are_operands && pattern.is_none() => pattern = Some(text.to_string()),
            path if are_operands => paths.push(path),
            "-e" if pattern.is_none() => pattern = Some((*words.next()?).to_string()),
            "--" => are_operands = true,
            "--quiet" | "--silent" => quiet = true,
            flags if flags.len() > 1 && flags.starts_with('-') && !flags.starts_with("--") => {
                for flag in flags[1..].chars() {
                    match flag {
                        's' => {}
                        'q' => quiet = true,
                        'h' => unnamed = true,
                        'i' => insensitive = true,
                        'v' => inverted = true,
                        'E' => extended = true,
                        'F' => fixed = true,
                        'x' => line = true,
                        'w' => word = true,
                        _ => return None,
                    }
                }
            }
            flag if flag.starts_with("--") => return None,
            text if pattern.is_none() => pattern = Some(text.to_string()),
            path => paths.push(path),
        }
    }
    // several patterns, or output prefixed with file names
    let pattern = pattern.filter(|pattern| !pattern.contains('\n'))?;
    if paths.len() > 1 && !quiet && !unnamed {
        return None;
    }
    let source = match (fixed, extended) {
        (true, _) => String::from_utf8(regexp::escape(pattern.as_bytes())).ok()?,
        (false, true) if !is_ruby_too(&pattern) => return None,
        (false, true) => pattern,
        (false, false) => of_basic(&pattern)?,
    };
    let source = if word { format!("(?<!\\w)(?:{source})(?!\\w)") } else { source };
    let source = if line { format!("\\A(?:{source})\\z") } else { source };
    let source = if insensitive { format!("(?i:{source})") } else { source };
    let regexp = Regexp::new(source.as_bytes(), regexp::Options::default(), regexp::SourceKind::Utf8).ok()?;
    let (mut texts, mut failed) = (Vec::new(), false);
    match (input, &paths[..]) {
        (Some(input), []) => texts.push(input.to_vec()),
        (_, []) => return None,
        (_, paths) => {
            for path in paths {
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
    Some((code, if quiet { Vec::new() } else { output }))
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
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::*;
    use rchef_host::overlay::{Policy, skeleton};
    use rchef_host::{OverlayOptions, RealHost};

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

    #[test]
    fn guards_that_grep() {
        let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
        let host = OverlayHost::empty(std::rc::Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
        compose::write_file(&host, b"/srv/f", b"x\na-x\n", 0o644).unwrap();
        host.note_assumed();
        let code = |line: &str| answer(&host, &CommandSpec::shell(line)).map(|answer| answer.code);
        for (line, wanted) in [
            ("dirname / | grep -qx /", Some(0)),
            ("[ a == a ] || true", None),
            ("! true | false", Some(0)),
            ("false || ! false && true", Some(0)),
            ("grep -q x /srv/f /srv/none", Some(0)),
            ("grep -q y /srv/f /srv/none", Some(2)),
            ("grep x /srv/f /srv/f", None),
            ("grep -qF 'X\nx' /srv/f", None),
            ("grep -qw -e -x /srv/f", Some(1)),
            ("grep -q -- -x /srv/f", Some(0)),
            ("/srv/bin/test -d /nonexistent", None),
            ("command -v ls", None),
            ("command -v ls || true", Some(0)),
        ] {
            assert_eq!(code(line), wanted, "{line}");
        }
        let mut of_nobody = CommandSpec::shell("test -r /srv/f");
        assert_eq!(answer(&host, &of_nobody).map(|answer| answer.code), Some(0));
        of_nobody.uid = Some(65534);
        assert!(answer(&host, &of_nobody).is_none());
        let mut of_path = CommandSpec::shell("which ls");
        of_path.env.insert(b"PATH".to_vec(), Some(b"/srv/bin".to_vec()));
        assert!(answer(&host, &of_path).is_none());
    }
}
