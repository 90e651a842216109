//! Output of the result: standard output, coloured and wrapped for a terminal, files in other formats, and summaries for CI systems.

use super::formats;
use super::found::Done;
use super::options::Form;
use crate::diagnostic;
use clap::{Args, ValueEnum};
use rchef_host::{Files, OpenFlags, Processes, RealHost, StandardStream, Streams, compose};
use rchef_lint::engine::Engine;

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to answer.
#[derive(Args, Debug, Clone)]
pub struct Output {
    /// Form of the answer (default: text; github where GITHUB_ACTIONS is set)
    #[arg(long, value_name = "FORM")]
    pub format: Option<Form>,
    /// Write the answer into a file too, as FORM:FILE, or by the file's ending (.json, .sarif, .xml, .md, else text); may be repeated
    #[arg(long, value_name = "[FORM:]FILE")]
    pub output: Vec<String>,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// The summary file of a GitHub Actions step.
pub fn step_summary(host: &RealHost) -> Option<String> {
    let path = host.env(b"GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty())?;
    String::from_utf8(path).ok()
}

impl Output {
    /// The format for standard output.
    pub fn form(&self) -> Form {
        let github = || RealHost::new().env(b"GITHUB_ACTIONS").is_some_and(|value| value == b"true");
        self.format.unwrap_or_else(|| if github() { Form::Github } else { Form::Text })
    }

    pub fn files(&self) -> Vec<&str> {
        self.output.iter().map(|file| target(file).1).collect()
    }

    /// Prints the result and writes the files; `render` gives it in a format.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn tell(&self, render: &dyn Fn(Form) -> String) -> Result<(), String> {
        let host = RealHost::new();
        let form = self.form();
        let text = render(form);
        diagnostic::print(&if form == Form::Text { self.dressed(&host, &text) } else { text });
        for file in &self.output {
            let (form, path) = target(file);
            compose::write_file(&host, path.as_bytes(), render(form).as_bytes(), 0o644)
                .map_err(|error| format!("{path}: {}", error.message()))?;
        }
        if let Some(name) = step_summary(&host) {
            host.open(name.as_bytes(), OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::APPEND, 0o644)
                .and_then(|file| compose::write_all(&*file, render(Form::Markdown).as_bytes()))
                .map_err(|error| format!("{name}: {}", error.message()))?;
        }
        Ok(())
    }

    /// Prints the result of the static rules.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn tell_done(&self, engine: &Engine, done: &Done) -> Result<(), String> {
        self.tell(&|form| formats::render(form, engine, done))
    }

    fn dressed(&self, host: &RealHost, text: &str) -> String {
        let handle = host.standard(StandardStream::Output).ok();
        let terminal = handle.as_ref().is_some_and(|handle| handle.is_tty());
        let plain = host.env(b"NO_COLOR").is_some_and(|value| !value.is_empty());
        let colored = match self.color {
            Color::Auto => terminal && !plain,
            Color::Always => true,
            Color::Never => false,
        };
        let width = handle
            .filter(|_| terminal)
            .and_then(|handle| handle.window_size())
            .map(|(_, columns)| usize::from(columns));
        let wrapped = width.filter(|width| *width >= 40).map(|width| wrap(text, width));
        let text = wrapped.as_deref().unwrap_or(text);
        if colored { paint(text) } else { text.to_string() }
    }
}

/// Splits a value of `--output` into format and path.
fn target(text: &str) -> (Form, &str) {
    if let Some((form, path)) = text.split_once(':')
        && let Ok(form) = Form::from_str(form, false)
    {
        return (form, path);
    }
    let form = match text.rsplit('.').next() {
        Some("json") => Form::Json,
        Some("sarif") => Form::Sarif,
        Some("xml") => Form::Junit,
        Some("md") => Form::Markdown,
        _ => Form::Text,
    };
    (form, text)
}

/// Whether a line shows source or marks a part of it.
fn is_source(line: &str) -> bool {
    let inner = line.trim_start();
    line.starts_with("  ")
        && inner.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start().starts_with('|')
}

/// Wraps lines at the width; lines of source are cut instead.
fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.chars().count() <= width {
            out.push_str(line);
        } else if is_source(line) {
            out.extend(line.chars().take(width - 1));
            out.push('…');
        } else {
            let indent = line.chars().take_while(|letter| *letter == ' ').count() + 4;
            let mut column = 0;
            for (at, word) in line.split(' ').enumerate() {
                let length = word.chars().count();
                if at > 0 && column + 1 + length > width && column > indent {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent));
                    column = indent;
                } else if at > 0 {
                    out.push(' ');
                    column += 1;
                }
                out.push_str(word);
                column += length;
            }
        }
        out.push('\n');
    }
    out
}

/// Colours levels, places and marks.
fn paint(text: &str) -> String {
    const BOLD: &str = "\x1b[1m";
    const RESET: &str = "\x1b[0m";
    let color = |level: &str| match level {
        "error" => Some("\x1b[1;31m"),
        "warning" => Some("\x1b[1;33m"),
        "info" => Some("\x1b[1;36m"),
        "assumption" => Some("\x1b[1;35m"),
        _ => None,
    };
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive('\n') {
        let mark =
            line.trim_end().rsplit("| ").next().filter(|rest| is_source(line) && rest.trim_start().starts_with('^'));
        if let Some(mark) = mark {
            let carets = mark.trim_start();
            let at = line.rfind(carets).unwrap_or(0);
            out.push_str(&format!("{}\x1b[1;31m{carets}{RESET}{}", &line[..at], &line[at + carets.len()..]));
            continue;
        }
        let head = line.split_once(": ").and_then(|(place, rest)| {
            let (level, rest) = rest.split_once(' ')?;
            Some((place, level, rest, color(level)?))
        });
        match head.filter(|_| !line.starts_with(' ')) {
            Some((place, level, rest, color)) => {
                out.push_str(&format!("{BOLD}{place}{RESET}: {color}{level}{RESET} {rest}"));
            }
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Form, paint, target, wrap};

    #[test]
    fn files() {
        assert_eq!(target("sarif:a.txt"), (Form::Sarif, "a.txt"));
        assert_eq!(target("a/b.xml"), (Form::Junit, "a/b.xml"));
        assert_eq!(target("c:d"), (Form::Text, "c:d"));
    }

    #[test]
    fn a_terminal() {
        let text = "a.rb:1:1: error chef/x: one two three four five six seven\n  1 | some code that is rather long, and goes on\n    | ^^^^\n";
        let wrapped = wrap(text, 40);
        assert!(wrapped.lines().all(|line| line.chars().count() <= 40), "{wrapped}");
        assert!(wrapped.contains("…") && wrapped.contains("\n    "));
        let painted = paint(text);
        assert!(
            painted.contains("\x1b[1ma.rb:1:1\x1b[0m: \x1b[1;31merror\x1b[0m chef/x")
                && painted.contains("\x1b[1;31m^^^^\x1b[0m"),
            "{painted}"
        );
    }
}
