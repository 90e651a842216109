//! What the collectors share: reading the machine, and the types of what they collect.

use rchef_host::{CommandSpec, Host, compose, processes};
use serde_json::{Map, Value as Json};

/// Facts by name.
pub(crate) type Facts = Map<String, Json>;

/// Which of Ohai's plugins are collected beside the usual ones, or not at all (client.rb's `ohai.optional_plugins` and `ohai.disabled_plugins`).
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Optional plugins by name, for instance `Passwd`.
    pub optional: Vec<String>,
    /// Plugins that are left out.
    pub disabled: Vec<String>,
    /// Folders with hints, `NAME.json` each; empty: Ohai's own.
    pub hints: Vec<String>,
    /// Only what a run itself needs: names, platform and system (`minimal_ohai`).
    pub minimal: bool,
}

impl Choice {
    /// Whether a plugin is left out.
    pub(super) fn is_disabled(&self, plugin: &str) -> bool {
        self.disabled.iter().any(|known| known.eq_ignore_ascii_case(plugin))
    }
}

/// A file's text without the line break at its end; none when it cannot be read.
pub(super) fn read(host: &dyn Host, path: &str) -> Option<String> {
    let bytes = compose::read_file(host, path.as_bytes()).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_string())
}

/// [`read`] without white space around.
pub(super) fn read_word(host: &dyn Host, path: &str) -> Option<String> {
    read(host, path).map(|text| text.trim().to_string())
}

pub(super) fn exists(host: &dyn Host, path: &str) -> bool {
    compose::exists(host, path.as_bytes())
}

/// Names in a directory, sorted; none when it cannot be read.
pub(super) fn entries(host: &dyn Host, path: &str) -> Vec<String> {
    let found = host.readdir(path.as_bytes()).unwrap_or_default();
    found.into_iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect()
}

/// Whether a program is in one of the usual folders.
pub(super) fn has_program(host: &dyn Host, name: &str) -> bool {
    let path = host.env(b"PATH").unwrap_or_default();
    let usual = ["/sbin", "/usr/sbin", "/bin", "/usr/bin"].map(str::as_bytes);
    compose::program(host, path.split(|byte| *byte == b':').chain(usual), name).is_some()
}

/// What a command prints; nothing when it cannot be run.
pub(super) fn output(host: &dyn Host, argv: &[&str]) -> String {
    let spec = CommandSpec::argv(argv.iter().map(|word| word.as_bytes())).captured().with_env("LC_ALL", "C");
    let spec = spec.with_timeout(std::time::Duration::from_secs(30));
    let found = processes::run(host, &spec).map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&found).into_owned()
}

/// Puts a text that is there into a map.
pub(super) fn put(into: &mut Facts, key: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        into.insert(key.to_string(), value.into());
    }
}
