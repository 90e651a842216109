//! Output formatters: [`doc`] and [`min`], the stream that they write to, the [`live`] line, and error descriptions.

pub mod doc;
pub mod error;
pub mod live;
pub mod min;

use rchef_host::StandardStream;
use rchef_ruby::embed::io::IoData;
use rchef_ruby::{ClassId, Symbol, Value, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's default.
    Plain,
    Green,
    White,
    Yellow,
    Red,
}

/// Standard output with indentation that knows whether a line is unfinished (Chef's IndentableOutputStream).
pub struct Output {
    indent: Cell<usize>,
    line_started: Cell<bool>,
    /// The resource that wrote last: output of another one starts a new line.
    stream: RefCell<Option<Value>>,
    colour: bool,
    /// Characters of the open line.
    column: Rc<Cell<usize>>,
}

/// Writes to standard output with secrets masked, through Ruby's STDOUT to keep the order with the output of Ruby code. Buffered until
/// [`flush`], except on a terminal.
pub fn raw(vm: &mut Vm, text: &str) {
    let text = rchef_recipe::secrets::shown(vm, text);
    let name = Symbol::intern_static("STDOUT");
    let stream = match vm.const_get_from(ClassId::OBJECT, name, false) {
        Ok(Some(output)) => vm.data::<IoData>(&output).map(|data| data.0.clone()),
        _ => None,
    };
    // a closed or full output does not fail the run
    if let Some(stream) = stream {
        let _ = stream.write(vm, text.as_bytes());
    }
}

/// Flushes what [`raw`] has buffered.
pub fn flush(vm: &mut Vm) {
    let _ = rchef_ruby::embed::io::flush_all(vm);
}

impl Output {
    /// Colours are only used on a terminal.
    pub fn new(vm: &mut Vm, colour: bool) -> Output {
        let terminal = vm.host.clone().standard(StandardStream::Output).is_ok_and(|handle| handle.is_tty());
        Output {
            indent: Cell::new(0),
            line_started: Cell::new(false),
            stream: RefCell::new(None),
            colour: colour && terminal,
            column: Rc::default(),
        }
    }
    /// How long the open line is, for who writes behind it.
    pub fn column(&self) -> Rc<Cell<usize>> {
        self.column.clone()
    }
    /// Increases the indentation by one level.
    pub fn indent(&self) {
        self.indent.set(self.indent.get() + 2);
    }
    /// Current indentation, in columns.
    pub fn depth(&self) -> usize {
        self.indent.get()
    }
    /// Sets the indentation, in columns.
    pub fn set_depth(&self, depth: usize) {
        self.indent.set(depth);
    }
    /// Decreases the indentation by one level.
    pub fn unindent(&self) {
        self.indent.set(self.indent.get().saturating_sub(2));
    }
    /// Starts a line and leaves it unfinished.
    pub fn start_line(&self, vm: &mut Vm, text: &str, stream: Option<&Value>, colour: Colour) {
        self.print(vm, text, (true, false), stream, colour);
    }
    /// Continues the unfinished line, or starts one, and ends it.
    pub fn puts(&self, vm: &mut Vm, text: &str, stream: Option<&Value>) {
        self.print(vm, text, (false, true), stream, Colour::Plain);
    }
    /// Writes a whole line.
    pub fn puts_line(&self, vm: &mut Vm, text: &str) {
        self.print(vm, text, (true, true), None, Colour::Plain);
    }
    /// Writes text; `ends`: whether it starts a line, and whether it ends it.
    pub fn print(&self, vm: &mut Vm, text: &str, ends: (bool, bool), stream: Option<&Value>, colour: Colour) {
        self.print_named(vm, text, ends, (stream, None), colour);
    }
    /// As [`Output::print`], for a stream with a name: its first line starts with the name, and the others are indented to match.
    pub fn print_named(
        &self,
        vm: &mut Vm,
        text: &str,
        ends: (bool, bool),
        (stream, name): (Option<&Value>, Option<&str>),
        colour: Colour,
    ) {
        let mut out = String::new();
        if ends.0 || !self.is_current(stream) {
            self.break_line(&mut out);
        }
        if text.is_empty() && ends.1 {
            self.line("", (stream, name), colour, &mut out);
        }
        for line in text.split_inclusive('\n') {
            self.line(line, (stream, name), colour, &mut out);
        }
        if ends.1 {
            self.break_line(&mut out);
        }
        raw(vm, &out);
    }
    fn break_line(&self, out: &mut String) {
        if self.line_started.replace(false) {
            out.push('\n');
            self.column.set(0);
        }
    }
    /// Counts text on the open line, which colours do not lengthen.
    fn widen(&self, text: &str) {
        self.column.set(if text.ends_with('\n') { 0 } else { self.column.get() + text.chars().count() });
    }
    fn is_current(&self, stream: Option<&Value>) -> bool {
        match (&*self.stream.borrow(), stream) {
            (None, None) => true,
            (Some(known), Some(stream)) => known.same(stream),
            _ => false,
        }
    }
    fn line(&self, line: &str, (stream, name): (Option<&Value>, Option<&str>), colour: Colour, out: &mut String) {
        if !self.line_started.replace(true) {
            let mut begin = " ".repeat(self.indent.get());
            match name {
                Some(name) if self.is_current(stream) => begin.push_str(&" ".repeat(name.len() + 3)),
                Some(name) => begin.push_str(&format!("[{name}] ")),
                None => {}
            }
            self.widen(&begin);
            out.push_str(&begin);
            *self.stream.borrow_mut() = stream.cloned();
        }
        if line.ends_with('\n') {
            self.line_started.set(false);
        }
        self.widen(line);
        let code = match colour {
            _ if !self.colour => None,
            Colour::Plain => None,
            Colour::Green => Some(32),
            Colour::White => Some(37),
            Colour::Yellow => Some(33),
            Colour::Red => Some(31),
        };
        match code {
            Some(code) => out.push_str(&format!(
                "\u{1b}[{code}m{}\u{1b}[0m{}",
                line.trim_end_matches('\n'),
                if line.ends_with('\n') { "\n" } else { "" }
            )),
            None => out.push_str(line),
        }
    }
}

/// `SS seconds`, `MM minutes SS seconds`, `HH hours MM minutes SS seconds`.
pub fn elapsed(nanoseconds: u64) -> String {
    let seconds = nanoseconds / 1_000_000_000;
    match seconds {
        0..60 => format!("{seconds:02} seconds"),
        60..3600 => format!("{:02} minutes {:02} seconds", seconds / 60, seconds % 60),
        _ => format!("{:02} hours {:02} minutes {:02} seconds", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::elapsed;

    #[test]
    fn case_109_times_of_a_run() {
        let shown = [0, 61, 3661].map(|seconds| elapsed(seconds * 1_000_000_000));
        assert_eq!(shown, ["00 seconds", "01 minutes 01 seconds", "01 hours 01 minutes 01 seconds"]);
    }
}
