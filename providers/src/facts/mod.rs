//! Facts: the automatic attributes that Ohai 18 collects on Linux, and those of simulated platforms.
//!
//! One module for a group of Ohai plugins. Everything comes from /proc, /sys, /etc and the host's own queries, without running a command where the kernel tells
//! the same: a whole collection takes milliseconds. A fact that Ohai would not have on this machine is absent, and so nil for cookbooks.

mod cloud;
mod cpu;
mod disks;
mod dmi;
mod filesystem;
mod hints;
mod hostname;
mod kernel;
mod memory;
mod network;
mod packages;
mod passwd;
mod platform;
mod simulated;
mod ssh;
mod uptime;
mod virtualization;

pub use simulated::{names, simulated};

use rchef_host::{CommandSpec, Host, compose, processes};
use serde_json::{Map, Value as Json, json};

/// The version of Ohai that Chef 18.11.21 ships, and whose facts these are.
const OHAI_VERSION: &str = "18.1.18";

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
}

type Collect = fn(&dyn Host, &Choice, &mut Facts);

/// Ohai's plugins with what collects them here, those that others read before them.
const PLUGINS: &[(&str, Collect)] = &[
    ("Kernel", kernel::collect),
    ("OS", kernel::os),
    ("InitPackage", kernel::init_package),
    ("Fips", kernel::fips),
    ("Machineid", kernel::machine_id),
    ("OsRelease", platform::os_release),
    ("LSB", platform::lsb),
    ("Platform", platform::collect),
    ("Hostname", hostname::collect),
    ("Cpu", cpu::collect),
    ("Memory", memory::collect),
    ("Network", network::collect),
    ("Filesystem", filesystem::collect),
    ("BlockDevice", disks::collect),
    ("DMI", dmi::collect),
    ("Virtualization", virtualization::collect),
    ("Packages", packages::collect),
    ("Uptime", uptime::collect),
    ("Timezone", uptime::timezone),
    ("SSHHostKey", ssh::collect),
    ("Shells", passwd::shells),
    ("RootGroup", passwd::root_group),
    ("Cloud", cloud::collect),
];

/// Plugins that Ohai runs only where the configuration names them.
const OPTIONAL: &[(&str, Collect)] = &[("Passwd", passwd::collect)];

/// The facts of this machine.
pub fn collect(host: &dyn Host, choice: &Choice) -> Facts {
    let listed = |list: &[String], name: &str| list.iter().any(|known| known.eq_ignore_ascii_case(name));
    let mut facts = Facts::new();
    for (name, collect) in PLUGINS {
        if !listed(&choice.disabled, name) {
            collect(host, choice, &mut facts);
        }
    }
    for (name, collect) in OPTIONAL {
        if listed(&choice.optional, name) {
            collect(host, choice, &mut facts);
        }
    }
    facts.insert("command".into(), json!({ "ps": "ps -ef" }));
    facts.insert("languages".into(), json!({ "ruby": ruby() }));
    facts.insert(
        "chef_packages".into(),
        json!({ "chef": { "version": rchef_recipe::CHEF_VERSION }, "ohai": { "version": OHAI_VERSION } }),
    );
    facts.insert("ohai_time".into(), json!(host.wall_ns() as f64 / 1e9));
    facts
}

/// [`collect`] as JSON text.
pub fn collect_text(host: &dyn Host, choice: &Choice) -> Vec<u8> {
    Json::Object(collect(host, choice)).to_string().into_bytes()
}

/// The Ruby that cookbooks run on. There is no program of it and no folder of its own, so Ohai's `ruby_bin` and `bin_dir` are absent.
fn ruby() -> Json {
    let machine = std::env::consts::ARCH;
    json!({
        "platform": format!("{machine}-linux"), "version": rchef_ruby::core::globals::ruby_version(),
        "target": format!("{machine}-pc-linux-gnu"), "target_cpu": machine, "target_vendor": "pc", "target_os": "linux",
        "host": format!("{machine}-pc-linux-gnu"), "host_cpu": machine, "host_os": "linux-gnu", "host_vendor": "pc",
    })
}

/// A file's text without the line break at its end; none when it cannot be read.
fn read(host: &dyn Host, path: &str) -> Option<String> {
    let bytes = compose::read_file(host, path.as_bytes()).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_string())
}

/// [`read`] without white space around.
fn read_word(host: &dyn Host, path: &str) -> Option<String> {
    read(host, path).map(|text| text.trim().to_string())
}

fn exists(host: &dyn Host, path: &str) -> bool {
    compose::exists(host, path.as_bytes())
}

/// Names in a directory, sorted; none when it cannot be read.
fn entries(host: &dyn Host, path: &str) -> Vec<String> {
    let found = host.readdir(path.as_bytes()).unwrap_or_default();
    found.into_iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect()
}

/// Whether a program is in one of the usual folders.
fn has_program(host: &dyn Host, name: &str) -> bool {
    let path = host.env(b"PATH").unwrap_or_default();
    let path = String::from_utf8_lossy(&path).into_owned();
    let usual = ["/sbin", "/usr/sbin", "/bin", "/usr/bin"];
    let mut folders = path.split(':').filter(|folder| !folder.is_empty()).chain(usual);
    folders.any(|folder| host.access(format!("{folder}/{name}").as_bytes(), rchef_host::Access::EXECUTE, true).is_ok())
}

/// What a command prints; nothing when it cannot be run.
fn output(host: &dyn Host, argv: &[&str]) -> String {
    let spec = CommandSpec::argv(argv.iter().map(|word| word.as_bytes())).captured().with_env("LC_ALL", "C");
    let spec = spec.with_timeout(std::time::Duration::from_secs(30));
    let found = processes::run(host, &spec).map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&found).into_owned()
}

/// Puts a text that is there into a map.
fn put(into: &mut Facts, key: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        into.insert(key.to_string(), value.into());
    }
}

#[cfg(test)]
mod tests;
