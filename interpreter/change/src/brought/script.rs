//! Simulates a maintainer script on the overlay, as far as its commands are known.
//!
//! Conditions are evaluated on the overlay. If a condition's result is unknown, both branches run and what they change becomes unknown. Anything
//! that is not modelled exactly makes the whole state unknown: [`Shell::forget`].

mod builtins;
mod expansion;
mod redirection;
mod state;
#[cfg(test)]
mod tests;

use super::done::Done;
use super::sh::{List, Node, parse};
use super::unit;
use rchef_host::{Files, OverlayHost, compose};
use rchef_text::fnmatch::{DOTMATCH, fnmatch};
use rchef_text::shell::Word;
use state::{State, Value};
use std::rc::Rc;

/// Maximum iterations of a loop.
const ROUNDS: usize = 1000;
/// Maximum depth of calls.
const DEPTH: usize = 50;
/// Maximum number of commands of a script.
const STEPS: usize = 50_000;
/// Maximum length of a value and of a sourced file, in bytes.
const LONGEST: usize = 16 << 10;
/// Maximum number of words after expansion.
const WORDS: usize = 10_000;
/// This many bytes of text count as one command for [`STEPS`].
const BLOCK: usize = 1 << 10;

/// How a list of commands ended.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    /// A `break` out of this many loops.
    Break(usize),
    /// A `continue` of the loop this many levels up.
    Continue(usize),
    Return,
    Exit,
}

/// A maintainer script and its parameters.
pub(super) struct Script<'a> {
    pub(super) text: &'a str,
    pub(super) name: &'a str,
    pub(super) package: &'a str,
    pub(super) parameters: &'a [&'a str],
}

/// The shell of a script, and its options; None for another interpreter.
fn shell_of(script: &str) -> Option<(&str, &str)> {
    let Some(line) = script.lines().next().and_then(|line| line.strip_prefix("#!")) else { return Some(("sh", "")) };
    let mut words = line.split_whitespace();
    let name = |path: &'_ str| path.rsplit('/').next().map(str::len).unwrap_or_default();
    let mut program = words.next()?;
    if program[program.len() - name(program)..] == *"env" {
        program = words.next()?;
    }
    let program = &program[program.len() - name(program)..];
    let options = words.next().unwrap_or_default();
    (["sh", "bash", "dash"].contains(&program) && words.next().is_none()).then_some((program, options))
}

/// Simulates a script; gives whether its effects are fully known.
pub(super) fn run(overlay: &OverlayHost, script: &Script<'_>) -> bool {
    let Some((program, options)) = shell_of(script.text) else { return false };
    let Some(list) = parse(script.text) else { return false };
    let variables = [
        ("DPKG_ROOT", ""),
        ("DPKG_MAINTSCRIPT_NAME", script.name),
        ("DPKG_MAINTSCRIPT_PACKAGE", script.package),
        ("IFS", " \t\n"),
    ];
    let mut shell = Shell::new(overlay, program == "bash", State::new(&variables, script.parameters));
    if !options.is_empty() {
        shell.set_options(&[options]);
    }
    shell.assumes_success = true;
    // dpkg runs scripts in the root directory
    let moved = shell.run_in(Some(b"/"), &list);
    // a failing script would abort the installation
    shell.known && moved && shell.status.is_none_or(|code| code == 0)
}

/// Code that a recipe gives to a shell.
pub(super) struct Code<'a> {
    pub(super) list: &'a List,
    pub(super) is_bash: bool,
    /// Options of the shell, such as `-e`.
    pub(super) options: &'a [&'a str],
    pub(super) directory: Option<&'a [u8]>,
    /// The value of `PATH`.
    pub(super) path: &'a str,
    /// Nothing may be changed.
    pub(super) only_tells: bool,
}

/// Simulates code of a recipe; gives its exit status and its output. None if its effects are not fully known.
pub(super) fn run_code(overlay: &OverlayHost, code: &Code<'_>) -> Option<(i32, String)> {
    let mut shell = Shell::new(overlay, code.is_bash, State::new(&[("IFS", " \t\n"), ("PATH", code.path)], &[]));
    shell.only_tells = code.only_tells;
    if !code.options.is_empty() {
        shell.set_options(code.options);
    }
    let moved = shell.run_in(code.directory, code.list);
    if !shell.known || !moved {
        return None;
    }
    Some((shell.status?, shell.output?))
}

