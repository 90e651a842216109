//! Simple commands: assignments, functions and builtins (POSIX, Shell Command Language 2.9.1 and 2.14).

use super::expansion::Fields;
use super::state::{Parameters, Value};
use super::{Flow, LONGEST, Shell};
use crate::brought::command::{self, Invocation};
use crate::brought::done::Done;
use crate::brought::sh::{Node, assignment};
use crate::shell::Asker;
use crate::shell::looks::command_looks;
use rchef_host::processes::USUAL_FOLDERS;
use rchef_host::{Files, OverlayHost};
use rchef_text::shell::{Redirection, Word};

/// debconf's shell library, which defines `db_get` and similar functions.
const DEBCONF: &str = "/usr/share/debconf/confmodule";

/// Special builtins: in dash, assignments in front of them persist.
const SPECIAL: &[&str] = &[
    ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "times",
    "trap", "unset",
];

/// Builtins that are not modelled: they make the whole state unknown.
const FORGOTTEN: &[&str] = &[
    "alias",
    "builtin",
    "cd",
    "declare",
    "enable",
    "fc",
    "let",
    "mapfile",
    "popd",
    "pushd",
    "readarray",
    "shopt",
    "source",
    "times",
    "typeset",
    "unalias",
    "[[",
    "((",
    "function",
];

