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
mod source;
mod ssh;
mod uptime;
mod virtualization;

pub use simulated::{names, simulated};

use rchef_host::Host;
use serde_json::{Value as Json, json};
pub use source::Choice;
pub(crate) use source::Facts;

/// The version of Ohai that Chef 18.11.21 ships, and whose facts these are.
const OHAI_VERSION: &str = "18.1.18";

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

#[cfg(test)]
mod tests;
