//! Excerpts of source files in the descriptions of errors.

use std::fmt::Write as _;

/// Lines that are shown before and after the one that an error is about.
const MARGIN: usize = 8;
/// The longest declaration that is shown, in lines.
const LONGEST: usize = 50;

/// What is said of a failed change of a frozen object.
pub const FROZEN: &str = "The object cannot be changed: it is shared, for instance as a property's default value.\nMake a new object (or a copy with `dup`) and assign that instead.\n";

/// The lines around one, which is marked; lines keep their line ends.
#[must_use]
pub fn around(file: &str, lines: &[String], line: usize) -> String {
    let mut text = format!("{file}:\n\n");
    for (index, source) in lines.iter().enumerate().take(line + MARGIN + 1).skip(line.saturating_sub(MARGIN)) {
        let mark = if index + 1 == line { ">> " } else { ":  " };
        let _ = write!(text, "{:>3}{mark}{source}", index + 1);
    }
    if lines.len() <= line + MARGIN {
        let _ = write!(text, "{:>3}:  ", lines.len() + 1);
    }
    text
}

/// The source of a declaration: from its line until `do` and `end` balance, plus one line.
#[must_use]
pub fn declaration(file: &str, lines: &[String], line: usize) -> String {
    let mut text = format!("# In {file}\n\n");
    let mut depth = 0i32;
    for (index, source) in lines.iter().enumerate().skip(line.saturating_sub(1)) {
        let bare = source.trim_end();
        depth += i32::from(opens(bare)) - i32::from(bare.ends_with("end"));
        let _ = write!(text, "{:>3}: {source}", index + 1);
        if depth <= 0 || index >= line + LONGEST {
            if let Some(next) = lines.get(index + 1) {
                let _ = write!(text, "{:>3}: {next}", index + 2);
            }
            break;
        }
    }
    text
}

/// Whether a line has the word `do` after a space.
fn opens(line: &str) -> bool {
    line.match_indices("do").any(|(at, _)| {
        at > 0
            && line.as_bytes()[at - 1].is_ascii_whitespace()
            && !line[at + 2..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::{around, declaration};

    fn lines(text: &str) -> Vec<String> {
        text.split_inclusive('\n').map(str::to_string).collect()
    }

    #[test]
    fn a_declaration_ends_where_its_block_ends() {
        let source = lines("a\nfile 'x' do\n  only_if do\n    true\n  end\nend\nb\nc\n");
        let text = "# In f.rb\n\n  2: file 'x' do\n  3:   only_if do\n  4:     true\n  5:   end\n  6: end\n  7: b\n";
        assert_eq!(declaration("f.rb", &source, 2), text);
        assert_eq!(declaration("f.rb", &source, 8), "# In f.rb\n\n  8: c\n");
    }

    #[test]
    fn the_line_of_an_error_is_marked() {
        assert_eq!(around("f.rb", &lines("a\nb\n"), 2), "f.rb:\n\n  1:  a\n  2>> b\n  3:  ");
    }
}
