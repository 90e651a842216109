//! What the collectors share: functions that read the machine, and the types of the facts.

use rchef_host::{CommandSpec, Host, compose, processes};
use serde_json::{Map, Value as Json};

/// Facts by name.
pub(crate) type Facts = Map<String, Json>;

/// The plugins to collect: client.rb's `ohai.optional_plugins` and `ohai.disabled_plugins`.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of optional plugins to run, for instance `Passwd`.
    pub optional: Vec<String>,
    /// Names of disabled plugins.
    pub disabled: Vec<String>,
    /// Folders with hints (`NAME.json`); Ohai's own if empty.
    pub hints: Vec<String>,
    /// Only what a run itself needs: names, platform and operating system (`minimal_ohai`).
    pub minimal: bool,
}

impl Choice {
    pub(super) fn is_disabled(&self, plugin: &str) -> bool {
        self.disabled.iter().any(|known| known.eq_ignore_ascii_case(plugin))
    }
}

/// The text of a file without its final line break; None if it cannot be read.
pub(super) fn read(host: &dyn Host, path: &str) -> Option<String> {
    let bytes = compose::read_file(host, path.as_bytes()).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_string())
}

/// [`read`], with surrounding white space removed.
pub(super) fn read_word(host: &dyn Host, path: &str) -> Option<String> {
    read(host, path).map(|text| text.trim().to_string())
}

pub(super) fn exists(host: &dyn Host, path: &str) -> bool {
    compose::exists(host, path.as_bytes())
}

/// The names in a directory, sorted; empty if it cannot be read.
pub(super) fn entries(host: &dyn Host, path: &str) -> Vec<String> {
    let found = host.readdir(path.as_bytes()).unwrap_or_default();
    found.into_iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect()
}

/// Whether a program is in one of the usual directories.
pub(super) fn has_program(host: &dyn Host, name: &str) -> bool {
    let path = host.env(b"PATH").unwrap_or_default();
    let usual = ["/sbin", "/usr/sbin", "/bin", "/usr/bin"].map(str::as_bytes);
    compose::program(host, path.split(|byte| *byte == b':').chain(usual), name).is_some()
}

/// The standard output of a command; empty if it cannot be run.
pub(super) fn output(host: &dyn Host, argv: &[&str]) -> String {
    let spec = CommandSpec::argv(argv.iter().map(|word| word.as_bytes())).captured().with_env("LC_ALL", "C");
    let spec = spec.with_timeout(std::time::Duration::from_secs(30));
    let found = processes::run(host, &spec).map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&found).into_owned()
}

/// The name of the directory below /usr/lib in which Debian keeps an architecture's libraries (`x86_64-linux-gnu`).
pub(super) fn tuple(host: &dyn Host) -> Option<String> {
    let machine = host.uname().ok()?.machine;
    let (cpu, abi) = match machine.as_str() {
        "i386" | "i486" | "i586" | "i686" => ("i386", "gnu"),
        "ppc64le" => ("powerpc64le", "gnu"),
        "ppc64" => ("powerpc64", "gnu"),
        "armv6l" => ("arm", "gnueabi"),
        machine if machine.starts_with("armv7") || machine.starts_with("armv8") => ("arm", "gnueabihf"),
        machine => (machine, "gnu"),
    };
    Some(format!("{cpu}-linux-{abi}"))
}

/// Inserts the value, if there is one.
pub(super) fn put(into: &mut Facts, key: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        into.insert(key.to_string(), value.into());
    }
}
