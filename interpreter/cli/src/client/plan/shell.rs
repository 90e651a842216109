//! Command lines of guards and recipes that can be answered from what a plan assumes.

use rchef_change::shell::{Told, base, commands_of, told};
use rchef_host::overlay::Answer;
use rchef_host::{CommandSpec, OverlayHost, Processes, Purpose, Queries, compose};
use rchef_ruby::regexp::{self, Regexp};

/// The answer to a command from what is assumed; absent where nothing is assumed yet, or the overlay alone cannot tell. Content that is checked is only there.
pub fn answer(overlay: &OverlayHost, spec: &CommandSpec) -> Option<Answer> {
    let of_overlay = match overlay.purpose() {
        Purpose::Query => false,
        Purpose::Check => true,
        Purpose::Code | Purpose::Guard => overlay.assumed() > 0,
    };
    if !overlay.simulates() || !of_overlay || spec.cwd.is_some() {
        return None;
    }
    let commands = commands_of(spec)?;
    let (mut code, mut output) = (0, Vec::new());
    let mut at = 0;
    while let Some((operator, words)) = commands.get(at) {
        let runs = match *operator {
            "&&" => code == 0,
            "||" => code != 0,
            _ => true,
        };
        // a pipeline is one command
        let mut end = at + 1;
        while commands.get(end).is_some_and(|(operator, _)| *operator == "|") {
            end += 1;
        }
        if runs {
            let (mut status, mut text) = run(overlay, words, None)?;
            for (_, words) in &commands[at + 1..end] {
                (status, text) = run(overlay, words, Some(&text))?;
            }
            code = status;
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

fn run(overlay: &OverlayHost, words: &[String], input: Option<&[u8]>) -> Outcome {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (program, rest) = words.split_first()?;
    if *program == "!" {
        let owned: Vec<String> = rest.iter().map(ToString::to_string).collect();
        let (code, text) = run(overlay, &owned, input)?;
        return Some((i32::from(code == 0), text));
    }
    let path = overlay.env(b"PATH").unwrap_or_default();
    if let Some(Told { code: Some(code), text: Some(text) }) = told(overlay, &path, base(program), rest) {
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
        ("mountpoint", [.., path]) => {
            let mounts = overlay.mounts().ok()?;
            status(mounts.iter().any(|mount| mount.point == path.as_bytes()))
        }
        _ => None,
    }
}

/// grep(1) of files, or of what comes by a pipe.
fn grep(overlay: &OverlayHost, program: &str, words: &[&str], input: Option<&[u8]>) -> Outcome {
    let (mut extended, mut fixed) = (program == "egrep", program == "fgrep");
    let (mut quiet, mut insensitive, mut inverted, mut line, mut word) = (false, false, false, false, false);
    let (mut pattern, mut paths) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(text) = words.next() {
        match *text {
            "-e" => pattern = Some((*words.next()?).to_string()),
            "--" => {}
            "--quiet" | "--silent" => quiet = true,
            flags if flags.len() > 1 && flags.starts_with('-') && !flags.starts_with("--") => {
                for flag in flags[1..].chars() {
                    match flag {
                        'q' | 's' | 'h' => quiet |= flag == 'q',
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
    let pattern = pattern?;
    let source = match (fixed, extended) {
        (true, _) => String::from_utf8(regexp::escape(pattern.as_bytes())).ok()?,
        (false, true) if has_gnu_anchor(&pattern) => return None,
        (false, true) => pattern,
        (false, false) => of_basic(&pattern)?,
    };
    let source = if word { format!("\\b(?:{source})\\b") } else { source };
    let source = if line { format!("\\A(?:{source})\\z") } else { source };
    let source = if insensitive { format!("(?i:{source})") } else { source };
    let regexp = Regexp::new(source.as_bytes(), regexp::Options::default(), regexp::SourceKind::Utf8).ok()?;
    let mut texts = Vec::new();
    match (input, &paths[..]) {
        (Some(input), []) => texts.push(input.to_vec()),
        (_, []) => return None,
        (_, paths) => {
            for path in paths {
                match compose::read_file(overlay, path.as_bytes()) {
                    Ok(content) => texts.push(content),
                    Err(_) => return Some((2, Vec::new())),
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
    Some((i32::from(!found), if quiet { Vec::new() } else { output }))
}

/// Whether a pattern has an anchor of GNU grep that Ruby's patterns do not have: the ends of words and of the buffer.
fn has_gnu_anchor(pattern: &str) -> bool {
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if c == '\\' && matches!(rest.next(), Some('<' | '>' | '`' | '\'')) {
            return true;
        }
    }
    false
}

/// A basic regular expression in the form of an extended one: there `\(` groups and `(` is itself. Absent where it has what Ruby's patterns do not have.
fn of_basic(pattern: &str) -> Option<String> {
    if has_gnu_anchor(pattern) {
        return None;
    }
    let mut text = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => text.extend(['\\', c]),
            '\\' => match rest.next() {
                Some(c @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => text.push(c),
                Some(c) => text.extend(['\\', c]),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_expressions() {
        assert_eq!(of_basic(r"a\(b\|c\)+").as_deref(), Some(r"a(b|c)\+"));
        assert_eq!(of_basic(r"\<a\>"), None);
    }
}
