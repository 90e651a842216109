//! Suppression of findings of compiles and documents by a comment on their line or by the settings file: `compile/RULE`, `compile` or `all`.

use super::found::{Found, What};
use rchef_host::{RealHost, compose};
use rchef_lint::config::Wishes;
use rchef_lint::glob;
use rchef_lint::suppress::ignored;
use rchef_model::code::Code;
use std::collections::BTreeMap;

/// Whether a name denotes rules of compiles.
pub fn is_rule(name: &str) -> bool {
    name == "compile" || name.strip_prefix("compile/").is_some_and(|code| Code::parse(code).is_some())
}

/// Removes suppressed findings; gives their number.
pub fn remove(host: &RealHost, wishes: &Wishes, all: &mut Vec<Found>) -> usize {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let before = all.len();
    all.retain(|found| {
        if !matches!(found.what, What::Compiled(_)) {
            return true;
        }
        let text = texts.entry(found.path.clone()).or_insert_with(|| {
            let bytes = compose::read_file(host, found.path.as_bytes()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        !by_settings(wishes, found) && !by_comment(&ignored(text), found)
    });
    before - all.len()
}

/// Whether the settings switch a finding off.
pub fn by_settings(wishes: &Wishes, found: &Found) -> bool {
    let listed = |names: &[String]| names.iter().any(|name| means(name, found));
    let here = |pattern: &str| glob::matches(pattern, &found.path);
    listed(&wishes.ignore) || wishes.ignore_in.iter().any(|(pattern, names)| listed(names) && here(pattern))
}

/// Whether one of a file's comments (names with their lines) suppresses a finding.
pub fn by_comment(comments: &[(&str, usize)], found: &Found) -> bool {
    comments.iter().any(|(name, line)| *line == found.start.0 && means(name, found))
}

/// Whether a name means the rule of a finding.
fn means(name: &str, found: &Found) -> bool {
    let What::Compiled(what) = &found.what else { return false };
    name == "compile" || name == "all" || name.strip_prefix("compile/") == Some(what.rule.as_str())
}