/// The state of a running shell.
struct Shell<'a> {
    overlay: &'a OverlayHost,
    /// The shell is bash, not dash.
    is_bash: bool,
    /// With `set -e`, whether an unknown status counts as success: packages can be installed.
    assumes_success: bool,
    state: State,
    /// Whether all effects so far are known.
    known: bool,
    /// Nesting depth of branches that may not run.
    unsure: usize,
    /// Nesting depth of conditions, in which `set -e` does not apply.
    tested: usize,
    /// Nesting depth of substitutions and redirections that capture output.
    captures: usize,
    /// Nesting depth of sourced files.
    files: usize,
    /// Nesting depth of loops in the current function.
    loops: usize,
    depth: usize,
    /// Number of commands so far.
    steps: usize,
    /// For each active function, its local variables with their previous values.
    locals: Vec<Vec<(String, Value)>>,
    /// Status of the last command; None if unknown.
    status: Option<i32>,
    /// Status of the last command substitution, if there was one.
    substituted: Option<Option<i32>>,
    /// What a pipe brings to the next command, if that is known.
    input: Option<String>,
    /// Nothing may be changed: what a command would change is unknown.
    only_tells: bool,
    /// Standard output so far; None if unknown.
    output: Option<String>,
    /// Units to start.
    started: Vec<String>,
}

impl<'a> Shell<'a> {
    fn new(overlay: &'a OverlayHost, is_bash: bool, state: State) -> Self {
        Shell {
            overlay,
            is_bash,
            assumes_success: false,
            state,
            known: true,
            unsure: 0,
            tested: 0,
            captures: 0,
            files: 0,
            loops: 0,
            depth: 0,
            steps: 0,
            locals: Vec::new(),
            status: Some(0),
            substituted: None,
            input: None,
            only_tells: false,
            output: Some(String::new()),
            started: Vec::new(),
        }
    }

    /// Runs commands in a directory, and starts the units that they start; gives whether the directory exists.
    fn run_in(&mut self, directory: Option<&[u8]>, list: &List) -> bool {
        let before = self.overlay.getcwd();
        let moved = directory.is_none_or(|directory| self.overlay.chdir(directory).is_ok());
        self.list(list);
        if unit::may_start(self.overlay) {
            self.started.iter().for_each(|name| unit::start(self.overlay, name));
        } else if !self.started.is_empty() && unit::has_own_policy(self.overlay) {
            self.not_known();
        }
        if let Ok(before) = before {
            let _ = self.overlay.chdir(&before);
        }
        moved
    }

