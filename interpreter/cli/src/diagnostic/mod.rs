//! The diagnostic of an exception that ends a run: class and message, the place with its source line, the backtrace, and a hint.
//!
//! ```text
//! error: CLASS: MESSAGE
//! in RESOURCE (COOKBOOK::RECIPE line N)
//! --> FILE:LINE
//! |
//! 12| source
//! |
//! from FILE:LINE:in `label'
//! hint: what to do
//! ```

mod hint;
mod place;

pub use hint::{link_outside, suggest};
use place::Place;
pub use place::metadata_line;
use rchef_host::{RealHost, StandardStream, Streams, compose};
use rchef_recipe::secrets;
use rchef_ruby::{Error, Value, Vm, sym};
use std::process::ExitCode;

/// A count with its noun: `1 file`, `2 files`, `2 entries`.
pub fn counted(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// Maximum number of backtrace lines shown.
const FRAMES: usize = 8;

/// Maximum length of a message's first line, in characters: `inspect` of an object may have thousands.
const LONGEST: usize = 400;

/// Writes to standard output.
pub fn print(text: &str) -> ExitCode {
    match RealHost::new()
        .standard(StandardStream::Output)
        .and_then(|handle| compose::write_all(&*handle, text.as_bytes()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
/// Writes to standard error.
pub fn complain(text: &str) {
    if let Ok(handle) = RealHost::new().standard(StandardStream::Error) {
        let _ = compose::write_all(&*handle, text.as_bytes());
    }
}

/// As [`diagnose`], for an error that has not been rescued.
pub fn describe(vm: &mut Vm, error: Error) -> String {
    let exception = vm.error_value(error);
    diagnose(vm, &exception)
}

/// What is known about an exception.
struct Case {
    class: String,
    /// The message, without the resource that Chef prepends.
    message: String,
    /// The resource whose action failed, as `RES (CB::RCP line N)`.
    resource: Option<String>,
    trace: Vec<String>,
}

/// Splits `RES (CB::RCP line N) had an error: CLASS: MESSAGE` into resource and message.
fn unwrap(class: &str, message: &str) -> Option<(String, String)> {
    let (resource, text) = message.split_once(&format!(" had an error: {class}: "))?;
    (resource.ends_with(')') && !resource.contains('\n')).then(|| (resource.to_string(), text.to_string()))
}

/// A message for people: without the Chef source line that Ruby appends, and with a long `inspect` of an object (such as the node) shortened.
fn brief(message: &str) -> String {
    let message = message.strip_suffix(rchef_recipe::resource::instance::RAISED).unwrap_or(message);
    let (first, rest) = message.split_once('\n').map_or((message, None), |(first, rest)| (first, Some(rest)));
    let Some((at, _)) = first.char_indices().nth(LONGEST) else { return message.to_string() };
    match first.find("#<") {
        // a NoMethodError's receiver is shortened to its class
        Some(object) if object < at => {
            let class = first[object..].split([' ', '>']).next().unwrap_or_default();
            let rest = rest.map(|rest| format!("\n{rest}")).unwrap_or_default();
            format!("{}{class} …>{rest}", &first[..object])
        }
        _ => format!("{} …", &first[..at]),
    }
}

/// Which part of a diagnostic is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    All,
    /// Everything but class and message.
    PlaceAndHint,
    Hint,
}

/// The diagnostic of an exception.
pub fn diagnose(vm: &mut Vm, exception: &Value) -> String {
    part(vm, exception, Part::All)
}

/// A part of an exception's diagnostic; may be empty.
pub fn part(vm: &mut Vm, exception: &Value, part: Part) -> String {
    let class = vm.class_name_of(exception);
    let whole = vm.call(exception, sym::MESSAGE, &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
    let (resource, message) = match unwrap(&class, &whole) {
        Some((resource, message)) => (Some(resource), message),
        None => (None, whole),
    };
    // masked before it is shortened: a part of a secret would not be recognized
    let message = brief(&secrets::shown(vm, &message));
    let lines = match vm.call(exception, sym::BACKTRACE, &[]) {
        Ok(Value::Array(lines)) => lines.get(vm).items.clone(),
        _ => Vec::new(),
    };
    let trace = lines.iter().map(|line| vm.to_s_text(line).unwrap_or_default()).collect();
    let case = Case { class, message, resource, trace };
    let mut out = String::new();
    if part != Part::Hint {
        out = way(vm, exception, &case, part == Part::All);
    }
    if let Some(hint) = hint::of(vm, exception, &case) {
        out.push_str(&format!("hint: {hint}\n"));
    }
    secrets::shown(vm, &out).into_owned()
}

/// The message (if `message`), the place and the backtrace.
fn way(vm: &mut Vm, exception: &Value, case: &Case, message: bool) -> String {
    let mut out = String::new();
    if message {
        out.push_str(&format!("error: {}: {}\n", case.class, case.message.trim_end()));
        if let Some(resource) = &case.resource {
            out.push_str(&format!("  in {resource}\n"));
        }
    }
    let place = place::of(vm, exception, case);
    if let Some(place) = &place {
        out.push_str(&shown(vm, place));
    }
    let mut last = place.map(|place| format!("{}:{}:", place.file, place.line)).unwrap_or_default();
    let mut frames = 0;
    for line in &case.trace {
        // skip repeated lines, and those of templates, whose place is already shown
        if (!last.is_empty() && line.starts_with(&last)) || line.starts_with("(erubis)") {
            continue;
        }
        out.push_str(&format!("  from {line}\n"));
        last.clone_from(line);
        frames += 1;
        if frames == FRAMES {
            break;
        }
    }
    out
}

fn shown(vm: &mut Vm, place: &Place) -> String {
    let mut out = format!("  --> {}:{}\n", place.file, place.line);
    if let Some(text) = place::source_line(vm, place) {
        out.push_str(&format!("   |\n{:>3}| {text}\n   |\n", place.line));
    }
    out
}

/// The diagnostic of a JSON file that cannot be parsed; `source` is its text, and `what` describes the file.
pub fn broken_json(what: &str, path: &str, source: &[u8], error: &serde_json::Error) -> String {
    let line = error.line().max(1);
    let text = String::from_utf8_lossy(source).lines().nth(line - 1).unwrap_or_default().to_string();
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    format!(
        "error: Could not parse the provided JSON file ({path}): {reason}\n  --> {path}:{line}\n   |\n{line:>3}| {text}\n   |\nhint: {what} must be a JSON object; the parser stopped at column {}\n",
        error.column()
    )
}
