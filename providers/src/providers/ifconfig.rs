//! `ifconfig`: addresses of network interfaces with net-tools, and the files that restore them at boot.

use super::support::*;
use rchef_change::{Assertion, ChangeError, Command, Task, Why};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Ifconfig;

/// What an `ifconfig` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    /// The resource's name in messages.
    shown: String,
    /// The interface; None: the resource does not name one.
    device: Option<String>,
    family: String,
    /// The properties that are set, by name.
    given: Vec<(&'static str, String)>,
    system: System,
}

/// The family of distributions whose configuration files are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum System {
    Debian,
    RedHat,
    Other,
}

const PROPERTIES: &[&str] = &[
    "target",
    "mask",
    "network",
    "bcast",
    "metric",
    "hwaddr",
    "mtu",
    "gateway",
    "onboot",
    "bootproto",
    "onparent",
    "ethtool_opts",
    "bonding_opts",
    "master",
    "slave",
    "vlan",
    "bridge",
];
/// Properties of a static interface and their keywords in Debian's files.
const DEBIAN: &[(&str, &str)] = &[
    ("target", "address"),
    ("mask", "netmask"),
    ("network", "network"),
    ("bcast", "broadcast"),
    ("metric", "metric"),
    ("hwaddr", "hwaddress"),
    ("mtu", "mtu"),
    ("gateway", "gateway"),
];
/// Properties and their variables in Red Hat's files.
const RED_HAT: &[(&str, &str)] = &[
    ("bootproto", "BOOTPROTO"),
    ("target", "IPADDR"),
    ("mask", "NETMASK"),
    ("network", "NETWORK"),
    ("bcast", "BROADCAST"),
    ("onparent", "ONPARENT"),
    ("hwaddr", "HWADDR"),
    ("metric", "METRIC"),
    ("mtu", "MTU"),
    ("ethtool_opts", "ETHTOOL_OPTS"),
    ("bonding_opts", "BONDING_OPTS"),
    ("master", "MASTER"),
    ("slave", "SLAVE"),
    ("vlan", "VLAN"),
    ("gateway", "GATEWAY"),
    ("bridge", "BRIDGE"),
];
const INTERFACES: &str = "/etc/network/interfaces";
const FOLDER: &str = "/etc/network/interfaces.d";
const SCRIPTS: &str = "/etc/sysconfig/network-scripts";
const LOOPBACK: &str = "lo";

/// The output of `ifconfig` about an interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shown {
    is_there: bool,
    has_address: bool,
}

/// The major version of net-tools.
fn major(text: &str) -> Option<u32> {
    let version = text.lines().find_map(|line| line.strip_prefix("net-tools "))?;
    let (major, minor) = version.split_once('.')?;
    minor.starts_with(|c: char| c.is_ascii_digit()).then(|| major.parse().ok())?
}

