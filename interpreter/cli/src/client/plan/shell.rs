//! Command lines of guards and recipes in a plan: their words, and which of them can be answered from what is assumed.

use rchef_host::overlay::Answer;
use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::{
    CommandSpec, Files, OverlayHost, Processes, Program, Purpose, Queries, Users, compose, test_expression,
};
use rchef_ruby::regexp::{self, Regexp};
use rchef_text::shell::{Redirection, Token, tokens};

/// The simple commands of a line, with the operator in front of each; absent where it has more than words, quotes, operators between commands, and
/// redirections to nowhere.
fn commands(line: &str) -> Option<Vec<(&'static str, Vec<String>)>> {
    let mut found = vec![(";", Vec::new())];
    for token in tokens(line)? {
        match token {
            Token::Operator(operator @ ("&&" | "||" | "|" | ";")) => {
                let last = found.last()?;
                if last.1.is_empty() && (operator != ";" || last.0 != ";") {
                    return None;
                }
                found.push((operator, Vec::new()));
            }
            Token::Word(word) => found.last_mut()?.1.push(word.plain()?),
            Token::Redirection(redirection) if leads_nowhere(&redirection) => {}
            _ => return None,
        }
    }
    if found.last().is_some_and(|(operator, words)| *operator != ";" && words.is_empty()) {
        return None;
    }
    found.retain(|(_, words)| !words.is_empty());
    (!found.is_empty()).then_some(found)
}

/// Whether standard output or standard error goes to the other one, or to /dev/null.
fn leads_nowhere(redirection: &Redirection) -> bool {
    let Redirection { descriptor, operator, target } = redirection;
    let is_standard = matches!(descriptor.as_deref(), None | Some("1" | "2"));
    is_standard
        && target.plain().is_some_and(|text| match *operator {
            ">&" => matches!(text.as_str(), "1" | "2"),
            ">" | ">>" | "&>" => text == "/dev/null",
            _ => false,
        })
}

/// The line that a shell is given, or the words of a program as a line of one command.
pub(super) fn commands_of(spec: &CommandSpec) -> Option<Vec<(&'static str, Vec<String>)>> {
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).ok();
    match &spec.program {
        Program::Line(line) | Program::Shell(line) => commands(std::str::from_utf8(line).ok()?),
        Program::Argv(argv) => {
            let words: Vec<String> = argv.iter().map(text).collect::<Option<_>>()?;
            match &words[..] {
                [line] => commands(line),
                [shell, flag, line]
                    if flag == "-c" && is_of_system(shell) && ["sh", "bash", "dash"].contains(&base(shell)) =>
                {
                    commands(line)
                }
                _ => Some(vec![(";", words)]),
            }
        }
    }
}

pub(super) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a program is given by its name alone, or in a directory that programs of the system are in.
pub(super) fn is_of_system(program: &str) -> bool {
    program.rsplit_once('/').is_none_or(|(folder, _)| USUAL_FOLDERS.contains(&folder))
}

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
    match (base(program), rest) {
        ("true", _) => status(true),
        ("false", _) => status(false),
        ("test", rest) => status(test_expression(overlay, rest)?),
        ("[", [rest @ .., "]"]) => status(test_expression(overlay, rest)?),
        ("grep" | "egrep" | "fgrep", rest) => grep(overlay, base(program), rest, input),
        ("cat", paths) if !paths.is_empty() => {
            let mut text = Vec::new();
            for path in paths {
                match compose::read_file(overlay, path.as_bytes()) {
                    Ok(content) => text.extend(content),
                    Err(_) => return status(false),
                }
            }
            Some((0, text))
        }
        ("which", [name]) | ("command", ["-v", name]) | ("type", [name]) => {
            let path = overlay.env(b"PATH").unwrap_or_default();
            let found = compose::program(overlay, path.split(|byte| *byte == b':'), name);
            found.map_or_else(|| status(false), |path| Some((0, [path, b"\n".to_vec()].concat())))
        }
        ("id", ["-u", name]) if !name.starts_with('-') => match overlay.user_by_name(name.as_bytes()).ok()? {
            Some(user) => Some((0, format!("{}\n", user.uid).into_bytes())),
            None => status(false),
        },
        ("getent", ["passwd", name]) => match overlay.user_by_name(name.as_bytes()).ok()? {
            Some(user) => Some((0, user.to_line())),
            None => Some((2, Vec::new())),
        },
        ("getent", ["group", name]) => match overlay.group_by_name(name.as_bytes()).ok()? {
            Some(group) => Some((0, group.to_line())),
            None => Some((2, Vec::new())),
        },
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
        ("readlink", [path]) => match overlay.readlink(path.as_bytes()) {
            Ok(to) => Some((0, [to, b"\n".to_vec()].concat())),
            Err(_) => status(false),
        },
        ("ls", [rest @ .., path])
            if rest.iter().all(|flag| ["-d", "-1"].contains(flag))
                && !path.starts_with('-')
                && !overlay.stat(path.as_bytes()).is_ok_and(|stat| stat.is_dir()) =>
        {
            match compose::exists(overlay, path.as_bytes()) {
                true => Some((0, format!("{path}\n").into_bytes())),
                false => Some((2, Vec::new())),
            }
        }
        (program, rest) => super::versions::told(overlay, program, rest).map(|text| (0, text)),
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