    fn list(&mut self, list: &List) -> Flow {
        for node in list {
            let flow = self.node(node);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    fn not_known(&mut self) {
        self.known = false;
    }

    /// After something that is not modelled exactly: the shell's whole state is unknown.
    fn forget(&mut self) {
        self.state.forget();
        self.status = None;
        self.not_known();
    }

    fn write(&mut self, text: Option<&str>) {
        self.steps += text.map_or(0, str::len) / BLOCK;
        self.output = self.output.take().zip(text).map(|(output, text)| output + text);
    }

    fn assign(&mut self, name: &str, value: Value) {
        // assigning to a readonly variable ends the shell
        if self.state.kept.contains(name) {
            self.not_known();
        }
        self.state.set(name, value);
    }

    /// Runs a condition, or another command to which `set -e` does not apply.
    fn condition(&mut self, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        self.tested += 1;
        let flow = run(self);
        self.tested -= 1;
        flow
    }

    /// Ends the shell if the last command failed under `set -e`.
    fn ended(&mut self, flow: Flow) -> Flow {
        if flow != Flow::Next || self.tested > 0 {
            return flow;
        }
        match (self.status, self.state.ends_on_failure) {
            (Some(0), _) | (_, Some(false)) | (None, None) => Flow::Next,
            // an earlier command with unknown effects has prepared for this one
            (Some(_), Some(true)) if self.assumes_success && !self.known => {
                self.status = Some(0);
                Flow::Next
            }
            (Some(_), Some(true)) => {
                self.not_known();
                Flow::Exit
            }
            (Some(_), None) => {
                self.not_known();
                Flow::Next
            }
            (None, Some(true)) => {
                if !self.assumes_success {
                    self.not_known();
                }
                self.status = Some(0);
                Flow::Next
            }
        }
    }

    fn node(&mut self, node: &Node) -> Flow {
        self.steps += 1;
        if self.steps > STEPS {
            self.not_known();
            return Flow::Exit;
        }
        match node {
            Node::Simple { assignments, words, redirections } => {
                let flow = self.simple(assignments, words, redirections);
                self.ended(flow)
            }
            Node::Pipeline(parts) => {
                let (before, input) = (self.output.take(), self.input.take());
                self.captures += 1;
                for (at, part) in parts.iter().enumerate() {
                    let written = self.output.replace(String::new());
                    self.input = written.filter(|_| at > 0);
                    self.apart(|shell| shell.node(part));
                }
                self.captures -= 1;
                let written = std::mem::replace(&mut self.output, before);
                self.input = input;
                self.write(written.as_deref());
                self.ended(Flow::Next)
            }
            Node::Background(node) => {
                self.apart(|shell| shell.node(node));
                self.not_known();
                self.status = Some(0);
                Flow::Next
            }
            Node::Chain(first, rest) => self.chain(first, rest),
            Node::Not(node) => {
                let flow = self.condition(|shell| shell.node(node));
                self.status = self.status.map(|code| i32::from(code == 0));
                flow
            }
            Node::If(branches, otherwise) => self.conditional(branches, otherwise),
            Node::Case(word, arms) => self.case(word, arms),
            Node::For(name, words, body) => self.for_each(name, words.as_deref(), body),
            Node::Loop { until, condition, body } => self.repeat(*until, condition, body),
            Node::Group(list) => self.list(list),
            Node::Subshell(list) => {
                self.apart(|shell| shell.list(list));
                self.ended(Flow::Next)
            }
            Node::Function(name, body) => {
                self.state.define(name, Some(Rc::clone(body)));
                self.status = Some(0);
                Flow::Next
            }
            Node::Redirected(node, redirections) => {
                let led = self.lead(redirections);
                let before = self.output.replace(String::new());
                self.captures += 1;
                let flow = self.node(node);
                self.captures -= 1;
                let written = std::mem::replace(&mut self.output, before);
                self.hand_on(written.as_deref(), &led);
                flow
            }
        }
    }

    /// Runs in a subshell.
    fn apart(&mut self, run: impl FnOnce(&mut Self) -> Flow) {
        let state = self.state.clone();
        let locals = self.locals.last().map_or(0, Vec::len);
        run(self);
        if let Some(of_function) = self.locals.last_mut() {
            of_function.truncate(locals);
        }
        self.state = state;
    }

    /// Runs a branch that may not run: the state that it changes becomes unknown.
    fn perhaps(&mut self, run: impl FnOnce(&mut Self) -> Flow) {
        let state = self.state.clone();
        let before = self.output.replace(String::new());
        self.unsure += 1;
        // whether the following commands run, or with which parameters, would be unknown
        if run(self) != Flow::Next || self.state.parameters != state.parameters {
            self.not_known();
        }
        self.unsure -= 1;
        self.state.blur(&state);
        let written = std::mem::replace(&mut self.output, before);
        self.write(written.as_deref().filter(|text| text.is_empty()));
        self.status = None;
    }

    fn chain(&mut self, first: &Node, rest: &[(bool, Node)]) -> Flow {
        let flow = self.condition(|shell| shell.node(first));
        if flow != Flow::Next {
            return flow;
        }
        for (at, (wanted, node)) in rest.iter().enumerate() {
            let is_last = at + 1 == rest.len();
            let run =
                |shell: &mut Self| if is_last { shell.node(node) } else { shell.condition(|shell| shell.node(node)) };
            match self.status {
                Some(code) if (code == 0) == *wanted => {
                    let flow = run(self);
                    if flow != Flow::Next {
                        return flow;
                    }
                }
                Some(_) => {}
                None => self.perhaps(run),
            }
        }
        Flow::Next
    }

    fn conditional(&mut self, branches: &[(List, List)], otherwise: &List) -> Flow {
        for (at, (condition, body)) in branches.iter().enumerate() {
            let flow = self.condition(|shell| shell.list(condition));
            if flow != Flow::Next {
                return flow;
            }
            match self.status {
                Some(0) => return self.list(body),
                Some(_) => {}
                None => {
                    // both branches start with the state after the condition
                    let state = self.state.clone();
                    self.perhaps(|shell| shell.list(body));
                    let one = std::mem::replace(&mut self.state, state);
                    self.perhaps(|shell| shell.conditional(&branches[at + 1..], otherwise));
                    self.state.blur(&one);
                    return Flow::Next;
                }
            }
        }
        // in an `else` branch, `$?` is the condition's status
        if otherwise.is_empty() {
            self.status = Some(0);
        }
        self.list(otherwise)
    }

    fn case(&mut self, word: &Word, arms: &[(Vec<Word>, List)]) -> Flow {
        let value = self.text(word);
        let mut is_open = false;
        for (patterns, body) in arms {
            let found: Vec<Option<bool>> = patterns
                .iter()
                .map(|pattern| Some(fnmatch(self.pattern(pattern)?.as_bytes(), value.as_ref()?.as_bytes(), DOTMATCH)))
                .collect();
            // run the first matching arm, and before it every arm that may match
            let fits = found.contains(&Some(true));
            if fits && !is_open {
                if body.is_empty() {
                    self.status = Some(0);
                }
                return self.list(body);
            }
            if fits || found.contains(&None) {
                self.perhaps(|shell| shell.list(body));
                is_open = true;
            }
            if fits {
                return Flow::Next;
            }
        }
        self.status = Some(0).filter(|_| !is_open);
        Flow::Next
    }

    fn for_each(&mut self, name: &str, words: Option<&[Word]>, body: &List) -> Flow {
        let values = match words {
            Some(words) => self.fields(words),
            None => self.state.parameters.all(),
        };
        let Some(values) = values else {
            self.assign(name, Value::NotKnown);
            return self.rounds(|shell| shell.round(body).unwrap_or(Flow::Next));
        };
        if values.is_empty() {
            self.status = Some(0);
        }
        for value in values {
            self.assign(name, Value::Text(value));
            if let Some(flow) = self.round(body) {
                return flow;
            }
        }
        Flow::Next
    }

    /// Runs iterations of a loop whose number is unknown, until no further state becomes unknown.
    fn rounds(&mut self, mut round: impl FnMut(&mut Self) -> Flow) -> Flow {
        for _ in 0..ROUNDS {
            let before = self.state.clone();
            self.perhaps(&mut round);
            if self.state.is(&before) || self.steps > STEPS {
                return Flow::Next;
            }
        }
        self.forget();
        Flow::Next
    }

    /// Runs an iteration; gives how the loop ended, if it did.
    fn round(&mut self, body: &List) -> Option<Flow> {
        self.loops += 1;
        let flow = self.list(body);
        self.loops = self.loops.saturating_sub(1);
        match flow {
            Flow::Next | Flow::Continue(1) => None,
            Flow::Break(1) => Some(Flow::Next),
            Flow::Break(levels) => Some(Flow::Break(levels - 1)),
            Flow::Continue(levels) => Some(Flow::Continue(levels - 1)),
            flow => Some(flow),
        }
    }

    fn repeat(&mut self, until: bool, condition: &List, body: &List) -> Flow {
        // the status of a loop is that of its last iteration
        let mut status = Some(0);
        for _ in 0..ROUNDS {
            let flow = self.condition(|shell| shell.list(condition));
            if flow != Flow::Next {
                return flow;
            }
            match self.status.map(|code| (code == 0) != until) {
                Some(true) => {
                    if let Some(flow) = self.round(body) {
                        return flow;
                    }
                    status = self.status;
                }
                Some(false) => {
                    self.status = status;
                    return Flow::Next;
                }
                None => {
                    return self.rounds(|shell| {
                        let flow = shell.round(body).unwrap_or(Flow::Next);
                        if flow != Flow::Next {
                            return flow;
                        }
                        shell.condition(|shell| shell.list(condition))
                    });
                }
            }
        }
        self.forget();
        Flow::Next
    }

    /// Runs commands of a text in this shell (`eval`). If they are unknown, the whole state becomes unknown.
    fn source(&mut self, text: Option<&str>) -> Flow {
        self.steps += text.map_or(0, str::len) / BLOCK;
        let Some(list) = text.and_then(parse) else {
            self.forget();
            return Flow::Next;
        };
        if list.is_empty() {
            self.status = Some(0);
        }
        self.nested(|shell| shell.list(&list))
    }

    /// Sources a file.
    fn source_file(&mut self, path: &str) -> Flow {
        let text = compose::read_file(self.overlay, path.as_bytes()).ok().filter(|text| text.len() <= LONGEST);
        self.files += 1;
        // in dash, `set -e` applies in a sourced file even if it is part of a condition
        let tested = if self.is_bash { self.tested } else { std::mem::take(&mut self.tested) };
        let flow = self.source(text.and_then(|text| String::from_utf8(text).ok()).as_deref());
        self.tested = tested;
        self.files -= 1;
        if flow == Flow::Return { Flow::Next } else { flow }
    }

    /// Runs a nested function, file or text; beyond the maximum depth its effects are unknown.
    fn nested(&mut self, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        if self.depth == DEPTH {
            self.not_known();
            return Flow::Exit;
        }
        self.depth += 1;
        let flow = run(self);
        self.depth -= 1;
        flow
    }

    /// Applies a command's outcome.
    fn done(&mut self, done: Done) {
        match done {
            Done::Told(told) => {
                self.status = told.code;
                let text = told.text.and_then(|text| String::from_utf8(text).ok());
                self.write(text.as_deref());
            }
            Done::Changed => {
                self.status = Some(0);
                if self.unsure > 0 {
                    self.write(None);
                    self.not_known();
                }
            }
            Done::NotKnown => {
                self.status = None;
                self.write(None);
                self.not_known();
            }
        }
    }
}
