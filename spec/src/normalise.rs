//! What differs from run to run or from machine to machine in a run's output, replaced by fixed words.

use crate::scratch::ROOT;
use fancy_regex::Regex;
use std::fs;
use std::path::Path;

/// Pattern and replacement, applied in this order.
const RULES: &[(&str, &str)] = &[
    // the log's time, the times in the header of a diff, the time that a run took
    (r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\]", "[TIME]"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{9} [+-]\d{4}", "TIME"),
    (r"(?m) resources updated in (\d\d hours )?(\d\d minutes )?\d\d seconds$", " resources updated in TIME"),
    // how long a check took
    (r"(compiled in )\d+\.\d s", "${1}0.0 s"),
    // staged files: date, process, random letters
    (r"(\.chef-\S*?)\d{8}-\d+-[a-z0-9]+", "${1}STAGED"),
    (r"(?m)^.*, version \d\S*( \(Chef \S+\))?$", "VERSION"),
    (r"(?m)^( *)(chef_version|platform|platform_version|ruby|program_name|executable)=.*$", "${1}${2}="),
    (r"#<Proc:0x[0-9a-f]{16}", "#<Proc:0x"),
    (r"#<Class:0x[0-9a-f]{16}", "#<Class:0x"),
    (r"((?:files|templates)/host-)[^/\s]+", "${1}HOST"),
    // lines of our own prelude in a backtrace
    (r"(<internal:chef/rchef/[^>]*>):\d+", "${1}:LINE"),
];

/// The text with the scratch directory, the times and the machine's names replaced.
pub fn normalise(text: &str, root: &Path) -> Result<String, String> {
    let mut text = text.replace(&*root.to_string_lossy(), ROOT);
    for (pattern, replacement) in RULES {
        let pattern = Regex::new(pattern).map_err(|error| error.to_string())?;
        text = pattern.replace_all(&text, *replacement).into_owned();
    }
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let fact = |key: &str| {
        let value = system.lines().find_map(|line| line.strip_prefix(key));
        value.map(|value| value.trim_matches('"').to_string()).filter(|value| !value.is_empty())
    };
    if let (Some(platform), Some(version)) = (fact("ID="), fact("VERSION_ID=")) {
        for folder in ["files", "templates"] {
            text = text.replace(&format!("{folder}/{platform}-{version}/"), &format!("{folder}/PLATFORM-VERSION/"));
            text = text.replace(&format!("{folder}/{platform}/"), &format!("{folder}/PLATFORM/"));
        }
    }
    Ok(without_depth(&text))
}

/// How deep an endless recursion gets, and where a long text is cut, is the build's and the directory's affair: lines that repeat
/// are shown twice, and what follows them up to the cut goes.
fn without_depth(text: &str) -> String {
    const MARK: &str = "  (and so on)";
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let shown = lines.len();
        let repeats = |at: usize| shown > at && lines[shown - 1 - at] == line;
        if lines.last() == Some(&MARK) && shown > 1 && lines[shown - 2] == line && !line.is_empty() {
            continue;
        }
        if repeats(0) && repeats(1) && !line.is_empty() {
            lines.push(MARK);
            continue;
        }
        if line.starts_with("... [truncated ") {
            if let Some(at) = lines.iter().rposition(|line| *line == MARK) {
                lines.truncate(at + 1);
            }
            lines.push("... [truncated]");
            continue;
        }
        lines.push(line);
    }
    let mut shown = lines.join("\n");
    if text.ends_with('\n') {
        shown.push('\n');
    }
    shown
}
