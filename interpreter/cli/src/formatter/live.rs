//! The live line: while a command runs, the seconds that it has been running stand behind the open line of a terminal.

use rchef_host::{FileHandle, Processes, RealHost, StandardStream, Streams, compose};
use std::cell::Cell;
use std::rc::Rc;

/// Columns that are kept free behind the text.
const ROOM: usize = 12;

/// Shows the time of each command that runs longer than a second; `column` is how long the line is that the formatter has left open. Does nothing where
/// standard output is no terminal, or one that cannot move its cursor.
pub fn watch(host: &RealHost, column: Rc<Cell<usize>>) {
    let Ok(handle) = host.standard(StandardStream::Output) else { return };
    if !handle.is_tty() || host.env(b"TERM").is_none_or(|name| name.is_empty() || name == b"dumb") {
        return;
    }
    let mut line = Line { handle, shown: 0 };
    host.watch_commands(move |elapsed| {
        line.erase();
        if let Some(elapsed) = elapsed {
            line.show(column.get(), elapsed.as_secs());
        }
    });
}

struct Line {
    handle: Box<dyn FileHandle>,
    /// Columns of what stands there.
    shown: usize,
}

impl Line {
    fn show(&mut self, column: usize, seconds: u64) {
        let width = self.handle.window_size().map_or(80, |(_, columns)| usize::from(columns));
        if column + ROOM < width {
            let text = format!(" ({seconds} s)");
            self.write(&text);
            self.shown = text.len();
        }
    }

    /// Takes away what was shown and leaves the cursor where it was before.
    fn erase(&mut self) {
        let shown = std::mem::take(&mut self.shown);
        if shown > 0 {
            self.write(&format!("\x1b[{shown}D\x1b[K"));
        }
    }

    /// A terminal that is gone does not end the run.
    fn write(&self, text: &str) {
        let _ = compose::write_all(&*self.handle, text.as_bytes());
    }
}
