//! `route`: routes of the kernel and, on the Red Hat family, the files that restore them at boot.

use super::support::*;
use rchef_change::{Assertion, Change, ChangeError, Command, Task, Why};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Res, Value, Vm};
use std::net::Ipv4Addr;

pub(crate) struct Route;

pub(crate) struct Wish {
    target: String,
    netmask: Option<String>,
    gateway: Option<String>,
    device: Option<String>,
    metric: Option<String>,
    comment: Option<String>,
    /// The only action is `:add`, so the route is in the interface's file.
    added: bool,
}

/// What a `route` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    wish: Wish,
    /// Routes of the whole resource collection, for the files of the Red Hat family.
    others: Option<Vec<Wish>>,
}

const SCRIPTS: &str = "/etc/sysconfig/network-scripts";
const NETWORK: &str = "/etc/sysconfig/network";

/// The prefix length of a netmask, given as a number or an address.
fn length(mask: &str) -> Option<u32> {
    if let Ok(length) = mask.parse() {
        return Some(length);
    }
    let bits = u32::from(mask.parse::<Ipv4Addr>().ok()?);
    (bits.leading_ones() + bits.trailing_zeros() >= 32).then(|| bits.leading_ones())
}

/// A network's first address and prefix length.
fn network(target: &str, netmask: Option<&str>) -> Option<(u32, u32)> {
    let (address, given) = match (target.split_once('/'), netmask) {
        (Some((address, given)), None) => (address, Some(given)),
        (Some(_), Some(_)) => return None,
        (None, netmask) => (target, netmask),
    };
    let address = u32::from(address.parse::<Ipv4Addr>().ok()?);
    let length = given.map_or(Some(32), length).filter(|length| *length <= 32)?;
    let mask = u32::MAX.checked_shl(32 - length).unwrap_or(0);
    Some((address & mask, length))
}

/// The file's text with each line that sets a gateway replaced by this one, which is added if there is none.
fn with_gateway(text: &str, line: &str) -> String {
    let sets = |line: &str| line.starts_with("GATEWAY=");
    let added = (!text.lines().any(sets)).then_some(line);
    text.lines().map(|old| if sets(old) { line } else { old }).chain(added).map(|line| format!("{line}\n")).collect()
}

/// An address in /proc/net/route: a number in hexadecimal, in the machine's byte order.
fn address(hex: &str) -> Option<u32> {
    (hex.len() == 8).then(|| u32::from_str_radix(hex, 16).ok().map(u32::swap_bytes))?
}

impl Wish {
    fn read(vm: &mut Vm, resource: &Value) -> Res<Wish> {
        let action = get(vm, resource, "action")?;
        let actions = vm.to_array(&action)?;
        Ok(Wish {
            target: text(vm, resource, "target")?,
            netmask: text_opt(vm, resource, "netmask")?,
            gateway: text_opt(vm, resource, "gateway")?,
            device: text_opt(vm, resource, "device")?,
            metric: text_opt(vm, resource, "metric")?,
            comment: text_opt(vm, resource, "comment")?,
            added: actions.len() == 1 && vm.to_name(&actions[0])?.as_str() == "add",
        })
    }

    /// The target in the notation of ip(8).
    fn shown(&self) -> String {
        match self.netmask.as_deref() {
            Some(mask) => {
                format!(
                    "{}/{}",
                    self.target,
                    length(mask).map_or_else(|| mask.to_string(), |length| length.to_string())
                )
            }
            None => self.target.clone(),
        }
    }

    /// Rejects a netmask that does not fit the target's address family.
    fn unreadable_mask(&self) -> Option<Assertion> {
        let mask = self.netmask.as_deref()?;
        let bits = if self.target.contains(':') { 128 } else { 32 };
        let is_readable = length(mask).is_some_and(|length| length <= bits);
        (!is_readable).then(|| Assertion::new("ArgumentError", format!("invalid netmask: {mask}")))
    }

    fn words(&self, adds: bool) -> Vec<String> {
        let mut words: Vec<String> =
            ["ip", "route", if adds { "replace" } else { "delete" }].map(str::to_string).to_vec();
        words.push(self.shown());
        let given = [("via", &self.gateway), ("dev", &self.device), ("metric", &self.metric)];
        for (word, value) in given.into_iter().take(if adds { 3 } else { 1 }) {
            words.extend(value.iter().flat_map(|value| [word.to_string(), value.clone()]));
        }
        words
    }

    /// The route's lines in an interface's file.
    fn lines(&self) -> String {
        let mut text = self.comment.as_ref().map(|comment| format!("# {comment}\n")).unwrap_or_default();
        text.push_str(&self.shown());
        for (word, value) in [("via", &self.gateway), ("dev", &self.device), ("metric", &self.metric)] {
            if let Some(value) = value {
                text.push_str(&format!(" {word} {value}"));
            }
        }
        text + "\n"
    }

