//! Suppression of compile findings by a comment on their line or by the settings file: `compile/RULE`, `compile` or `all`.

use crate::check::work::{Found, What};
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
        let What::Compiled(what) = &found.what else { return true };
        let id = format!("compile/{}", what.rule);
        let means = |name: &str| name == id || name == "compile" || name == "all";
        let listed = |names: &[String]| names.iter().any(|name| means(name));
        let in_file =
            wishes.ignore_in.iter().any(|(pattern, names)| listed(names) && glob::matches(pattern, &found.path));
        if listed(&wishes.ignore) || in_file {
            return false;
        }
        let text = texts.entry(found.path.clone()).or_insert_with(|| {
            let bytes = compose::read_file(host, found.path.as_bytes()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        !ignored(text).iter().any(|(name, line)| *line == found.start.0 && means(name))
    });
    before - all.len()
}
