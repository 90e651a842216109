//! What an action that failed did not come to: a failure of a later action may be a consequence of it.

use super::judge::Case;
use super::linked::{Needs, begins_method, set_key};
use super::words::place;
use serde_json::Value as Json;

/// An action that failed.
pub struct Broken {
    /// The lines of its backtrace.
    frames: Vec<(String, usize)>,
    /// Its finding, by place.
    pub finding: Option<usize>,
}

/// Lines behind the failing one that are read.
const FURTHEST: usize = 200;

impl Broken {
    pub fn new(error: &Json, finding: Option<usize>) -> Self {
        Self { frames: frames(error), finding }
    }

    /// Whether what was left of the action sets an attribute of one of these names.
    fn would_set(&self, case: &Case<'_>, names: &Needs) -> bool {
        self.frames.iter().any(|(file, line)| {
            let text = (case.text)(file).unwrap_or_default();
            let rest = text.iter().skip(*line).take(FURTHEST).take_while(|line| !begins_method(line));
            let mut keys = rest.filter_map(|line| set_key(line));
            keys.any(|key| names.names.contains(key))
        })
    }
}

/// The lines of a backtrace, the innermost first.
fn frames(error: &Json) -> Vec<(String, usize)> {
    let all = error["backtrace"].as_array().into_iter().flatten().filter_map(Json::as_str);
    all.filter_map(place).map(|(file, line)| (file.to_string(), line)).collect()
}

/// The failed action that a later failure, of a value that is nil, is a consequence of: what was left of it sets the attribute that the failing lines read.
pub fn cause<'b>(case: &Case<'_>, broken: &'b [Broken], error: &Json) -> Option<&'b Broken> {
    let nil = error["about"]["receiver"] == "NilClass" || error["about"]["kind"] == "nil";
    let broken = broken.iter().filter(|broken| broken.finding.is_some());
    let needs: Vec<Needs> = match nil {
        true => frames(error)
            .into_iter()
            .take(1)
            .map(|(file, line)| Needs::of(&(case.text)(&file).unwrap_or_default(), line))
            .collect(),
        false => Vec::new(),
    };
    let mut all = broken.filter(|broken| needs.iter().any(|needs| broken.would_set(case, needs)));
    all.next()
}
