//! Facts: the automatic attributes that Ohai 18 collects on Linux, and those of simulated platforms.
//!
//! One module for a group of Ohai plugins. Everything comes from /proc, /sys, /etc and the host's own queries, without running a command where the
//! kernel has the same data: a full collection takes milliseconds. A fact that Ohai would not have on this machine is absent, and so nil for
//! cookbooks.

mod cloud;
mod cpu;
mod disks;
mod dmi;
mod filesystem;
mod hints;
mod hostname;
mod kernel;
mod languages;
mod memory;
mod network;
mod packages;
mod passwd;
mod platform;
mod routes;
mod simulated;
mod source;
mod ssh;
mod systemd;
mod uptime;
mod virtualization;

pub use simulated::{names, simulated};

use rchef_host::Host;
use rchef_ruby::{Value, Vm, sym};
use serde_json::{Value as Json, json};
pub use source::Choice;
pub(crate) use source::Facts;

/// The version of Ohai in Chef 18.11.21; the facts here are those of this version.
const OHAI_VERSION: &str = "18.1.18";

type Collect = fn(&dyn Host, &Choice, &mut Facts);

/// Ohai's plugins and their collectors; a plugin comes after the ones whose attributes it reads.
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
    ("Hostnamectl", systemd::hostnamectl),
    ("SystemdPaths", systemd::paths),
    ("Perl", languages::perl),
    ("Uptime", uptime::collect),
    ("Timezone", uptime::timezone),
    ("SSHHostKey", ssh::collect),
    ("Shells", passwd::shells),
    ("RootGroup", passwd::root_group),
];

/// The plugins of `minimal_ohai`, with the plugins that they read.
const MINIMAL: &[&str] = &["Kernel", "OS", "InitPackage", "OsRelease", "LSB", "Platform", "Hostname"];

/// Plugins that Ohai runs only if the configuration names them.
const OPTIONAL: &[(&str, Collect)] = &[("Passwd", passwd::collect)];

/// The attributes of all plugins that Ohai ships, including the optional ones and those for other systems.
const KNOWN: &str = "alibaba azure block_device chef_packages cloud command counters cpu current_user digital_ocean dmi docker domain ec2 etc \
    eucalyptus filesystem fips fqdn gce grub2 habitat hardware hostname hostnamectl idletime idletime_seconds init_package interrupts ip6address \
    ipaddress ipc kernel keys languages libvirt linode livepatch lsb lspci macaddress machine_id machinename mdadm memory network oci ohai_time \
    openstack os os_release os_version packages pci platform platform_backend platform_build platform_family platform_version \
    platform_version_extra rackspace root_group rpm scaleway scsi selinux sessions shard_seed shells softlayer sysconf sysctl system_enclosure \
    systemd_paths tc time train uptime uptime_seconds virtualbox virtualization vmware zpools";

/// Whether some plugin of Ohai provides this attribute, on any platform.
fn is_known(name: &str) -> bool {
    KNOWN.split_ascii_whitespace().any(|known| known == name)
}

/// Registers the function that collects facts on demand.
pub(crate) fn boot(vm: &mut Vm) {
    let collect: fn(&mut Vm, Option<&str>) -> Option<Facts> = |vm, attribute| {
        let (choice, host) = (choice(vm), vm.host.clone());
        collect_for(&*host, &choice, attribute)
    };
    rchef_recipe::process::process_mut(vm).natives = Some(rchef_recipe::process::Natives { collect, knows: is_known });
}

/// Ohai's own hints folder.
pub(crate) const HINTS: &str = hints::FOLDERS[0];

/// The collectors chosen by the configuration, except those of clouds, which read what all the others found.
fn chosen(choice: &Choice) -> impl Iterator<Item = Collect> {
    let is_asked_for = |name: &str| choice.optional.iter().any(|known| known.eq_ignore_ascii_case(name));
    let is_left_out = |name: &str| choice.is_disabled(name) || choice.minimal && !MINIMAL.contains(&name);
    let usual = PLUGINS.iter().filter(move |(name, _)| !is_left_out(name));
    let optional = OPTIONAL.iter().filter(move |(name, _)| is_asked_for(name));
    usual.chain(optional).map(|(_, collect)| *collect)
}

/// The settings of client.rb for Ohai's plugins and hints.
pub fn choice(vm: &mut Vm) -> Choice {
    let settings = crate::coerce::config(vm, "ohai").unwrap_or_default();
    if settings.is_nil() {
        return Choice::default();
    }
    let mut list = |key: &str| -> Vec<String> {
        let value = vm.call(&settings, sym::AREF, &[Value::sym(key)]).unwrap_or_default();
        let items = vm.to_array(&value).unwrap_or_default();
        items.iter().filter_map(|item| vm.to_s_text(item).ok()).collect()
    };
    let (optional, disabled, hints) = (list("optional_plugins"), list("disabled_plugins"), list("hints_path"));
    Choice { optional, disabled, hints, minimal: false }
}

/// The facts of the plugins that provide an attribute (only its first part counts: `network` of `network/interfaces`), or all facts without one.
/// None if no plugin of Ohai provides it.
pub(crate) fn collect_for(host: &dyn Host, choice: &Choice, attribute: Option<&str>) -> Option<Facts> {
    let Some(attribute) = attribute else { return Some(collect(host, choice)) };
    let attribute = attribute.split('/').next().unwrap_or(attribute);
    let (mut all, mut found) = (Facts::new(), Facts::new());
    let mut collectors: Vec<Collect> = chosen(choice).collect();
    if cloud::has(attribute) {
        collectors.push(cloud::collect);
    }
    for collect in collectors {
        // a plugin may read what those before it found, so all of them run
        let before = all.clone();
        collect(host, choice, &mut all);
        if all.get(attribute) != before.get(attribute) {
            found.extend(
                all.iter()
                    .filter(|(key, value)| before.get(*key) != Some(value))
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
        }
    }
    if found.is_empty() {
        about_rchef(host, &mut all);
        found.extend(all.remove(attribute).map(|value| (attribute.to_string(), value)));
    }
    (!found.is_empty() || is_known(attribute)).then_some(found)
}

/// The facts of this machine.
pub fn collect(host: &dyn Host, choice: &Choice) -> Facts {
    let mut facts = Facts::new();
    for collect in chosen(choice) {
        collect(host, choice, &mut facts);
    }
    if !choice.minimal {
        cloud::collect(host, choice, &mut facts);
    }
    about_rchef(host, &mut facts);
    facts
}

/// The versions of Ohai, Chef and Ruby (`chef_packages`, `languages`).
fn about_rchef(host: &dyn Host, facts: &mut Facts) {
    facts.insert("command".into(), json!({ "ps": "ps -ef" }));
    languages::ruby(host, facts);
    facts.insert(
        "chef_packages".into(),
        json!({ "chef": { "version": rchef_recipe::CHEF_VERSION }, "ohai": { "version": OHAI_VERSION } }),
    );
    facts.insert("ohai_time".into(), json!(host.wall_ns() as f64 / 1e9));
}

/// [`collect`] as JSON text.
pub fn collect_text(host: &dyn Host, choice: &Choice) -> Vec<u8> {
    Json::Object(collect(host, choice)).to_string().into_bytes()
}

#[cfg(test)]
mod tests;