/// The interface's name at the start of a line of net-tools 2: `eth0: flags=…`, `eth0:1: flags=…`.
fn heading(line: &str) -> Option<&str> {
    let name = line.split(' ').next().filter(|name| name.len() < line.len())?.trim_end_matches(':');
    let (device, alias) = name.split_once(':').unwrap_or((name, ""));
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    (!device.is_empty() && is_name(device) && alias.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

/// Reads an interface's data from the output of `ifconfig`, whose format depends on the version of net-tools.
fn listed(text: &str, version: u32, device: &str) -> Shown {
    let mut found = Shown::default();
    let mut here = false;
    for line in text.lines() {
        let name = match version {
            0 | 1 => Some(line.get(..10).unwrap_or(line).trim()).filter(|name| !name.is_empty()),
            _ => heading(line),
        };
        if let Some(name) = name {
            here = name == device;
            found.is_there |= here;
        } else if here {
            found.has_address |= line.contains(if version < 2 { "inet addr:" } else { "inet" });
        }
    }
    found
}

fn look(host: &dyn Host, device: &str) -> Looked<Shown> {
    let ask = |words: &[&str]| Command { until_exit: false, ..Command::system(words.iter().copied()) }.query(host);
    let version = ask(&["ifconfig", "--version"])?;
    let version = major(&lossy(&version.stdout)).or_else(|| major(&lossy(&version.stderr)));
    let Some(version) = version else {
        return Err(ChangeError::raise("RuntimeError", "net-tools not found - this is required for ifconfig"));
    };
    let output = ask(&["ifconfig"])?;
    if !output.status.success() {
        let text = format!("ifconfig failed - {}!", lossy(&output.stderr).trim());
        return Err(ChangeError::raise("Chef::Exceptions::Ifconfig", text));
    }
    Ok(listed(&lossy(&output.stdout), version, device))
}

impl Desired {
    fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    fn device(&self) -> &str {
        self.device.as_deref().unwrap_or_default()
    }

    /// The command of the action.
    fn words(&self) -> Vec<String> {
        let mut words = vec!["ifconfig".to_string(), self.device().to_string()];
        if matches!(self.action, "delete" | "disable") {
            words.push("down".into());
            return words;
        }
        words.extend(self.get("target").map(str::to_string));
        for (property, word) in [("mask", "netmask"), ("metric", "metric"), ("mtu", "mtu")] {
            words.extend(self.get(property).into_iter().flat_map(|value| [word.to_string(), value.to_string()]));
        }
        words
    }

    /// The path of the file that restores the interface at boot.
    fn file(&self) -> Option<String> {
        let folder = match self.system {
            System::Debian => FOLDER,
            System::RedHat => SCRIPTS,
            System::Other => return None,
        };
        Some(format!("{folder}/ifcfg-{}", self.device()))
    }

    /// The text of that file, with the spaces of Chef's template.
    fn text(&self) -> String {
        let mut text = "\n".to_string();
        let Some(device) = &self.device else { return text + "          " };
        if self.system == System::RedHat {
            text.push_str(&format!("DEVICE={device}\n"));
            if self.get("onboot") == Some("yes") {
                text.push_str("ONBOOT=yes\n");
            }
            for (property, variable) in RED_HAT {
                let Some(value) = self.get(property) else { continue };
                let quote = if property.ends_with("_opts") { "\"" } else { "" };
                text.push_str(&format!("{variable}={quote}{value}{quote}\n"));
            }
            return text + "          ";
        }
        if self.get("onboot") == Some("yes") {
            text.push_str(&format!("auto {device}\n"));
        }
        let family = &self.family;
        match self.get("bootproto") {
            Some(protocol @ ("dhcp" | "bootp")) => text.push_str(&format!("iface {device} {family} {protocol}\n")),
            _ => {
                text.push_str(&format!("iface {device} {family} static\n"));
                for (property, word) in DEBIAN {
                    text.push_str("    ");
                    if let Some(value) = self.get(property) {
                        text.push_str(&format!("    {word} {value}\n    "));
                    }
                }
            }
        }
        text + "          "
    }

    /// Makes Debian's main file include the directory with the other files.
    fn source_folder(&self, children: &mut Children<'_>) -> Res<()> {
        let line = format!("source {FOLDER}/*");
        let is_line = |text: &str| {
            text.lines().any(|known| {
                known.trim().strip_prefix("source").is_some_and(|rest| {
                    rest.starts_with(char::is_whitespace) && rest.trim_start() == format!("{FOLDER}/*")
                })
            })
        };
        let known = children.look(|host| contents(host, INTERFACES))?.map(|text| lossy(&text));
        if known.as_deref().is_some_and(is_line) {
            return Ok(());
        }
        let Some(mut text) = known else {
            let error = ChangeError::raise("ArgumentError", format!("File '{INTERFACES}' does not exist"));
            return Err(children.raised(&error));
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("{line}\n"));
        let write = children.look(|host| rewritten(host, INTERFACES, text.clone().into_bytes()))?;
        let said = format!("modifying {INTERFACES} to source {FOLDER}");
        children.change(Task::new("ifconfig", INTERFACES, Why::Differs, said).write(write))
    }

    fn keep(&self, children: &mut Children<'_>) -> Res<()> {
        let Some(file) = self.file() else { return Ok(()) };
        let deletes = self.action == "delete";
        if self.system == System::Debian && !deletes {
            let host = children.host();
            let has_folder = host.stat(FOLDER.as_bytes()).is_ok_and(|stat| stat.is_dir());
            if !has_folder || compose::exists(&*host, INTERFACES.as_bytes()) {
                children.declare(Child::new("directory", FOLDER).action("create"))?;
                self.source_folder(children)?;
            }
        }
        let child = Child::new("file", &file);
        let child = if deletes { child.action("delete") } else { child.text("content", self.text()).action("create") };
        children.declare(child).map(drop)
    }
}

impl Composite for Ifconfig {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "delete", "enable", "disable"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let family = crate::coerce::node_text(vm, resource, "platform_family")?;
        let system = match family.as_str() {
            "debian" => System::Debian,
            "fedora" | "rhel" | "amazon" => System::RedHat,
            _ => System::Other,
        };
        let mut given = Vec::new();
        for name in PROPERTIES {
            given.extend(text_opt(vm, resource, name)?.map(|value| (*name, value)));
        }
        Ok(Desired {
            action,
            shown: vm.to_s_text(resource)?,
            device: text_opt(vm, resource, "device")?,
            family: text(vm, resource, "family")?,
            given,
            system,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let class = "Chef::Exceptions::Ifconfig";
        let bad_device = || {
            let device = desired.device.as_deref().filter(|device| device.contains('/'))?;
            let text = format!("{device:?} cannot be the name of a network interface: it holds a '/'");
            Some(Assertion::new(class, text))
        };
        let given = desired.given.iter().map(|(_, value)| value.as_str());
        let word = desired
            .device
            .as_deref()
            .into_iter()
            .chain(given)
            .find_map(|word| unfit(class, "network interface or the value of a property", word));
        Ok(word.or_else(bad_device).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let shown = children.look(|host| look(host, desired.device()))?;
        let (due, verb) = match desired.action {
            "add" => (!shown.has_address && desired.device() != LOOPBACK, "add"),
            "enable" => (!shown.has_address && desired.device() != LOOPBACK, "enable"),
            verb => (shown.is_there, verb),
        };
        if due {
            let words = desired.words();
            let line = format!("run {} to {verb} {}", words.join(" "), desired.shown);
            let why = if shown.is_there { Why::Differs } else { Why::Absent };
            children.change(Task::new("ifconfig", desired.device(), why, line).run(Command::system(words)))?;
        }
        match desired.action {
            "add" | "delete" => desired.keep(children),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_of_both_versions() {
        let new = "eth0: flags=4163<UP>  mtu 1500\n        inet 10.0.0.1  netmask 255.0.0.0\n\neth0:1: flags=4163<UP>  mtu 1500\n        ether 00:11\n\nbr-lan: flags=1  mtu 9\n        inet6 fe80::1\n";
        let found = |device: &str| {
            let shown = listed(new, 2, device);
            (shown.is_there, shown.has_address)
        };
        assert_eq!(
            ["eth0", "eth0:1", "br-lan", "eth1"].map(found),
            [(true, true), (true, false), (true, true), (false, false)]
        );
        let old = "eth0      Link encap:Ethernet  HWaddr 00:11\n          inet addr:10.0.0.1  Bcast:10.255.255.255\neth1      Link encap:Ethernet\n          UP\n";
        let found = |device: &str| (listed(old, 1, device).is_there, listed(old, 1, device).has_address);
        assert_eq!(["eth0", "eth1", "lo"].map(found), [(true, true), (true, false), (false, false)]);
        assert_eq!(major("net-tools 2.10\n"), Some(2));
        assert_eq!(major("net-tools 1.60\nifconfig 1.42 (2001-04-13)\n"), Some(1));
        assert_eq!(major("busybox\n"), None);
    }
}
