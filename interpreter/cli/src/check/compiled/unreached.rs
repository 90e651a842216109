//! What an action that failed did not come to: a failure of a later action may be a consequence of it.

use super::assumed::words_of;
use super::judge::Case;
use super::linked::{Needs, begins_method, set_keys};
use super::words::place;
use serde_json::Value as Json;

/// An action that failed.
pub struct Broken {
    /// The lines of its backtrace.
    frames: Vec<(String, usize)>,
    /// The library that it did not find.
    library: Option<String>,
    /// Its finding, by place.
    pub finding: Option<usize>,
}

/// Lines behind the failing one that are read.
const FURTHEST: usize = 200;

impl Broken {
    pub fn new(error: &Json, finding: Option<usize>) -> Self {
        let about = &error["about"];
        let library = about["name"].as_str().filter(|_| about["kind"] == "library").map(str::to_string);
        Self { frames: frames(error), library, finding }
    }

    /// Whether the library that it did not find is the one that defines a constant: `dbus` has `DBus`.
    fn would_define(&self, constant: &str) -> bool {
        let first = self.library.as_deref().and_then(|library| library.split('/').next());
        first.is_some_and(|first| {
            words_of(first).any(|word| word == constant.to_lowercase())
                || words_of(first).collect::<String>() == constant.to_lowercase()
        })
    }

    /// Whether what was left of the action, behind the failing line, declares one of the targets that a line before it notifies, or includes a recipe, which may
    /// do so.
    pub fn would_declare(&self, case: &Case<'_>, from: &str, targets: &[&str]) -> bool {
        let Some((file, notifies)) = place(from) else { return false };
        let kinds: Vec<&str> = targets.iter().filter_map(|target| target.split('[').next()).collect();
        self.frames.iter().filter(|(own, line)| !kinds.is_empty() && own == file && *line > notifies).any(
            |(_, line)| {
                let text = (case.text)(file).unwrap_or_default();
                let mut rest = text.iter().skip(*line).take(FURTHEST).take_while(|line| !begins_method(line));
                let declares = |word: &str| word == "include_recipe" || kinds.contains(&word);
                rest.any(|line| line.split_whitespace().next().is_some_and(declares))
            },
        )
    }

    /// Whether what was left of the action, from the failing line on, sets an attribute of one of these names.
    fn would_set(&self, case: &Case<'_>, names: &Needs) -> bool {
        self.frames.iter().any(|(file, line)| {
            let text = (case.text)(file).unwrap_or_default();
            let rest = text.iter().skip(line.saturating_sub(1)).take(FURTHEST).take_while(|line| !begins_method(line));
            let mut keys = rest.flat_map(|line| set_keys(line));
            keys.any(|key| names.names.contains(key))
        })
    }
}

/// The lines of a backtrace, the innermost first.
fn frames(error: &Json) -> Vec<(String, usize)> {
    let all = error["backtrace"].as_array().into_iter().flatten().filter_map(Json::as_str);
    all.filter_map(place).map(|(file, line)| (file.to_string(), line)).collect()
}

/// The failed action that a later failure is a consequence of: what was left of it sets the attribute that the failing line reads as nil, or the library that it did not
/// find defines the constant.
pub fn cause<'b>(case: &Case<'_>, broken: &'b [Broken], error: &Json) -> Option<&'b Broken> {
    let nil = error["about"]["receiver"] == "NilClass" || error["about"]["kind"] == "nil";
    let mut broken = broken.iter().filter(|broken| broken.finding.is_some());
    if error["about"]["kind"] == "constant" {
        let name = error["about"]["name"].as_str().unwrap_or_default();
        return broken.find(|broken| broken.would_define(name));
    }
    let needs: Vec<Needs> = match nil {
        true => frames(error)
            .into_iter()
            .take(1)
            .map(|(file, line)| Needs::of(&(case.text)(&file).unwrap_or_default(), line))
            .collect(),
        false => Vec::new(),
    };
    broken.find(|broken| needs.iter().any(|needs| broken.would_set(case, needs)))
}
