//! What a person is told when a run ends with an exception: class and message, the place with its source line, the way there, and a hint.
//!
//! ```text
//! error: CLASS: MESSAGE
//!   in RESOURCE (COOKBOOK::RECIPE line N)
//!   --> FILE:LINE
//!    |
//!  12| source
//!    |
//!   from FILE:LINE:in `label'
//! hint: what to do
//! ```

mod hint;
mod place;

pub use hint::{link_outside, suggest};
use place::Place;
use rchef_host::{RealHost, StandardStream, Streams, compose};
use rchef_recipe::secrets;
use rchef_ruby::{Error, Value, Vm, sym};
use std::process::ExitCode;

/// A number of things in words: `1 file`, `2 files`, `2 entries`.
pub fn counted(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// Most lines of a backtrace that are shown.
const FRAMES: usize = 8;

/// Most characters of a message's first line: an error that holds an object may have thousands.
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

/// The same for an error on its way.
pub fn describe(vm: &mut Vm, error: Error) -> String {
    let exception = vm.error_value(error);
    diagnose(vm, &exception)
}

/// What is known of an exception.
struct Case {
    class: String,
    /// Its message, without the resource that Chef puts before it.
    message: String,
    /// The resource whose action failed, as `RES (CB::RCP line N)`.
    resource: Option<String>,
    trace: Vec<String>,
}

/// Takes `RES (CB::RCP line N) had an error: CLASS: MESSAGE` apart.
fn unwrap(class: &str, message: &str) -> Option<(String, String)> {
    let (resource, text) = message.split_once(&format!(" had an error: {class}: "))?;
    (resource.ends_with(')') && !resource.contains('\n')).then(|| (resource.to_string(), text.to_string()))
}

/// A message as it is shown to a person: without the source line of Chef's that Ruby appends, and without the contents of a whole node.
fn brief(message: &str) -> String {
    let message = message.strip_suffix(rchef_recipe::resource::instance::RAISED).unwrap_or(message);
    let (first, rest) = message.split_once('\n').map_or((message, None), |(first, rest)| (first, Some(rest)));
    let Some((at, _)) = first.char_indices().nth(LONGEST) else { return message.to_string() };
    match first.find("#<") {
        // the object that has no such method, by its class
        Some(object) if object < at => {
            let class = first[object..].split([' ', '>']).next().unwrap_or_default();
            let rest = rest.map(|rest| format!("\n{rest}")).unwrap_or_default();
            format!("{}{class} …>{rest}", &first[..object])
        }
        _ => format!("{} …", &first[..at]),
    }
}

/// What is told of an exception.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    All,
    /// All but class and message, which were told already.
    PlaceAndHint,
    /// Only what to do.
    Hint,
}

/// An exception as a diagnostic.
pub fn diagnose(vm: &mut Vm, exception: &Value) -> String {
    part(vm, exception, Part::All)
}

/// A part of the diagnostic of an exception; empty when there is nothing to say.
pub fn part(vm: &mut Vm, exception: &Value, part: Part) -> String {
    let class = vm.class_name_of(exception);
    let whole = vm.call(exception, sym::MESSAGE, &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
    let (resource, message) = match unwrap(&class, &whole) {
        Some((resource, message)) => (Some(resource), message),
        None => (None, whole),
    };
    // before it is cut: what is left of a secret is not recognized
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

/// The message, if it is to be told, the place and the way there.
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
        // what repeats says nothing new, and templates have their own place
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

/// A JSON file that cannot be read, as a diagnostic; `source` is its text and `what` what it was to be.
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
