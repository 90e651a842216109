//! Command lines in a plan: their words, which are read-only ([`looks`]), and what they print when they query the overlay ([`told`]).
//!
//! Used for guards, code of recipes and maintainer scripts of packages.

mod filters;
mod grep;
pub mod looks;
mod told;
mod versions;

pub(crate) use told::{Asker, Told, compared, is_builtin, status_entry, told};

pub(crate) use rchef_host::processes::is_of_system;
use rchef_host::{CommandSpec, Program};
use rchef_text::shell::{Redirection, Token, tokens};

/// The simple commands of a line, each with the operator before it; None if the line contains more than words, quotes, operators between commands,
/// and redirections to /dev/null or between the standard streams.
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

/// Whether standard output or standard error is redirected to the other one or to /dev/null.
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

/// The commands of a shell line, or the words of a program as a single command.
pub fn commands_of(spec: &CommandSpec) -> Option<Vec<(&'static str, Vec<String>)>> {
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

/// The file name of a program's path.
pub fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
