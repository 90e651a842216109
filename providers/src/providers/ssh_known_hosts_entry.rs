//! `ssh_known_hosts_entry`: host keys. All resources of a run with the same file write it together, at the end of the run.

use super::embedded;
use super::support::*;
use rchef_change::command::duration;
use rchef_change::{Assertion, Command};
use rchef_host::Host;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_recipe::run::run_mut;
use rchef_ruby::{Res, Value, Vm, sym};

pub(crate) struct SshKnownHostsEntry;

/// Key types by their names in the file.
const TYPES: &[(&str, &str)] =
    &[("rsa", "ssh-rsa"), ("dsa", "ssh-dss"), ("ecdsa", "ecdsa-sha2-nistp256"), ("ed25519", "ssh-ed25519")];

/// What an `ssh_known_hosts_entry` resource asks for.
pub(crate) struct Desired {
    flush: bool,
    host: String,
    key: Option<String>,
    key_type: String,
    port: i64,
    timeout: i64,
    hash_entries: bool,
    file: String,
    mode: String,
    owner: Value,
    group: Value,
}

impl Desired {
    fn template(&self) -> String {
        format!("update ssh known hosts file {}", self.file)
    }

    /// The lines of the entry; without a `key` they come from ssh-keyscan.
    fn entry(&self, host: &dyn Host) -> Looked<String> {
        let at_port = format!("[{}]:{}", self.host, self.port);
        if let Some(key) = &self.key {
            let shown = if self.port == 22 { &self.host } else { &at_port };
            let known = TYPES.iter().find(|(name, _)| *name == self.key_type);
            return Ok(format!("{shown} {} {key}", known.map_or(self.key_type.as_str(), |(_, full)| full)));
        }
        let mut words = vec!["ssh-keyscan".to_string(), format!("-t{}", self.key_type)];
        words.extend(["-p".to_string(), self.port.to_string()]);
        words.extend(self.hash_entries.then(|| "-H".to_string()));
        words.push(self.host.clone());
        let command = Command { timeout: Some(duration(self.timeout as f64)), ..Command::system(words) };
        let found = lossy(&command.run(host)?.stdout);
        if self.port == 22 {
            return Ok(found);
        }
        let at = found.split_inclusive('\n').scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line))
        });
        let first = at.into_iter().find(|(_, line)| line.starts_with(&self.host)).map(|(start, _)| start);
        Ok(first.map_or(found.clone(), |at| format!("{}{at_port}{}", &found[..at], &found[at + self.host.len()..])))
    }
}

impl Composite for SshKnownHostsEntry {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create", "flush"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let (port, timeout) = (get(vm, resource, "port")?, get(vm, resource, "timeout")?);
        Ok(Desired {
            flush: action == "flush",
            host: text(vm, resource, "host")?,
            key: text_opt(vm, resource, "key")?,
            key_type: text(vm, resource, "key_type")?,
            port: vm.to_int(&port)?,
            timeout: vm.to_int(&timeout)?,
            hash_entries: flag(vm, resource, "hash_entries")?,
            file: text(vm, resource, "file_location")?,
            mode: text(vm, resource, "mode")?,
            owner: get(vm, resource, "owner")?,
            group: get(vm, resource, "group")?,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let names = [("host", &desired.host), ("key type", &desired.key_type)];
        Ok(names.into_iter().filter_map(|(what, name)| unfit("ArgumentError", what, name)).collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        if desired.flush {
            let root = run_mut(children.vm()).root.clone();
            let vm = children.vm();
            let collection = vm.call_name(&root, "resource_collection", &[])?;
            let template =
                vm.call_name(&collection, "lookup", &[Value::str(format!("template[{}]", desired.template()))])?;
            vm.call_name(&template, "run_action", &[Value::sym("create")])?;
            let text = "flushed ssh_known_hosts entries to file, later ssh_known_hosts_entry resources will not have been written";
            children.log("warn", text);
            return Ok(());
        }
        let entry = children.look(|host| desired.entry(host))?;
        let comment = entry.split('\n').next().unwrap_or_default().to_string();
        let nothing = vec![(Value::sym("entries"), Value::array(Vec::new()))];
        let variables = children.vm().new_hash(nothing)?;
        let template = Child::new("template", desired.template()).text("source", embedded::KNOWN_HOSTS);
        let template = template.flag("local", true).text("path", &desired.file).set("owner", desired.owner.clone());
        let template = template.set("group", desired.group.clone()).text("mode", &desired.mode).action("nothing");
        let template = template.set("delayed_action", Value::sym("create")).flag("backup", false);
        let template = children.find_in_root(template.set("variables", variables))?;
        let vm = children.vm();
        let variables = vm.call_name(&template, "variables", &[])?;
        let entries = vm.call(&variables, sym::AREF, &[Value::sym("entries")])?;
        for known in vm.to_array(&entries)? {
            let known = vm.to_s_text(&known)?;
            if !known.is_empty() && (known.contains(&comment) || known.contains(&entry)) {
                return Ok(());
            }
        }
        vm.call_name(&entries, "push", &[Value::str(&entry)]).map(drop)
    }
}
