//! A source text with its lines and line endings.

/// A text with `\n` line endings that remembers where the original had `\r\n`.
#[derive(Debug)]
pub struct Source {
    pub text: String,
    /// The start of each line.
    lines: Vec<u32>,
    /// Offsets in `text` of the newlines that were `\r\n`.
    returns: Vec<u32>,
}

impl Source {
    /// Decodes a file; `None` if it is not UTF-8.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut returns = Vec::new();
        let text = if text.contains("\r\n") {
            let mut plain = String::with_capacity(text.len());
            for line in text.split_inclusive('\n') {
                if let Some(line) = line.strip_suffix("\r\n") {
                    plain.push_str(line);
                    returns.push(u32::try_from(plain.len()).ok()?);
                    plain.push('\n');
                } else {
                    plain.push_str(line);
                }
            }
            plain
        } else {
            text.to_string()
        };
        u32::try_from(text.len()).ok()?;
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1));
        Some(Self { text, lines, returns })
    }

    /// The number of the line at an offset, from 1.
    #[must_use]
    pub fn line(&self, at: u32) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// Line and column in characters, both from 1.
    #[must_use]
    pub fn place(&self, at: u32) -> (usize, usize) {
        let line = self.line(at);
        let start = self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        let before = self.text.get(start as usize..at as usize).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    /// The text of a line, without its line ending.
    #[must_use]
    pub fn line_text(&self, line: usize) -> &str {
        let start = line.checked_sub(1).and_then(|at| self.lines.get(at)).copied().unwrap_or(0);
        self.text.get(start as usize..).unwrap_or_default().lines().next().unwrap_or_default()
    }

    /// The start of a line.
    #[must_use]
    pub fn line_start(&self, line: usize) -> u32 {
        line.checked_sub(1).and_then(|at| self.lines.get(at)).copied().unwrap_or(0)
    }

    /// The edited text with the file's line endings; new lines get those of the line that they are inserted in.
    #[must_use]
    pub fn restore(&self, edits: &[crate::rule::Edit]) -> String {
        let all = !self.returns.is_empty() && self.returns.len() + 1 >= self.lines.len();
        let mut out = String::with_capacity(self.text.len() + 64);
        let mut at = 0;
        for edit in edits {
            self.copy(&mut out, at, edit.span.start);
            if all {
                out.push_str(&edit.text.replace('\n', "\r\n"));
            } else {
                out.push_str(&edit.text);
            }
            at = at.max(edit.span.end);
        }
        self.copy(&mut out, at, u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        out
    }

    fn copy(&self, out: &mut String, from: u32, to: u32) {
        let mut at = from;
        let first = self.returns.partition_point(|place| *place < from);
        for place in &self.returns[first..] {
            if *place >= to {
                break;
            }
            out.push_str(self.text.get(at as usize..*place as usize).unwrap_or_default());
            out.push('\r');
            at = *place;
        }
        out.push_str(self.text.get(at as usize..to as usize).unwrap_or_default());
    }
}