impl Shell<'_> {
    pub(super) fn simple(
        &mut self,
        assignments: &[(String, Word)],
        words: &[Word],
        redirections: &[Redirection],
    ) -> Flow {
        self.substituted = None;
        let first = words.first().and_then(Word::plain);
        if words.is_empty() {
            let led = self.lead(redirections);
            for (name, word) in assignments {
                let value = self.text(word).into();
                self.assign(name, value);
            }
            self.status = self.substituted.unwrap_or(Some(0));
            self.hand_on(Some(""), &led);
            return Flow::Next;
        }
        let declares = first.as_deref().is_some_and(|word| ["local", "export", "readonly"].contains(&word));
        // shells differ in which of these assignments persist
        if !assignments.is_empty() && (declares || first.as_deref() == Some("exec")) {
            self.forget();
        }
        if declares {
            self.declare(first.as_deref().unwrap_or_default(), &words[1..]);
            let led = self.lead(redirections);
            self.hand_on(Some(""), &led);
            return Flow::Next;
        }
        let fields = self.words(words);
        let led = self.lead(redirections);
        if fields.words == [Some("exec".to_string())] {
            self.keep(&led);
            self.status = Some(0);
            return Flow::Next;
        }
        let before = self.output.replace(String::new());
        let flow = self.assigned(assignments, &fields);
        let written = std::mem::replace(&mut self.output, before);
        self.hand_on(written.as_deref(), &led);
        flow
    }

    /// Runs a command with assignments in front of it.
    fn assigned(&mut self, assignments: &[(String, Word)], fields: &Fields) -> Flow {
        let program = fields.words.first().cloned().flatten().unwrap_or_default();
        let is_special = SPECIAL.contains(&program.as_str());
        let mut before = Vec::new();
        for (name, word) in assignments {
            let value = self.text(word).into();
            before.push((name.clone(), self.state.variable(name)));
            self.assign(name, value);
        }
        let flow = self.command(fields, true);
        if !is_special || self.is_bash {
            for (name, value) in before.into_iter().rev() {
                self.state.set(&name, value);
            }
        }
        flow
    }

    /// `local`, `export` and `readonly`.
    fn declare(&mut self, how: &str, words: &[Word]) {
        for word in words {
            let (name, value) = match assignment(word) {
                Some((name, value)) => (Some(name), Some(value)),
                None => (word.plain(), None),
            };
            // an option, or computed names
            let Some(name) = name.filter(|name| !name.starts_with('-')) else {
                self.forget();
                continue;
            };
            let before = self.state.variable(&name);
            // dash splits the value into words, bash does not
            let value = value.map(|value| match self.fields(std::slice::from_ref(&value)).as_deref() {
                _ if self.is_bash => self.text(&value).into(),
                Some([text]) => Value::Text(text.clone()),
                Some([]) => Value::Text(String::new()),
                _ => match self.text(&value) {
                    Some(text) if !text.contains([' ', '\t', '\n']) => Value::Text(text),
                    _ => Value::NotKnown,
                },
            });
            if how == "local" {
                match self.locals.last_mut() {
                    Some(locals) => locals.push((name.clone(), before)),
                    None => self.not_known(),
                }
            }
            if let Some(value) = value {
                self.assign(&name, value);
            } else if how == "local" && self.is_bash {
                self.state.set(&name, Value::Unset);
            }
            if how == "readonly" {
                self.state.kept.insert(name);
            }
        }
        self.status = Some(0);
    }

    fn command(&mut self, fields: &Fields, calls: bool) -> Flow {
        let [program, arguments @ ..] = &fields.words[..] else {
            self.status = self.substituted.unwrap_or(Some(0));
            return Flow::Next;
        };
        let Some(program) = program.as_deref().filter(|_| fields.placed > 0) else {
            self.forget();
            self.write(None);
            return Flow::Next;
        };
        let known: Option<Vec<&str>> = arguments
            .iter()
            .map(Option::as_deref)
            .collect::<Option<_>>()
            .filter(|_| fields.placed == fields.words.len());
        match self.state.function(program).filter(|_| calls) {
            Some(Some(body)) => {
                let first = arguments[..fields.placed - 1].to_vec();
                let more = fields.placed < fields.words.len();
                return self.call(&body, Parameters { first, more });
            }
            Some(None) => {
                self.forget();
                self.write(None);
                return Flow::Next;
            }
            None => {}
        }
        if let Some(flow) = self.of_flow(program, known.as_deref()) {
            return flow;
        }
        match (program, known.as_deref()) {
            ("exec", Some([first, ..])) if first.starts_with('-') => {
                self.forget();
                Flow::Exit
            }
            ("exec", _) => {
                let rest = Fields { words: arguments.to_vec(), placed: fields.placed - 1 };
                let _ = self.command(&rest, false);
                Flow::Exit
            }
            ("command", Some([first, ..])) if !first.starts_with('-') => {
                let rest = Fields { words: arguments.to_vec(), placed: fields.placed - 1 };
                self.command(&rest, false)
            }
            ("source", _) if !self.is_bash => {
                self.status = Some(127);
                Flow::Next
            }
            ("." | "source", Some([DEBCONF, ..])) => {
                self.state.descriptors.insert("3".into());
                self.status = Some(0);
                Flow::Next
            }
            ("." | "source", Some([path])) if path.contains('/') && is_short(self.overlay, path) => {
                self.source_file(path)
            }
            ("eval", Some(words)) => self.source(Some(&words.join(" "))),
            ("." | "source" | "eval", _) => self.source(None),
            (program, known) => {
                self.plain(program, arguments, known);
                Flow::Next
            }
        }
    }

    /// Builtins that change the control flow; None for others.
    fn of_flow(&mut self, program: &str, known: Option<&[&str]>) -> Option<Flow> {
        match (program, known) {
            ("break" | "continue", levels) => {
                let levels = match levels {
                    Some([]) => Some(1),
                    Some([levels]) => levels.parse().ok().filter(|levels| *levels > 0),
                    _ => None,
                };
                if levels != Some(1) || self.loops == 0 {
                    self.not_known();
                }
                self.status = Some(0);
                if self.loops == 0 {
                    return Some(Flow::Next);
                }
                let levels = levels.unwrap_or(1).min(self.loops);
                Some(if program == "break" { Flow::Break(levels) } else { Flow::Continue(levels) })
            }
            ("return" | "exit", code) => {
                // in bash, `return` outside of a function or sourced file is an error and the script continues
                if program == "return" && self.is_bash && self.locals.is_empty() && self.files == 0 {
                    self.not_known();
                }
                match code {
                    Some([]) => {}
                    Some([code]) => self.status = code.parse().ok(),
                    _ => self.status = None,
                }
                Some(if program == "return" { Flow::Return } else { Flow::Exit })
            }
            _ => None,
        }
    }

    /// All other builtins, and programs.
    fn plain(&mut self, program: &str, arguments: &[Option<String>], known: Option<&[&str]>) {
        match (program, known) {
            (":", _) => self.status = Some(0),
            ("set", Some([_, ..])) => self.set_options(known.unwrap_or_default()),
            ("set", None) if arguments.first().is_some_and(|word| word.as_deref() == Some("--")) => {
                self.state.parameters = Parameters { first: Vec::new(), more: true };
                self.status = Some(0);
            }
            ("shift", Some([])) => self.shift(1),
            ("shift", Some([count])) if count.parse::<usize>().is_ok() => self.shift(count.parse().unwrap_or_default()),
            ("unset", Some(names)) => self.unset(names),
            ("umask", Some(["022" | "0022"])) => self.status = Some(0),
            ("trap", Some(["-" | "", ..])) => self.status = Some(0),
            // what it does when the shell ends is unknown, but what follows is not
            ("trap", Some([_, _, ..])) if !self.is_bash => {
                self.not_known();
                self.status = Some(0);
            }
            ("getopts", Some([_, name, ..])) => {
                [name, "OPTARG", "OPTIND"].iter().for_each(|name| self.state.set(name, Value::NotKnown));
                self.status = None;
            }
            ("read", Some(words)) if words.iter().all(|word| *word == "-r" || !word.starts_with('-')) => {
                let names = words.iter().filter(|word| **word != "-r").chain(&["REPLY"]);
                names.for_each(|name| self.assign(name, Value::NotKnown));
                self.status = None;
            }
            ("db_stop", _) => self.status = Some(0),
            (program, _) if program.starts_with("db_") => {
                self.state.set("RET", Value::NotKnown);
                self.status = None;
            }
            ("echo", Some(words)) => {
                let text = echoed(words);
                self.write(text.as_deref());
                self.status = Some(0);
            }
            ("printf", Some([form, words @ ..])) if !form.starts_with('-') => {
                let text = formatted(form, words);
                self.write(text.as_deref());
                self.status = text.map(|_| 0);
            }
            ("printf", None)
                if arguments.first().is_some_and(|form| form.as_ref().is_some_and(|form| !form.starts_with('-'))) =>
            {
                self.write(None);
                self.status = None;
            }
            ("echo", None) => {
                self.write(None);
                self.status = Some(0);
            }
            ("command", Some(["-v", name])) | ("type", Some([name])) if self.state.function(name).is_some() => {
                let found = self.state.function(name).flatten().is_some();
                self.status = Some(0).filter(|_| found);
                let text = format!("{name}\n");
                self.write(Some(text.as_str()).filter(|_| found && program == "command"));
            }
            (program, _)
                if FORGOTTEN.contains(&program)
                    || ["set", "shift", "unset", "trap", "read", "getopts", "umask"].contains(&program) =>
            {
                self.forget();
                self.write(None);
            }
            // dash has no `==`
            ("[" | "test", Some(words)) if self.is_bash && words.contains(&"==") => {
                let words: Vec<&str> = words.iter().map(|word| if *word == "==" { "=" } else { word }).collect();
                self.program(program, arguments, Some(&words));
            }
            (program, known) => self.program(program, arguments, known),
        }
    }

    /// Runs a command that the shell does not do itself.
    fn program(&mut self, program: &str, words: &[Option<String>], known: Option<&[&str]>) {
        let input = self.input.take();
        let done = match self.path() {
            Some(path) => {
                let input = input.as_deref().map(str::as_bytes);
                let asker = Asker { path: path.as_bytes(), is_bash: self.is_bash };
                let invocation = Invocation { program, words, known, asker, input };
                if self.only_tells {
                    command::tell(self.overlay, &invocation)
                } else {
                    command::run(self.overlay, &invocation, &mut self.started)
                }
            }
            None => Done::NotKnown,
        };
        self.done(done);
    }

    /// The value of PATH; None if it is unknown.
    fn path(&self) -> Option<String> {
        if !self.state.has_set("PATH") {
            return Some(USUAL_FOLDERS.join(":"));
        }
        match self.state.variable("PATH") {
            Value::Text(path) => Some(path),
            Value::Unset | Value::NotKnown => None,
        }
    }

    /// `set` with arguments.
    pub(super) fn set_options(&mut self, words: &[&str]) {
        self.status = Some(0);
        let mut rest = words;
        while let [word, after @ ..] = rest {
            let (on, letters) = match (word.strip_prefix('-'), word.strip_prefix('+')) {
                (Some("-"), _) => {
                    rest = after;
                    break;
                }
                (Some(letters), _) if !letters.is_empty() => (true, letters),
                (_, Some(letters)) if !letters.is_empty() => (false, letters),
                (None, None) => break,
                _ => return self.forget(),
            };
            let name = if letters == "o" { after.first().copied() } else { None };
            rest = if name.is_some() { &after[1..] } else { after };
            for option in
                name.map_or_else(|| letters.chars().map(String::from).collect(), |name| vec![name.to_string()])
            {
                match option.as_str() {
                    "e" | "errexit" => self.state.ends_on_failure = Some(on),
                    "u" | "nounset" => self.state.needs_values = on,
                    "x" | "v" | "h" | "xtrace" | "verbose" => {}
                    "pipefail" if self.is_bash => {}
                    _ => return self.forget(),
                }
            }
            if rest.is_empty() {
                return;
            }
        }
        let first = rest.iter().map(|word| Some((*word).to_string())).collect();
        self.state.parameters = Parameters { first, more: false };
    }

    fn shift(&mut self, count: usize) {
        self.status = Some(0);
        if !self.state.parameters.shift(count) {
            // dash exits here
            self.not_known();
            self.status = None;
        }
    }

    fn unset(&mut self, names: &[&str]) {
        self.status = Some(0);
        let (functions, names) = match names {
            ["-f", names @ ..] => (true, names),
            ["-v", names @ ..] => (false, names),
            names => (false, names),
        };
        for name in names {
            if name.starts_with('-') || self.state.kept.contains(*name) {
                self.forget();
            } else if functions {
                self.state.undefine(name);
            } else {
                self.state.set(name, Value::Unset);
            }
        }
    }

    fn call(&mut self, body: &Node, parameters: Parameters) -> Flow {
        let before = std::mem::replace(&mut self.state.parameters, parameters);
        let loops = std::mem::take(&mut self.loops);
        self.locals.push(Vec::new());
        let flow = self.nested(|shell| shell.node(body));
        for (name, before) in self.locals.pop().unwrap_or_default().into_iter().rev() {
            self.state.set(&name, before);
        }
        self.loops = loops;
        self.state.parameters = before;
        if flow == Flow::Exit { Flow::Exit } else { Flow::Next }
    }
}

