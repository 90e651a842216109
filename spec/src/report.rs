//! How a difference between what was recorded and what is now is shown.

use similar::TextDiff;

/// Most that is shown, in lines.
const LONGEST: usize = 120;

/// The difference, in the unified form.
pub fn difference(recorded: &str, got: &str) -> String {
    let diff = TextDiff::from_lines(recorded, got);
    let text = diff.unified_diff().context_radius(2).header("recorded", "here").to_string();
    let mut lines: Vec<&str> = text.lines().take(LONGEST).collect();
    if text.lines().count() > LONGEST {
        lines.push("…");
    }
    lines.join("\n")
}