    fn is_there(&self, host: &dyn Host) -> Looked<bool> {
        let invalid = |text: &str| ChangeError::raise("ArgumentError", format!("invalid address: {text}"));
        // Chef compares a default route's gateway as if it were the target
        let wanted = if self.target == "default" {
            let gateway = self.gateway.as_deref().unwrap_or_default();
            network(gateway, None).ok_or_else(|| invalid(gateway))?
        } else if self.target.contains(':') {
            return Ok(false);
        } else {
            network(&self.target, self.netmask.as_deref()).ok_or_else(|| invalid(&self.target))?
        };
        let gateway = self.gateway.as_deref().and_then(|text| text.parse::<Ipv4Addr>().ok()).map(u32::from);
        let table = lossy(&compose::read_file(host, b"/proc/net/route")?);
        Ok(table.lines().any(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let field = |at: usize| fields.get(at).and_then(|hex| address(hex));
            let (Some(to), Some(via), Some(mask)) = (field(1), field(2), field(7)) else { return false };
            (to, mask.count_ones()) == wanted && gateway == Some(via)
        }))
    }
}

impl Desired {
    /// Declares the files of the interfaces; they are written every time, as in Chef.
    fn files(&self, children: &mut Children<'_>) -> Res<()> {
        let Some(others) = &self.others else { return Ok(()) };
        let mut files: Vec<(&str, String)> = Vec::new();
        for wish in others {
            let device = wish.device.as_deref().unwrap_or("eth0");
            let at = match files.iter().position(|(known, _)| *known == device) {
                Some(at) => at,
                None => {
                    files.push((device, String::new()));
                    files.len() - 1
                }
            };
            if self.action == "add" && wish.added && wish.unreadable_mask().is_none() {
                files[at].1.push_str(&wish.lines());
            }
        }
        for (device, text) in files {
            let (path, content, line) = if self.wish.target == "default" {
                let line = format!("GATEWAY={}", self.wish.gateway.as_deref().unwrap_or_default());
                let old = lossy(&children.look(|host| contents(host, NETWORK))?.unwrap_or_default());
                (NETWORK.to_string(), with_gateway(&old, &line), format!("write route default route to {NETWORK}"))
            } else {
                let path = format!("{SCRIPTS}/route-{device}");
                let line = format!("write route route.{device}\n{text} to {path}");
                (path, text, line)
            };
            let write = children.look(|host| super::support::rewritten(host, &path, content.clone().into_bytes()))?;
            children.change(Task::new("route", path, Why::Asked, line).write(write))?;
        }
        Ok(())
    }
}

impl Composite for Route {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let family = crate::coerce::node_text(vm, resource, "platform_family")?;
        let others = if matches!(family.as_str(), "rhel" | "amazon" | "fedora") {
            let context = get(vm, resource, "run_context")?;
            let collection = vm.call_name(&context, "resource_collection", &[])?;
            let collection = vm.call_name(&collection, "to_a", &[])?;
            let class = vm.real_class_of(resource);
            let mut others = Vec::new();
            for other in vm.to_array(&collection)? {
                if vm.is_a(&other, class) {
                    others.push(Wish::read(vm, &other)?);
                }
            }
            Some(others)
        } else {
            None
        };
        Ok(Desired { action, wish: Wish::read(vm, resource)?, others })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let wish = &desired.wish;
        let given =
            [("route", Some(&wish.target)), ("gateway", wish.gateway.as_ref()), ("interface", wish.device.as_ref())];
        let given = given.into_iter().filter_map(|(what, word)| Some((what, word?.as_str())));
        Ok(super::selinux::refused(given).into_iter().chain(wish.unreadable_mask()).collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let (wish, adds) = (&desired.wish, desired.action == "add");
        if children.look(|host| wish.is_there(host))? != adds {
            let words = wish.words(adds);
            let line = format!("run {} to {}", words.join(" "), if adds { "add route" } else { "delete route " });
            let task = Task::new("route", wish.shown(), if adds { Why::Absent } else { Why::Present }, line);
            children.change(Change::from(task.run(Command::system(words))))?;
        }
        desired.files(children)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks() {
        assert_eq!(length("255.255.254.0"), Some(23));
        assert_eq!(length("255.0.255.0"), None);
        assert_eq!(length("0.0.0.0"), Some(0));
        assert_eq!(length("24"), Some(24));
        assert_eq!(length("none"), None);
        assert_eq!(network("10.1.2.3", None), Some((0x0a01_0203, 32)));
        assert_eq!(network("10.1.2.3/8", None), Some((0x0a00_0000, 8)));
        assert_eq!(network("10.1.2.3", Some("255.255.0.0")), Some((0x0a01_0000, 16)));
        assert_eq!(network("0.0.0.0/0", None), Some((0, 0)));
        assert_eq!(network("10.1.2.3/40", None), None);
        assert_eq!(network("10.1.2.3", Some("24")), Some((0x0a01_0200, 24)));
        assert_eq!(network("10.1.2.3/8", Some("255.0.0.0")), None);
        assert_eq!(address("0064A8C0"), Some(0xc0a8_6400));
    }

    #[test]
    fn gateways() {
        let line = "GATEWAY=10.0.0.1";
        assert_eq!(with_gateway("", line), "GATEWAY=10.0.0.1\n");
        assert_eq!(with_gateway("A=1", line), "A=1\nGATEWAY=10.0.0.1\n");
        assert_eq!(with_gateway("GATEWAY=x\nB=2", line), "GATEWAY=10.0.0.1\nB=2\n");
    }
}
