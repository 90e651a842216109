//! Text that is handed on in parts while it is written: a dump may be larger than everything else that a command keeps in memory.

use std::ops::{Deref, DerefMut};

/// Number of bytes that are collected before they are handed on.
const PART: usize = 64 << 10;

/// Text being written, and who gets it; dereferences to the part that has not been handed on.
pub struct Out<'a> {
    text: String,
    reader: Option<&'a mut dyn FnMut(&str)>,
}

impl<'a> Out<'a> {
    /// Text that is kept as a whole.
    pub fn whole() -> Out<'a> {
        Out { text: String::new(), reader: None }
    }

    /// Text whose parts are handed to `reader`.
    pub fn to(reader: &'a mut dyn FnMut(&str)) -> Out<'a> {
        Out { text: String::with_capacity(PART + PART / 8), reader: Some(reader) }
    }

    /// A place where the text may be divided.
    #[inline]
    pub fn may_end(&mut self) {
        if self.text.len() >= PART {
            self.hand_on();
        }
    }

    fn hand_on(&mut self) {
        if let Some(reader) = &mut self.reader {
            reader(&self.text);
            self.text.clear();
        }
    }

    /// Hands on the rest; gives what nobody was handed.
    pub fn finish(mut self) -> String {
        self.hand_on();
        self.text
    }
}

impl Deref for Out<'_> {
    type Target = String;
    fn deref(&self) -> &String {
        &self.text
    }
}

impl DerefMut for Out<'_> {
    fn deref_mut(&mut self) -> &mut String {
        &mut self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{Out, PART};

    #[test]
    fn the_parts_are_the_text() {
        let line = "- one of many\n";
        let (mut parts, mut all) = (0, String::new());
        let mut reader = |part: &str| {
            parts += 1;
            all.push_str(part);
        };
        let mut out = Out::to(&mut reader);
        for _ in 0..3 * PART / line.len() {
            out.push_str(line);
            out.may_end();
        }
        assert_eq!(out.finish(), "");
        assert_eq!((parts, all), (3, line.repeat(3 * PART / line.len())));
    }
}