/// Whether a path is a file small enough to be sourced.
fn is_short(overlay: &OverlayHost, path: &str) -> bool {
    overlay.stat(path.as_bytes()).is_ok_and(|stat| stat.is_file() && stat.size <= LONGEST as u64)
        && command_looks(overlay, &["cat", path])
}

/// The output of `echo`; None where shells differ.
fn echoed(words: &[&str]) -> Option<String> {
    let (words, end) = match words {
        ["-n", words @ ..] => (words, ""),
        words => (words, "\n"),
    };
    let plain =
        !words.iter().any(|word| word.contains('\\')) && !words.first().is_some_and(|word| word.starts_with('-'));
    plain.then(|| format!("{}{end}", words.join(" ")))
}

/// The output of `printf` for a format with only `%s`, `%%` and common escapes.
fn formatted(form: &str, words: &[&str]) -> Option<String> {
    let (mut text, mut words) = (String::new(), words.iter());
    loop {
        let left = words.len();
        let mut letters = form.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '%' => match letters.next()? {
                    's' => text.push_str(words.next().unwrap_or(&"")),
                    '%' => text.push('%'),
                    _ => return None,
                },
                '\\' => text.push(match letters.next()? {
                    'n' => '\n',
                    't' => '\t',
                    '\\' => '\\',
                    _ => return None,
                }),
                letter => text.push(letter),
            }
        }
        if words.len() == 0 || words.len() == left {
            return Some(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written() {
        for (form, words, wanted) in [
            ("a", &[][..], Some("a")),
            ("%s\\n", &["a", "b"], Some("a\nb\n")),
            ("%s-%s;", &["a"], Some("a-;")),
            ("100%%", &[], Some("100%")),
            ("x", &["a"], Some("x")),
            ("%d", &["1"], None),
            ("\\033[", &[], None),
        ] {
            assert_eq!(formatted(form, words).as_deref(), wanted, "{form}");
        }
        assert_eq!(echoed(&["-n", "a", "-b"]).as_deref(), Some("a -b"));
        assert_eq!(echoed(&["a\\n"]), None);
        assert_eq!(echoed(&["-e", "a"]), None);
    }
}
