//! Progress bar for many compiles.

use rchef_host::{Clock, RealHost, StandardStream, Streams, compose};

/// Minimum number of units for a bar.
const FEW: usize = 8;
/// Minimum nanoseconds between updates.
const PAUSE: u64 = 100_000_000;
/// Width of the bar, in characters.
const WIDTH: usize = 30;

/// A bar on standard error; invisible unless that is a terminal.
pub struct Bar<'h> {
    host: &'h RealHost,
    total: usize,
    shown: Option<u64>,
    terminal: bool,
}

impl<'h> Bar<'h> {
    pub fn new(host: &'h RealHost, total: usize) -> Self {
        let terminal = total >= FEW && host.standard(StandardStream::Error).is_ok_and(|handle| handle.is_tty());
        Self { host, total, shown: None, terminal }
    }

    /// Updates the bar.
    pub fn show(&mut self, done: usize) {
        let now = self.host.monotonic_ns();
        if self.terminal && self.shown.is_none_or(|last| now.saturating_sub(last) > PAUSE) {
            self.shown = Some(now);
            self.write(&line(done, self.total));
        }
    }

    /// Erases the bar.
    pub fn remove(&mut self) {
        if self.shown.take().is_some() {
            self.write("\r\x1b[K");
        }
    }

    fn write(&self, text: &str) {
        if let Ok(handle) = self.host.standard(StandardStream::Error) {
            let _ = compose::write_all(&*handle, text.as_bytes());
        }
    }
}

fn line(done: usize, total: usize) -> String {
    let filled = WIDTH * done / total.max(1);
    format!("\r[{}{}] {done} of {total}", "#".repeat(filled), " ".repeat(WIDTH - filled))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_bar_keeps_its_width() {
        assert_eq!(super::line(5, 10), format!("\r[{}{}] 5 of 10", "#".repeat(15), " ".repeat(15)));
        assert_eq!(super::line(0, 0), format!("\r[{}] 0 of 0", " ".repeat(30)));
    }
}
