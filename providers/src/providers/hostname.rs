//! `hostname`: the machine's name in the kernel, in /etc/hosts, and in the files that keep it across reboots.

use super::support::*;
use rchef_change::{Assertion, Command, lossy as shown};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Hostname;

/// Name of the `ohai` resource that reloads the host name into the node.
const RELOAD: &str = "reload hostname";

/// What a `hostname` resource asks for.
pub(crate) struct Desired {
    name: String,
    fqdn: Option<String>,
    address: Option<String>,
    aliases: Vec<String>,
    /// Whether this is a Docker container, where the files with the host name are mounted.
    is_docker: bool,
    root_group: String,
    is_linux: bool,
    os: String,
}

impl Desired {
    /// The line of /etc/hosts.
    fn hosts_line(&self, address: &str) -> String {
        let short = self.name.split('.').next().unwrap_or_default();
        let fqdn = self.fqdn.iter().filter(|fqdn| !fqdn.is_empty()).map(String::as_str);
        let names = fqdn.chain([self.name.as_str()]).chain(self.aliases.iter().map(String::as_str)).chain([short]);
        [address].into_iter().chain(names).collect::<Vec<_>>().join(" ")
    }

    fn file(&self, path: &str, content: String) -> Child {
        let file = Child::new("file", path).text("content", content).text("owner", "root");
        file.text("group", &self.root_group).text("mode", "0644")
    }

    /// The file at `path` with the lines that match `stale` replaced by this line at the end.
    fn with_line(
        &self,
        host: &dyn Host,
        path: &'static str,
        line: String,
        stale: &dyn Fn(&str) -> bool,
    ) -> Looked<Child> {
        let text = shown(&compose::read_file(host, path.as_bytes())?);
        let mut lines: Vec<&str> = text.trim_end_matches('\n').split('\n').filter(|line| !stale(line)).collect();
        if text.is_empty() {
            lines.clear();
        }
        lines.push(&line);
        let file = self.file(path, lines.join("\n") + "\n");
        Ok(file.not_if(move |host| {
            let text = shown(&compose::read_file(host, path.as_bytes())?);
            Ok(text.lines().any(|known| known == line))
        }))
    }

    /// Stores the name for later boots, in the way of this system.
    fn persist(&self, children: &mut Children<'_>) -> Res<()> {
        let host = children.host();
        let there = |path: &str| compose::exists(&*host, path.as_bytes());
        let name = self.name.clone();
        let child = if there("/usr/bin/hostnamectl") && !self.is_docker {
            let command = Child::new("execute", format!("hostnamectl set-hostname {name}"));
            command.notifies("reload", &format!("ohai[{RELOAD}]"), "delayed").not_if(move |host| {
                let status = Command::system(["hostnamectl", "status"]);
                let text = shown(&Command { returns: vec![0, 1], ..status }.run(host)?.stdout);
                let known = text.lines().find_map(|line| line.trim().strip_prefix("Static hostname:"));
                Ok(known.is_some_and(|known| known.trim() == name))
            })
        } else if there("/etc/hostname") {
            let file = self.file("/etc/hostname", format!("{name}\n"));
            if self.is_docker { file.flag("atomic_update", false) } else { file }
        } else if there("/etc/sysconfig/network") {
            let line = format!("HOSTNAME={name}");
            let stale =
                |line: &str| line.strip_prefix("HOSTNAME").is_some_and(|rest| rest.trim_start().starts_with('='));
            children.look(|host| self.with_line(host, "/etc/sysconfig/network", line, &stale))?
        } else if there("/etc/HOSTNAME") {
            self.file("/etc/HOSTNAME", format!("{name}\n"))
        } else if there("/etc/conf.d/hostname") {
            self.file("/etc/conf.d/hostname", format!("hostname=\"{name}\"\n"))
        } else {
            let line = format!("kernel.hostname={name}");
            let stale = |line: &str| line.trim_start().starts_with("kernel.hostname");
            children.look(|host| self.with_line(host, "/etc/sysctl.conf", line, &stale))?
        };
        children.declare(child).map(drop)
    }
}

impl Composite for Hostname {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["set"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let os = crate::coerce::node_text(vm, resource, "os")?;
        let group = crate::coerce::node_text(vm, resource, "root_group")?;
        Ok(Desired {
            name: text(vm, resource, "hostname")?,
            fqdn: text_opt(vm, resource, "fqdn")?,
            address: text_opt(vm, resource, "ipaddress")?,
            aliases: list(vm, resource, "aliases")?,
            is_docker: is_docker(vm, resource)?,
            root_group: if group.is_empty() { "root".into() } else { group },
            is_linux: os == "linux",
            os,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        if !desired.is_linux {
            let text = format!("Do not know how to set hostname on os {}", desired.os);
            return Ok(vec![Assertion::new("RuntimeError", text)]);
        }
        let words = [&desired.name].into_iter().chain(&desired.fqdn).chain(&desired.address).chain(&desired.aliases);
        let unfit = words.into_iter().find_map(|word| unfit("ArgumentError", "host", word));
        // the name becomes part of a command line
        Ok(unfit.or_else(|| unfit_word("ArgumentError", "host", &desired.name)).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let name = desired.name.clone();
        let reload = format!("ohai[{RELOAD}]");
        children.declare(Child::new("ohai", RELOAD).text("plugin", "hostname").action("nothing"))?;
        let command = Child::new("execute", format!("set hostname to {name}"));
        let command = command.text("command", format!("/bin/hostname {name}")).not_if({
            let name = name.clone();
            move |host| Ok(shown(&Command::system(["hostname"]).run(host)?.stdout).trim_end_matches('\n') == name)
        });
        children.declare(command.notifies("reload", &reload, "delayed"))?;
        if let Some(address) = &desired.address {
            let line = desired.hosts_line(address);
            let stale = |line: &str| {
                let of_address =
                    line.strip_prefix(address.as_str()).is_some_and(|rest| rest.starts_with(char::is_whitespace));
                let mut words = line.split_whitespace();
                let last = words.next_back();
                // the name surrounded by white space: not at the beginning or end of the line
                let inner = words.skip(usize::from(!line.starts_with(char::is_whitespace))).any(|word| word == name);
                of_address || inner || last == Some(name.as_str()) && line.ends_with(char::is_whitespace)
            };
            let file = children.look(|host| desired.with_line(host, "/etc/hosts", line, &stale))?;
            let file = if desired.is_docker { file.flag("atomic_update", false) } else { file };
            children.declare(file.notifies("reload", &reload, "delayed"))?;
        }
        desired.persist(children)
    }
}
