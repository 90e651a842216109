//! `client --step`: asks before each change.

use crate::formatter;
use rchef_change::Change;
use rchef_change::diff::Limits;
use rchef_change::render::Renderer;
use rchef_host::{FileHandle, StandardStream};
use rchef_recipe::converge::Proposed;
use rchef_recipe::events::Line;
use rchef_recipe::run::converge_mut;
use rchef_ruby::{Res, Symbol, Value, Vm};
use std::cell::Cell;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    All,
    Quit,
}

/// Asks before each change from now on.
pub fn ask_each(vm: &mut Vm) {
    let all = Cell::new(false);
    let gate = move |vm: &mut Vm, resource: &Value, action: Symbol, proposed: Proposed<'_>| -> Res<bool> {
        if all.get() {
            return Ok(true);
        }
        let name = vm.to_s_text(resource)?;
        let what = match proposed {
            Proposed::Change(change) => {
                let host = vm.host.clone();
                let renderer = Renderer { host: &*host, why_run: false, limits: Limits::default() };
                let lines = renderer.updates(change).into_iter().flatten().collect::<Vec<_>>();
                steps(vm, &lines) + &diff(vm, &lines, change)
            }
            Proposed::Lines(lines) => steps(vm, lines),
        };
        match ask(vm, &format!("\n{name} action {action}: {what}\nMake this change? [y]es, [n]o, [a]ll, [q]uit: "))? {
            Answer::Yes => Ok(true),
            Answer::No => Ok(false),
            Answer::All => {
                all.set(true);
                Ok(true)
            }
            Answer::Quit => Err(vm.runtime_error(format!("--step: the run was ended before {name} action {action}"))),
        }
    };
    converge_mut(vm).gate = Some(Rc::new(gate));
}

/// What the run prints of a change once it is made.
fn steps(vm: &mut Vm, lines: &[Line]) -> String {
    let steps = lines.iter().filter_map(|line| match line {
        Line::Step(text) => Some(text.as_str()),
        Line::Detail(_) => None,
    });
    let text = steps.collect::<Vec<_>>().join("; ");
    rchef_recipe::secrets::shown(vm, &text).into_owned()
}

/// The diff of a file to be written, to stand below the change.
fn diff(vm: &mut Vm, lines: &[Line], change: &Change) -> String {
    if !matches!(change, Change::WriteFile(_)) {
        return String::new();
    }
    let lines = lines.iter().filter_map(|line| match line {
        Line::Detail(text) => Some(text),
        Line::Step(_) => None,
    });
    // the headers name a file that does not exist yet
    let is_header = |at: usize, line: &str| at < 2 && (line.starts_with("--- ") || line.starts_with("+++ "));
    let lines = lines.enumerate().filter(|(at, line)| !is_header(*at, line));
    let text: String = lines.map(|(_, line)| format!("\n    {line}")).collect();
    rchef_recipe::secrets::shown(vm, &text).into_owned()
}

/// Asks until the answer is understood; the end of the input ends the run.
fn ask(vm: &mut Vm, question: &str) -> Res<Answer> {
    loop {
        formatter::raw(vm, question);
        formatter::flush(vm);
        let host = vm.host.clone();
        let input = host.standard(StandardStream::Input).map_err(|error| vm.host_error(&error))?;
        let Some(line) = line_of(&*input) else { return Ok(Answer::Quit) };
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(Answer::Yes),
            "n" | "no" => return Ok(Answer::No),
            "a" | "all" => return Ok(Answer::All),
            "q" | "quit" => return Ok(Answer::Quit),
            _ => {}
        }
    }
}

/// Reads a line byte by byte, to leave the rest of the input to other readers. None at the end of the input.
fn line_of(input: &dyn FileHandle) -> Option<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    while input.read(&mut byte, None).is_ok_and(|count| count == 1) {
        if byte[0] == b'\n' {
            return Some(String::from_utf8_lossy(&line).into_owned());
        }
        line.push(byte[0]);
    }
    (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned())
}
